//! The engine's interface to JavaScript: plans as numbers, texts, and requests other than views.

use super::session::{Session, policy, session};
use crate::support::view::{Contents, Read, read};
use serde_json::{Value as Json, json};
use trimtab::message::{JsonValue, UseId};
use trimtab::projection::{Ask, Engine, PassName, PlannedEdit, Policy, SavedEdit};

const AGE: &str = r#"{"binding":"free","age":{"maxToolOutputAge":0}}"#;
const REMOVE: &str = r#"{"binding":"free","ephemeral":{"mode":"remove"}}"#;

fn ask(policy: &Policy) -> Ask<'_> {
    Ask { policy, step: None, sticky: true, idle: 0.0, prefix: 0 }
}

/// An engine that has projected these prefixes of a session and then all of it.
fn sent(session: &Session, lengths: &[usize], json: &str) -> Engine {
    let mut engine = Engine::default();
    for length in lengths {
        let read = read(&session.messages[..*length]);
        engine.project(&read.history, ask(&policy(json)), &read.contents());
    }
    let read = read(&session.messages);
    engine.project(&read.history, ask(&policy(json)), &read.contents());
    engine
}

fn numbers(session: &Session, lengths: &[usize], json: &str) -> Vec<u32> {
    sent(session, lengths, json).plan_numbers(&read(&session.messages).history)
}

#[test]
fn a_plan_as_numbers() {
    // Each of the four results has 200 tokens, and 15 once it is cleared.
    let four = session("b:1+b:2 b:3+b:4 b:5#20");
    let [plain, cleared] = [&[], &[4][..]].map(|lengths| numbers(&four, lengths, AGE));
    assert_eq!(plain[..8], [3, 3, 833, 833 - 4 * 185, 3, 1, 0, 0]);
    assert_eq!(plain.len(), 8 + 4 * 4);
    // Messages and positions of the results; in this format each result is a message.
    let places: Vec<_> = plain[8..].chunks(4).map(|edit| (edit[0], edit[1])).collect();
    assert_eq!(places, [(2, 0), (3, 0), (5, 0), (6, 0)]);
    // One more request is known, and all other numbers are the same.
    assert_eq!((cleared[5], &cleared[6..]), (2, &plain[6..]));

    // Nothing is edited, and no request is known.
    let nothing = numbers(&session("b:1 b:2"), &[], "{}");
    assert_eq!(nothing, [2, 2, nothing[2], nothing[2], 0, 1, 0, 0]);
    assert_eq!(Engine::default().plan_numbers(&read(&four.messages).history)[5], 0);

    // A removed call and its result, each the only block of its message.
    let removed = numbers(&session("b:1* a u b:2"), &[], REMOVE);
    assert_eq!(removed[4..10], [2, 1, 0, 2, 1, 2]);
    assert_eq!(removed[10..].chunks(4).map(|edit| edit[0]).collect::<Vec<_>>(), [1, 2]);

    // The beginning is kept while the reasoning after it is needed.
    let waits = session("b:1 b:2~ b:3").in_anthropic();
    let first_and_waits = |binding: &str| {
        let json = format!(r#"{{"binding":"{binding}","age":{{"maxToolOutputAge":0}}}}"#);
        let numbers = numbers(&waits, &[], &json);
        (numbers[4], numbers[6])
    };
    assert_eq!(first_and_waits("unknown"), (5, 1));
    // With the known demand of a model, nothing waits.
    assert_eq!(first_and_waits("append-only"), (5, 0));
    assert_eq!(first_and_waits("required"), (3, 0));
    // The turn is over, so nothing waits.
    let later = session("b:1 b:2~ a u b:3").in_anthropic();
    let numbers =
        self::numbers(&later, &[], r#"{"binding":"unknown","age":{"maxToolOutputAge":0}}"#);
    assert_eq!((numbers[4], numbers[6]), (3, 0));
}

#[test]
fn an_edit_as_numbers() {
    // A clipped result of the second call: message, position, then pass, kind and flags in one byte each.
    let session = session("b:1#20+b:2 b:3#20").in_anthropic();
    let engine = sent(&session, &[], r#"{"clip":{"max":100,"head":10,"tail":10}}"#);
    let [edit] = engine.plan().edits() else { panic!("one is long") };
    let numbers = Engine::edit_numbers(edit);
    assert_eq!(numbers[..2], [2, 1]);
    assert_eq!([numbers[2] & 0xff, numbers[2] >> 24], [edit.pass.code(), 0]);
    assert_eq!(numbers[2] >> 8 & 0xff, edit.replacement.kind() as u32);
}

/// Numbers that are no edit of this history are ignored.
#[test]
fn numbers_that_are_no_edits() {
    let session = session("b:1 b:2");
    let read = read(&session.messages);
    let engine = sent(&session, &[], r#"{"age":{"maxToolOutputAge":0}}"#);
    let edit = Engine::edit_numbers(&engine.plan().edits()[0]);
    let dedupe = {
        let session = self::session("b:1=x b:2=x");
        let engine = sent(&session, &[], r#"{"dedupe":true}"#);
        Engine::edit_numbers(&engine.plan().edits()[0])
    };
    let known = |edits: &[u32]| {
        let mut later = Engine::default();
        let numbers = [&[2, 7, 0, 0, 0, 0, 0, 0], edits].concat();
        later.load(&read.history, &policy("{}"), &numbers, &read.contents());
        assert_eq!(later.current_step(), 7);
        later.plan().edits().len()
    };
    let with = |edit: [u32; 4], at: usize, number: u32| {
        let mut edit = edit;
        edit[at] = number;
        edit
    };
    assert_eq!(known(&edit), 1);
    assert_eq!(known(&edit[..3]), 0);
    assert_eq!(known(&[edit, with(edit, 0, 4)].concat()), 2);
    for (at, number) in [(0, 99), (1, 1), (2, 0xff), (2, edit[2] | 0xff00)] {
        assert_eq!(known(&with(edit, at, number)), 0, "{number} at {at}");
    }
    // A pointer to one of two tool uses.
    assert_eq!(known(&with(dedupe, 3, 1)), 1);
    assert_eq!(known(&with(dedupe, 3, 2)), 0);
    for numbers in [&[][..], &[2, 7, 0], &[2, 7, 0, 0, 0, 0, 0, u32::MAX]] {
        let mut later = Engine::default();
        later.load(&read.history, &policy("{}"), numbers, &read.contents());
        assert_eq!(later.plan().edits(), [], "{numbers:?}");
    }
}

fn unbound(session: &Session, lengths: &[usize], json: &str, knows: bool) -> Vec<[usize; 2]> {
    sent(session, lengths, json).unbound(&read(&session.messages).history, knows)
}

#[test]
fn reasoning_that_stands_behind_something_else() {
    let nothing: [[usize; 2]; 0] = [];
    let one = session("b:1 b:2~ b:3").in_anthropic();
    // Requests had the whole history before the first result was cleared.
    assert_eq!(unbound(&one, &[], "{}", false), nothing);
    assert_eq!(unbound(&one, &[], AGE, false), [[3, 0]]);
    let later = r#"{"binding":"free","age":{"maxToolOutputAge":1}}"#;
    assert_eq!(unbound(&one, &[1, 3], later, true), [[3, 0]]);
    // The reasoning was generated after a view in which that result was cleared already.
    let before = session("b:1 b:2#20 b:3~ b:4#20").in_anthropic();
    assert_eq!(unbound(&before, &[1, 3, 5], AGE, true), nothing);
    assert_eq!(unbound(&before, &[1, 3, 5], AGE, false), [[5, 0]]);
    // The edited block may be the first one of the history.
    let mut first = session("w:a<300 b:1~ b:2").in_anthropic();
    first.messages.remove(0);
    let inputs = r#"{"binding":"free","inputs":{"after":0}}"#;
    assert_eq!(unbound(&first, &[], inputs, false), [[2, 0]]);
    let mut engine = sent(&first, &[], inputs);
    assert_eq!((engine.plan().edits()[0].block.0, engine.plan().saved()), (0, 57));
    // The block is shown again while its pass is off.
    let read = read(&first.messages);
    engine.project(&read.history, ask(&policy(r#"{"binding":"free"}"#)), &read.contents());
    assert!(engine.plan().edits().is_empty());
    // Edits after the reasoning do not affect it.
    assert_eq!(unbound(&session("b:1~ b:2").in_anthropic(), &[1], AGE, true), nothing);
}

/// The reported message and block are positions in the view.
#[test]
fn reasoning_by_its_place_in_the_view() {
    let call =
        |id: &str| json!({"type": "tool_use", "id": id, "name": "bash", "input": {"command": id}});
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let result =
        |id: &str| json!({"type": "tool_result", "tool_use_id": id, "content": id.repeat(400)});
    let ephemeral = |message: Json| {
        let mut message = message;
        message["metadata"] = json!({"ephemeral": true});
        message
    };
    let user = |content: Json| json!({"role": "user", "content": content});
    let assistant = |content: Json| json!({"role": "assistant", "content": content});
    let session = Session::of(vec![
        user(json!("begin")),
        assistant(json!([call("a1")])),
        ephemeral(user(json!([result("a1")]))),
        assistant(
            json!([{"type": "text", "text": "on"}, call("b1"), call("b2"), thinking.clone(), call("b3")]),
        ),
        user(json!([result("b3")])),
        assistant(json!("done")),
        user(json!("go on")),
        assistant(json!([call("c1")])),
        user(json!([result("c1")])),
    ]);
    // Messages 1 and 2 are removed.
    assert_eq!(unbound(&session, &[], REMOVE, false), [[1, 3]]);
    // In message 3 the excluded first call is removed as well; a call after the reasoning does not count.
    let mut answered = session.messages.clone();
    answered[4] = user(json!([result("b1"), result("b2"), result("b3")]));
    let session = Session::of(answered);
    let places = |ids: &str| {
        unbound(&session, &[], &format!(r#"{{"binding":"free","exclude":[{ids}]}}"#), false)
    };
    assert_eq!(places(r#""a1""#), [[1, 3]]);
    assert_eq!(places(r#""a1","b1""#), [[1, 2]]);
    assert_eq!(places(r#""b1","b2""#), [[3, 1]]);
    assert_eq!(places(r#""a1","b1","c1""#), [[1, 2]]);
    // A replaced block still counts, unlike a removed one.
    assert_eq!(unbound(&session, &[], AGE, false), [[3, 3]]);
}

#[test]
fn all_results_are_cleared_on_request() {
    let session = session("b:1 b:2 b:3#20 b:4");
    let read = read(&session.messages);
    let mut engine = Engine::default();
    engine.clear_all(&read.history, &policy("{}"), &read.contents());
    assert_eq!((engine.plan().edits().len(), engine.current_step()), (0, 0));
    // Whatever their age and size.
    engine.clear_all(&read.history, &policy(r#"{"age":{"maxToolOutputAge":9}}"#), &read.contents());
    let messages: Vec<usize> = engine.plan().edits().iter().map(|edit| edit.message).collect();
    assert_eq!((messages, engine.current_step()), (vec![2, 4, 6, 8], 4));
}

#[test]
fn results_of_a_message_in_a_line_each() {
    let session = session("b:1#20+b:2 r:a.ts#20").in_anthropic();
    let read = read(&session.messages);
    let lines = |message| Engine::summaries(&read.history, message, &read.contents());
    let expected = ["bash output, 20 chars, 2 lines", "bash output, 700 chars, 70 lines"];
    assert_eq!(lines(2), expected);
    assert_eq!(lines(4), ["a.ts, 20 chars, 2 lines"]);
    // Calls and texts are not results.
    assert_eq!([lines(0).len(), lines(1).len()], [0, 0]);
}

#[test]
fn files_that_are_in_use() {
    let session = session("r:a.ts b:1 e:b.ts b:2");
    let read = read(&session.messages);
    let files = |json: &str, step| {
        let found =
            Engine::default().active_files(&read.history, &policy(json), step, &read.contents());
        found.into_iter().map(|[path, step, digest]| (path, step, digest.len())).collect::<Vec<_>>()
    };
    let (a, b) = (("a.ts".to_owned(), "1".to_owned(), 64), ("b.ts".to_owned(), "3".to_owned(), 0));
    assert_eq!(files(r#"{"age":{"maxToolOutputAge":5}}"#, None), [a.clone(), b.clone()]);
    assert_eq!(files(r#"{"age":{"maxToolOutputAge":2}}"#, None), [b]);
    assert_eq!(files(r#"{"age":{"maxToolOutputAge":5}}"#, Some(2)), [a]);
    assert_eq!(files("{}", None), []);
}

#[test]
fn a_result_by_its_digest() {
    let session = session("b:1 b:2");
    let read = read(&session.messages);
    let mut engine = Engine::default();
    let block = read.history.uses()[1].result.unwrap();
    let digest = engine.digest(&read.history, UseId(1), block, &read.contents());
    assert!(
        digest.len() == 64 && digest.chars().all(|digit| digit.is_ascii_hexdigit()),
        "{digest}"
    );
    let found = engine.recall(&read.history, &digest[..8], &read.contents()).unwrap();
    assert_eq!(found, (UseId(1), block));
    assert!(engine.recall(&read.history, "00000000", &read.contents()).is_err());
}

/// A state is an array of numbers that another engine can restore.
#[test]
fn a_state_is_taken_over() {
    let session = session("b:1 b:2 b:3#20");
    let Read { mut history, .. } = read(&session.messages);
    let read = read(&session.messages);
    let mut engine = sent(&session, &[3, 5], AGE);
    let state = engine.state(&read.history, &policy(AGE), 3, &read.contents());
    let mut later = Engine::default();
    assert_eq!(later.restore(&state), 0);
    later.find_decisions(&mut history, &policy(AGE), &read.contents());
    assert_eq!(later.ledger().decided(), engine.ledger().decided());
    assert_eq!(later.ledger().sent(), engine.ledger().sent());
    assert_eq!(later.ledger().sent().len(), 3);
    // A state with fewer requests, or with rows that are not decisions.
    let two = engine.state(&read.history, &policy(AGE), 2, &read.contents());
    assert_eq!(later.restore(&two), 0);
    later.find_decisions(&mut history, &policy(AGE), &read.contents());
    assert_eq!(later.ledger().sent().len(), 2);
    let mut wrong = state.clone();
    // The passes of the two decisions.
    (wrong[6], wrong[18]) = (99, 99);
    assert_eq!((state[0], later.restore(&wrong)), (2, 2));
    assert_eq!(later.restore(&[]), 0);
    later.find_decisions(&mut history, &policy(AGE), &read.contents());
    assert!(later.ledger().decided().is_empty() && later.ledger().sent().is_empty());
}

/// From the point where a history differs from the saved one, it is unknown what its reasoning was generated after.
#[test]
fn a_state_of_another_history() {
    let session = session("b:1 b:2~ b:3~ b:4").in_anthropic();
    let mut engine = sent(&session, &[1, 3, 5], "{}");
    let read = read(&session.messages);
    let state = engine.state(&read.history, &policy("{}"), 4, &read.contents());
    let restored = |message: usize| {
        let mut messages = session.messages.clone();
        messages[message]["content"][0]["content"] = "another".into();
        let mut other = self::read(&messages);
        let mut later = Engine::default();
        later.restore(&state);
        later.find_decisions(
            &mut other.history,
            &policy("{}"),
            &Contents { format: other.format, messages: &messages },
        );
        (later.ledger().sent().len(), later.unbound(&other.history, true))
    };
    // Requests had one, three, five and all messages. Reasoning after the last known request may belong to another
    // answer.
    assert_eq!(restored(8), (3, vec![[5, 0]]));
    assert_eq!(restored(4), (2, vec![[3, 0], [5, 0]]));
}

/// Decisions that later views do not repeat are not restored, even if a state has them.
#[test]
fn decisions_that_do_not_last() {
    let session = session("b:1~ a u b:2").in_anthropic();
    let engine = sent(&session, &[], r#"{"binding":"free","reasoning":"drop"}"#);
    let Read { mut history, .. } = read(&session.messages);
    let read = read(&session.messages);
    let [edit] = *engine.plan().edits() else { panic!("one block of reasoning") };
    let mut decided = |pass| {
        let row =
            SavedEdit::of(&history, &PlannedEdit { pass, ..edit }, None).unwrap().to_numbers();
        let state = [&[1, 0], &row[..], &[0, 0, 0]].concat();
        let mut later = Engine::default();
        assert_eq!(later.restore(&state), 0);
        later.find_decisions(&mut history, &policy(AGE), &read.contents());
        later.ledger().decided().len()
    };
    assert_eq!((decided(PassName::Reasoning), decided(PassName::Exclude)), (1, 0));
}

/// A state also has rows of edits that are no longer decided.
#[test]
fn a_state_with_edits_that_are_past() {
    let session = session("b:1 b:2 b:3#20");
    let Read { mut history, .. } = read(&session.messages);
    let read = read(&session.messages);
    let mut engine = sent(&session, &[5], AGE);
    // The first result is shown again, because nothing is decided any more and the policy clears nothing.
    let nothing = policy(r#"{"binding":"free"}"#);
    engine.repeat(Vec::new());
    let mut grown = session.messages.clone();
    grown.push(json!({"role": "user", "content": "go on"}));
    let later = self::read(&grown);
    engine.project(&later.history, ask(&nothing), &later.contents());
    assert_eq!(engine.ledger().sent().len(), 3);
    let state = engine.state(&later.history, &nothing, 3, &later.contents());
    // No decisions, three requests, and two past edits.
    assert_eq!((state[0], state[1], state[8]), (0, 3, 2));
    let mut restored = Engine::default();
    assert_eq!(restored.restore(&state), 0);
    let mut wrong = state.clone();
    (wrong[15], wrong[28]) = (99, 99);
    assert_eq!(restored.restore(&wrong), 2);
    // Requests whose lengths are not in order are discarded.
    let mut mixed = state.clone();
    mixed.swap(2, 4);
    assert_eq!(restored.restore(&mixed), 0);
    restored.find_decisions(&mut history, &policy(AGE), &read.contents());
    assert!(restored.ledger().sent().is_empty());
}

/// A result that already holds its stub is marked as a stub and not edited again.
#[test]
fn stubs_that_stand_already() {
    let session = session("b:1 b:2");
    let read = read(&session.messages);
    let mut engine = sent(&session, &[], AGE);
    let edit = engine.plan().edits()[0];
    let stub = engine.text(&read.history, &policy(AGE), &edit, &read.contents()).unwrap();
    let state = engine.state(&read.history, &policy(AGE), 1, &read.contents());
    let marked = |text: String| {
        let mut messages = session.messages.clone();
        messages[2]["content"] = text.into();
        let Read { mut history, .. } = self::read(&messages);
        let contents = self::read(&messages);
        let mut later = Engine::default();
        later.restore(&state);
        later.find_decisions(&mut history, &policy(AGE), &contents.contents());
        assert!(later.ledger().decided().is_empty());
        history.uses()[0].is_stub
    };
    assert_eq!((marked(stub), marked("another".to_owned())), (true, false));
}

/// Content that the provider has compacted stays as it was sent, even if the passes that edited it are off now.
#[test]
fn edits_of_what_was_compacted() {
    let mut session = session("b:1 b:2 a").in_anthropic();
    let edits = |session: &Session, json: &str| {
        let before = sent(session, &[], AGE).ledger().decided().to_vec();
        let read = read(&session.messages);
        let mut engine = Engine::default();
        engine.repeat(before);
        engine.project(&read.history, ask(&policy(json)), &read.contents());
        engine.plan().edits().iter().map(|edit| edit.message).collect::<Vec<_>>()
    };
    let off = r#"{"binding":"free"}"#;
    let nothing: [usize; 0] = [];
    assert_eq!(edits(&session, off), nothing);
    let decided = sent(&session, &[], AGE).ledger().decided().to_vec();
    let compaction = json!({"type": "compaction", "content": "so far", "encrypted_content": "e"});
    session.messages.push(json!({"role": "user", "content": "go on"}));
    session.messages.push(
        json!({"role": "assistant", "content": [compaction, {"type": "text", "text": "on"}]}),
    );
    let read = read(&session.messages);
    assert!(read.history.is_compacted());
    let mut engine = Engine::default();
    engine.repeat(decided);
    engine.project(&read.history, ask(&policy(off)), &read.contents());
    let messages: Vec<usize> = engine.plan().edits().iter().map(|edit| edit.message).collect();
    assert_eq!(messages, [2, 4]);
    assert_eq!(engine.plan().saved(), 0);
}

/// Facts of a truncated history are not used for its new continuation: a note lists successful edits, and of these
/// three edits the first fails in the new one.
#[test]
fn a_history_that_goes_on_otherwise() {
    let policy = policy(r#"{"binding":"free","edits":{"after":0}}"#);
    let before = session("e:a<800+e:a<800+e:a<800^ b:1");
    let after = session("e:a<800!+e:a<800+e:a<800^ b:1");
    let texts = |engine: &mut Engine, read: &Read<'_>| {
        engine.project(&read.history, Ask { sticky: false, ..ask(&policy) }, &read.contents());
        let edits = engine.plan().edits().to_vec();
        let text = |edit| engine.text(&read.history, &policy, edit, &read.contents());
        edits.iter().map(text).collect::<Vec<_>>()
    };
    let mut engine = Engine::default();
    let mut whole = read(&before.messages);
    let first = texts(&mut engine, &whole);
    engine.truncate(&mut whole.history, 4);
    for message in &after.messages[4..] {
        whole.history.push(whole.format.read(&JsonValue::from(message)).unwrap());
    }
    let other = Read { messages: &after.messages, ..whole };
    let second = texts(&mut engine, &other);
    assert_eq!(second, texts(&mut Engine::default(), &read(&after.messages)));
    assert_ne!(first.last(), second.last());
}

/// Requests that were recorded before the history is read in another format are forgotten; decisions stay.
#[test]
fn what_is_read_anew() {
    let session = session("b:1 b:2");
    let mut engine = sent(&session, &[], AGE);
    assert_eq!((engine.plan().edits().len(), engine.ledger().sent().len()), (1, 1));
    let decided = engine.ledger().decided().to_vec();
    engine.forget_facts();
    assert_eq!((engine.plan().edits().len(), engine.ledger().sent().len()), (0, 0));
    assert_eq!(engine.ledger().decided(), decided);
}

#[test]
fn what_was_edited_and_why() {
    let session = session("b:1 b:2 b:3");
    let read = read(&session.messages);
    let json = r#"{"age":{"maxToolOutputAge":0}}"#;
    let mut engine = sent(&session, &[], json);
    let reports = engine.edit_reports(&read.history, &policy(json), &read.contents());
    let told: Vec<_> = reports.iter().map(|one| (one.message, one.reason.as_str())).collect();
    assert_eq!(told, [(2, "2 steps old"), (4, "1 steps old")]);
    assert!(reports.iter().all(|one| one.text.as_ref().is_some_and(|text| text.starts_with('['))));
}
