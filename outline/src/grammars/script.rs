//! What JavaScript and TypeScript have in common.

/// Words for tests in Jest, Vitest, Mocha, Jasmine, node:test, Deno and Playwright.
pub const TEST_WORDS: &[&str] = &[
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
/// Any function may contain tests: some files share them between groups (`function readsAll(parser) { it(...) }`).
pub const ANY_FUNCTION: &[&str] = &[""];
/// Code that runs when the file is loaded, perhaps several times or not at all.
pub const LOOPS: &[&str] = &[
    "for_in_statement",
    "for_statement",
    "while_statement",
    "do_statement",
    "switch_statement",
    "switch_body",
    "switch_case",
    "switch_default",
];
