//! Zig.

use crate::grammar::{Grammar, Privacy};
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "zig",
    language: Some(|| tree_sitter_zig::LANGUAGE.into()),
    sections: &[
        ("function_declaration", SectionKind::Function),
        ("variable_declaration", SectionKind::Constant),
        ("test_declaration", SectionKind::Test),
    ],
    fields: &["container_field"],
    imports: &["using_namespace_declaration"],
    members: &["struct_declaration", "enum_declaration", "union_declaration", "opaque_declaration"],
    bodies: &["block", "initializer_list", "anonymous_struct_initializer", "error_set_declaration"],
    choices: &[
        "binary_expression",
        "block",
        "block_expression",
        "catch_expression",
        "comptime_expression",
        "expression_statement",
        "if_expression",
        "if_statement",
        "else_clause",
        "field_expression",
        "parenthesized_expression",
        "return_expression",
        "switch_case",
        "switch_expression",
        "try_expression",
    ],
    privacy: Privacy::NotPub,
    is_braced: true,
    ..Grammar::EMPTY
};
