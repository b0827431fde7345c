//! Python.

use crate::grammar::{Grammar, Privacy};
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "python",
    language: Some(|| tree_sitter_python::LANGUAGE.into()),
    sections: &[
        ("function_definition", SectionKind::Function),
        ("class_definition", SectionKind::Class),
        ("assignment", SectionKind::Variable),
        ("type_alias_statement", SectionKind::Type),
    ],
    imports: &["import_statement", "import_from_statement", "future_import_statement"],
    wrappers: &[
        "decorated_definition",
        "expression_statement",
        "if_statement",
        "else_clause",
        "elif_clause",
        "try_statement",
        "except_clause",
        "finally_clause",
        "with_statement",
        "block",
    ],
    code: &["for_statement", "while_statement", "match_statement", "case_clause"],
    bodies: &["block", "dictionary", "list", "set", "tuple", "argument_list", "string"],
    privacy: Privacy::Marked,
    ..Grammar::EMPTY
};
