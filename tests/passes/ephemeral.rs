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
    let long = "[Ephemeral content was removed.]";
    check_edits(&[
        ("r:a* a", EPHEMERAL, &[&line(200, 10, long)]),
        ("r:a*#32 a", EPHEMERAL, &[&line(10, 10, long)]),
        ("r:a*#31 a", EPHEMERAL, &[&line(9, 3, "[removed]")]),
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

/// Otherwise the view would end with what the model said before the call, which providers take for the beginning of its
/// answer, or refuse.
#[test]
fn what_was_said_before_a_removed_call_is_not_the_last() {
    let mut session = session("r:a* r:b* r:c*");
    session.messages[1]["content"] = "let me look".into();
    let mut said = session.messages[1].clone();
    said.as_object_mut().unwrap().remove("tool_calls");
    let view = session.view(&policy(REMOVE));
    let [first, words, call, stub] = view.as_slice() else { panic!("{view:?}") };
    assert_eq!([first, words, call], [&session.messages[0], &said, &session.messages[5]]);
    assert_eq!(stub["content"], "[Ephemeral content was removed.]");
    let prompt = json!({"role": "user", "content": "go on"});
    session.messages.push(prompt.clone());
    let view = Session::of(session.messages).view(&policy(REMOVE));
    assert_eq!(view, [first.clone(), said, prompt]);
}

/// Anthropic refuses a system message before a message of the user, or after what the model said.
#[test]
fn results_beside_system_messages_are_replaced() {
    let mut session = session("r:a* u").in_anthropic();
    session.messages.insert(1, json!({"role": "system", "content": "be brief"}));
    let view = session.view(&policy(REMOVE));
    assert_eq!(view.len(), session.messages.len());
    let result = &view[3]["content"][0]["content"];
    assert_eq!(result, "[Ephemeral content was removed.]");
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

/// A pass that clears an ephemeral result within its turn leaves nothing of it, and no reference, which would be refused.
#[test]
fn what_goes_within_its_turn_gets_the_last_stub() {
    check_marks(&[
        ("b:1* b:2 b:3", r#"{"age":{"maxToolOutputAge":0}}"#, "ec."),
        ("b:1* b:2 b:3", r#"{"clip":{"max":24}}"#, "exx"),
        ("b:1* b:2 b:3", r#"{"budget":{"maxTokens":1}}"#, "ec."),
        (
            "b:1* b:2 b:3",
            r#"{"clear":{"trigger":{"type":"tool_uses","value":0},"keep":{"type":"tool_uses","value":1}}}"#,
            "ec.",
        ),
    ]);
}
