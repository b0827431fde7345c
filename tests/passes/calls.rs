//! Long arguments of old calls are cut; several old edits of one file become a note.

use super::session::{check_edits, check_places, policy, session};
use serde_json::{Value as Json, json};

const INPUTS: &str = r#"{"inputs":{"after":0}}"#;
const EDITS: &str = r#"{"edits":{"after":0}}"#;

#[test]
fn which_calls_are_cut() {
    let clear = |settings: &str| {
        format!(
            r#"{{"inputs":{{"after":0}},"clear":{{"trigger":{{"type":"tool_uses","value":0}},"keep":{{"type":"tool_uses","value":0}}{settings}}}}}"#
        )
    };
    let failing = clear(r#","clearErrors":true"#);
    check_places(&[
        ("w:a<300 e:b<300 b:1", INPUTS, "1.0 Inputs, 3.0 Inputs"),
        ("w:a<300 b:1 b:2", r#"{"inputs":{"after":1}}"#, "1.0 Inputs"),
        ("w:a<300 b:1 b:2", r#"{"inputs":{"after":2}}"#, ""),
        (
            "w:a<300 w:b<300 b:1 b:2 b:3 b:4 b:5 b:6 b:7 b:8 b:9 b:10",
            r#"{"inputs":true}"#,
            "1.0 Inputs",
        ),
        ("w:a<300 w:b<300 | w:c<300 b:1", INPUTS, "1.0 Inputs"),
        // Texts within the limit stay.
        ("w:a<200 w:b<201 b:1", INPUTS, "3.0 Inputs"),
        (
            "w:a<64 w:b<65 w:c<150 b:1",
            r#"{"inputs":{"after":0,"maxChars":64}}"#,
            "3.0 Inputs, 5.0 Inputs",
        ),
        ("b:x<300 w:a<300 r:a b:1", r#"{"inputs":{"after":0,"tools":["bash"]}}"#, "1.0 Inputs"),
        (
            "b:x<300 w:a<300 r:a b:1",
            r#"{"inputs":{"after":0,"tools":["*"]}}"#,
            "1.0 Inputs, 3.0 Inputs",
        ),
        ("b:x<300 w:a<300 r:a b:1", r#"{"inputs":{"after":0,"tools":[]}}"#, ""),
        ("e:a<300 w:b<300 b:1", r#"{"inputs":{"after":0,"what":"old"}}"#, "1.0 Inputs"),
        // The model needs the arguments of failed calls, and of calls that have no result yet.
        ("w:a<300! w:b<300? b:1", INPUTS, ""),
        ("w:a<300 b:1", r#"{"inputs":{"after":0},"protect":{"paths":["a"]}}"#, ""),
        // The arguments of a failure that was cleared are cut.
        ("w:a<300! b:1", &failing, "1.0 Inputs, 2.0 Clear, 4.0 Clear"),
        ("w:a<300! b:1", &clear(""), "4.0 Clear"),
        (
            "b:x<300! b:1",
            r#"{"inputs":{"after":0,"tools":["bash"]},"age":{"maxToolOutputAge":0},"protect":{"failureTokens":0}}"#,
            "1.0 Inputs, 2.0 Age",
        ),
        // The second of two calls in one step.
        ("r:a+w:a<300 b:1", INPUTS, "1.1 Inputs"),
    ]);
}

#[test]
fn freeform_calls_stay() {
    let mut session = session("w:a<300 b:1");
    session.messages[1]["tool_calls"][0] = json!({"id": "call_0", "type": "custom", "custom": {"name": "write_file", "input": "x".repeat(900)}});
    assert_eq!(session.edits(&policy(INPUTS)), Vec::<String>::new());
}

#[test]
fn how_calls_are_cut() {
    let c = |count: usize| "c".repeat(count);
    let row = |message: usize, tokens: &str, tool: &str, text: &str| {
        format!("{message}.0 Inputs {tokens} {tool}, 1 steps old: {text}")
    };
    check_edits(&[
        (
            "w:a<201 b:1",
            INPUTS,
            &[&row(
                1,
                "65>36",
                "write_file",
                &format!(r#"{{"path":"a","content":"{}… [201 chars]"}}"#, c(85)),
            )],
        ),
        (
            "e:a<300 b:1",
            r#"{"inputs":{"after":0,"what":"old"}}"#,
            &[&row(
                1,
                "184>127",
                "edit_file",
                &format!(
                    r#"{{"path":"a","old_string":"{}… [300 chars]","new_string":"{}"}}"#,
                    "o".repeat(85),
                    "n".repeat(300)
                ),
            )],
        ),
        (
            "b:x<300 b:1",
            r#"{"inputs":{"after":0,"tools":["*"]}}"#,
            &[&row(1, "91>10", "bash", r#"{"command":"x\n… [302 chars]"}"#)],
        ),
    ]);
}

#[test]
fn arguments_go_with_their_results() {
    let clear = |tools: &str| {
        format!(
            r#"{{"clear":{{"trigger":{{"type":"tool_uses","value":0}},"keep":{{"type":"tool_uses","value":1}},"clearToolInputs":{tools}}}}}"#
        )
    };
    check_places(&[
        ("w:a<300 b:x<300 b:1", &clear("true"), "1.0 Clear, 2.0 Clear, 3.0 Clear, 4.0 Clear"),
        ("w:a<300 b:x<300 b:1", &clear("false"), "2.0 Clear, 4.0 Clear"),
        ("w:a<300 b:x<300 b:1", &clear(r#"["bash"]"#), "2.0 Clear, 3.0 Clear, 4.0 Clear"),
        ("w:a<300 b:x<300 b:1", &clear("[]"), "2.0 Clear, 4.0 Clear"),
        ("w:a<64 b:1", &clear("true"), "2.0 Clear"),
        ("w:a<65 b:1", &clear("true"), "1.0 Clear, 2.0 Clear"),
    ]);
    check_edits(&[(
        "w:a<300 b:1",
        &clear("true"),
        &[
            &format!(
                r#"1.0 Clear 93>17 write_file, cleared with its result: {{"path":"a","content":"{}… [300 chars]"}}"#,
                "c".repeat(17)
            ),
            "2.0 Clear 200>19 write_file, among the oldest when the context had grown too large: \
             [Tool result cleared to save context. Re-run the tool if needed.]",
        ],
    )]);
}

#[test]
fn which_edits_become_a_note() {
    let all = "1.0 Edits, 3.0 Edits, 5.0 Edits";
    check_places(&[
        ("e:a<800 e:a<800 e:a<800 b:1", EDITS, all),
        ("e:a<800 w:a<800 e:a<800 b:1", EDITS, all),
        ("e:a<800 e:a<800 b:1", EDITS, ""),
        ("e:a<800 e:a<800 e:b<800 b:1", EDITS, ""),
        ("e:a<800 e:a<800 b:1", r#"{"edits":{"after":0,"atLeast":2}}"#, "1.0 Edits, 3.0 Edits"),
        ("e:a<800 b:1", r#"{"edits":{"after":0,"atLeast":0}}"#, ""),
        ("e:a<800 e:a<800 e:a<800 b:1", r#"{"edits":{"after":1}}"#, ""),
        ("e:a<800 e:a<800 e:a<800 b:1 b:2", r#"{"edits":{"after":1}}"#, all),
        ("e:a<800 e:a<800 e:a<800 b:1", r#"{"edits":true}"#, ""),
        ("e:a,b<800 e:a,b<800 e:a,b<800 b:1", EDITS, ""),
        ("e:a<800? e:a<800 e:a<800 b:1", EDITS, ""),
        ("r:a<800 r:a<800 r:a<800 b:1", EDITS, ""),
        ("e:a<800 e:a<800 e:a<800 b:1", r#"{"edits":{"after":0},"protect":{"paths":["a"]}}"#, ""),
        // A failure counts, but stays as it is.
        ("e:a<800 e:a<800! e:a<800 b:1", EDITS, "1.0 Edits, 5.0 Edits"),
        // If no note would be worth its tokens, the newest edit stays, because it may already hold a note.
        ("e:a<300 e:a<300 e:a<300 b:1", EDITS, "1.0 Edits, 3.0 Edits"),
        // Texts that are too short stay and take no note.
        ("e:a<800 e:a<800 e:a<10 b:1", EDITS, "1.0 Edits, 3.0 Edits"),
        ("e:a<150 e:a<150 e:a<150 b:1", EDITS, ""),
        // The inputs pass gets none of these calls.
        (
            "e:a<100 e:a<100 e:a<800 b:1",
            r#"{"edits":{"after":0},"inputs":{"after":0,"maxChars":64}}"#,
            "5.0 Edits",
        ),
        (
            "e:a<100 e:a<800 b:1",
            r#"{"edits":{"after":0},"inputs":{"after":0,"maxChars":64}}"#,
            "1.0 Inputs, 3.0 Inputs",
        ),
    ]);
}

/// The notes of a session, each with the index of its message.
fn notes(words: &str) -> Vec<(usize, String)> {
    notes_of(&session(words).edits(&policy(EDITS)))
}

fn notes_of(edits: &[String]) -> Vec<(usize, String)> {
    let note = |line: &String| {
        let (place, text) = line.split_once(", tells of several old edits of the file: ")?;
        let arguments: Json = serde_json::from_str(text).unwrap();
        let value = arguments.as_object().unwrap().values().find_map(|value| {
            value.as_str().filter(|text| text.starts_with("[Edits to ")).map(str::to_owned)
        });
        Some((place.split('.').next().unwrap().parse().unwrap(), value.unwrap()))
    };
    edits.iter().filter_map(note).collect()
}

#[test]
fn what_notes_say() {
    let n = format!("- {}…\n", "n".repeat(57));
    let note = |head: &str, lines: &str| {
        format!("[Edits to {head}]\n{lines}[Full diff available in ground truth]")
    };
    assert_eq!(
        notes("e:a<600 e:a<600 e:a<600 b:1"),
        [(5, note("a: 3 changes between turns 1-3", &n.repeat(3)))]
    );
    // The arguments with the note must be at most half as long as before.
    assert_eq!(notes("e:a<300 e:a<300 e:a<300 b:1"), []);
    // A failure changed nothing.
    assert_eq!(
        notes("e:a<600 e:a<600! e:a<600 b:1 e:b<600 e:a<600 b:2"),
        [(11, note("a: 3 changes between turns 1-6", &n.repeat(3)))]
    );
    // The note is in the newest edit that has room for it.
    assert_eq!(
        notes("e:a<600 e:a<600 e:a<600 e:a<10 b:1"),
        [(5, note("a: 3 changes between turns 1-3", &n.repeat(3)))]
    );
    assert_eq!(
        notes("e:a<0 e:a<5 e:a<600 b:1"),
        [(5, note("a: 3 changes between turns 1-3", &format!("- (removed text)\n- nnnnn\n{n}")))]
    );
    // A note lists the newest eight changes.
    let many = |count: usize| format!("{} b:1", vec!["e:a<900"; count].join(" "));
    assert_eq!(notes(&many(8)), [(15, note("a: 8 changes between turns 1-8", &n.repeat(8)))]);
    assert_eq!(
        notes(&many(10)),
        [(
            19,
            note("a: 10 changes between turns 1-10", &format!("- (2 earlier)\n{}", n.repeat(8)))
        )]
    );
    // The note replaces a text, even if the path is longer than the texts.
    let path = format!("{}/end.ts", "d".repeat(1200));
    let words = format!("e:{path}<1150 e:{path}<1150 e:{path}<1150 b:1");
    assert_eq!(notes(&words).len(), 1);
    // A long path keeps its end.
    let path = format!("{}/end.ts", "d".repeat(400));
    let words = format!("e:{path}<900 e:{path}<900 e:{path}<900 b:1");
    let name = format!("…{}/end.ts", "d".repeat(50));
    assert_eq!(
        notes(&words),
        [(5, note(&format!("{name}: 3 changes between turns 1-3"), &n.repeat(3)))]
    );
}

#[test]
fn what_edits_were_for() {
    let mut session = session("e:a<600 e:a<600 e:a<600 b:1");
    let mut arguments = |index: usize, arguments: Json| {
        session.messages[index]["tool_calls"][0]["function"]["arguments"] =
            arguments.to_string().into();
    };
    arguments(
        1,
        json!({"path": "a", "old_string": "o".repeat(600), "new_string": "n".repeat(600), "intent": "to fix it"}),
    );
    arguments(
        3,
        json!({"path": "a", "old_string": "o".repeat(600), "new_string": "\n two lines \n more"}),
    );
    assert_eq!(
        notes_of(&session.edits(&policy(EDITS))),
        [(
            5,
            format!(
                "[Edits to a: 3 changes between turns 1-3]\n- to fix it\n- two lines \n- {}…\n[Full diff available in ground truth]",
                "n".repeat(57)
            )
        )]
    );
}

/// A cleared failure takes no note, but is cut like the others.
#[test]
fn cleared_failures_take_no_note() {
    let policy = policy(
        r#"{"edits":{"after":0},"clear":{"trigger":{"type":"tool_uses","value":0},"keep":{"type":"tool_uses","value":0},"clearErrors":true}}"#,
    );
    let edits = session("e:a<600 e:a<600 e:a<600 e:a<600! b:1").edits(&policy);
    let calls: Vec<&String> = edits.iter().filter(|line| line.contains(" Edits ")).collect();
    assert_eq!(calls.len(), 4);
    assert_eq!(notes_of(&edits)[0].0, 5);
}

/// Edits listed in a note are done: the next note begins after it.
#[test]
fn notes_stay_where_they_are() {
    let first = "e:a<600 e:a<600 e:a<600 b:1 ;";
    let places =
        |words: &str| -> Vec<usize> { notes(words).iter().map(|(message, _)| *message).collect() };
    assert_eq!(places(&format!("{first} e:a<600 e:a<600 b:2")), [5]);
    assert_eq!(places(&format!("{first} e:a<600 e:a<600 e:a<600 b:2")), [5, 13]);
    let (_, second) = notes(&format!("{first} e:a<600 e:a<600 e:a<600 b:2")).remove(1);
    assert!(second.starts_with("[Edits to a: 3 changes between turns 5-7]"), "{second}");
}
