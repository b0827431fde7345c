//! What JavaScript and TypeScript have in common.

pub(super) mod using;

use crate::grammar::{Grammar, Privacy};

/// Returns whether a character is part of a name.
pub(super) fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// What their tables have in common.
pub(super) const TABLE: Grammar = Grammar {
    wrappers: &[
        "export_statement",
        "ambient_declaration",
        "expression_statement",
        "await_expression",
        "sequence_expression",
        "if_statement",
        "else_clause",
        "try_statement",
        "catch_clause",
        "finally_clause",
        "statement_block",
        "labeled_statement",
    ],
    code: &[
        "for_in_statement",
        "for_statement",
        "while_statement",
        "do_statement",
        "switch_statement",
        "switch_body",
        "switch_case",
        "switch_default",
    ],
    tests: TEST_WORDS,
    // Some files share tests between groups: `function readsAll(parser) { it(...) }`.
    test_functions: &[""],
    assignments: &["assignment_expression"],
    bodies: &["statement_block", "array", "template_string", "arguments"],
    privacy: Privacy::Marked,
    is_braced: true,
    ..Grammar::EMPTY
};

/// Words for tests in Jest, Vitest, Mocha, Jasmine, node:test, Deno and Playwright.
const TEST_WORDS: &[&str] = &[
    "describe",
    "it",
    "test",
    "t.test",
    "Deno.test",
    "QUnit.module",
    "suite",
    "context",
    "specify",
    "bench",
    "fdescribe",
    "fit",
    "xdescribe",
    "xit",
    "xtest",
];
