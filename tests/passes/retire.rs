//! What is done goes, in batches that pay for their rewrite.

use crate::session::check;
use serde_json::{Value as Json, json};

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
        ("b:1! b:1|tail b:3", &retired_with(r#""failures":null"#), "cc."),
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
