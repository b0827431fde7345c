//! The exclude setting: what is removed with an excluded call, and what stays.

use super::session::{Session, policy, session};
use crate::support::view::{read, view, view_at, view_repeating};
use serde_json::{Value as Json, json};

/// The messages of a view without the excluded calls.
fn left(messages: &Json, exclude: &Json) -> Vec<Json> {
    let policy = policy(&json!({ "exclude": exclude }).to_string());
    view(messages.as_array().expect("messages"), &policy).messages
}

fn at(messages: &Json, places: &[usize]) -> Vec<Json> {
    places.iter().map(|at| messages[*at].clone()).collect()
}

#[test]
fn reasoning_stays_with_what_it_led_to() {
    let call =
        |id: &str| json!({"type": "function_call", "call_id": id, "name": "ls", "arguments": "{}"});
    let output =
        |id: &str| json!({"type": "function_call_output", "call_id": id, "output": "files"});
    let thought =
        |id: &str| json!({"type": "reasoning", "id": id, "summary": [], "encrypted_content": "x"});
    let items = json!([
        {"role": "user", "content": "go"},
        thought("r"), call("a"), call("b"), thought("s"), call("c"),
        output("a"), output("b"), output("c"),
        {"role": "user", "content": "on"},
    ]);
    assert_eq!(left(&items, &json!(["a"])), at(&items, &[0, 1, 3, 4, 5, 7, 8, 9]));
    assert_eq!(left(&items, &json!(["a", "b"])), at(&items, &[0, 4, 5, 8, 9]));
    assert_eq!(left(&items, &json!(["c"])), at(&items, &[0, 1, 2, 3, 6, 7, 9]));
    assert_eq!(left(&items, &json!(["c", "b", "a"])), at(&items, &[0, 9]));
}

#[test]
fn words_stay_but_are_not_the_last() {
    let answer = |text: &str, id: &str| {
        json!({"role": "assistant", "content": [
            {"type": "text", "text": text}, {"type": "tool_use", "id": id, "name": "ls", "input": {}},
        ]})
    };
    let result = |id: &str| json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "x"}]});
    let said =
        |text: &str| json!({"role": "assistant", "content": [{"type": "text", "text": text}]});
    let mut messages = json!([{"role": "user", "content": "go"}, answer("one", "a"), result("a"), answer("two", "b"), result("b")]);
    assert_eq!(left(&messages, &json!(["b"])), at(&messages, &[0, 1, 2]));
    assert_eq!(left(&messages, &json!(["a", "b"])), at(&messages, &[0]));
    let mut one = at(&messages, &[0, 1, 3, 4]);
    one[1] = said("one");
    assert_eq!(left(&messages, &json!(["a"])), one);
    messages.as_array_mut().expect("messages").push(json!({"role": "user", "content": "on"}));
    let both = [messages[0].clone(), said("one"), said("two"), messages[5].clone()];
    assert_eq!(left(&messages, &json!(["a", "b"])), both);
}

/// Of the excluded calls that leave a system message without a message of the user before it, or of the model behind it,
/// one is kept.
#[test]
fn what_a_system_message_needs_stays() {
    let call = |id: &str| json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "ls", "input": {}}]});
    let result = |id: &str| json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "x"}]});
    let user = json!({"role": "user", "content": "go"});
    let system = json!({"role": "system", "content": "be brief"});
    let mut saying = call("a");
    let text = json!({"type": "text", "text": "let me look"});
    saying["content"].as_array_mut().expect("blocks").insert(0, text.clone());
    let said = json!({"role": "assistant", "content": [text]});

    let before = json!([user, system, call("a"), result("a"), call("b"), result("b"), user]);
    assert_eq!(left(&before, &json!(["a", "b"])), at(&before, &[0, 1, 2, 3, 6]));
    assert_eq!(left(&before, &json!(["a"])), at(&before, &[0, 1, 4, 5, 6]));
    assert_eq!(left(&before, &json!(["b"])), at(&before, &[0, 1, 2, 3, 6]));

    let after = json!([user, saying, result("a"), call("b"), result("b"), system, said, user]);
    let mut both = at(&after, &[0, 1, 3, 4, 5, 6, 7]);
    both[1] = said.clone();
    assert_eq!(left(&after, &json!(["a", "b"])), both);
    assert_eq!(left(&after, &json!(["b"])), at(&after, &[0, 1, 2, 5, 6, 7]));

    // The end of the view may follow a system message, and what the user said may stand on both sides.
    let end = json!([user, system, call("a"), result("a")]);
    assert_eq!(left(&end, &json!(["a"])), at(&end, &[0, 1]));
    let between = json!([user, call("a"), result("a"), system, said, user]);
    assert_eq!(left(&between, &json!(["a"])), at(&between, &[0, 3, 4, 5]));
}

#[test]
fn gemini_calls_follow_a_user_and_sign_their_step() {
    let call = |id: &str| json!({"functionCall": {"id": id, "name": "ls", "args": {}}});
    let answer = |id: &str| json!({"functionResponse": {"id": id, "name": "ls", "response": {"output": "x"}}});
    let mut signed = call("a");
    signed["thoughtSignature"] = "c2ln".into();
    let mut contents = json!([
        {"role": "user", "parts": [{"text": "go"}]},
        {"role": "model", "parts": [signed, call("b")]},
        {"role": "user", "parts": [answer("a"), answer("b")]},
        {"role": "model", "parts": [{"text": "and"}, call("c")]},
        {"role": "user", "parts": [answer("c")]},
        {"role": "model", "parts": [call("d")]},
        {"role": "user", "parts": [answer("d")]},
    ]);
    // Text beside calls is removed when all of the calls are.
    assert_eq!(left(&contents, &json!(["c"])), at(&contents, &[0, 1, 2, 5, 6]));
    assert_eq!(left(&contents, &json!(["a", "b"])), at(&contents, &[0, 3, 4, 5, 6]));
    // A signed call stays until its turn is over.
    assert_eq!(left(&contents, &json!(["a"])), at(&contents, &[0, 1, 2, 3, 4, 5, 6]));
    contents
        .as_array_mut()
        .expect("contents")
        .push(json!({"role": "user", "parts": [{"text": "on"}]}));
    let gone = left(&contents, &json!(["a"]));
    assert_eq!(gone[1]["parts"], json!([call("b")]));
    assert_eq!(gone[2]["parts"], json!([answer("b")]));
}

/// The AI SDK keeps Gemini's signatures in the options of the provider, or of Vertex.
#[test]
fn signed_calls_of_the_ai_sdk_stay_during_their_turn() {
    for provider in ["google", "vertex", "googleVertex"] {
        let signature = json!({ provider: {"thoughtSignature": "c2ln"} });
        let call = |id: &str| json!({"type": "tool-call", "toolCallId": id, "toolName": "ls", "input": {}});
        let output = json!({"type": "text", "value": "x"});
        let result = |id: &str| json!({"type": "tool-result", "toolCallId": id, "toolName": "ls", "output": output});
        let mut signed = call("a");
        signed["providerOptions"] = signature.clone();
        let messages = json!([
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [signed, call("b")]},
            {"role": "tool", "content": [result("a"), result("b")]},
        ]);
        assert_eq!(left(&messages, &json!(["a"])), at(&messages, &[0, 1, 2]), "{provider}");
        let mut without = messages.clone();
        without[1]["content"] = json!([signed]);
        without[2]["content"] = json!([result("a")]);
        assert_eq!(left(&messages, &json!(["b"])), at(&without, &[0, 1, 2]), "{provider}");
        assert_eq!(left(&messages, &json!(["a", "b"])), at(&messages, &[0]), "{provider}");

        let part = |id: &str| json!({"type": "tool-ls", "toolCallId": id, "state": "output-available", "input": {}, "output": "x"});
        let mut signed = part("a");
        signed["callProviderMetadata"] = signature;
        let messages = json!([
            {"role": "user", "parts": [{"type": "text", "text": "go"}]},
            {"role": "assistant", "parts": [signed, part("b")]},
        ]);
        assert_eq!(left(&messages, &json!(["a"])), at(&messages, &[0, 1]), "{provider}");
        let mut without = messages.clone();
        without[1]["parts"] = json!([signed]);
        assert_eq!(left(&messages, &json!(["b"])), at(&without, &[0, 1]), "{provider}");
    }
}

/// Pointers to an excluded result and notes about an excluded call are not repeated.
#[test]
fn nothing_rests_on_what_is_excluded() {
    let cases = [
        ("b:1=x b:2=x b:3 a", r#""dedupe":true"#, "call_0"),
        ("e:a.ts<600 e:a.ts<600 e:a.ts<600 b:1 a", r#""edits":{"after":0,"atLeast":2}"#, "call_1"),
    ];
    for (words, pass, excluded) in cases {
        let session = session(words);
        let read = read(&session.messages);
        let step = read.history.steps();
        let before = view_at(&read, &policy(&format!("{{{pass}}}")), step).decided;
        assert!(before.iter().any(|edit| edit.replacement.rests_on().is_some()), "{pass}");
        let policy = policy(&format!(r#"{{{pass},"exclude":["{excluded}"]}}"#));
        for view in [view_at(&read, &policy, step), view_repeating(&read, &policy, step, &before)] {
            let text = Json::from(view.messages).to_string();
            assert!(!text.contains(excluded) && !text.contains("[Edits to"), "{pass}: {text}");
        }
    }
}

/// Earlier decisions on other calls are repeated.
#[test]
fn other_decisions_stay() {
    let session = session("b:1 b:2 b:3 a");
    let read = read(&session.messages);
    let step = read.history.steps();
    let before = view_at(&read, &policy(r#"{"age":{"maxToolOutputAge":1}}"#), step).decided;
    let later = policy(r#"{"age":{"maxToolOutputAge":9},"exclude":["call_1"]}"#);
    let decided = view_repeating(&read, &later, step, &before).decided;
    let messages: Vec<usize> = decided.iter().map(|edit| edit.message).collect();
    assert_eq!((before.len(), messages), (2, vec![2]));
}

#[test]
fn why_calls_are_gone() {
    let session = session("b:1~ b:2 a");
    let policy = policy(r#"{"exclude":["call_0"]}"#);
    let lines = session.edits(&policy);
    let reasons: Vec<&str> = lines.iter().filter_map(|line| line.split(", ").nth(1)).collect();
    let named = "the policy excludes it: ";
    assert_eq!(reasons, ["the calls that it stood with are excluded: ", named, named]);
}

/// During its turn, a call whose signature covers the calls beside it stays with them.
#[test]
fn why_a_named_call_stays() {
    let call = |id: &str| json!({"functionCall": {"id": id, "name": "ls", "args": {}}});
    let result = |id: &str| json!({"functionResponse": {"id": id, "name": "ls", "response": {"output": "x"}}});
    let mut signed = call("a");
    signed["thoughtSignature"] = "c2ln".into();
    let messages = vec![
        json!({"role": "user", "parts": [{"text": "go"}]}),
        json!({"role": "model", "parts": [signed, call("b")]}),
        json!({"role": "user", "parts": [result("a"), result("b")]}),
    ];
    let policy = policy(r#"{"exclude":["a"]}"#);
    let lines = Session::of(messages).explain(&policy, 2);
    let waits = "kept: a system message or calls beside it need it";
    assert!(lines[0].ends_with(&format!(": {waits}")), "{lines:?}");
    assert!(lines[1].ends_with(": too short to be worth a stub"), "{lines:?}");
}

/// The provider's compaction stays, whatever is removed after it.
#[test]
fn a_compaction_stays() {
    let compaction = json!({"type": "compaction", "content": "so far", "encrypted_content": "e"});
    let call = |id: &str| json!({"type": "tool_use", "id": id, "name": "ls", "input": {}});
    let result = |id: &str| json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "x"}]});
    let answer = |content: Json| json!({"role": "assistant", "content": content});
    let messages = json!([
        {"role": "user", "content": "go"},
        answer(json!([{"type": "text", "text": "first"}, call("a")])),
        result("a"),
        answer(json!([compaction, {"type": "text", "text": "then"}, call("b")])),
        result("b"),
    ]);
    let mut rest = at(&messages, &[0, 1, 2, 3]);
    rest[3] = answer(json!([compaction]));
    assert_eq!(left(&messages, &json!(["b"])), rest);
}

/// What the passes decide depends on the calls of the view, and not on those that are excluded.
#[test]
fn passes_do_not_see_excluded_calls() {
    let cases = [
        ("r:a.ts b:1 b:2 e:a.ts", r#""age":{"maxToolOutputAge":1}"#, "call_3"),
        ("r:a.ts r:a.ts b:1 a", r#""reads":{"maxFileReads":1,"superseded":"clear"}"#, "call_1"),
        ("r:a.ts w:a.ts b:1 r:a.ts a", r#""reads":{"maxFileReads":1}"#, "call_1"),
        ("b:1 a~ u", r#""reasoning":"drop""#, "call_0"),
    ];
    for (words, pass, excluded) in cases {
        let policy = policy(&format!(r#"{{{pass},"exclude":["{excluded}"]}}"#));
        let once = view(&session(words).messages, &policy).messages;
        assert_eq!(once, view(&once, &policy).messages, "{words}: {pass}");
    }
}

/// A note is repeated if an excluded call stands among its edits, but is none of them.
#[test]
fn notes_of_other_calls_stay() {
    let words = "e:a.ts<600 b:1 r:a.ts e:a.ts<600 e:b.ts<600 e:a.ts<600 b:2 a";
    let session = session(words);
    let read = read(&session.messages);
    let step = read.history.steps();
    for (excluded, stays) in
        [("call_1", true), ("call_2", true), ("call_4", true), ("call_3", false)]
    {
        let edits = r#"{"edits":{"after":1,"atLeast":3}}"#;
        let before = view_at(&read, &policy(edits), step).decided;
        // Edits that would be decided anew save too little.
        let policy = policy(&format!(
            r#"{{"edits":{{"after":1,"atLeast":3}},"clearAtLeast":100000,"exclude":["{excluded}"]}}"#
        ));
        let view = view_repeating(&read, &policy, step, &before);
        let text = Json::from(view.messages).to_string();
        assert_eq!(text.contains("[Edits to a.ts: 3 changes"), stays, "{excluded}: {text}");
    }
}
