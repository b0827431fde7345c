//! Ephemeral content is removed when its turn is over.

use super::session::{Session, check, check_edits, check_marks, policy, session};
use serde_json::json;

const EPHEMERAL: &str = r#"{"ephemeral":true}"#;
const REMOVE: &str = r#"{"ephemeral":{"when":"now","mode":"remove"}}"#;

#[test]
fn when_it_goes() {
    check(&[
        ("r:a* r:b", EPHEMERAL, ".."),
        ("r:a* r:b a", EPHEMERAL, "e."),
        ("r:a* u r:b", EPHEMERAL, "e."),
        ("r:a* a u r:b*", EPHEMERAL, "e."),
        ("r:a* r:b", r#"{"ephemeral":{"when":"now"}}"#, "e."),
        ("r:a* | r:b*", r#"{"ephemeral":{"when":"now"}}"#, "e."),
        ("r:a*% r:b a", EPHEMERAL, ".."),
        ("r:a*? r:b a", EPHEMERAL, "."),
        ("r:a*#0 r:b* a", EPHEMERAL, ".e"),
        // A result with an image and no text.
        ("r:a*&#0 r:b a", EPHEMERAL, "e."),
        ("r:a*! r:b a", r#"{"ephemeral":true,"protect":{"tools":["read_file"]}}"#, "e."),
    ]);
    check_marks(&[("r:a*$ r:b a", EPHEMERAL, "..")]);
}

/// A prompt beside results belongs to their turn and does not end it.
#[test]
fn a_prompt_in_the_same_message() {
    let mut session = session("r:a*").in_anthropic();
    let content = session.messages[2]["content"].as_array_mut().unwrap();
    content.push(json!({"type": "text", "text": "and now?"}));
    assert_eq!(session.marks(&policy(EPHEMERAL)), ".");
    session.messages.push(json!({"role": "assistant", "content": "done"}));
    assert_eq!(Session::of(session.messages).marks(&policy(EPHEMERAL)), "e");
}

#[test]
fn stubs_cost_no_more_than_what_they_replace() {
    let line = |before: u32, after: u32, text: &str| {
        format!("2.0 Ephemeral {before}>{after} read_file, ephemeral, its turn is over: {text}")
    };
    let long = "[Ephemeral content removed after its turn.]";
    check_edits(&[
        ("r:a* a", EPHEMERAL, &[&line(200, 13, long)]),
        ("r:a*#43 a", EPHEMERAL, &[&line(13, 13, long)]),
        ("r:a*#42 a", EPHEMERAL, &[&line(12, 3, "[removed]")]),
        ("r:a*#8 a", EPHEMERAL, &[&line(3, 3, "[removed]")]),
        ("r:a*#7 a", EPHEMERAL, &[&line(2, 1, "-")]),
    ]);
}

#[test]
fn removal_takes_calls_out_with_their_results() {
    let session = session("r:a* r:b r:c* r:d");
    let kept = session.view(&policy(REMOVE));
    let messages = session.messages;
    assert_eq!(kept, [&messages[..1], &messages[3..5], &messages[7..]].concat());
}

#[test]
fn removals_in_the_report() {
    let session = session("r:a+r:b* b:1");
    // The second call and its result; the first call stays in the same message.
    assert_eq!(
        session.edits(&policy(REMOVE)),
        [
            "1.1 Ephemeral 4>0 read_file, ephemeral, its turn is over: ",
            "3.0 Ephemeral 200>0 read_file, ephemeral, its turn is over: "
        ]
    );
    assert_eq!(session.passes(&policy(REMOVE)), "Ephemeral 2 204");
    let view = session.view(&policy(REMOVE));
    assert_eq!(view.len(), 5);
    assert_eq!(view[1]["tool_calls"].as_array().map(Vec::len), Some(1));
}

#[test]
fn an_empty_text_is_nothing_to_send() {
    let kept = |content: serde_json::Value| {
        let mut session = session("r:a* b:1");
        session.messages[1]["content"] = content;
        session.view(&policy(REMOVE)).len()
    };
    assert_eq!(kept("".into()), 3);
    assert_eq!(kept(serde_json::Value::Null), 3);
    // Text beside the call stays, without the call.
    assert_eq!(kept("I look.".into()), 4);
}

#[test]
fn nothing_is_removed_beside_what_is_signed() {
    let remove = policy(REMOVE);
    assert_eq!(session("r:a*~ b:1").in_anthropic().marks(&remove), "e.");
    assert_eq!(session("r:a* b:1~").in_anthropic().view(&remove).len(), 3);
    // A block of an unknown type beside the result.
    let mut session = session("r:a* b:1").in_anthropic();
    let content = session.messages[2]["content"].as_array_mut().unwrap();
    content.push(json!({"type": "news", "text": "x"}));
    assert_eq!(session.marks(&remove), "e.");
}

/// A result without a call is not removed: it gets a stub.
#[test]
fn results_without_calls_leave_a_stub() {
    let mut session = session("r:a* b:1");
    session.messages.remove(1);
    assert_eq!(Session::of(session.messages).marks(&policy(REMOVE)), "e.");
}
