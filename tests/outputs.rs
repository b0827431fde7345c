//! What runners, compilers and tools printed, against what it means: `tests/fixtures/outputs`.
//!
//! Each output is one file, below the name of its tool. `expected.json` says how the run went (by its exit status, where
//! the output tells it at all), the counts, what the names of the failed tests hold, and what the first error lines hold.
//! `heldOut` marks the outputs that were not looked at while the rules were written.

#![allow(clippy::unwrap_used)]

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use trimtab::output::{KeyInfo, KeyInfoReader, OutputKind};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Expected {
    outcome: String,
    passed: Option<u32>,
    failed: Option<u32>,
    #[serde(default)]
    failed_tests: Vec<String>,
    error: Option<String>,
    #[serde(default)]
    held_out: bool,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/outputs")
}

fn cases() -> BTreeMap<String, Expected> {
    serde_json::from_str(&fs::read_to_string(folder().join("expected.json")).unwrap()).unwrap()
}

fn output(case: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{case}.txt"))).unwrap()
}

fn key_info(text: &[u8]) -> KeyInfo {
    KeyInfoReader::new(OutputKind::Log).read(|sink| sink(text))
}

/// What is not as expected.
fn differences(case: &str, expected: &Expected) -> Vec<String> {
    let info = key_info(&output(case));
    let outcome = info.outcome.word().unwrap_or("unknown");
    let mut found = Vec::new();
    let mut check = |is_same: bool, what: String| {
        if !is_same {
            found.push(format!("{case}: {what}"));
        }
    };
    check(outcome == expected.outcome, format!("{outcome}, not {}", expected.outcome));
    check(
        info.passed == expected.passed,
        format!("passed {:?}, not {:?}", info.passed, expected.passed),
    );
    // That none failed need not be told.
    check(
        info.failed.or(Some(0)) == expected.failed.or(Some(0)),
        format!("failed {:?}, not {:?}", info.failed, expected.failed),
    );
    for name in &expected.failed_tests {
        let is_named = info.failed_tests.iter().any(|known| known.contains(name));
        check(is_named, format!("{name} is not in {:?}", info.failed_tests));
    }
    if let Some(error) = &expected.error {
        let is_told = info.errors.iter().any(|known| known.contains(error));
        check(is_told, format!("{error} is not in {:?}", info.errors));
    }
    let invents = expected.outcome == "succeeded" && !info.failed_tests.is_empty();
    check(!invents, format!("names failed tests: {:?}", info.failed_tests));
    found
}

#[test]
fn every_output_says_what_it_means() {
    let cases = cases();
    let mut wrong = Vec::new();
    for held_out in [false, true] {
        let rows: Vec<_> =
            cases.iter().filter(|(_, expected)| expected.held_out == held_out).collect();
        let found: Vec<_> =
            rows.iter().map(|(case, expected)| differences(case, expected)).collect();
        let right = found.iter().filter(|differences| differences.is_empty()).count();
        let which = if held_out { "held out" } else { "written from" };
        println!("{which}: {right} of {}", rows.len());
        wrong.extend(found.into_iter().flatten());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each tool has outputs of at least five kinds; and each output stands in the table.
#[test]
fn every_tool_has_five() {
    let cases = cases();
    for tool in
        fs::read_dir(folder()).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir())
    {
        let tool = tool.file_name().into_string().unwrap();
        let files = fs::read_dir(folder().join(&tool)).unwrap().count();
        let listed = cases.keys().filter(|case| case.starts_with(&format!("{tool}/"))).count();
        assert!(files >= 5 && files == listed, "{tool}: {files} files, {listed} listed");
    }
}

/// However a text comes in pieces.
#[test]
fn chunks_do_not_matter() {
    for case in cases().keys() {
        let text = output(case);
        let whole = key_info(&text);
        for size in [1, 7, 64] {
            let info =
                KeyInfoReader::new(OutputKind::Log).read(|sink| text.chunks(size).for_each(sink));
            assert_eq!(info, whole, "{case} by {size}");
        }
    }
}
