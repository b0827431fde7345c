//! Bash and other POSIX shells.

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "bash",
    language: Some(|| tree_sitter_bash::LANGUAGE.into()),
    sections: &[
        ("function_definition", SectionKind::Function),
        ("variable_assignment", SectionKind::Variable),
        ("declaration_command", SectionKind::Variable),
    ],
    wrappers: &["if_statement", "elif_clause", "else_clause", "list", "variable_assignments"],
    code: &[
        "case_statement",
        "case_item",
        "compound_statement",
        "c_style_for_statement",
        "for_statement",
        "while_statement",
        "do_group",
        "subshell",
    ],
    bodies: &["compound_statement", "array", "subshell"],
    is_braced: true,
    ..Grammar::EMPTY
};
