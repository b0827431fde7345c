//! The model's reasoning: kept, dropped, or with everything before it left unchanged.

use super::session::{Session, check_marks, check_places, policy, session};
use serde_json::{Value as Json, json};

const DROP: &str = r#"{"reasoning":"drop"}"#;

/// Signed reasoning, as in Anthropic messages.
#[test]
fn what_is_dropped() {
    let rows = [
        ("b:1~ a u b:2~", DROP, "1.0 Reasoning"),
        ("b:1~ b:2~ a u b:3~", DROP, "1.0 Reasoning, 3.0 Reasoning"),
        ("b:1~ b:2~", DROP, ""),
        ("b:1~ a u b:2~ a u b:3~", r#"{"reasoning":"keep"}"#, ""),
        ("b:1~ a u b:2~ a u b:3~", DROP, "1.0 Reasoning, 5.0 Reasoning"),
        // A prompt between calls belongs to their turn.
        ("b:1~ u b:2~", DROP, ""),
        ("b:1? u b:2~", DROP, ""),
        // Prompts after the view's step do not count yet.
        ("b:1~ a u b:2~ | a u b:3~", DROP, "1.0 Reasoning"),
    ];
    for (words, json, expected) in rows {
        let edits = session(words).in_anthropic().edits(&policy(json));
        let place = |line: &String| line.split(' ').take(2).collect::<Vec<_>>().join(" ");
        let found = edits.iter().map(place).collect::<Vec<_>>().join(", ");
        assert_eq!(found, expected, "{words} under {json}: {edits:?}");
    }
    let line =
        "1.0 Reasoning 4>0 , reasoning: its turn is over, or the content before it changed: ";
    assert_eq!(session("b:1~ a u b:2").in_anthropic().edits(&policy(DROP)), [line]);
    assert_eq!(session("b:1~ a u b:2").in_anthropic().passes(&policy(DROP)), "Reasoning 1 4");
    assert_eq!(
        session("b:1~ a u b:2~").in_anthropic().view(&policy(DROP))[1]["content"][0]["type"],
        "tool_use"
    );
}

/// DeepSeek and Moonshot refuse a call without the reasoning that led to it, however old it is.
#[test]
fn unsigned_reasoning_stays_with_calls() {
    check_places(&[
        ("b:1~ a u b:2~", DROP, ""),
        ("b:1~ b:2~ a~ u b:3~ a~ u b:4~", DROP, ""),
        ("a~ u b:1~ b:2 a~ u a~ u b:3~", DROP, "1.0 Reasoning, 9.0 Reasoning"),
        // A prompt between calls belongs to their turn.
        ("a~ u b:1 u a~ u a~ u", DROP, "1.0 Reasoning, 8.0 Reasoning"),
    ]);
}

/// Gemini's signature of a call in its OpenAI-compatible API covers the arguments, so a signed call is neither cut nor
/// removed.
#[test]
fn signed_calls_stay_as_they_are() {
    let mut messages = session("w:a<900* w:b<900* a u b:1").messages;
    let inputs = r#"{"inputs":{"after":0,"maxChars":64}}"#;
    let removal = r#"{"ephemeral":{"mode":"remove"}}"#;
    let count = |messages: &[Json], rules: &str| {
        let session = Session::of(messages.to_vec());
        (session.view(&policy(rules)).len(), session.edits(&policy(rules)).len())
    };
    assert_eq!(count(&messages, inputs).1, 2);
    assert_eq!(count(&messages, removal).0, messages.len() - 4);
    messages[1]["tool_calls"][0]["extra_content"] =
        json!({"google": {"thought_signature": "c2ln"}});
    assert_eq!(count(&messages, inputs).1, 1);
    assert_eq!(count(&messages, removal).0, messages.len() - 2);
}

#[test]
fn wherever_it_stands() {
    let mut session = session("b:1~ a u b:2~").in_anthropic();
    session.messages[1]["content"].as_array_mut().unwrap().swap(0, 1);
    let view = session.view(&policy(DROP));
    assert_eq!(view[1]["content"].as_array().unwrap().len(), 1);
    assert_eq!(view[1]["content"][0]["type"], "tool_use");
    assert_eq!(view[5]["content"][0]["type"], "thinking");
}

/// A message is not left empty.
#[test]
fn reasoning_alone_stays() {
    let dropped = |content: Json| {
        let answer = json!({"role": "assistant", "content": content, "reasoning_content": "hm"});
        let user = |text: &str| json!({"role": "user", "content": text});
        let messages = vec![user("a?"), answer, user("b?")];
        Session::of(messages).edits(&policy(DROP)).len()
    };
    assert_eq!(dropped("said".into()), 1);
    assert_eq!(dropped("x".into()), 1);
    assert_eq!(dropped("".into()), 0);
    assert_eq!(dropped(Json::Null), 0);
    // An image counts as content.
    assert_eq!(dropped(json!([{"type": "image_url", "image_url": {"url": "data:,"}}])), 1);
}

#[test]
fn nothing_changes_before_reasoning() {
    let append = |settings: &str| format!(r#"{{"reasoning":"append-only",{settings}}}"#);
    let age = append(r#""age":{"maxToolOutputAge":0}"#);
    check_marks(&[
        ("b:1 b:2~ b:3 b:4", &age, ".cc."),
        ("b:1 b:2 b:3~ b:4", &age, "..c."),
        ("b:1 b:2 b:3 b:4", &age, "ccc."),
        ("b:1 b:2~ b:3 b:4", r#"{"reasoning":"keep","age":{"maxToolOutputAge":0}}"#, "ccc."),
        // Earlier decisions stay.
        ("b:1 b:2 ; b:3~ b:4", &age, "c.c."),
        // Ephemeral content is removed nevertheless.
        ("b:1* b:2~ a u b:3", &append(r#""ephemeral":true"#), "e.."),
    ]);
    check_places(&[
        (
            "w:a<300 w:b<300~ w:c<300 b:1",
            &append(r#""inputs":{"after":0}"#),
            "3.1 Inputs, 5.0 Inputs",
        ),
        (
            "w:a<300 w:b<300 w:c<300 b:1",
            &append(r#""inputs":{"after":0}"#),
            "1.0 Inputs, 3.0 Inputs, 5.0 Inputs",
        ),
    ]);
}

/// What a provider has compacted stays; reasoning after the compaction is dropped with its turn.
#[test]
fn reasoning_behind_a_compaction() {
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let compaction = json!({"type": "compaction", "content": "so far", "encrypted_content": "e"});
    let text = |text: &str| json!({"type": "text", "text": text});
    let messages = vec![
        json!({"role": "user", "content": "begin"}),
        json!({"role": "assistant", "content": [thinking, text("done")]}),
        json!({"role": "user", "content": "go on"}),
        json!({"role": "assistant", "content": [compaction, thinking, text("on")]}),
        json!({"role": "user", "content": "and on"}),
    ];
    let edits = Session::of(messages).edits(&policy(DROP));
    let places: Vec<&str> = edits.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(places, ["3.1"]);
}
