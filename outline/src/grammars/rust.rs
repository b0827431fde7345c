//! Rust.

use crate::grammar::{Grammar, Privacy};
use crate::section::SectionKind;
use crate::text::blank::{self, Overwritten};
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
    overwritten: Some(overwritten),
    privacy: Privacy::NotPub,
    is_braced: true,
    ..Grammar::EMPTY
};

/// Overwrites what the grammar rejects.
fn overwritten(text: &str) -> Cow<'_, str> {
    blank::then(without_pub(text), with_plain_traits)
}

/// Writes `trait Both = A + B;` as `trait Both {       }`, and `const trait` as `trait`: the grammar knows neither.
fn with_plain_traits(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_end();
        let declared = code.split_once("trait ").filter(|(before, _)| is_before_trait(before));
        if let Some((before, named)) = declared {
            if let Some(at) = before.find("const ") {
                into.fill(start + at..start + at + "const".len(), b' ');
            }
            if let Some((name, _)) =
                named.split_once(" = ").filter(|_| code.ends_with(';') && !named.contains('{'))
            {
                let open = start + code.len() - named.len() + name.len() + 1;
                let close = start + code.len() - 1;
                into.fill(open..close, b' ');
                into.fill(open..open + 1, b'{');
                into.fill(close..close + 1, b'}');
            }
        }
        start += line.len();
    }
    into.text()
}

/// Returns whether a text can be before the word `trait`: only words that it may have there.
fn is_before_trait(before: &str) -> bool {
    before.split_whitespace().all(|word| {
        ["pub", "const", "unsafe", "auto"].contains(&word)
            || word.starts_with("pub(") && word.ends_with(')')
    })
}

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
