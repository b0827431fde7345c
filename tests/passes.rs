//! What each setting of each pass does to which result, as tables: a session in a few words, a policy, and one mark for
//! each result of the view.
#![cfg(not(target_arch = "wasm32"))] // Shares its support with the properties.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A test may.

mod support;

use serde_json::{Value as Json, json};
use support::shape::results;
use support::view;
use trimtab::projection::Policy;

/// The characters of a result, unless a word says otherwise.
const LENGTH: usize = 700;

/// Writes a session down, a word for a step: `r:a.ts` reads a file, `e:` edits it, `w:` writes it, `b:` runs a command, `g:`
/// searches and `l:` lists below it; `u` is a prompt of the user. `r:a.ts@1-50` reads lines. Behind the name: `!` is a
/// failure, `=x` the same content as every other `=x`, `*` an ephemeral result, `#40` a result of 40 characters.
fn session(words: &str) -> Vec<Json> {
    let mut messages = vec![json!({"role": "user", "content": "begin"})];
    for (number, word) in words.split(' ').enumerate() {
        match word {
            "u" => messages.push(json!({"role": "user", "content": "go on"})),
            "a" => messages.push(json!({"role": "assistant", "content": "done"})),
            call => messages.extend(call_and_result(call, number)),
        }
    }
    messages
}

fn call_and_result(word: &str, number: usize) -> [Json; 2] {
    let (kind, rest) = word.split_once(':').expect("a kind and a name");
    let end = rest.find(['!', '=', '*', '#']).unwrap_or(rest.len());
    let (name, marks) = rest.split_at(end);
    let (tool, field) = match kind {
        "r" => ("read_file", "path"),
        "e" => ("edit_file", "path"),
        "w" => ("write_file", "path"),
        "b" => ("bash", "command"),
        "g" => ("grep", "path"),
        "l" => ("ls", "path"),
        other => panic!("no kind {other}"),
    };
    let (name, lines) = name.split_once('@').unwrap_or((name, ""));
    let mut arguments = json!({field: name});
    if let Some((start, end)) = lines.split_once('-') {
        arguments["start_line"] = start.parse::<u32>().unwrap().into();
        arguments["end_line"] = end.parse::<u32>().unwrap().into();
    }
    let id = format!("call_{number}");
    let function = json!({"name": tool, "arguments": arguments.to_string()});
    let call = json!({"id": id, "type": "function", "function": function});
    let mut result = json!({"role": "tool", "tool_call_id": id, "content": content(marks, number)});
    if marks.contains('*') {
        result["metadata"] = json!({"ephemeral": true});
    }
    [json!({"role": "assistant", "content": null, "tool_calls": [call]}), result]
}

fn content(marks: &str, number: usize) -> String {
    let length = marks.split_once('#').map_or(LENGTH, |(_, length)| length.parse().unwrap());
    let seed = match marks.split_once('=') {
        Some((_, name)) => name.chars().next().unwrap() as usize,
        None => 1000 + number,
    };
    let head = if marks.contains('!') { "Error: " } else { "" };
    let text = format!("{head}{}", format!("{seed} line\n").repeat(length / 6));
    text[..length].to_owned()
}

/// One mark for each result of the view: `.` stands in full, `c` is cleared, `p` points to another read, `d` to a result
/// that is the same, `x` is clipped, `e` was ephemeral.
fn marks(words: &str, policy: &str) -> String {
    let policy = Policy::from_json(policy).expect("a policy");
    let messages = session(words);
    let shown = results(&view(&messages, &policy).messages);
    let mark = |((_, shown), (_, original)): (&(String, String), &(String, String))| {
        let begins = |with: &str| shown.starts_with(with);
        match () {
            () if shown == original => '.',
            () if begins("[Re-read of ") => 'p',
            () if begins("[Duplicate result") => 'd',
            () if begins("[Ephemeral content removed") => 'e',
            () if shown.contains("[truncated: ") => 'x',
            () if shown.len() < 170 => 'c',
            () => '?',
        }
    };
    shown.iter().zip(&results(&messages)).map(mark).collect()
}

/// A view is its own view.
fn is_stable(words: &str, policy: &str) -> bool {
    let policy = Policy::from_json(policy).expect("a policy");
    let once = view(&session(words), &policy).messages;
    view(&once, &policy).messages == once
}

/// Rows of a session, a policy, and the marks.
fn check(rows: &[(&str, &str, &str)]) {
    let wrong = rows.iter().filter_map(|(words, policy, expected)| {
        let found = marks(words, policy);
        (found != *expected)
            .then(|| format!("{found} instead of {expected}: {words} under {policy}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
    for (words, policy, _) in rows {
        assert!(is_stable(words, policy), "another view of the view: {words} under {policy}");
    }
}

#[test]
fn age() {
    check(&[
        ("b:1 b:2 b:3 b:4", r#"{"age":{"maxToolOutputAge":1}}"#, "cc.."),
        ("b:1 b:2 b:3 b:4", r#"{"age":{"maxToolOutputAge":3}}"#, "...."),
        ("b:1 b:2! b:3 b:4", r#"{"age":{"maxToolOutputAge":0}}"#, "c.c."),
        ("b:1 g:2 b:3", r#"{"age":{"maxToolOutputAge":0,"excludeTools":["bash"]}}"#, ".c."),
        // Too short to be worth a stub.
        ("b:1#40 b:2 b:3", r#"{"age":{"maxToolOutputAge":0}}"#, ".c."),
        // A file is active while a call reads or changes it; a search or a listing of it is no use of it.
        ("r:a b:1 b:2 r:a", r#"{"age":{"maxToolOutputAge":1}}"#, ".c.."),
        ("r:a b:1 b:2 g:a", r#"{"age":{"maxToolOutputAge":1}}"#, "cc.."),
        ("r:a b:1 b:2 l:a", r#"{"age":{"maxToolOutputAge":1}}"#, "cc.."),
        ("r:a b:1 b:2 r:b", r#"{"age":{"maxToolOutputAge":1}}"#, "cc.."),
        (
            "r:a b:1 b:2 r:a",
            r#"{"age":{"maxToolOutputAge":1,"preserveRecentFiles":false}}"#,
            "cc..",
        ),
        // The newest read of an edited file stays; of one that was only read it does not.
        ("r:a r:a e:a b:1 b:2 b:3", r#"{"age":{"maxToolOutputAge":0}}"#, "c.ccc."),
        ("r:a r:b e:a b:1 b:2 b:3", r#"{"age":{"maxToolOutputAge":0}}"#, ".cccc."),
    ]);
}

#[test]
fn clear_keeps_the_newest() {
    let policy = |settings: &str| {
        format!(r#"{{"clear":{{"trigger":{{"type":"tool_uses","value":1}},{settings}}}}}"#)
    };
    let keep =
        |kind: &str, value: u32| policy(&format!(r#""keep":{{"type":"{kind}","value":{value}}}"#));
    // Whether to clear is asked before each answer: what stands since the last one is not asked of.
    check(&[
        ("b:1 b:2 b:3 b:4 a", &keep("tool_uses", 2), "cc.."),
        ("b:1 b:2 b:3 b:4 a", &keep("tool_uses", 0), "cccc"),
        ("b:1 b:2 b:3 b:4 a", &keep("tool_uses", 9), "...."),
        ("b:1 b:2 b:3 b:4 a", &keep("steps", 1), "ccc."),
        ("b:1 b:2 a u b:3 a u b:4 a", &keep("turns", 1), "ccc."),
        ("b:1 b:2 a u b:3 a u b:4 a", &keep("turns", 2), "cc.."),
        ("b:1 b:2 a u b:3 a u b:4 a", &keep("turns", 3), "...."),
        (
            "b:1 g:2 b:3 a",
            &policy(r#""keep":{"type":"tool_uses","value":0},"excludeTools":["bash"]"#),
            ".c.",
        ),
        (
            "b:1 g:2 b:3 a",
            &policy(r#""keep":{"type":"tool_uses","value":0},"includeTools":["bash"]"#),
            "c.c",
        ),
        ("b:1 b:2! b:3 a", &keep("tool_uses", 0), "c.c"),
        (
            "b:1 b:2! b:3 a",
            &policy(r#""keep":{"type":"tool_uses","value":0},"clearErrors":true"#),
            "cc.",
        ),
        ("r:a e:a b:1 a", &keep("tool_uses", 0), ".cc"),
        // What is too short to be cleared does not count as kept.
        ("b:1 b:2 b:3#20 b:4#20 a", &keep("tool_uses", 1), "c..."),
    ]);
}

#[test]
fn clear_waits_for_its_trigger() {
    let policy = |kind: &str, value: f64, more: &str| {
        format!(
            r#"{{"window":1000,"clear":{{"trigger":{{"type":"{kind}","value":{value}}},"keep":{{"type":"tool_uses","value":0}}{more}}}}}"#
        )
    };
    // A result is 200 tokens, its call a few. More tool uses than the trigger's must stand.
    check(&[
        ("b:1 b:2 b:3 a", &policy("tool_uses", 2.0, ""), "ccc"),
        ("b:1 b:2 b:3 a", &policy("tool_uses", 3.0, ""), "..."),
        ("b:1 b:2 b:3 a", &policy("input_tokens", 300.0, ""), "cc."),
        ("b:1 b:2 b:3 a", &policy("input_tokens", 5000.0, ""), "..."),
        ("b:1 b:2 b:3 a", &policy("window_fraction", 0.3, ""), "cc."),
        ("b:1 b:2 b:3 a", &policy("window_fraction", 1.0, ""), "..."),
        ("b:1 b:2 b:3 a", &policy("tool_uses", 2.0, r#","clearAtLeast":500"#), "ccc"),
        ("b:1 b:2 b:3 a", &policy("tool_uses", 2.0, r#","clearAtLeast":650"#), "..."),
        ("b:1 b:2 b:3 b:4 a", &policy("tool_uses", 3.0, r#","downTo":500"#), "cc.."),
    ]);
}

#[test]
fn reads() {
    let keep = r#"{"reads":{"maxFileReads":5}}"#;
    let clear = r#"{"reads":{"maxFileReads":5,"superseded":"clear"}}"#;
    check(&[
        ("r:a r:a", keep, ".."),
        ("r:a r:a r:a", keep, ".p."),
        ("r:a r:a r:a r:a r:a", keep, ".ppp."),
        ("r:a r:a r:a r:a r:a r:a", keep, "....p."),
        ("r:a r:b r:a r:b r:a", keep, "..p.."),
        ("r:a@1-50 r:a@51-99 r:a@1-50 r:a@1-50", keep, "..p."),
        ("r:a r:a! r:a", keep, "..."),
        ("g:a g:a g:a", keep, "..."),
        // The one between shows what was written after the first.
        ("r:a e:a r:a r:a", keep, "..p."),
        // A newer read covers the older one's lines, or the file was changed since.
        ("r:a@10-50 r:a@1-99", clear, "p."),
        ("r:a@1-99 r:a@10-50", clear, ".."),
        ("r:a@1-50 r:a@40-99", clear, ".."),
        ("r:a@10-50 r:a", clear, "p."),
        ("r:a r:a@10-50", clear, ".."),
        ("r:a@1-50 e:a r:a@60-99", clear, "c.."),
        ("r:a@1-50 e:a! r:a@60-99", clear, "..."),
        ("r:a e:a", clear, ".."),
        ("r:a r:b e:b", clear, "..."),
        // What a pointer names is not clipped, also where the pointer stands already.
        (
            "r:a r:a",
            r#"{"reads":{"superseded":"clear"},"clip":{"max":100,"head":10,"tail":10,"tools":["read_file"]}}"#,
            "p.",
        ),
    ]);
}

#[test]
fn lists() {
    check(&[
        ("l:a l:b l:c", r#"{"lists":{"keep":1}}"#, "cc."),
        ("l:a l:b l:c", r#"{"lists":{"keep":3}}"#, "..."),
        ("l:a b:1 l:c", r#"{"lists":{"keep":0}}"#, "c.c"),
        ("l:a! l:b l:c", r#"{"lists":{"keep":1}}"#, ".c."),
        ("l:a b:1 b:2", r#"{"lists":{"keep":0,"tools":["bash"]}}"#, ".cc"),
    ]);
}

#[test]
fn clip() {
    check(&[
        ("b:1 b:2#700 r:a", r#"{"clip":{"max":699}}"#, "xx."),
        ("b:1 b:2", r#"{"clip":{"max":700}}"#, ".."),
        ("b:1 g:2 r:a", r#"{"clip":{"max":100,"head":10,"tail":10,"tools":["grep"]}}"#, ".x."),
        (
            "b:1 g:2 r:a",
            r#"{"clip":{"perTool":{"read_file":{"max":100,"head":10,"tail":10}}}}"#,
            "..x",
        ),
        // Its first words are what a failure is known by.
        ("b:1!", r#"{"clip":{"max":100,"head":0,"tail":10}}"#, "."),
        ("b:1#700", r#"{"clip":{"unit":"lines","max":200}}"#, "."),
        ("b:1#700", r#"{"clip":{"unit":"lines","max":10}}"#, "x"),
        ("b:1#700", r#"{"clip":{"unit":"tokens","max":200}}"#, "."),
        ("b:1#700", r#"{"clip":{"unit":"tokens","max":199}}"#, "x"),
    ]);
}

#[test]
fn clipped_ends_have_their_lengths() {
    let clipped = |settings: &str| {
        let policy = Policy::from_json(&format!(r#"{{"clip":{settings}}}"#)).unwrap();
        let text = results(&view(&session("b:1#3500"), &policy).messages).remove(0).1;
        let cut = text.find("... [truncated").unwrap();
        let end = text.len() - (text.rfind("] ...").unwrap() + "] ...".len());
        // Ends are cut at lines near by.
        [cut, end].map(|length| length / 50)
    };
    assert_eq!(clipped(r#"{"max":3000}"#), [12, 12], "a fifth of the limit");
    assert_eq!(clipped(r#"{"max":3000,"head":1000,"tail":200}"#), [20, 4]);
    assert_eq!(clipped(r#"{"unit":"tokens","max":900,"head":200,"tail":100}"#), [14, 7]);
}

#[test]
fn dedupe() {
    let policy = r#"{"dedupe":true}"#;
    check(&[
        ("b:1=x b:2=x b:3=x", policy, ".dd"),
        ("b:1=x b:2 b:3", policy, "..."),
        ("b:1!=x b:2!=x", policy, ".."),
        ("b:1*=x b:2*=x", policy, ".."),
        ("b:1*=x b:2=x b:3=x", policy, "..d"),
        ("r:a=x e:a r:a=x", policy, "..."),
        ("r:a=x e:b r:a=x", policy, "..d"),
        ("r:a=x e:a! r:a=x", policy, "..d"),
        ("b:1=x#40 b:2=x#40", policy, ".."),
    ]);
}

#[test]
fn ephemeral() {
    check(&[
        ("r:a* r:b", r#"{"ephemeral":true}"#, ".."),
        ("r:a* r:b a", r#"{"ephemeral":true}"#, "e."),
        ("r:a* a u r:b*", r#"{"ephemeral":true}"#, "e."),
        ("r:a* r:b", r#"{"ephemeral":{"when":"now"}}"#, "e."),
    ]);
}

#[test]
fn budget() {
    check(&[
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":5000}}"#, "...."),
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":800,"downTo":700}}"#, "c..."),
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":800,"downTo":500}}"#, "cc.."),
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":800}}"#, "c..."),
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":0}}"#, "ccc."),
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":0,"keepSteps":3}}"#, "c..."),
        ("b:1 b:2! b:3 b:4", r#"{"budget":{"maxTokens":0,"keepSteps":0}}"#, "c.cc"),
        ("r:a e:a b:3 b:4", r#"{"budget":{"maxTokens":0,"keepSteps":0}}"#, ".ccc"),
    ]);
}

/// With every batch worth its rewrite, so that what is done goes at once.
fn done_with(settings: &str) -> String {
    let steps = r#""outputs":1,"reads":2,"editedReads":4,"failures":3"#;
    let mut policy: Json =
        serde_json::from_str(&format!(r#"{{{steps},"atLeast":0,"rewriteCost":0}}"#)).unwrap();
    let given: Json = serde_json::from_str(&format!("{{{settings}}}")).unwrap();
    for (name, value) in given.as_object().unwrap() {
        policy[name] = value.clone();
    }
    json!({ "done": policy }).to_string()
}

#[test]
fn what_is_done() {
    check(&[
        // What a command, a search or a listing answered, once the model was shown it.
        ("b:1 g:2 l:3 b:4", &done_with(""), "ccc."),
        ("b:1 g:2 l:3 b:4", &done_with(r#""outputs":2"#), "cc.."),
        ("b:1 b:2#37 b:3#38 b:4", &done_with(""), "c.c."),
        // A read, some steps after its file was named last.
        ("r:a b:2", &done_with(""), ".."),
        ("r:a b:2 b:3", &done_with(""), "cc."),
        ("r:a b:2 r:a@1-50 b:4", &done_with(""), ".c.."),
        ("r:a b:2 g:a b:4", &done_with(""), "ccc."),
        // Those of edited files longer, unless they are large: 700 characters are 200 tokens.
        ("r:a e:a b:3 b:4 b:5", &done_with(""), ".ccc."),
        ("r:a e:a b:3 b:4 b:5 b:6", &done_with(""), "ccccc."),
        ("r:a e:a b:3 b:4 b:5", &done_with(r#""carry":400"#), "cccc."),
        ("r:a e:a b:3 b:4 b:5", &done_with(r#""carry":800"#), ".ccc."),
        ("r:a e:a b:3", &done_with(r#""carry":0"#), ".c."),
        // Or when a newer read shows the same, or the file was written whole.
        ("r:a@1-50 r:a b:3", &done_with(""), "c.."),
        ("r:a r:a@1-50 b:3", &done_with(""), "..."),
        ("r:a r:a! b:3", &done_with(""), "..."),
        ("r:a r:a* b:3", &done_with(""), "..."),
        ("r:a w:a b:3", &done_with(""), "cc."),
        ("r:a w:a! b:3", &done_with(""), "..."),
        // A failure, when the same is tried again, or at last.
        ("b:1! b:2 b:3", &done_with(""), ".c."),
        ("b:1! b:2 b:3 b:4", &done_with(""), "ccc."),
        ("b:1! b:2 b:3 b:4 b:5", &done_with(r#""failures":null"#), ".ccc."),
        ("b:1! b:1 b:3", &done_with(r#""failures":null"#), "cc."),
        ("b:1! b:1! b:3", &done_with(r#""failures":null"#), "c.."),
        ("b:1! b:1|tail b:3", &done_with(r#""failures":null"#), "cc."),
        ("b:1! g:1 b:3", &done_with(r#""failures":null"#), ".c."),
        ("r:a! r:b r:a", &done_with(r#""failures":null"#), "c.."),
        ("e:a! b:2 b:3 b:4 e:a", &done_with(""), ".ccc."),
    ]);
}

#[test]
fn what_is_done_goes_when_it_pays() {
    let limited = |limits: &str, least: u32| {
        let policy = done_with(&format!(r#""atLeast":{least},"rewriteCost":1000"#));
        format!("{}{limits}}}", &policy[..policy.len() - 1])
    };
    check(&[
        // 700 characters are 200 tokens, `[cleared, 700 chars]` is 6.
        ("b:1 b:2 b:3", &done_with(r#""atLeast":388"#), "cc."),
        ("b:1 b:2 b:3", &done_with(r#""atLeast":389"#), "..."),
        // What is behind the first result costs too much to write again, but not what is behind the second.
        ("b:1 r:a b:3 b:4", &done_with(r#""reads":9,"rewriteCost":15"#), "..c."),
        ("b:1 r:a b:3 b:4", &done_with(r#""reads":9,"rewriteCost":15,"expectedSteps":30"#), "c.c."),
        // Nothing has to pay where the window is full, or where the view must fit.
        ("b:1 r:a b:3", &limited(r#","window":1000"#, 194), "..."),
        ("b:1 r:a b:3", &limited(r#","window":850"#, 194), "c.."),
        ("b:1 r:a b:3", &limited(r#","window":850"#, 195), "..."),
        ("b:1 r:a b:3", &limited(r#","budget":{"maxTokens":640}"#, 0), "..."),
        ("b:1 r:a b:3", &limited(r#","budget":{"maxTokens":600}"#, 195), "c.."),
        ("b:1 r:a b:3", &limited(r#","budget":{"maxTokens":300}"#, 195), "cc."),
    ]);
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
    ]);
}

/// Without state a batch is all that there is to edit.
#[test]
fn a_batch_is_worth_its_least() {
    let at_least = |tokens: u64| {
        let policy = format!(r#"{{"age":{{"maxToolOutputAge":0}},"clearAtLeast":{tokens}}}"#);
        let view = view(&session("b:1 b:2 b:3"), &Policy::from_json(&policy).unwrap());
        (view.edits, view.tokens_saved)
    };
    let (edits, saved) = at_least(0);
    assert_eq!(edits, 2);
    assert_eq!(at_least(saved), (2, saved));
    assert_eq!(at_least(saved + 1), (0, 0));
}

#[test]
fn settings_that_cannot_be_used() {
    let placeholder =
        |length: usize| format!(r#"{{"clear":{{"placeholder":"{}"}}}}"#, "x".repeat(length));
    let trigger = |kind: &str, value: &str| {
        format!(r#"{{"clear":{{"trigger":{{"type":"{kind}","value":{value}}}}}}}"#)
    };
    let rows = [
        (placeholder(0), false),
        (placeholder(1), true),
        (placeholder(160), true),
        (placeholder(161), false),
        (trigger("window_fraction", "1"), true),
        (trigger("window_fraction", "1.01"), false),
        (trigger("window_fraction", "-0.1"), false),
        (trigger("tool_uses", "2"), true),
        (trigger("tool_uses", "-1"), false),
        (trigger("input_tokens", "1e10"), false),
        (r#"{"clip":{"max":100,"head":25,"tail":25}}"#.to_owned(), true),
        (r#"{"clip":{"max":100,"head":25,"tail":26}}"#.to_owned(), false),
        (r#"{"done":{"rewriteCost":-1}}"#.to_owned(), false),
        (r#"{"done":{"failures":null,"cacheSeconds":null}}"#.to_owned(), true),
        (r#"{"done":true,"dedupe":true}"#.to_owned(), false),
        (r#"{"done":true,"ephemeral":true,"budget":true,"reasoning":"drop"}"#.to_owned(), true),
        (r#"{"ephemeral":{"mode":"remove"},"dedupe":true}"#.to_owned(), false),
        (r#"{"ephemeral":{"mode":"remove"},"dedupe":false}"#.to_owned(), true),
    ];
    for (json, is_sound) in rows {
        assert_eq!(Policy::from_json(&json).is_ok(), is_sound, "{json}");
    }
}

#[test]
fn removal_takes_calls_out_with_their_results() {
    let policy = Policy::from_json(r#"{"ephemeral":{"when":"now","mode":"remove"}}"#).unwrap();
    let messages = session("r:a* r:b r:c* r:d");
    let kept = view(&messages, &policy).messages;
    assert_eq!(kept, [&messages[..1], &messages[3..5], &messages[7..]].concat());
}
