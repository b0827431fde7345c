//! The summarize pass: replaces old command output by a summary.

use super::session::{check, check_marks, policy, session};

#[test]
fn which_output() {
    let after = |steps: u32| format!(r#"{{"summarize":{{"after":{steps},"minChars":400}}}}"#);
    let tools =
        |tools: &str| format!(r#"{{"summarize":{{"after":0,"minChars":400,"tools":{tools}}}}}"#);
    check(&[
        ("b:1 g:2 r:a l:b t:c b:3", &after(0), "cc...."),
        ("b:1 b:2 b:3 b:4", &after(1), "cc.."),
        ("b:1 b:2 b:3 b:4", &after(3), "...."),
        ("b:1 b:2 | b:3 b:4", &after(0), "c..."),
        ("b:1#399 b:2#400 b:3", &after(0), ".c."),
        ("b:1#1000 b:2#999 b:3 b:4 b:5 b:6 b:7 b:8", r#"{"summarize":true}"#, "c......."),
        ("b:1#1000 b:2 b:3 b:4 b:5 b:6", r#"{"summarize":true}"#, "......"),
        ("b:1! b:2 b:3", &after(0), ".c."),
        ("b:1% b:2 b:3", &after(0), ".c."),
        (
            "b:1 b:2 b:3",
            r#"{"summarize":{"after":0,"minChars":400},"protect":{"tools":["bash"]}}"#,
            "...",
        ),
        // Boundary of the length below which a result may be a stub.
        ("b:1#319 b:2#320 b:3", r#"{"summarize":{"after":0,"minChars":0}}"#, ".c."),
        // Tools by name; then the newest read of an edited file is protected.
        ("b:1 l:2 b:3", &tools(r#"["ls"]"#), ".c."),
        ("r:a r:b e:a b:1", &tools(r#"["read_file"]"#), ".c.."),
        ("b:1! l:2! b:3", &tools(r#"["ls","bash"]"#), "..."),
    ]);
    check_marks(&[
        ("b:1$ b:2 b:3", &after(0), ".c."),
        // A result that a pointer names stays.
        (
            "b:1=x b:2=x ; b:3 b:4",
            r#"{"dedupe":true,"summarize":{"after":1,"minChars":400}}"#,
            ".d..",
        ),
    ]);
}

/// Document "Rolling Context": a summary keeps file paths.
#[test]
fn files_of_a_search_are_named() {
    let mut session = session("g:src g:lib");
    session.messages[2]["content"] = "src/a.ts:3: x\nsrc/b.ts:9: x\n".repeat(60).into();
    assert_eq!(
        session.edits(&policy(r#"{"summarize":{"after":0}}"#)),
        ["2.0 Summarize 480>24 grep, 1 steps old: \
          [cleared src, 1680 chars; 120 matches; files: src/a.ts, src/b.ts; re-run if needed]"]
    );
}

#[test]
fn what_is_said() {
    let mut session = session("b:1 b:2");
    let log = format!(
        "{}FAILED tests/a.py::test_x\nerror: it broke\n3 passed, 1 failed\n",
        "collecting ...\n".repeat(80)
    );
    session.messages[2]["content"] = log.into();
    let said = |settings: &str| {
        session.edits(&policy(&format!(r#"{{"summarize":{{"after":0,{settings}}}}}"#)))
    };
    assert_eq!(
        said(r#""maxTokens":200"#),
        ["2.0 Summarize 361>43 bash, 1 steps old: \
          [cleared bash output, 1261 chars; 1 failed; 3 passed; failed tests: tests/a.py::test_x; \
          errors: error: it broke; files: tests/a.py; re-run if needed]"]
    );
    // Facts that do not fit are cut at the end, and left out if there is no room for any.
    assert_eq!(
        said(r#""maxTokens":24"#),
        ["2.0 Summarize 361>24 bash, 1 steps old: \
          [cleared bash output, 1261 chars; 1 failed; 3 passed; failed t…; re-run if needed]"]
    );
    assert_eq!(
        said(r#""maxTokens":15"#),
        [
            "2.0 Summarize 361>15 bash, 1 steps old: [cleared bash output, 1261 chars; re-run if needed]"
        ]
    );
}
