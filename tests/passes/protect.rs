//! What no pass may clear.

use crate::session::{check, policy, session};
use crate::view::read;
use trimtab::projection::{Cache, Policy, Request, project};

/// Law 8, where results stand in the opposite order of their calls: the read that a pointer names is the newest.
#[test]
fn the_newest_read_is_the_one_whose_result_is() {
    let policy = r#"{"reads":{"superseded":"clear"},"budget":{"maxTokens":0,"keepSteps":0}}"#;
    check(&[("e:a#0 r:a#188+r:a#800^", policy, ".c.")]);
}

#[test]
fn protected_names() {
    let policy =
        |protect: &str| format!(r#"{{"age":{{"maxToolOutputAge":0}},"protect":{protect}}}"#);
    check(&[
        ("b:1 g:x/y r:x/y r:z b:5", &policy(r#"{"tools":["bash"]}"#), ".ccc."),
        ("b:1 r:x/y r:z b:5", &policy(r#"{"paths":["x/*"]}"#), "c.c."),
        ("b:1 r:x/y r:z b:5", &policy(r#"{"paths":["**"]}"#), "c..."),
        ("b:1 r:x/y r:z b:5", &policy(r#"{"tools":["bash"],"paths":["z"]}"#), ".c.."),
        ("b:1 r:z,x/y b:5", &policy(r#"{"paths":["x/*"]}"#), "c.."),
        ("b:1 b:2", &policy("{}"), "c."),
    ]);
}

/// What is known of names is known for one policy, and for as many names as there were.
#[test]
fn with_the_same_cache() {
    let (short, long) = (session("b:1 b:2"), session("b:1 b:2 r:x b:3"));
    let protecting = |protect: &str| {
        policy(&format!(r#"{{"age":{{"maxToolOutputAge":0}},"protect":{protect}}}"#))
    };
    let mut cache = Cache::default();
    let mut edits = |messages: &[serde_json::Value], policy: &Policy| {
        let read = read(messages);
        let request =
            Request { policy, current_step: read.history.steps(), decided: &[], idle: 0.0 };
        project(&read.history, request, &read.contents(), &mut cache).edits().len()
    };
    let (tools, paths) = (protecting(r#"{"tools":["bash"]}"#), protecting(r#"{"paths":["x"]}"#));
    assert_eq!(edits(&short.messages, &tools), 0);
    assert_eq!(edits(&long.messages, &tools), 1);
    assert_eq!(edits(&long.messages, &paths), 2);
    assert_eq!(edits(&long.messages, &protecting("{}")), 3);
    assert_eq!(edits(&long.messages, &tools), 1);
}
