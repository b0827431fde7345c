use super::{EditPlace, Session};
use crate::formats::{Messages, Slot, Step};
use crate::message::{JsonValue, Key, Problem, ProblemCode};
use crate::projection::{Ask, PLAN_HEAD, Policy};
use serde_json::{Value as Json, json};
use std::cell::Cell;

/// A host's messages, and how many of them were kept when the session told it to forget the rest.
struct Host<'a> {
    messages: &'a [Json],
    kept: Cell<Option<usize>>,
}

impl<'a> Messages for Host<'a> {
    type Value = JsonValue<'a>;

    fn watched(&self, index: usize) -> JsonValue<'a> {
        JsonValue(self.messages.get(index))
    }

    fn peeked(&self, index: usize) -> JsonValue<'a> {
        self.watched(index)
    }

    fn forget(&self, kept: usize) {
        self.kept.set(Some(kept));
    }
}

fn host(messages: &[Json]) -> Host<'_> {
    Host { messages, kept: Cell::new(None) }
}

fn clear(policy: &Policy) -> Ask<'_> {
    Ask { policy, step: None, sticky: true, idle: 0.0, prefix: 0 }
}

fn output(step: usize) -> String {
    format!("{step}: ok\n").repeat(900)
}

/// A prompt, and calls with their results, each in a separate step.
fn anthropic(steps: usize) -> Vec<Json> {
    let step = |i: usize| {
        let call = json!({"type": "tool_use", "id": format!("c{i}"), "name": "Bash", "input": {"command": "make"}});
        let result =
            json!({"type": "tool_result", "tool_use_id": format!("c{i}"), "content": output(i)});
        [
            json!({"role": "assistant", "content": [call]}),
            json!({"role": "user", "content": [result]}),
        ]
    };
    let prompt = json!({"role": "user", "content": "go"});
    [prompt].into_iter().chain((0..steps).flat_map(step)).collect()
}

fn age_policy() -> Result<Policy, Problem> {
    Policy::from_json(r#"{"age": {"maxToolOutputAge": 1}, "recall": true}"#)
}

/// A session that has read all messages of a host.
fn session_of(host: &Host<'_>) -> Result<Session, Problem> {
    let mut session = Session::new(None)?;
    session.extend(host, host.messages.len())?;
    Ok(session)
}

#[test]
fn of_messages_that_cannot_be_read_nothing_is_kept() -> Result<(), Problem> {
    let mut messages = anthropic(2);
    let mut session = Session::new(None)?;
    session.extend(&host(&messages), 3)?;
    messages.push(json!(7));
    let host = host(&messages);
    let problem = session.extend(&host, messages.len());
    assert_eq!(problem.err().map(|problem| problem.code()), Some(ProblemCode::InvalidMessage));
    assert_eq!((session.history().messages().len(), host.kept.get()), (3, Some(3)));
    messages.pop();
    session.extend(&self::host(&messages), messages.len())?;
    assert_eq!(session.history().messages().len(), messages.len());
    Ok(())
}

#[test]
fn where_all_was_read_anew_no_more_is_kept_than_was_read_again() -> Result<(), Problem> {
    // The call determines the format: the prompt is read again in that format, and the next message is not in it.
    let mut messages = anthropic(1);
    messages.truncate(2);
    messages.push(json!({"role": "tool", "tool_call_id": "c0", "content": "x"}));
    let mut session = Session::new(None)?;
    session.extend(&host(&messages), 1)?;
    let host = host(&messages);
    assert!(session.extend(&host, messages.len()).is_err());
    assert_eq!((session.history().messages().len(), host.kept.get()), (1, Some(1)));
    Ok(())
}

#[test]
fn a_sticky_plan_repeats_what_was_restored() -> Result<(), Problem> {
    let (messages, policy) = (anthropic(4), age_policy()?);
    let host = host(&messages);
    let mut session = session_of(&host)?;
    let planned = session.plan(&host, clear(&policy));
    assert!(planned.len() > PLAN_HEAD, "nothing is cleared");
    let state = session.state(&host, &policy, usize::MAX);

    let mut again = Session::new(None)?;
    assert_eq!(again.engine.restore(&state), 0);
    again.extend(&host, messages.len())?;
    let nothing = Policy::from_json("{}")?;
    assert_eq!(again.plan(&host, Ask { sticky: false, ..clear(&nothing) }).len(), PLAN_HEAD);
    let repeated = again.plan(&host, clear(&policy));
    assert_eq!(repeated[PLAN_HEAD..], planned[PLAN_HEAD..]);
    Ok(())
}

#[test]
fn an_edit_has_its_place_and_its_text() -> Result<(), Problem> {
    let (messages, policy) = (anthropic(4), age_policy()?);
    let host = host(&messages);
    let mut session = session_of(&host)?;
    session.plan(&host, clear(&policy));
    let way = vec![Step::Field(Key::Content), Step::Item(0), Step::Field(Key::Content)];
    assert_eq!(session.edit_place(0), Some(EditPlace { way, slot: Slot::Content }));
    let text = session.replacement(&host, &policy, 0).unwrap_or_default();
    assert!(text.starts_with("[cleared"), "{text}");
    let edits = session.engine.plan().edits().len();
    assert_eq!(session.edit_place(edits), None);
    assert_eq!(session.replacement(&host, &policy, edits), None);
    assert_eq!(session.edit_reports(&host, &policy).len(), edits);

    let reference = text.rsplit("recall ").next().map(|rest| rest.trim_end_matches(']'));
    let found = session.recall(&host, reference.unwrap_or_default())?;
    let place = (found.message, found.block, found.is_text);
    assert_eq!((place, found.tool.as_str()), ((2, 0, true), "Bash"));
    assert_eq!(found.text, output(0));
    assert_eq!(session.content_way(2, 0).len(), 3);
    assert_eq!(session.content_way(2, 1), []);
    Ok(())
}

/// A result that begins with an error counts as failed if the format has no flag, but a passing test may log one.
#[test]
fn an_error_that_a_passing_test_logs_is_no_failure() -> Result<(), Problem> {
    let log = "Error: card was refused\n✔ reports it (1.2ms)\nℹ pass 4\nℹ fail 0\n";
    let chat = [json!({"role": "tool", "tool_call_id": "a", "name": "bash", "content": log})];
    let summary = session_of(&host(&chat))?.summaries(&host(&chat), 0).join("\n");
    assert!(summary.contains(": 0 failed; 4 passed; errors: Error: card was refused"), "{summary}");

    let failed = log.replace("fail 0", "fail 1");
    let chat = [json!({"role": "tool", "tool_call_id": "a", "name": "bash", "content": failed})];
    let summary = session_of(&host(&chat))?.summaries(&host(&chat), 0).join("\n");
    assert!(summary.contains(": failed; 1 failed; 4 passed"), "{summary}");

    // The format's own flag decides.
    let log = log.strip_prefix("Error: card was refused\n").unwrap_or_default();
    let result =
        json!({"type": "tool_result", "tool_use_id": "a", "content": log, "is_error": true});
    let messages = [json!({"role": "user", "content": [result]})];
    let summary = session_of(&host(&messages))?.summaries(&host(&messages), 0).join("\n");
    assert!(summary.contains(": failed; 0 failed; 4 passed"), "{summary}");
    Ok(())
}
