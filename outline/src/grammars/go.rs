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
    code: &["block", "statement_list", "expression_statement", "for_statement", "if_statement"],
    tests: &["Run"],
    test_functions: &["Test", "Benchmark", "Fuzz"],
    members: &["field_declaration_list", "interface_type"],
    bodies: &["block", "literal_value"],
    is_braced: true,
    ..Grammar::EMPTY
};
