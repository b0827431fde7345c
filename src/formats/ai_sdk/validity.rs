//! Rules that the AI SDK enforces on `ModelMessage`s (package `ai` 5 and 6: `convertToLanguageModelPrompt` and the schema of
//! `ModelMessage`), and rules of the providers that it sends them to.
//!
//! - `unanswered-call`: `MissingToolResultsError`, "Tool result is missing for tool call …": a call has its result in
//!   a tool message before the next user or system message. Calls that the provider executed are exempt.
//! - `orphan-result`, `duplicate-result`, `result-order`: providers require exactly one result per call, directly after
//!   the message with the calls; consecutive tool messages are sent as one.
//! - `call-role`, `result-role`: `InvalidPromptError`, "The messages do not match the ModelMessage[] schema": a
//!   `tool-call` is part of an assistant message, a `tool-result` part of a tool message.
//! - `missing-id`: the same error, `toolCallId` is a text; `duplicate-id`: if two calls share an id, one result completes
//!   the SDK's set of missing results, and the provider rejects the message.

use crate::formats::repair::edits::{NewValue, RepairEdit};
use crate::formats::repair::problem::ValidityRule;
use crate::formats::repair::rules::{Fault, Layout, NO_RESULT, Rules};
use crate::message::{History, Key, Kind, Names, Role, Value, Word, read_string};

pub const RULES: Rules = Rules {
    layout: Layout::Nested,
    call_id: &[Key::ToolCallIdCamel],
    result_id: &[Key::ToolCallIdCamel],
    tool_role: true,
    ..Rules::USUAL
};

/// `empty-content`: the SDK removes empty texts before sending, and providers reject messages without content.
pub fn says_nothing<V: Value>(content: &V) -> bool {
    match content.kind() {
        Kind::List => (0..content.len()).all(|i| {
            let part = content.item(i);
            part.field(Key::Type).word() == Some(Word::Text)
                && is_empty(&part.field(Key::Text))
                && part.field(Key::ProviderOptions).kind() == Kind::Absent
        }),
        _ => is_empty(content),
    }
}

fn is_empty<V: Value>(text: &V) -> bool {
    text.kind() == Kind::Text && text.is_blank() && text.read_text(&mut |_| {}) == 0
}

/// Returns the ids of the calls approved in the last message: the SDK executes them before it sends the request.
pub fn approved_calls<V: Value>(history: &History, message: &dyn Fn(usize) -> V) -> Names {
    let mut approved = Names::default();
    let last = history.messages().len().saturating_sub(1);
    let is_tools = history.messages().get(last).is_some_and(|message| message.role == Role::Tool);
    if last == 0 || !is_tools {
        return approved;
    }
    let answers = message(last).field(Key::Content);
    if ids_in(&answers, Word::ToolApprovalResponse, None).is_empty() {
        return approved;
    }
    let key = Some(Key::ToolCallIdCamel);
    let answered: Names = ids_in(&answers, Word::ToolResultPart, key).into_iter().collect();
    let parts = message(last - 1).field(Key::Content);
    for id in ids_in(&parts, Word::ToolApprovalRequest, key) {
        if answered.find(&id).is_none() {
            approved.intern(&id);
        }
    }
    approved
}

/// Returns the ids of the parts of one type; without `id`, an empty string for each part.
fn ids_in<V: Value>(parts: &V, word: Word, id: Option<Key>) -> Vec<String> {
    (0..parts.len())
        .map(|i| parts.item(i))
        .filter(|part| part.field(Key::Type).word() == Some(word))
        .filter_map(|part| id.map_or(Some(String::new()), |key| read_string(&part.field(key))))
        .collect()
}

/// `result-shape`: `output` must be `{type, value}`. Before version 5 it was the value itself.
pub fn result_fault<V: Value>(result: &V) -> Option<Fault> {
    let output = result.field(Key::Output);
    let value = match output.kind() {
        Kind::Absent => NO_RESULT.to_owned(),
        Kind::Text => read_string(&output)?,
        _ => return None,
    };
    let output = NewValue::Object(vec![(Key::Type, "text".into()), (Key::Value, value.into())]);
    let edit = RepairEdit::set(&[Key::Output], output);
    Some(Fault {
        rule: ValidityRule::ResultShape,
        problem: "the output is not of the form {type, value}",
        remedy: "made the output a text",
        edits: vec![edit],
    })
}

/// Returns the result that repair adds for an interrupted call.
pub fn missing_result(id: &str, tool: &str) -> NewValue {
    NewValue::Object(vec![
        (Key::Type, "tool-result".into()),
        (Key::ToolCallIdCamel, id.into()),
        (Key::ToolName, tool.into()),
        (
            Key::Output,
            NewValue::Object(vec![
                (Key::Type, "error-text".into()),
                (Key::Value, NO_RESULT.into()),
            ]),
        ),
    ])
}
