//! JavaScript, with JSX.

use super::script::{ANY_FUNCTION, LOOPS, TEST_WORDS};
use crate::grammar::{Grammar, Privacy};
use crate::section::SectionKind;

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
    wrappers: &[
        "export_statement",
        "expression_statement",
        "sequence_expression",
        "if_statement",
        "else_clause",
        "try_statement",
        "catch_clause",
        "finally_clause",
        "statement_block",
        "labeled_statement",
    ],
    code: LOOPS,
    tests: TEST_WORDS,
    test_functions: ANY_FUNCTION,
    assignments: &["assignment_expression"],
    members: &["class_body", "object"],
    bodies: &["statement_block", "array", "template_string", "arguments"],
    privacy: Privacy::Marked,
    is_braced: true,
    ..Grammar::EMPTY
};
