//! The model's reasoning: kept, dropped, or everything before it held as it was.

use crate::session::{Session, check_marks, check_places, policy, session};
use serde_json::{Value as Json, json};

const DROP: &str = r#"{"reasoning":"drop"}"#;

#[test]
fn what_is_dropped() {
    check_places(&[
        ("b:1~ a u b:2~", DROP, "1.0 Reasoning"),
        ("b:1~ b:2~ a u b:3~", DROP, "1.0 Reasoning, 3.0 Reasoning"),
        ("b:1~ b:2~", DROP, ""),
        ("b:1~ a u b:2~ a u b:3~", r#"{"reasoning":"keep"}"#, ""),
        ("b:1~ a u b:2~ a u b:3~", DROP, "1.0 Reasoning, 5.0 Reasoning"),
        // A prompt in the midst of calls belongs to their turn.
        ("b:1~ u b:2~", DROP, ""),
        ("b:1? u b:2~", DROP, ""),
        // What comes later than the view's step has not been asked yet.
        ("b:1~ a u b:2~ | a u b:3~", DROP, "1.0 Reasoning"),
    ]);
    let line =
        "1.0 Reasoning 4>0 , reasoning: its turn is over, or what stood before it has changed: ";
    assert_eq!(session("b:1~ a u b:2").edits(&policy(DROP)), [line]);
    assert_eq!(session("b:1~ a u b:2").passes(&policy(DROP)), "Reasoning 1 4");
    assert_eq!(
        session("b:1~ a u b:2~").in_anthropic().view(&policy(DROP))[1]["content"][0]["type"],
        "tool_use"
    );
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

/// A message is not left with nothing.
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
    // An image is something as well.
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
        // What was decided before stays decided.
        ("b:1 b:2 ; b:3~ b:4", &age, "c.c."),
        // Ephemeral content goes even so.
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
