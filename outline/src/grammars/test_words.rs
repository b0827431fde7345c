//! Words that begin JavaScript tests.

/// Words for tests in Jest, Vitest, Mocha, Jasmine, node:test and Playwright.
pub const TEST_WORDS: &[&str] = &[
    "describe",
    "it",
    "test",
    "t.test",
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
