//! Decisions as rows of numbers: their fields, and where they are found again.

use super::session::{Session, policy, session};
use crate::support::view::{Read, read, view_repeating};
use serde_json::json;
use trimtab::message::History;
use trimtab::projection::{
    Finder, Found, PassName, PlannedEdit, Policy, SAVED_EDIT_NUMBERS, SavedEdit,
};

type Row = [u32; SAVED_EDIT_NUMBERS];

/// FNV-1a hashes of the ids.
const CALL_0: u32 = 2_774_077_558;
const CALL_1: u32 = 2_790_855_177;
const CALL_0_1: u32 = 2_827_842_766;
const CALL_2: u32 = 2_740_522_320;

fn decided(read: &Read<'_>, json: &str) -> Vec<PlannedEdit> {
    view_repeating(read, &policy(json), read.history.steps(), &[]).decided
}

fn saved(history: &History, edits: &[PlannedEdit]) -> Vec<Row> {
    let decision =
        |edit: &PlannedEdit| SavedEdit::of(history, edit, None).map(SavedEdit::to_numbers);
    edits.iter().filter_map(decision).collect()
}

/// Result of looking a row up in a session: the block of the edit, or the block and use of a stub.
fn found(session: &Session, row: Row) -> String {
    let read = read(&session.messages);
    let Some(decision) = SavedEdit::from_numbers(&row) else { return "no decision".to_owned() };
    match Finder::new(&read.history, PassName::puts).find(&decision) {
        Some(Found::Edit(edit)) => {
            format!("edit {} of {:?}", edit.block.0, edit.tool_use.map(|id| id.0))
        }
        Some(Found::Stub(id, block, digest)) => format!("stub {} of {} {digest}", block.0, id.0),
        None => "nothing".to_owned(),
    }
}

#[test]
fn rows_of_numbers() {
    // Message, position, hash of the id, bytes, pass, tokens, digest, kind, and three numbers that depend on the kind.
    let rows: &[(&str, &str, &[Row])] = &[
        (
            "b:1 b:2",
            r#"{"age":{"maxToolOutputAge":0}}"#,
            &[[2, 0, CALL_0, 700, 3, 15, 0, 0, 2000, 0, 0]],
        ),
        (
            "b:1#1000 b:2",
            r#"{"summarize":{"after":0}}"#,
            &[[2, 0, CALL_0, 1000, 6, 15, 0, 0, 200, 1, 0]],
        ),
        (
            "r:a@1-5 e:a r:a@7-9",
            r#"{"reads":{"superseded":"clear"}}"#,
            &[[2, 0, CALL_0, 700, 4, 21, 0, 0, 80, 2, 0]],
        ),
        (
            "r:a=x r:a=x r:a=x",
            r#"{"reads":true}"#,
            &[[4, 0, CALL_1, 700, 4, 14, 0, 1, 2, 0, CALL_0]],
        ),
        (
            "r:a r:a",
            r#"{"reads":{"superseded":"clear"}}"#,
            &[[2, 0, CALL_0, 700, 4, 15, 0, 2, 4, 0, CALL_1]],
        ),
        (
            "b:1",
            r#"{"clip":{"max":100,"head":10,"tail":10}}"#,
            &[[2, 0, CALL_0, 700, 7, 20, 0, 3, 0, 0, 0]],
        ),
        (
            "b:1",
            r#"{"clear":{"trigger":{"type":"tool_uses","value":0},"keep":{"type":"tool_uses","value":0}}}"#,
            &[[2, 0, CALL_0, 700, 2, 19, 0, 4, 0, 0, 0]],
        ),
        ("b:1=x b:2=x", r#"{"dedupe":true}"#, &[[4, 0, CALL_1, 700, 8, 50, 0, 5, 2, 0, CALL_0]]),
        (
            "w:a<201 b:1",
            r#"{"inputs":{"after":0}}"#,
            &[[1, 0, CALL_0, 226, 10, 36, 0, 6, 200, 0, 0]],
        ),
        (
            "e:a<300 b:1",
            r#"{"inputs":{"after":0,"maxChars":100,"what":"old"}}"#,
            &[[1, 0, CALL_0, 644, 10, 113, 0, 6, 100, 1, 0]],
        ),
        // The note depends on the first edit, given by the position and id of its result.
        (
            "e:a<600 e:a<600 e:a<600 b:1",
            r#"{"edits":{"after":0}}"#,
            &[
                [1, 0, CALL_0, 1244, 9, 70, 0, 6, 200, 0, 0],
                [3, 0, CALL_1, 1244, 9, 70, 0, 6, 200, 0, 0],
                [5, 0, CALL_2, 1244, 9, 119, 0, 7, 2, 0, CALL_0],
            ],
        ),
        // The second of two calls.
        (
            "r:a+w:a<201 b:1",
            r#"{"inputs":{"after":0}}"#,
            &[[1, 1, CALL_0_1, 226, 10, 36, 0, 6, 200, 0, 0]],
        ),
    ];
    for (words, json, expected) in rows {
        let session = session(words);
        let read = read(&session.messages);
        let edits = decided(&read, json);
        assert_eq!(saved(&read.history, &edits), *expected, "{words} under {json}");
        // The rows lead back to the same edits, and the edits to the same numbers.
        let finder = Finder::new(&read.history, PassName::puts);
        for (row, edit) in expected.iter().zip(&edits) {
            let decision = SavedEdit::from_numbers(row).unwrap();
            assert_eq!(decision.to_numbers(), *row);
            assert!(
                matches!(finder.find(&decision), Some(Found::Edit(found)) if found == *edit),
                "{row:?}"
            );
        }
    }
}

#[test]
fn the_digest_of_what_stands_there() {
    let session = session("b:1 b:2");
    let read = read(&session.messages);
    let edits = decided(&read, r#"{"age":{"maxToolOutputAge":0}}"#);
    let stub = "[cleared bash output, 700 chars; re-run if needed]";
    let row = SavedEdit::of(&read.history, &edits[0], Some(stub)).unwrap().to_numbers();
    // First 32 bits of the SHA-256 of the stub.
    assert_eq!(row[6], 613_236_059);
}

#[test]
fn what_is_decided_anew_each_time() {
    let session = session("b:1* a");
    let read = read(&session.messages);
    let policy: Policy = policy(r#"{"ephemeral":true}"#);
    let request = trimtab::projection::Request {
        policy: &policy,
        current_step: 9,
        decided: &[],
        idle: 0.0,
        sent: None,
    };
    let plan = trimtab::projection::project(
        &read.history,
        request,
        &read.contents(),
        &mut Default::default(),
    );
    assert_eq!(plan.edits().len(), 1);
    assert!(!plan.edits()[0].pass.is_lasting());
}

const CLEARED: Row = [2, 0, CALL_0, 700, 3, 15, 77, 0, 2000, 0, 0];

#[test]
fn numbers_that_are_no_decision() {
    assert_eq!(SavedEdit::from_numbers(&[]), None);
    assert_eq!(SavedEdit::from_numbers(&[0; 10]), None);
    assert_eq!(SavedEdit::from_numbers(&[0; 12]), None);
    assert!(SavedEdit::from_numbers(&[0; 11]).is_some());
    let with = |at: usize, number: u32| {
        let mut row = CLEARED;
        row[at] = number;
        SavedEdit::from_numbers(&row).is_some()
    };
    assert!(with(4, 13) && !with(4, 14), "passes");
    assert!(with(7, 9) && !with(7, 10), "kinds");
}

#[test]
fn where_a_decision_is_found() {
    let with = |at: usize, number: u32| {
        let mut row = CLEARED;
        row[at] = number;
        row
    };
    let here = session("b:1 b:2");
    assert_eq!(found(&here, CLEARED), "edit 2 of Some(0)");
    // Another message or position: found by the id.
    assert_eq!(found(&here, with(0, 9)), "edit 2 of Some(0)");
    assert_eq!(found(&here, with(0, 1)), "edit 2 of Some(0)");
    assert_eq!(found(&here, with(1, 5)), "edit 2 of Some(0)");
    // Another id: the result with that id, or nothing.
    assert_eq!(found(&here, with(2, CALL_1)), "edit 4 of Some(1)");
    assert_eq!(found(&here, with(2, 5)), "nothing");
    // A result of another size may be the stub.
    assert_eq!(found(&here, with(3, 699)), "stub 2 of 0 77");
    // Only passes that make this replacement are accepted.
    for (pass, is_one) in
        [(2, false), (3, true), (4, true), (7, false), (10, false), (11, true), (12, true)]
    {
        let expected = if is_one { "edit 2 of Some(0)" } else { "nothing" };
        assert_eq!(found(&here, with(4, pass)), expected, "{pass}");
    }
    // In a history whose beginning was cut off.
    let mut later = session("b:0 b:9 b:1 b:2");
    later.messages[5]["tool_calls"][0]["id"] = "call_0".into();
    later.messages[6]["tool_call_id"] = "call_0".into();
    later.messages.drain(1..5);
    assert_eq!(found(&later, CLEARED), "edit 2 of Some(0)");
    // No result has the id any more.
    assert_eq!(found(&session("b:1? b:2"), CLEARED), "nothing");
    // Results without ids are identified by their tool and position.
    let mut nameless = session("b:1 b:2");
    for message in &mut nameless.messages {
        message.as_object_mut().unwrap().remove("tool_call_id");
        if message["role"] == "tool" {
            message["name"] = "bash".into();
        }
    }
    let bash = [2, 0, 987_533_343, 700, 3, 15, 0, 0, 2000, 0, 0];
    assert_eq!(found(&nameless, bash), "edit 2 of Some(1)");
    let elsewhere = [9, 0, 987_533_343, 700, 3, 15, 0, 0, 2000, 0, 0];
    assert_eq!(found(&nameless, elsewhere), "nothing");
}

#[test]
fn decisions_about_calls() {
    let row: Row = [1, 0, CALL_0, 226, 10, 36, 77, 6, 200, 0, 0];
    let with = |at: usize, number: u32| {
        let mut row = row;
        row[at] = number;
        row
    };
    let here = session("w:a<201 b:1");
    assert_eq!(found(&here, row), "edit 1 of Some(0)");
    assert_eq!(found(&here, with(0, 2)), "edit 1 of Some(0)");
    assert_eq!(found(&here, with(2, 5)), "nothing");
    // Arguments are never a stub, whatever their size.
    assert_eq!(found(&here, with(3, 225)), "nothing");
    assert_eq!(found(&here, with(4, 3)), "nothing");
    // A call that may not be edited, and one without arguments.
    let mut freeform = session("w:a<201 b:1");
    let custom = json!({"id": "call_0", "type": "custom", "custom": {"name": "write_file", "input": "x".repeat(226)}});
    freeform.messages[1]["tool_calls"][0] = custom;
    assert_eq!(found(&freeform, row), "nothing");
    let mut empty = session("w:a<201 b:1");
    empty.messages[1]["tool_calls"][0]["function"]["arguments"] = "".into();
    assert_eq!(found(&empty, with(3, 0)), "nothing");
    // The use that the note depends on is gone.
    let note: Row = [1, 0, CALL_0, 226, 9, 36, 77, 7, 4, 0, 5];
    assert_eq!(found(&here, note), "nothing");
    let note: Row = [1, 0, CALL_0, 226, 9, 36, 77, 7, 4, 0, CALL_2];
    assert_eq!(found(&session("w:a<201 u b:1"), note), "edit 1 of Some(0)");
}

/// Parallel calls: each result is found by its own position.
#[test]
fn positions_in_a_message() {
    let session = session("b:1+b:2+b:3 b:4").in_anthropic();
    let read = read(&session.messages);
    let edits = decided(&read, r#"{"age":{"maxToolOutputAge":0}}"#);
    let rows = saved(&read.history, &edits);
    assert_eq!(
        rows.iter().map(|row| (row[0], row[1])).collect::<Vec<_>>(),
        [(2, 0), (2, 1), (2, 2)]
    );
    for (row, edit) in rows.iter().zip(&edits) {
        assert_eq!(
            found(&session, *row),
            format!("edit {} of {:?}", edit.block.0, edit.tool_use.map(|id| id.0))
        );
    }
}

/// Removed reasoning is found by its position and size; blocks of other kinds are not removed.
#[test]
fn decisions_about_reasoning() {
    let session = session("b:1~ a u b:2").in_anthropic();
    let read = read(&session.messages);
    let rows = saved(&read.history, &decided(&read, r#"{"reasoning":"drop"}"#));
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!(found(&session, *row), "edit 1 of None");
    let with = |changes: &[(usize, u32)]| {
        let mut row = *row;
        changes.iter().for_each(|(at, number)| row[*at] = *number);
        found(&session, row)
    };
    // Another size, or another position.
    assert_eq!([with(&[(3, row[3] + 1)]), with(&[(0, 9)]), with(&[(2, 1)])], ["nothing"; 3]);
    // Unsigned reasoning.
    let unsigned = self::session("a~ u b:2");
    let known = self::read(&unsigned.messages);
    let rows = saved(&known.history, &decided(&known, r#"{"reasoning":"drop"}"#));
    assert_eq!((rows.len(), found(&unsigned, rows[0])), (1, "edit 1 of None".to_owned()));
    // The text of an answer, with its own size and position.
    let text = read.history.blocks().iter().position(|block| block.message == 3).unwrap();
    let bytes = read.history.blocks()[text].size.bytes as u32;
    assert_eq!(with(&[(0, 3), (1, 0), (3, bytes)]), "nothing");
}
