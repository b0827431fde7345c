//! Rust.

use crate::grammar::{Grammar, Privacy};
use crate::section::SectionKind;
use std::borrow::Cow;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "rust",
    language: Some(|| tree_sitter_rust::LANGUAGE.into()),
    sections: &[
        ("function_item", SectionKind::Function),
        ("function_signature_item", SectionKind::Function),
        ("struct_item", SectionKind::Struct),
        ("enum_item", SectionKind::Enum),
        ("union_item", SectionKind::Union),
        ("trait_item", SectionKind::Trait),
        ("impl_item", SectionKind::Impl),
        ("mod_item", SectionKind::Module),
        ("macro_definition", SectionKind::Macro),
        ("const_item", SectionKind::Constant),
        ("static_item", SectionKind::Variable),
        ("type_item", SectionKind::Type),
        ("associated_type", SectionKind::Type),
    ],
    fields: &["field_declaration", "enum_variant"],
    imports: &["use_declaration", "extern_crate_declaration"],
    wrappers: &["foreign_mod_item", "declaration_list"],
    members: &["declaration_list", "field_declaration_list", "enum_variant_list"],
    bodies: &[
        "block",
        "token_tree",
        "macro_rule",
        "array_expression",
        "struct_expression",
        "call_expression",
    ],
    headers: &["impl_item"],
    blanked: Some(without_pub),
    privacy: Privacy::NotPub,
    is_braced: true,
    ..Grammar::EMPTY
};

/// Blanks the `pub` of `pub type Name;`, which the grammar does not support. Only in `extern` blocks is a type without
/// a value `pub`.
fn without_pub(text: &str) -> Cow<'_, str> {
    if !text.contains("extern") || !text.contains("pub type ") {
        return Cow::Borrowed(text);
    }
    let is_foreign = |line: &str| {
        let code = line.trim();
        code.starts_with("pub type ") && code.ends_with(';') && !code.contains('=')
    };
    let blank = |line: &str| match is_foreign(line) {
        true => line.replacen("pub", "   ", 1),
        false => line.to_owned(),
    };
    Cow::Owned(text.split_inclusive('\n').map(blank).collect())
}
