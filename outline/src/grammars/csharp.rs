//! C#.

mod extensions;

use super::preprocessor::branches;
use crate::grammar::{Grammar, Privacy};
use crate::section::SectionKind;
use crate::text::blank::{self, Overwritten};
use crate::walk::nesting;
use std::borrow::Cow;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "csharp",
    language: Some(|| tree_sitter_c_sharp::LANGUAGE.into()),
    sections: &[
        ("namespace_declaration", SectionKind::Namespace),
        ("file_scoped_namespace_declaration", SectionKind::Namespace),
        ("class_declaration", SectionKind::Class),
        ("struct_declaration", SectionKind::Struct),
        ("record_declaration", SectionKind::Struct),
        ("interface_declaration", SectionKind::Interface),
        ("enum_declaration", SectionKind::Enum),
        ("delegate_declaration", SectionKind::Type),
        ("local_function_statement", SectionKind::Function),
        ("method_declaration", SectionKind::Function),
        ("constructor_declaration", SectionKind::Function),
        ("destructor_declaration", SectionKind::Function),
        ("operator_declaration", SectionKind::Function),
        ("conversion_operator_declaration", SectionKind::Function),
    ],
    fields: &[
        "field_declaration",
        "property_declaration",
        "event_declaration",
        "event_field_declaration",
        "indexer_declaration",
        "enum_member_declaration",
    ],
    imports: &["using_directive", "extern_alias_directive"],
    wrappers: &[
        "preproc_if",
        "preproc_else",
        "preproc_elif",
        "declaration_list",
        "global_statement",
    ],
    members: &["declaration_list", "enum_member_declaration_list"],
    bodies: &["block", "accessor_list", "arrow_expression_clause", "initializer_expression"],
    overwritten: Some(overwritten),
    is_too_deep: Some(is_too_deep),
    privacy: Privacy::Marked,
    is_braced: true,
    ..Grammar::EMPTY
};

/// Maximum number of open `<` in a statement.
const MAX_OPEN: usize = 500;

/// Returns whether a text is nested too deeply, or a statement has hundreds of `<` without a `>`. The parser tries each
/// as the start of a list of types: 4,000 lines `=<a` took 17 s.
fn is_too_deep(text: &str) -> bool {
    let mut open: usize = 0;
    let has_open = text.bytes().any(|byte| {
        match byte {
            b'<' => open += 1,
            b'>' => open = open.saturating_sub(1),
            b';' | b'{' | b'}' => open = 0,
            _ => {}
        }
        open > MAX_OPEN
    });
    has_open || nesting::is_too_deep(text)
}

/// Overwrites what the grammar rejects: conditions in the middle of declarations, and what is new in C# 14.
fn overwritten(text: &str) -> Cow<'_, str> {
    blank::then(branches::blanked_undefined(text), without_news)
}

/// Overwrites what is new in C# 14.
fn without_news(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    extensions::overwrite(text, &mut into);
    conditional_assignments(text, &mut into);
    into.text()
}

/// Blanks the question marks of `a?.b = c`, which is an assignment as `a.b = c` is.
fn conditional_assignments(text: &str, into: &mut Overwritten) {
    let mut rest = text;
    while let Some((before, marked)) = rest.split_once('?') {
        let start = text.len() - marked.len() - 1;
        rest = marked;
        let is_in_chain = |c: char| c.is_alphanumeric() || "_.?![]()".contains(c);
        if !marked.starts_with(['.', '[']) || !before.ends_with(is_in_chain) {
            continue;
        }
        let after = marked.trim_start_matches(is_in_chain);
        if is_assignment(after.trim_start()) {
            let chain = text.get(start..text.len() - after.len()).unwrap_or_default();
            for (at, _) in chain.match_indices('?') {
                into.fill(start + at..start + at + 1, b' ');
            }
        }
        rest = after;
    }
}

/// Returns whether a text begins with `=`, `+=` or another assignment's operator.
fn is_assignment(text: &str) -> bool {
    let operator = text.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>', '?']);
    let length = text.len() - operator.len();
    length <= 3
        && operator.starts_with('=')
        && !operator.starts_with("==")
        && !operator.starts_with("=>")
        && !matches!(text.get(..length), Some("<" | ">"))
}
