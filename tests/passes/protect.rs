//! Results that no pass may clear.

use super::session::{check, policy, session};
use crate::support::view::read;
use trimtab::projection::{Cache, Policy, Request, project};

/// Law 8, with results in the reverse order of their calls: the read that a pointer names is the newest.
#[test]
fn the_newest_read_is_the_one_whose_result_is() {
    let policy = r#"{"reads":{"superseded":"clear"},"budget":{"maxTokens":0,"keepSteps":0}}"#;
    check(&[("e:a#0 r:a#188+r:a#800^", policy, ".c.")]);
}

/// Law 8: the stub of a failed read says that it failed. Otherwise a view of the view would take it for the newest read
/// of the file and clear the older one that shows it.
#[test]
fn a_failed_read_does_not_become_the_newest() {
    let budget = r#"{"budget":{"maxTokens":0,"keepSteps":0},"protect":{"failureTokens":0}}"#;
    let age = r#"{"age":{"maxToolOutputAge":0},"protect":{"failureTokens":0}}"#;
    for policy in [budget, age] {
        check(&[
            ("r:a r:a! e:a#0 a", policy, ".c."),
            ("r:a r:a! r:a! e:a#0 a", policy, ".cc."),
            ("r:a r:a,b! e:a#0 a", policy, ".c."),
            ("r:a@1-9 r:a! e:a#0 a", policy, ".c."),
            ("r:a r:a! r:a e:a#0 a", policy, "cc.."),
            ("r:a! e:a#0 a", policy, "c."),
            ("r:a r:a! a", policy, "cc"),
            ("r:a r:b! e:a#0 a", policy, ".c."),
        ]);
    }
}

#[test]
fn protected_names() {
    let policy =
        |protect: &str| format!(r#"{{"age":{{"maxToolOutputAge":0}},"protect":{protect}}}"#);
    check(&[
        ("b:1 g:x/y r:x/y r:z b:5", &policy(r#"{"tools":["bash"]}"#), ".ccc."),
        ("b:1 g:x/y r:x/y r:z b:5", &policy(r#"{"tools":["ba*"]}"#), ".ccc."),
        ("b:1 g:x/y r:x/y r:z b:5", &policy(r#"{"tools":["*"]}"#), "....."),
        ("b:1 r:x/y r:z b:5", &policy(r#"{"paths":["x/*"]}"#), "c.c."),
        ("b:1 r:x/y r:z b:5", &policy(r#"{"paths":["**"]}"#), "c..."),
        ("b:1 r:x/y r:z b:5", &policy(r#"{"tools":["bash"],"paths":["z"]}"#), ".c.."),
        ("b:1 r:z,x/y b:5", &policy(r#"{"paths":["x/*"]}"#), "c.."),
        ("b:1 b:2", &policy("{}"), "c."),
    ]);
}

/// A failure in these tables has 700 characters, which are 200 tokens.
#[test]
fn the_newest_failures_stay() {
    let age = |tokens: u32| {
        format!(r#"{{"age":{{"maxToolOutputAge":0}},"protect":{{"failureTokens":{tokens}}}}}"#)
    };
    let clear = |tokens: u32, more: &str| {
        format!(
            r#"{{"clear":{{"trigger":{{"type":"tool_uses","value":0}},"keep":{{"type":"tool_uses","value":0}}{more}}},"protect":{{"failureTokens":{tokens}}}}}"#
        )
    };
    check(&[
        ("b:1! b:2! b:3! a", &age(600), "..."),
        ("b:1! b:2! b:3! a", &age(599), "c.."),
        ("b:1! b:2 b:3! b:4! a", &age(400), "cc.."),
        ("b:1! b:2! b:3! a", &age(199), "ccc"),
        ("b:1! b:2! b:3! a", &age(0), "ccc"),
        // A failure that is too large ends the protection: older ones are not protected.
        ("b:1! b:2#2000! b:3! a", &age(500), "cc."),
        // So are failed edits and writes.
        ("e:a! w:a! b:1! b:2! a", &age(0), "cccc"),
        ("e:a! b:1! e:a! b:2! a", &age(400), "cc.."),
        // Later steps than the view's do not count.
        ("b:1! b:2! | b:3!", &age(400), "..."),
        // The clear pass uses the failures known when each request was sent.
        ("b:1! b:2! b:3! a", &clear(400, ""), "c.."),
        ("b:1! b:2! b:3!", &clear(0, ""), "ccc"),
        ("e:a! b:1! b:2!", &clear(0, ""), "ccc"),
        ("e:a! b:1! w:b! a", &clear(400, ""), "c.."),
        ("b:1! b:2! b:3! a", &clear(400, r#","clearErrors":true"#), "ccc"),
        (
            "b:1! b:2! b:3! a",
            r#"{"budget":{"maxTokens":0,"keepSteps":0},"protect":{"failureTokens":400}}"#,
            "c..",
        ),
        (
            "b:1! b:2! b:3! a",
            r#"{"summarize":{"after":0,"minChars":100},"protect":{"failureTokens":400}}"#,
            "c..",
        ),
        ("b:1! b:2! a", r#"{"age":{"maxToolOutputAge":0}}"#, ".."),
    ]);
}

/// Of 300 failures of 8,000 characters the default keeps 8, the most that fit into 20,000 tokens.
#[test]
fn failures_have_a_bound() {
    let all = [
        ("brew", r#"{"age":true}"#),
        ("brew", r#"{"clear":{"trigger":{"type":"tool_uses","value":9}}}"#),
        ("brew", r#"{"budget":{"maxTokens":30000}}"#),
        ("brewlgt", r#"{"summarize":{"after":5}}"#),
    ];
    for (tools, json) in all {
        let tool = |i: usize| tools.as_bytes()[i % tools.len()] as char;
        // Of different files, and of one that is in use.
        for files in [300, 1] {
            let call = |i: usize| format!("{}:n{}#8000!", tool(i), i % files);
            let words: Vec<String> = (0..300).map(call).collect();
            let session = session(&format!("{} a", words.join(" ")));
            let kept = session.marks(&policy(json)).chars().filter(|mark| *mark == '.').count();
            assert!((8..12).contains(&kept), "{kept} under {json}");
        }
    }
}

/// Cached matches of names are valid for one policy and for the names known so far.
#[test]
fn with_the_same_cache() {
    let (short, long) = (session("b:1 b:2"), session("b:1 b:2 r:x b:3"));
    let protecting = |protect: &str| {
        policy(&format!(r#"{{"age":{{"maxToolOutputAge":0}},"protect":{protect}}}"#))
    };
    let mut cache = Cache::default();
    let mut edits = |messages: &[serde_json::Value], policy: &Policy| {
        let read = read(messages);
        let request = Request {
            policy,
            current_step: read.history.steps(),
            decided: &[],
            idle: 0.0,
            sent: None,
        };
        project(&read.history, request, &read.contents(), &mut cache).edits().len()
    };
    let (tools, paths) = (protecting(r#"{"tools":["bash"]}"#), protecting(r#"{"paths":["x"]}"#));
    assert_eq!(edits(&short.messages, &tools), 0);
    assert_eq!(edits(&long.messages, &tools), 1);
    assert_eq!(edits(&long.messages, &paths), 2);
    assert_eq!(edits(&long.messages, &protecting("{}")), 3);
    assert_eq!(edits(&long.messages, &tools), 1);
}

/// Pinned by the provider's call ids, in every pass that edits results or calls.
#[test]
fn pinned_calls() {
    let all = [
        r#""age":{"maxToolOutputAge":0}"#,
        r#""clear":{"trigger":{"type":"tool_uses","value":0},"keep":{"type":"tool_uses","value":0}}"#,
        r#""budget":{"maxTokens":0,"keepSteps":0}"#,
        r#""clip":{"max":600}"#,
        r#""summarize":{"after":0,"minChars":100}"#,
        r#""retire":{"atLeast":0}"#,
    ];
    let session = session("b:1 b:2 b:3 b:4 a");
    let ids: Vec<String> =
        read(&session.messages).history.uses().iter().filter_map(|one| one.id.clone()).collect();
    assert_eq!(ids.len(), 4);
    for pass in all {
        let free = session.marks(&policy(&format!("{{{pass}}}")));
        assert_ne!(free.chars().next(), Some('.'), "{pass}");
        let pinned = format!(r#"{{{pass},"protect":{{"pinned":["{}","no such call"]}}}}"#, ids[0]);
        assert_eq!(session.marks(&policy(&pinned)), format!(".{}", &free[1..]), "{pass}");
    }
}
