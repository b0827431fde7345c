//! Ruby.

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "ruby",
    language: Some(|| tree_sitter_ruby::LANGUAGE.into()),
    sections: &[
        ("class", SectionKind::Class),
        ("module", SectionKind::Namespace),
        ("method", SectionKind::Function),
        ("singleton_method", SectionKind::Function),
        ("singleton_class", SectionKind::Class),
        ("assignment", SectionKind::Variable),
    ],
    fields: &["call", "alias"],
    wrappers: &[
        "body_statement",
        "begin",
        "block_body",
        "case",
        "else",
        "elsif",
        "ensure",
        "if",
        "if_modifier",
        "rescue",
        "then",
        "unless",
        "unless_modifier",
        "when",
    ],
    tests: &["describe", "context", "it", "specify", "feature", "scenario", "test"],
    members: &["body_statement", "do_block", "block"],
    bodies: &["hash", "array", "heredoc_body"],
    ..Grammar::EMPTY
};
