//! The clip pass: long output keeps its head and tail.

use super::session::{check, check_edits, check_marks, policy, session};
use crate::support::shape::results;

#[test]
fn which_output_is_clipped() {
    check(&[
        ("b:1 b:2#700 r:a", r#"{"clip":{"max":699}}"#, "xx."),
        ("b:1 b:2", r#"{"clip":{"max":700}}"#, ".."),
        ("b:1#10000 b:2#10001", r#"{"clip":true}"#, ".x"),
        ("b:1 g:2 r:a", r#"{"clip":{"max":100,"head":10,"tail":10,"tools":["grep"]}}"#, ".x."),
        ("b:1 g:2 r:a", r#"{"clip":{"max":100,"head":10,"tail":10,"tools":["*"]}}"#, "xxx"),
        ("b:1 g:2 r:a", r#"{"clip":{"max":100,"head":10,"tail":10,"tools":["gre*","ba"]}}"#, ".x."),
        ("b:1 g:2 r:a", r#"{"clip":{"max":100,"head":10,"tail":10,"tools":[]}}"#, "..."),
        (
            "b:1 g:2 r:a",
            r#"{"clip":{"perTool":{"gr*":{"max":700},"*":{"max":100,"head":10,"tail":10}}}}"#,
            "x.x",
        ),
        (
            "b:1 g:2 r:a",
            r#"{"clip":{"perTool":{"read_file":{"max":100,"head":10,"tail":10}}}}"#,
            "..x",
        ),
        (
            "b:1 g:2 r:a",
            r#"{"clip":{"max":100,"head":10,"tail":10,"perTool":{"read_file":{"max":700},"bash":{"max":700}}}}"#,
            "...",
        ),
        (
            "b:1 g:2 r:a",
            r#"{"clip":{"max":100,"head":10,"tail":10,"tools":["grep"],"perTool":{"read_file":{"max":600}}}}"#,
            ".xx",
        ),
        ("b:1 b:2", r#"{"clip":{"max":600},"protect":{"tools":["bash"]}}"#, ".."),
        ("b:1& b:2", r#"{"clip":{"max":600}}"#, ".x"),
        ("b:1% b:2", r#"{"clip":{"max":600}}"#, ".x"),
        ("b:1 | b:2", r#"{"clip":{"max":600}}"#, "x."),
        ("b:1? b:2", r#"{"clip":{"max":600}}"#, "x"),
        // The clipped text has 70 characters and must be at most half as long as the output.
        ("b:1#139 b:2#140", r#"{"clip":{"max":100,"head":10,"tail":10}}"#, ".x"),
        // By lines of ten characters, and by tokens.
        ("b:1#700", r#"{"clip":{"unit":"lines","max":70}}"#, "."),
        ("b:1#700", r#"{"clip":{"unit":"lines","max":69}}"#, "x"),
        ("b:1#700", r#"{"clip":{"unit":"tokens","max":200}}"#, "."),
        ("b:1#700", r#"{"clip":{"unit":"tokens","max":199}}"#, "x"),
    ]);
    check_marks(&[
        ("b:1$ b:2", r#"{"clip":{"max":600}}"#, ".x"),
        // Both equal results are clipped, so neither becomes a pointer to the other.
        ("b:1=x b:2=x ; b:3", r#"{"dedupe":true,"clip":{"max":200,"perTool":{"ls":{}}}}"#, "xxx"),
    ]);
}

/// Failures and views are recognized by their first words, so 64 bytes or one line of the head must stay.
#[test]
fn failures_and_views_keep_their_first_words() {
    check(&[
        ("b:1!", r#"{"clip":{"max":300,"head":64,"tail":10}}"#, "x"),
        ("b:1!", r#"{"clip":{"max":300,"head":63,"tail":10}}"#, "."),
        ("r:a>", r#"{"clip":{"max":300,"head":64,"tail":10,"tools":["*"]}}"#, "x"),
        ("r:a>", r#"{"clip":{"max":300,"head":63,"tail":10,"tools":["*"]}}"#, "."),
        ("b:1!", r#"{"clip":{"unit":"lines","max":10,"head":1,"tail":1}}"#, "x"),
        ("b:1!", r#"{"clip":{"unit":"lines","max":10,"head":0,"tail":1}}"#, "."),
        ("b:1!", r#"{"clip":{"unit":"tokens","max":100,"head":22,"tail":1}}"#, "x"),
        ("b:1!", r#"{"clip":{"unit":"tokens","max":100,"head":21,"tail":1}}"#, "."),
        ("b:1", r#"{"clip":{"unit":"tokens","max":100,"head":21,"tail":1}}"#, "x"),
    ]);
}

#[test]
fn head_mark_and_tail() {
    let clip = |settings: &str| format!(r#"{{"clip":{settings}}}"#);
    let clipped = "long output: its head and tail are kept";
    let mark = "... [truncated: 700 chars total, 70 lines] ...";
    let row = |tokens: u32, head: &str, mark: &str, tail: &str| {
        format!("2.0 Clip 200>{tokens} bash, {clipped}: {head}\n\n{mark}\n\n{tail}")
    };
    check_edits(&[
        (
            "b:1",
            &clip(r#"{"max":100,"head":10,"tail":10}"#),
            &[&row(20, "1000 line\n", mark, "1000 line\n")],
        ),
        ("b:1", &clip(r#"{"max":100,"head":4,"tail":0}"#), &[&row(16, "1000", mark, "")]),
        // By default, a fifth of the limit at either end.
        ("b:1", &clip(r#"{"max":24}"#), &[&row(17, "1000", mark, "ine\n")]),
        (
            "b:1",
            &clip(r#"{"unit":"lines","max":10,"head":1,"tail":2}"#),
            &[&row(23, "1000 line", mark, "1000 line\n1000 line")],
        ),
        // 2 tokens are 7 bytes, 3 are 10.
        (
            "b:1",
            &clip(r#"{"unit":"tokens","max":10,"head":2,"tail":3}"#),
            &[&row(20, "1000 li", mark, "1000 line\n")],
        ),
        (
            "b:1=x",
            r#"{"recall":true,"clip":{"max":100,"head":10,"tail":10}}"#,
            &[&row(
                25,
                "120 line\n1",
                "... [truncated: 700 chars total, 78 lines; recall a71e0661] ...",
                "ne\n120 lin",
            )],
        ),
    ]);
}

#[test]
fn ends_of_single_tools() {
    let policy = policy(
        r#"{"clip":{"max":200,"head":20,"tail":20,"perTool":{"ls":{"max":100,"head":10,"tail":10},"grep":{"unit":"lines","max":20}}}}"#,
    );
    let text = |word: &str| results(&session(word).view(&policy)).remove(0).1;
    assert!(text("b:1").starts_with("1000 line\n1000 line\n\n\n... "));
    assert!(text("l:1").starts_with("1000 line\n\n\n... "));
    // A fifth of 20 lines at either end.
    assert_eq!(text("g:1").lines().count(), 11);
}
