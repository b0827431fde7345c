//! TypeScript, with and without JSX.

mod signatures;
mod unnamed;
mod words;

use super::script::{self, using};
use crate::grammar::Grammar;
use crate::section::SectionKind;
use crate::text::blank::{blank, then};
use std::borrow::Cow;
use std::ops::Range;

#[cfg(feature = "typescript")]
pub(super) const GRAMMAR: Grammar = Grammar {
    name: "typescript",
    language: Some(|| tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()),
    ..TABLE
};

#[cfg(feature = "tsx")]
pub(super) const WITH_JSX: Grammar = Grammar {
    name: "tsx",
    language: Some(|| tree_sitter_typescript::LANGUAGE_TSX.into()),
    ..TABLE
};

/// The table of both. JSX is code: it adds nothing to an outline.
const TABLE: Grammar = Grammar {
    sections: &[
        ("function_declaration", SectionKind::Function),
        ("generator_function_declaration", SectionKind::Function),
        ("class_declaration", SectionKind::Class),
        // `export default class {...}`, and functions.
        ("class", SectionKind::Class),
        ("function_expression", SectionKind::Function),
        ("arrow_function", SectionKind::Function),
        ("method_definition", SectionKind::Function),
        ("lexical_declaration", SectionKind::Variable),
        ("variable_declaration", SectionKind::Variable),
        ("assignment_expression", SectionKind::Variable),
        ("abstract_class_declaration", SectionKind::Class),
        ("interface_declaration", SectionKind::Interface),
        ("type_alias_declaration", SectionKind::Type),
        ("enum_declaration", SectionKind::Enum),
        ("function_signature", SectionKind::Function),
        ("method_signature", SectionKind::Function),
        ("abstract_method_signature", SectionKind::Function),
        ("internal_module", SectionKind::Namespace),
        ("module", SectionKind::Namespace),
    ],
    fields: &[
        "public_field_definition",
        "property_signature",
        "index_signature",
        "call_signature",
        "construct_signature",
        "enum_assignment",
        "property_identifier",
        "pair",
        "shorthand_property_identifier",
        "spread_element",
    ],
    imports: &["import_statement", "import_alias"],
    members: &["class_body", "interface_body", "enum_body", "object"],
    overwritten: Some(overwritten),
    ..script::TABLE
};

/// Overwrites what the grammar rejects.
fn overwritten(text: &str) -> Cow<'_, str> {
    let plain = then(then(without_modules(text), using::overwritten), without_type_exports);
    let plain = then(then(plain, words::without_variance), words::without_type_names);
    let plain = then(then(plain, words::without_backquotes), words::with_global);
    then(then(plain, unnamed::with_bodies), signatures::separated)
}

/// Blanks the `type` of `export type * from './types.js'`.
fn without_type_exports(text: &str) -> Cow<'_, str> {
    let start = "export ".len();
    let words: Vec<Range<usize>> = memchr::memmem::find_iter(text.as_bytes(), "export type *")
        .map(|at| at + start..at + start + "type".len())
        .collect();
    blank(text, &words)
}

/// Blanks the module of `import("./types.js").Options`, a type that is frequent in declarations. The grammar does not
/// support it everywhere: in `class A extends B<import("./types.js").Options> {` it loses the class. `Options` alone is
/// a type too.
fn without_modules(text: &str) -> Cow<'_, str> {
    let modules: Vec<Range<usize>> = memchr::memmem::find_iter(text.as_bytes(), "import(")
        .filter_map(|at| module(text, at))
        .collect();
    blank(text, &modules)
}

/// Returns the range of `import("./types.js").` if a type name follows.
fn module(text: &str, at: usize) -> Option<Range<usize>> {
    let given = text.get(at..)?.strip_prefix("import(")?;
    let quote = given.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let (name, rest) = given.get(1..)?.split_once(quote)?;
    let named = rest.strip_prefix(").")?;
    let is_type = named.starts_with(|first: char| first.is_ascii_uppercase());
    // What is left of `default` without its first letter is a name.
    let is_default = named
        .strip_prefix("default")
        .is_some_and(|rest| rest.starts_with(|c: char| !c.is_alphanumeric() && !"_$(".contains(c)));
    let end = text.len() - named.len() + usize::from(is_default);
    (!name.contains('\n') && (is_type || is_default)).then_some(at..end)
}
