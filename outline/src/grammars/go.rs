//! Go.

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "go",
    language: Some(|| tree_sitter_go::LANGUAGE.into()),
    sections: &[
        ("function_declaration", SectionKind::Function),
        ("method_declaration", SectionKind::Function),
        ("type_declaration", SectionKind::Type),
        ("const_declaration", SectionKind::Constant),
        ("var_declaration", SectionKind::Variable),
        ("method_elem", SectionKind::Function),
    ],
    fields: &[
        "field_declaration",
        "type_elem",
        "const_spec",
        "var_spec",
        "type_spec",
        "type_alias",
    ],
    imports: &["package_clause", "import_declaration"],
    code: &[
        "assignment_statement",
        "binary_expression",
        "block",
        "communication_case",
        "default_case",
        "defer_statement",
        "expression_case",
        "expression_list",
        "expression_statement",
        "expression_switch_statement",
        "for_statement",
        "go_statement",
        "if_statement",
        "labeled_statement",
        "parenthesized_expression",
        "return_statement",
        "select_statement",
        "short_var_declaration",
        "statement_list",
        "type_case",
        "type_switch_statement",
        "unary_expression",
    ],
    // Of the standard library, and of Ginkgo.
    tests: &["Run", "Describe", "DescribeTable", "Context", "When", "It", "Specify"],
    test_functions: &["Test", "Benchmark", "Fuzz"],
    test_parameter: "*testing.",
    members: &["field_declaration_list", "interface_type"],
    bodies: &["block", "literal_value"],
    is_braced: true,
    ..Grammar::EMPTY
};
