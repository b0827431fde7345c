//! Bash and other POSIX shells.

pub(crate) mod bats;
mod bodies;
mod cases;
mod heredocs;
mod patterns;
mod single_brackets;

use crate::grammar::Grammar;
use crate::section::SectionKind;
use crate::text::blank::{self, Overwritten};
use crate::text::line::lines;
use std::borrow::Cow;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "bash",
    language: Some(|| tree_sitter_bash::LANGUAGE.into()),
    sections: &[
        ("function_definition", SectionKind::Function),
        ("variable_assignment", SectionKind::Variable),
        ("declaration_command", SectionKind::Variable),
    ],
    wrappers: &[
        "if_statement",
        "elif_clause",
        "else_clause",
        "list",
        "variable_assignments",
        "redirected_statement",
    ],
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
    overwritten: Some(overwritten),
    ..Grammar::EMPTY
};

/// Overwrites what the grammar rejects: one such word loses all functions below it.
fn overwritten(text: &str) -> Cow<'_, str> {
    blank::then(heredocs::overwritten(text), without_words)
}

/// Overwrites what it rejects in commands. What is in a here-document that was blanked is none.
fn without_words(text: &str) -> Cow<'_, str> {
    let lines = lines(text);
    let mut into = Overwritten::new(text);
    bats::overwrite(&lines, &mut into);
    bodies::overwrite(&lines, &mut into);
    cases::overwrite(&lines, &mut into);
    patterns::overwrite(&lines, &mut into);
    single_brackets::overwrite(text, &mut into);
    into.text()
}
