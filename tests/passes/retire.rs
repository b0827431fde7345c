//! What is done goes, in batches that pay for their rewrite.

use crate::session::{Session, check, policy};
use crate::view::read;
use serde_json::{Value as Json, json};
use std::cell::Cell;
use trimtab::message::Block;
use trimtab::projection::{Cache, ContentReader, Request, project};

/// With every batch worth its rewrite, so that what is done goes at once.
fn retired_with(settings: &str) -> String {
    let steps = r#""outputs":1,"reads":2,"editedReads":4,"failures":3"#;
    let mut policy: Json =
        serde_json::from_str(&format!(r#"{{{steps},"atLeast":0,"rewriteCost":0}}"#)).unwrap();
    let given: Json = serde_json::from_str(&format!("{{{settings}}}")).unwrap();
    for (name, value) in given.as_object().unwrap() {
        policy[name] = value.clone();
    }
    json!({ "retire": policy }).to_string()
}

#[test]
fn what_is_retired() {
    check(&[
        // What a command, a search or a listing answered, once the model was shown it.
        ("b:1 g:2 l:3 b:4", &retired_with(""), "ccc."),
        ("b:1 g:2 l:3 b:4", &retired_with(r#""outputs":2"#), "cc.."),
        ("b:1 b:2#37 b:3#38 b:4", &retired_with(""), "c.c."),
        // A read, some steps after its file was named last.
        ("r:a b:2", &retired_with(""), ".."),
        ("r:a b:2 b:3", &retired_with(""), "cc."),
        ("r:a b:2 r:a@1-50 b:4", &retired_with(""), ".c.."),
        ("r:a b:2 g:a b:4", &retired_with(""), "ccc."),
        // Those of edited files longer, unless they are large: 700 characters are 200 tokens.
        ("r:a e:a b:3 b:4 b:5", &retired_with(""), ".ccc."),
        ("r:a e:a b:3 b:4 b:5 b:6", &retired_with(""), "ccccc."),
        ("r:a e:a b:3 b:4 b:5", &retired_with(r#""carry":400"#), "cccc."),
        ("r:a e:a b:3 b:4 b:5", &retired_with(r#""carry":800"#), ".ccc."),
        ("r:a e:a b:3", &retired_with(r#""carry":0"#), ".c."),
        // Or when a newer read shows the same, or the file was written whole.
        ("r:a@1-50 r:a b:3", &retired_with(""), "c.."),
        ("r:a r:a@1-50 b:3", &retired_with(""), "..."),
        ("r:a r:a! b:3", &retired_with(""), "..."),
        ("r:a r:a* b:3", &retired_with(""), "..."),
        ("r:a r:a> b:3", &retired_with(""), "..."),
        ("r:a r:a@-20 b:3", &retired_with(""), "..."),
        ("r:a w:a b:3", &retired_with(""), "cc."),
        ("r:a w:a! b:3", &retired_with(""), "..."),
        // A failure, when the same is tried again, or at last.
        ("b:1! b:2 b:3", &retired_with(""), ".c."),
        ("b:1! b:2 b:3 b:4", &retired_with(""), "ccc."),
        ("b:1! b:2 b:3 b:4 b:5", &retired_with(r#""failures":null"#), ".ccc."),
        ("b:1! b:1 b:3", &retired_with(r#""failures":null"#), "cc."),
        ("b:1! b:1! b:3", &retired_with(r#""failures":null"#), "c.."),
        ("b:1! b:1+b:1 b:3", &retired_with(r#""failures":null"#), "ccc."),
        ("b:1!+b:1! b:2 b:3", &retired_with(r#""failures":null"#), "..c."),
        ("b:1! b:1? b:3 b:4", &retired_with(r#""failures":null"#), ".c."),
        ("b:1! g:1 b:3", &retired_with(r#""failures":null"#), ".c."),
        ("r:a! r:b r:a", &retired_with(r#""failures":null"#), "c.."),
        ("e:a! b:2 b:3 b:4 e:a", &retired_with(""), ".ccc."),
    ]);
}

#[test]
fn what_is_retired_goes_when_it_pays() {
    let limited = |limits: &str, least: u32| {
        let policy = retired_with(&format!(r#""atLeast":{least},"rewriteCost":1000"#));
        format!("{}{limits}}}", &policy[..policy.len() - 1])
    };
    check(&[
        // 700 characters are 200 tokens, `[cleared, 700 chars]` is 6.
        ("b:1 b:2 b:3", &retired_with(r#""atLeast":388"#), "cc."),
        ("b:1 b:2 b:3", &retired_with(r#""atLeast":389"#), "..."),
        // What is behind the first result costs too much to write again, but not what is behind the second.
        ("b:1 r:a b:3 b:4", &retired_with(r#""reads":9,"rewriteCost":15"#), "..c."),
        (
            "b:1 r:a b:3 b:4",
            &retired_with(r#""reads":9,"rewriteCost":15,"expectedSteps":30"#),
            "c.c.",
        ),
        // Nothing has to pay where the window is full, or where the view must fit.
        ("b:1 r:a b:3", &limited(r#","window":1000"#, 194), "..."),
        ("b:1 r:a b:3", &limited(r#","window":850"#, 194), "c.."),
        ("b:1 r:a b:3", &limited(r#","window":850"#, 195), "..."),
        ("b:1 r:a b:3", &limited(r#","budget":{"maxTokens":640}"#, 0), "..."),
        ("b:1 r:a b:3", &limited(r#","budget":{"maxTokens":600}"#, 195), "c.."),
        ("b:1 r:a b:3", &limited(r#","budget":{"maxTokens":300}"#, 195), "cc."),
    ]);
}

/// A failure, then other calls, each a step.
fn calls(calls: &[(&str, Json)]) -> Session {
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
    let policy = policy(&retired_with(r#""failures":null"#));
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

/// A batch counts for how long its failure was of no use, which a retry that comes late does not shorten.
#[test]
fn a_late_retry_takes_no_stub_back() {
    let settings = r#""failures":1,"outputs":90,"expectedSteps":1,"rewriteCost":2"#;
    let (before, after) =
        ("b:1! r:a#300 r:b#300 r:c#300 r:d#300", "b:1! r:a#300 r:b#300 r:c#300 b:1");
    let policy = format!(r#"{{"retire":{{{settings},"reads":90,"atLeast":0}}}}"#);
    check(&[(before, &policy, "c...."), (after, &policy, "c....")]);
}

struct Counting<'a>(&'a dyn ContentReader, Cell<usize>);

impl ContentReader for Counting<'_> {
    fn read_result(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.0.read_result(block, sink);
    }

    fn read_arguments(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.1.set(self.1.get() + 1);
        self.0.read_arguments(block, sink);
    }
}

#[test]
fn each_call_is_compared_once_whatever_failed() {
    let run = |i: usize| ("bash", json!({"command": format!("make {i}")}));
    let mut messages = Vec::new();
    for i in 0..200 {
        messages.extend(calls(&[run(i)]).messages);
    }
    let read = read(&messages);
    let policy = policy(&retired_with(r#""failures":null"#));
    let contents = read.contents();
    let reader = Counting(&contents, Cell::new(0));
    let mut cache = Cache::default();
    for _ in 0..3 {
        let request = Request {
            policy: &policy,
            current_step: read.history.steps(),
            decided: &[],
            idle: 0.0,
        };
        project(&read.history, request, &reader, &mut cache);
    }
    assert_eq!(reader.1.get(), 200);
}
