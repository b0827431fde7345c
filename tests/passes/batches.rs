//! Whole plans: batches that are worth their rewrite, the order of edits, and the reports of the passes.

use super::session::{check_marks, check_places, policy, session};
use crate::support::view::read;
use trimtab::message::UseId;
use trimtab::projection::{ArgumentTrim, PassName, Plan, Replacement, StubStyle};

/// Without state, a batch is everything there is to edit: two results of 200 tokens, with stubs of 15.
#[test]
fn a_batch_is_worth_its_least() {
    let at_least = |tokens: u64| {
        let json = format!(r#"{{"age":{{"maxToolOutputAge":0}},"clearAtLeast":{tokens}}}"#);
        session("b:1 b:2 b:3").passes(&policy(&json))
    };
    assert_eq!(at_least(0), "Age 2 370");
    assert_eq!(at_least(370), "Age 2 370");
    assert_eq!(at_least(371), "");
}

/// Decisions stay; only new edits wait.
#[test]
fn new_edits_wait_for_a_batch() {
    let age = r#"{"age":{"maxToolOutputAge":0},"clearAtLeast":300}"#;
    check_marks(&[
        ("b:1 b:2 ; b:3", age, "cc."),
        ("b:1 b:2 b:3 ; b:4", age, "cc.."),
        ("b:1 b:2 b:3 ; b:4 ; b:5", age, "cccc."),
        ("b:1 b:2 b:3 ; b:4 b:5", age, "cccc."),
        ("b:1 b:2 b:3 ; b:4", r#"{"age":{"maxToolOutputAge":0}}"#, "ccc."),
    ]);
}

/// The clear pass has its own batches, and ephemeral content and reasoning do not wait.
#[test]
fn what_does_not_wait() {
    check_marks(&[
        (
            "b:1 b:2 b:3",
            r#"{"clearAtLeast":9999,"age":{"maxToolOutputAge":0},"clear":{"trigger":{"type":"tool_uses","value":0},"keep":{"type":"tool_uses","value":2}}}"#,
            "c..",
        ),
        (
            "b:1* b:2 b:3 a",
            r#"{"clearAtLeast":9999,"age":{"maxToolOutputAge":0},"ephemeral":true}"#,
            "e..",
        ),
    ]);
    check_places(&[(
        "a~ u b:2 b:3",
        r#"{"clearAtLeast":9999,"age":{"maxToolOutputAge":0},"reasoning":"drop"}"#,
        "1.0 Reasoning",
    )]);
}

#[test]
fn edits_come_in_the_order_of_their_blocks() {
    check_places(&[(
        "b:1 r:a w:b<300 r:a r:a l:c b:2",
        r#"{"reads":true,"clip":{"max":600},"lists":{"keep":0},"inputs":{"after":0}}"#,
        "2.0 Clip, 5.0 Inputs, 8.0 Reads, 12.0 Lists, 14.0 Clip",
    )]);
    let session = session("b:1 r:a=x r:a=x r:a=x l:c* a");
    assert_eq!(
        session.passes(&policy(r#"{"ephemeral":true,"reads":true,"clip":{"max":24}}"#)),
        "Ephemeral 1 190, Reads 1 186, Clip 1 183"
    );
}

/// Decisions of a pass that is off now are not repeated.
#[test]
fn decisions_of_passes_that_are_off() {
    let words = "b:1 b:2 b:3";
    let read_session = session(words);
    let read = read(&read_session.messages);
    let on = policy(r#"{"age":{"maxToolOutputAge":0}}"#);
    let step = read.history.steps();
    let decided = crate::support::view::view_repeating(&read, &on, step, &[]).decided;
    assert_eq!(decided.len(), 2);
    let repeated = |json: &str| {
        crate::support::view::view_repeating(&read, &policy(json), step, &decided).edits
    };
    assert_eq!(repeated("{}"), 0);
    assert_eq!(repeated(r#"{"lists":true,"budget":true,"reads":true}"#), 0);
    assert_eq!(repeated(r#"{"age":true}"#), 2);
    let plan = Plan::of(&read.history, &decided);
    assert_eq!((plan.edits(), plan.saved(), plan.count(PassName::Age)), (&decided[..], 370, 2));
}

#[test]
fn which_pass_puts_what() {
    use PassName::*;
    let id = UseId(3);
    let plain = StubStyle::PLAIN;
    /// A replacement, the passes that make it, the use whose result it names, and the use that it depends on.
    type Row = (Replacement, &'static [PassName], Option<UseId>, Option<UseId>);
    let rows: &[Row] = &[
        (Replacement::Ephemeral, &[Ephemeral], None, None),
        (Replacement::Cleared(plain), &[Age, Reads, Lists, Summarize, Budget, Retire], None, None),
        (Replacement::Reread { of: id, latest: true }, &[Reads], Some(id), Some(id)),
        (Replacement::Reread { of: id, latest: false }, &[Reads], Some(id), Some(id)),
        (Replacement::Clipped, &[Clip], None, None),
        (Replacement::Placeholder, &[Clear], None, None),
        (Replacement::Duplicate { of: id }, &[Dedupe], Some(id), Some(id)),
        (Replacement::Trimmed(ArgumentTrim::LONG), &[Clear, Edits, Inputs, Retire], None, None),
        (Replacement::Noted { from: id }, &[Edits], None, Some(id)),
        (Replacement::Removed, &[Reasoning, Ephemeral, Exclude], None, None),
    ];
    for (replacement, passes, names, rests_on) in rows {
        let of: Vec<PassName> = PassName::ALL
            .iter()
            .copied()
            .filter(|pass| pass.puts().contains(&replacement.kind()))
            .collect();
        assert_eq!(of, *passes, "{replacement:?}");
        assert_eq!(
            (replacement.names(), replacement.rests_on()),
            (*names, *rests_on),
            "{replacement:?}"
        );
    }
}

#[test]
fn which_edits_last() {
    let lasting = |words: &str, json: &str| session(words).lasting(&policy(json));
    assert_eq!(lasting("b:1 b:2", r#"{"age":{"maxToolOutputAge":0}}"#), [true]);
    assert_eq!(lasting("b:1* a", r#"{"ephemeral":true}"#), [false]);
    assert_eq!(lasting("a~ u b:2", r#"{"reasoning":"drop"}"#), [true]);
}
