//! When the retire pass takes a failure for tried again.

use super::retire::retired_with;
use super::session::{Session, check, policy};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// A failed call, then other calls, one per step.
pub(super) fn calls(calls: &[(&str, Json)]) -> Session {
    let step = |(i, (tool, arguments)): (usize, &(&str, Json))| {
        let function = json!({"name": tool, "arguments": arguments.to_string()});
        let call = json!({"id": format!("c{i}"), "type": "function", "function": function});
        let text = if i == 0 { "Error: no\n" } else { "all right\n" }.repeat(70);
        [
            json!({"role": "assistant", "content": null, "tool_calls": [call]}),
            json!({"role": "tool", "tool_call_id": format!("c{i}"), "content": text}),
        ]
    };
    Session::of(calls.iter().enumerate().flat_map(step).collect())
}

fn is_tried_again(first: (&str, Json), second: (&str, Json)) -> bool {
    let policy = policy(&retired_with(r#""missing":100"#));
    calls(&[first, second, ("ls", json!({}))]).marks(&policy).starts_with('c')
}

#[test]
fn a_failure_is_tried_again_by_the_same_call_alone() {
    let same = [
        ("bash", json!({"command": "npm test"}), json!({"command": "npm test"})),
        (
            "bash",
            json!({"command": "npm test", "description": "Test", "timeout": 10}),
            json!({"command": "npm test", "description": "Test again"}),
        ),
        ("http_get", json!({"url": "a"}), json!({"url": "a"})),
        ("read_file", json!({"path": "a"}), json!({"path": "a"})),
        ("Task", json!({"prompt": "a"}), json!({"prompt": "a"})),
    ];
    for (tool, first, second) in same {
        assert!(is_tried_again((tool, first), (tool, second.clone())), "{tool} {second}");
    }
    let commands = [
        ("npm run test", "npm run test2"),
        ("cd a && npm test", "cd b && npm test"),
        ("test -f x || A", "test -f x || B"),
        ("cat > a <<EOF\n1\nEOF", "cat > a <<EOF\n2\nEOF"),
        ("sleep 12", "sleep 1"),
        ("make | grep a", "make | grep b"),
        ("set -e\nmake a", "set -e\nmake b"),
    ];
    for (first, second) in commands {
        let of = |command: &str| ("bash", json!({"command": command}));
        assert!(!is_tried_again(of(first), of(second)), "{first:?} by {second:?}");
    }
    let others = [
        ("http_get", json!({"url": "a"}), json!({"url": "b"})),
        ("mcp__db__sql", json!({"sql": "drop"}), json!({"sql": "select"})),
        (
            "create_issue",
            json!({"title": "a", "description": "b"}),
            json!({"title": "a", "description": "c"}),
        ),
        ("Task", json!({"prompt": "a"}), json!({"prompt": "b"})),
        ("bash", json!({"script": "a"}), json!({"script": "b"})),
        ("view_image", json!({"name": "a"}), json!({"name": "b"})),
    ];
    for (tool, first, second) in others {
        assert!(!is_tried_again((tool, first), (tool, second.clone())), "{tool} {second}");
    }
    assert!(!is_tried_again(("http_get", json!({"url": "a"})), ("http_put", json!({"url": "a"}))));
}

/// A refusal says nothing of what failed, and the next run does.
#[test]
fn a_retry_that_was_refused_is_none() {
    let run = || ("bash", json!({"command": "npm test"}));
    let marks_after = |answers: &[&str]| {
        let made: Vec<_> = answers.iter().map(|_| run()).collect();
        let mut session = calls(&[vec![run()], made, vec![("ls", json!({}))]].concat());
        for (i, answer) in answers.iter().enumerate() {
            session.messages[2 * i + 3]["content"] = json!(answer);
        }
        session.marks(&policy(&retired_with(r#""missing":100"#)))
    };
    let refusals = [
        "[Request interrupted by user]",
        "Error: exec command rejected by user",
        "Error: words of a host that nobody knows",
        "[No result: the call was interrupted.]",
        "Command running in background with ID: bash_1",
        "Command is still running",
        "Tool call skipped due to queued user message.",
    ];
    for refused in refusals {
        assert!(marks_after(&[refused]).starts_with('.'), "{refused}");
        assert!(marks_after(&[refused, "12 passed"]).starts_with('c'), "{refused}, then run");
    }
    let [failure, rejected] =
        ["Error: 2 failed\n", "rejected by user\n"].map(|line| line.repeat(99));
    for outcome in ["", failure.as_str(), rejected.as_str()] {
        assert!(marks_after(&[outcome]).starts_with('c'), "{outcome}");
    }
}

/// `tests/fixtures/retries.json`: a tool, its arguments, those of a later call, and its tool if it is another. Under
/// `retries` the later call is the same one tried again, as a careful person would say.
#[test]
fn pairs_of_calls_that_are_retries_or_not() {
    let text = include_str!("../fixtures/retries.json");
    let pairs: BTreeMap<String, Vec<Vec<Json>>> = serde_json::from_str(text).unwrap();
    let is_retried = |pair: &[Json]| {
        let tool = |at: usize| pair.get(at).and_then(Json::as_str);
        let first = tool(0).unwrap();
        is_tried_again((first, pair[1].clone()), (tool(3).unwrap_or(first), pair[2].clone()))
    };
    let wrong = |name: &str, expected: bool| -> Vec<_> {
        assert!(pairs[name].len() >= 50, "{name}");
        pairs[name].iter().filter(|pair| is_retried(pair) != expected).collect()
    };
    assert_eq!((wrong("retries", true), wrong("others", false)), (vec![], vec![]));
}

/// In a shell that is kept between calls, the same command may run in another directory.
#[test]
fn a_command_in_a_directory_that_may_be_another_is_no_retry() {
    let run = |command: &str| ("bash", json!({"command": command}));
    let is_retried = |first: &str, between: (&str, Json)| {
        let policy = policy(&retired_with(r#""missing":100"#));
        let made = [run(first), between, run(first), ("ls", json!({}))];
        calls(&made).marks(&policy).starts_with('c')
    };
    for between in ["ls", "echo cdrom", "mkdir -p cdk"] {
        assert!(is_retried("npm test", run(between)), "{between}");
    }
    let windows =
        ["set-location sub", "CD sub", "Push-Location sub", "sl sub", "cd /d sub && make"];
    let moves = ["cd ..", "cd", "make && cd a; ls", "make\ncd a", "pushd a", "popd"];
    for between in moves.into_iter().chain(windows) {
        assert!(!is_retried("npm test", run(between)), "{between:?}");
    }
    assert!(!is_retried("npm test", ("execute_command", json!({"command": "cd a"}))));
    assert!(!is_retried("npm test", ("bash", json!({"restart": true}))));
    let folders = ["change_directory", "cd", "EnterWorktree", "mcp__fs__set_cwd", "open_project"];
    let sessions = ["activate_project", "open_folder", "restart_shell"];
    let moving = [&folders[..], &sessions].concat();
    for tool in moving.iter().copied().chain(["list_directory", "mcp__fs__directory_tree"]) {
        let is_moved = moving.contains(&tool);
        assert_eq!(!is_retried("npm test", (tool, json!({"path": "sub"}))), is_moved, "{tool}");
    }
    assert!(!is_retried("cd a && npm test", run("ls")), "the second runs in a/a");
    for same in ["cd /a && npm test", "cd /a && npm test 2>&1 | tail -20"] {
        assert!(is_retried(same, run("cd /b && ls")), "{same}: both run in /a");
    }
    let elsewhere = [
        "cd /d a && npm test",
        "cd /none || npm test",
        "cd /srv && npm start & npm test",
        "cd /a && make; npm test",
        "cd /a && make || npm test",
        "cd /a && true\nnpm test",
        "cd /a && cd - && npm test",
        "cd /$DIR && npm test",
    ];
    for moving in elsewhere {
        assert!(!is_retried(moving, run("cd b")), "{moving}: the second may run elsewhere");
    }
    let noted = ("bash", json!({"command": "npm test", "note": "cd /x first?"}));
    let policy = policy(&retired_with(r#""missing":100"#));
    let again = [noted.clone(), run("cd b"), noted, ("ls", json!({}))];
    assert!(!calls(&again).marks(&policy).starts_with('c'));
    assert!(is_retried("ls", ("read_file", json!({"path": "cd"}))));
    for shell in ["run_terminal_command", "bash_tool", "mcp__desktop-commander__start_process"] {
        let run = |command: &str| (shell, json!({"command": command}));
        let made = |between: &str| [run("make"), run(between), run("make"), ("ls", json!({}))];
        assert!(calls(&made("ls")).marks(&policy).starts_with('c'), "{shell}");
        assert!(!calls(&made("cd a")).marks(&policy).starts_with('c'), "{shell}");
    }
}

/// A failure that was cleared stays cleared when the same call is tried again later.
#[test]
fn a_late_retry_takes_no_stub_back() {
    let steps = " r:a#300 r:b#300 r:c#300 r:d#300 r:e#300";
    let policy = retired_with(r#""missing":30,"rewriteCost":1"#);
    check(&[
        (&format!("b:1!#7000{steps}"), &policy, "c....."),
        (&format!("b:1!#7000{steps} b:1"), &policy, "c......"),
    ]);
}
