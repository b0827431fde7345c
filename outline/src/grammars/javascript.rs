//! JavaScript, with JSX.

use super::script::{TABLE, using};
use crate::grammar::Grammar;
use crate::section::SectionKind;
use crate::text::blank::{blank, then};
use std::borrow::Cow;
use std::ops::Range;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "javascript",
    language: Some(|| tree_sitter_javascript::LANGUAGE.into()),
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
    ],
    fields: &["field_definition", "pair", "shorthand_property_identifier", "spread_element"],
    imports: &["import_statement"],
    members: &["class_body", "object"],
    overwritten: Some(overwritten),
    ..TABLE
};

/// Overwrites what the grammar rejects.
fn overwritten(text: &str) -> Cow<'_, str> {
    then(without_types(text), using::overwritten)
}

/// Maximum length of the types given to a class.
const MAX_TYPES: usize = 500;

/// Blanks the types in `class A extends Component<Props> {`, as in files of Flow: the grammar would lose the class.
fn without_types(text: &str) -> Cow<'_, str> {
    let types: Vec<Range<usize>> = memchr::memmem::find_iter(text.as_bytes(), " extends ")
        .filter_map(|at| types_after(text, at + " extends ".len()))
        .collect();
    blank(text, &types)
}

/// Returns the range of `<Props>` behind the name of a class at an offset, if its body follows.
fn types_after(text: &str, at: usize) -> Option<Range<usize>> {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let types = text.get(at..)?.trim_start_matches(is_name);
    let mut open = 0_usize;
    for (index, letter) in types.char_indices().take(MAX_TYPES) {
        match letter {
            '<' => open += 1,
            '>' if open > 0 => open -= 1,
            _ => {}
        }
        if open == 0 {
            let end = index + letter.len_utf8();
            let is_body = index > 0 && types.get(end..)?.trim_start().starts_with('{');
            let start = text.len() - types.len();
            return is_body.then(|| start..start + end);
        }
    }
    None
}
