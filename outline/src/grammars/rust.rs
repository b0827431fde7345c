//! Rust.

use crate::grammar::{Grammar, Privacy};
use crate::section::SectionKind;
use crate::text::blank::{self, Overwritten};
use crate::text::line::is_word;
use std::borrow::Cow;

/// Maximum characters between the name of a type in an `extern` block and its end.
const MAX_PARAMETERS: usize = 200;

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
    let mut into = Overwritten::new(text);
    if !text.contains("extern") {
        return into.text();
    }
    for (at, word) in text.match_indices("pub") {
        let rest = text.get(at + word.len()..).unwrap_or_default();
        if let Some(named) = declared_type(rest).filter(|named| is_foreign(named)) {
            let end = text.len() - named.len() - "type".len();
            into.fill(at..end, b' ');
        }
    }
    into.text()
}

/// Returns what follows the word `type` behind a `pub`, which may have brackets: `pub(in a::b) type`.
fn declared_type(rest: &str) -> Option<&str> {
    let rest = match rest.strip_prefix('(') {
        Some(path) => {
            let is_path = |c: char| is_word(c) || c == ':' || c == ' ';
            path.trim_start_matches(is_path).strip_prefix(')')?
        }
        None => rest,
    };
    rest.trim_start().strip_prefix("type").filter(|_| rest.starts_with(char::is_whitespace))
}

/// Returns whether a type is declared without a value, perhaps with parameters.
fn is_foreign(named: &str) -> bool {
    let name = named.trim_start();
    let behind = name.trim_start_matches(is_word);
    let is_named = name.len() < named.len() && behind.len() < name.len();
    let is_end = |c: &char| matches!(c, ';' | '=' | '{' | '}');
    is_named && behind.chars().take(MAX_PARAMETERS).find(is_end) == Some(';')
}
