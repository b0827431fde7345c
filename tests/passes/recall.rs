//! Originals found by their references.

use super::session::{Session, session};
use crate::support::view::{Read, read};
use trimtab::message::JsonValue;
use trimtab::projection::{Cache, find_result};

/// A session with these texts as its results.
fn results(words: &str, texts: &[&str]) -> Session {
    let mut session = session(words);
    let results = session.messages.iter_mut().filter(|message| message["role"] == "tool");
    for (message, text) in results.zip(texts) {
        message["content"] = (*text).into();
    }
    session
}

fn recall(session: &Session, reference: &str) -> String {
    let read = read(&session.messages);
    match find_result(&read.history, reference, &read.contents(), &mut Cache::default()) {
        Ok((id, _)) => format!("use {}", id.0),
        Err(problem) => problem.to_string(),
    }
}

/// First digits of the SHA-256 of `first` and `second`.
const FIRST: &str = "a7937b64";
const SECOND: &str = "16367aac";

#[test]
fn by_reference() {
    let session = results("b:1 b:2 b:3?", &["first", "second"]);
    assert_eq!(recall(&session, FIRST), "use 0");
    assert_eq!(recall(&session, SECOND), "use 1");
    assert_eq!(recall(&session, "16367AAC"), "use 1");
    // The newest of equal results.
    assert_eq!(recall(&results("b:1 b:2 b:3", &["first", "second", "first"]), FIRST), "use 2");
}

#[test]
fn what_cannot_be_recalled() {
    let session = results("b:1 b:2", &["first", "second"]);
    let shape = "a reference is the 8 hexadecimal digits after `recall` in a stub";
    for wrong in ["", "a7937b6", "a7937b644", "a7937b6g", "[recall]"] {
        assert_eq!(recall(&session, wrong), format!("{wrong:?} cannot be recalled: {shape}"));
    }
    let long = "x".repeat(60);
    assert_eq!(
        recall(&session, &long),
        format!("{:?} cannot be recalled: {shape}", "x".repeat(40))
    );
    assert_eq!(
        recall(&session, "01234567"),
        "\"01234567\" cannot be recalled: no result of this history has it: it was changed, or has left the history. \
         Run the tool again"
    );
    assert_eq!(
        recall(&results("b:1* b:2", &["first", "second"]), FIRST),
        "\"a7937b64\" cannot be recalled: the result was ephemeral, and is not given again: run the tool again"
    );
    // Two texts whose digests have the same first digits.
    let text = |number: u32| format!("result number {number} of a tool that has much to say");
    assert_eq!(
        recall(&results("b:1 b:2", &[&text(2871), &text(53013)]), "3782c53b"),
        "\"3782c53b\" cannot be recalled: two results share it: run the tool again"
    );
}

/// A stub is not returned as an original.
#[test]
fn stubs_are_not_given_back() {
    let session = results("b:1 b:2", &["first", "first"]);
    let mut read = read(&session.messages);
    read.history.mark_stub(trimtab::message::UseId(1));
    let found = find_result(&read.history, FIRST, &read.contents(), &mut Cache::default());
    assert_eq!(found.map(|(id, _)| id.0), Ok(0));
}

/// The digest of a result is forgotten when another result takes its place.
#[test]
fn a_result_that_was_replaced() {
    let before = results("b:1 b:2", &["first", "second"]);
    let after = results("b:1 b:2", &["second", "first"]);
    let Read { format, mut history, .. } = read(&before.messages);
    let mut cache = Cache::default();
    let old = Read { format, history: read(&before.messages).history, messages: &before.messages };
    assert!(find_result(&old.history, "01234567", &old.contents(), &mut cache).is_err());
    // The first call stays; its result and everything after it is dropped.
    history.truncate(2);
    cache.truncate(&history);
    for message in &after.messages[2..] {
        history.push(format.read(&JsonValue::from(message)).unwrap());
    }
    let new = Read { format, history, messages: &after.messages };
    assert_eq!(
        find_result(&new.history, SECOND, &new.contents(), &mut cache).map(|(id, _)| id.0),
        Ok(0)
    );
    assert_eq!(
        find_result(&new.history, FIRST, &new.contents(), &mut cache).map(|(id, _)| id.0),
        Ok(1)
    );
}
