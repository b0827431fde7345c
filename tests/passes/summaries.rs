//! One-line summaries of results.

use super::session::session;
use crate::support::view::read;
use trimtab::message::{BlockId, Origin, UseId};
use trimtab::output::Outcome;
use trimtab::projection::{key_info, summary_text};

/// Summary of the first result of a session, with this text as the result.
fn summary(word: &str, text: &str) -> String {
    let mut session = session(word);
    session.messages[2]["content"] = text.into();
    let read = read(&session.messages);
    let block = read.history.uses()[0].result.unwrap();
    assert_eq!(block, BlockId(2));
    summary_text(&read.history, UseId(0), block, &read.contents())
}

#[test]
fn in_one_line() {
    let rows = [
        ("b:1", "ok", "bash output, 2 chars, 1 line"),
        ("b:1", "a\nb\n", "bash output, 4 chars, 2 lines"),
        ("b:1", "", "bash output, 0 chars, 0 lines"),
        (
            "b:1",
            "3 passed, 1 failed\n",
            "bash output, 19 chars, 1 line: failed; 1 failed; 3 passed",
        ),
        ("b:1", "see src/a.ts\n", "bash output, 13 chars, 1 line: files: src/a.ts"),
        (
            "b:1",
            "see src/a.ts\nand src/b.ts\n",
            "bash output, 26 chars, 2 lines: files: src/a.ts, src/b.ts",
        ),
        ("r:a.ts", "one\nerror: none\n", "a.ts, 16 chars, 2 lines"),
        ("r:a.ts", "Error: no such file", "a.ts, 19 chars, 1 line: failed"),
        ("l:src", "one\nerror: none\n", "src, 16 chars, 2 lines"),
        ("g:src", "one\ntwo\n", "src, 8 chars, 2 lines: 2 matches"),
        ("g:src", "Error: no such folder", "src, 21 chars, 1 line: failed"),
        ("b:1*", "3 passed\n", "bash output, 9 chars, 1 line: ephemeral"),
        ("r:a.ts@1-9", "x", "a.ts:1-9, 1 chars, 1 line"),
        ("r:a.ts@5-4294967295", "x", "a.ts:5-, 1 chars, 1 line"),
        ("r:a,b", "x", "read_file output, 1 chars, 1 line"),
    ];
    for (word, text, expected) in rows {
        assert_eq!(summary(word, text), expected, "{word}: {text}");
    }
    let path = format!("{}/end.ts", "d".repeat(100));
    assert_eq!(
        summary(&format!("r:{path}"), "x"),
        format!("…{}/end.ts, 1 chars, 1 line", "d".repeat(50))
    );
    let tool = "n".repeat(100);
    assert_eq!(
        summary(&format!("t:{tool}"), "x"),
        format!("{}… output, 1 chars, 1 line", "n".repeat(57))
    );
}

/// The error flag of the format makes a result a failure, whatever its text; a result without a call has no tool.
#[test]
fn by_what_the_format_says() {
    let mut session = session("b:1").in_anthropic();
    session.messages[2]["content"][0]["content"] = "all is well".into();
    session.messages[2]["content"][0]["is_error"] = true.into();
    let read_whole = read(&session.messages);
    let block = read_whole.history.uses()[0].result.unwrap();
    assert_eq!(
        summary_text(&read_whole.history, UseId(0), block, &read_whole.contents()),
        "bash output, 11 chars, 1 line: failed"
    );
    session.messages.remove(1);
    let orphan = read(&session.messages);
    let block = orphan.history.uses()[0].result.unwrap();
    assert_eq!(
        summary_text(&orphan.history, UseId(0), block, &orphan.contents()),
        "tool output, 11 chars, 1 line: failed"
    );
}

/// A log that begins with an error may be that of a passing run.
#[test]
fn an_error_before_passed_tests_is_no_outcome() {
    let summary = |text: &str| {
        let mut session = session("b:1");
        session.messages[2]["content"] = text.into();
        let whole = read(&session.messages);
        let block = whole.history.uses()[0].result.unwrap();
        summary_text(&whole.history, UseId(0), block, &whole.contents())
    };
    let passed = summary("Error: only logged\nRan 2 tests in 0.000s\n\nOK\n");
    assert!(!passed.contains("failed") && passed.contains("2 passed"), "{passed}");
    let failed = summary("Error: Exit code 1\n2 passed in 0.1s\n");
    assert!(failed.contains(": failed; exit 1"), "{failed}");
}

/// The first words may be split across chunks.
#[test]
fn key_facts_of_chunks() {
    let info = |origin: Origin, chunks: &[&str]| {
        key_info(origin, &|sink: &mut dyn FnMut(&[u8])| {
            chunks.iter().for_each(|chunk| sink(chunk.as_bytes()))
        })
    };
    let outcome = |origin, chunks: &[&str]| info(origin, chunks).outcome;
    assert_eq!(outcome(Origin::Read, &["Err", "or: no such file\n"]), Outcome::Failed);
    assert_eq!(outcome(Origin::Read, &["one\n", "Error: no such file\n"]), Outcome::Unknown);
    let log = info(Origin::Shell, &["2 passed in 0.1s\n", "error: broken\n"]);
    assert_eq!(log.outcome, Outcome::Failed);
    assert_eq!((log.passed, log.errors.len(), log.lines), (Some(2), 1, 2));
    let found = info(Origin::Search, &["a\nb\n", "c"]);
    assert_eq!((found.matches, found.lines), (Some(3), 3));
    assert_eq!(info(Origin::Search, &["Error: no\n"]).matches, None);
    assert_eq!(info(Origin::List, &["a\nb\n"]).matches, None);
    // Only the first 64 bytes are checked.
    let far = format!("{}Error: ", " ".repeat(64));
    assert_eq!(outcome(Origin::Read, &[&far]), Outcome::Unknown);
}
