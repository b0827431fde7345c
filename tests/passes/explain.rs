//! Reasons why each block was kept or edited.

use super::session::{Session, policy, session};
use serde_json::json;

const AGE: &str = r#"{"age":{"maxToolOutputAge":1}}"#;

fn explained(words: &str, json: &str, message: usize) -> Vec<String> {
    session(words).explain(&policy(json), message)
}

#[test]
fn why_results_are_kept() {
    let rows: &[(&str, &str, usize, &str)] = &[
        ("b:1 b:2 | b:3", AGE, 6, "later than the step that the view is made for"),
        ("b:1 b:2 | b:3", AGE, 4, "among the newest"),
        ("b:1$ b:2 b:3", AGE, 2, "a stub of an earlier projection"),
        ("b:1% b:2 b:3", AGE, 2, "its content has a form that is not edited"),
        (
            "b:1 b:2 b:3",
            r#"{"age":{"maxToolOutputAge":1},"protect":{"tools":["bash"]}}"#,
            2,
            "the policy protects it, its tool or its file",
        ),
        ("r:a r:a r:a", r#"{"reads":true}"#, 2, "a pointer refers to it"),
        ("b:1! b:2 b:3", AGE, 2, "a failure is kept"),
        ("b:1#41 b:2 b:3", AGE, 2, "too short to be worth a stub"),
        ("b:1#42 b:2 b:3", AGE, 2, "no pass of the policy edits it"),
        ("b:1#42 b:2 b:3", AGE, 4, "among the newest"),
        ("r:a e:a b:1 b:2", AGE, 2, "the newest read of a file that was edited"),
        ("r:a b:1 b:2 r:a", AGE, 2, "its file is in use"),
        ("r:a b:1 b:2 r:b", r#"{"age":{"maxToolOutputAge":3}}"#, 2, "among the newest"),
        ("r:a r:a@1-5 b:1 b:2 b:3", r#"{"age":{"maxToolOutputAge":3}}"#, 2, "its file is in use"),
        ("b:1#999 b:2", r#"{"clip":true}"#, 2, "no pass of the policy edits it"),
        (
            "b:1#1000 b:2",
            r#"{"clip":true}"#,
            2,
            "whole, but long: over clip.max it would be clipped",
        ),
        (
            "b:1#10000 b:2",
            r#"{"clip":true}"#,
            2,
            "whole, but long: over clip.max it would be clipped",
        ),
        ("r:a#9000 b:2", r#"{"clip":true}"#, 2, "no pass of the policy edits it"),
        ("b:1 b:2", r#"{"dedupe":true}"#, 2, "no pass of the policy edits it"),
        // Without the age pass, being recent or in use is no reason.
        ("r:a b:1 b:2 r:a", "{}", 2, "no pass of the policy edits it"),
        ("b:1 b:2", "{}", 4, "no pass of the policy edits it"),
        ("g:a#60 b:1 b:2 r:a", AGE, 2, "its file is in use"),
    ];
    for (words, json, message, reason) in rows {
        let lines = explained(words, json, *message);
        let [line] = lines.as_slice() else { panic!("{words}: {lines:?}") };
        assert_eq!(line.split_once(": ").unwrap().1, *reason, "{words} under {json}: {line}");
        assert!(line.contains(", kept "), "{line}");
    }
    // The file is in use, but this policy does not keep it for that.
    let policy_of = r#"{"age":{"maxToolOutputAge":1,"preserveRecentFiles":false}}"#;
    assert!(
        explained("r:a#60 b:1 b:2 r:a", policy_of, 2)[0]
            .ends_with("no pass of the policy edits it")
    );
}

#[test]
fn every_block_of_a_message() {
    assert_eq!(
        explained("r:a+w:a<201 b:1", r#"{"inputs":{"after":0},"age":{"maxToolOutputAge":0}}"#, 1),
        [
            "0 ToolCall read_file, kept 4>4: a call is kept with its result",
            "1 ToolCall write_file, Inputs 65>36: 1 steps old",
        ]
    );
    assert_eq!(explained("b:1 b:2 b:3", AGE, 2), ["0 ToolResult bash, Age 200>15: 2 steps old"]);
    assert_eq!(
        explained("a~ u b:2", r#"{"reasoning":"drop"}"#, 1),
        [
            "0 Reasoning , Reasoning 4>0: reasoning: its turn is over, or the content before it changed",
            "1 Text , kept 2>2: text is not edited",
        ]
    );
    assert_eq!(
        explained("b:1~ a u b:2", "{}", 1)[0],
        "0 Reasoning , kept 4>4: reasoning is kept as the provider sent it"
    );
    let content = json!([
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": "data:,"}},
        {"type": "news"},
    ]);
    let messages = vec![json!({"role": "user", "content": content})];
    assert_eq!(
        Session::of(messages).explain(&policy("{}"), 0),
        [
            "0 Text , kept 2>2: text is not edited",
            "1 File , kept 1600>1600: files beside text are not edited",
            "2 Unknown , kept 5>5: of an unknown type: passed on as it is",
        ]
    );
    assert_eq!(explained("b:1", "{}", 9), Vec::<String>::new());
}
