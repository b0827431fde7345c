//! How tests of JavaScript begin.

/// Words of tests in Jest, Vitest, Mocha, Jasmine, node:test and Playwright.
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
/// Tests may stand in any function: some files share them between groups (`function readsAll(parser) { it(...) }`).
pub const ANY_FUNCTION: &[&str] = &[""];
