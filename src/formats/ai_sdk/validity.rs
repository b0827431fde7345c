//! What the AI SDK refuses of `ModelMessage`s (package `ai` 5 and 6: `convertToLanguageModelPrompt` and the schema of
//! `ModelMessage`), and what each provider that it sends them on to refuses.
//!
//! - `unanswered-call`: `MissingToolResultsError`, "Tool result is missing for tool call …": a call has its result in
//!   a tool message before the next message of the user or the system. What the provider executed itself is none.
//! - `orphan-result`, `duplicate-result`, `result-order`: providers want results of calls in the message right before,
//!   once; tool messages in a row are sent as one.
//! - `call-role`, `result-role`: `InvalidPromptError`, "The messages do not match the ModelMessage[] schema": a
//!   `tool-call` is a part of the assistant's, a `tool-result` one of a tool message.
//! - `missing-id`: the same, `toolCallId` is a text; `duplicate-id`: with one result for both, the set of missing
//!   results looks complete, and the provider refuses the message.

use crate::formats::repair::edits::{NewValue, RepairEdit};
use crate::formats::repair::problem::ValidityRule;
use crate::formats::repair::rules::{Fault, Half, Layout, NO_RESULT, Rules};
use crate::message::{BlockPath, History, Key, Kind, Role, Value, Word, read_string};

pub const RULES: Rules = Rules {
    layout: Layout::Nested,
    call_id: &[Key::ToolCallIdCamel],
    result_id: &[Key::ToolCallIdCamel],
    tool_role: true,
    ..Rules::USUAL
};

/// `empty-content`: the SDK takes empty texts out of what it sends, and providers refuse messages without content.
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

/// Whether nobody waits for the result of a call: the provider executes it (`providerExecuted`), or it was approved in
/// the last message, and the SDK executes it before it sends anything.
pub fn is_settled<V: Value>(
    history: &History,
    half: &Half<'_>,
    message: &dyn Fn(usize) -> V,
) -> bool {
    let block = half.block;
    let BlockPath::Item(index) = block.place else { return false };
    if !half.is_call() {
        return false;
    }
    let parts = message(block.message).field(Key::Content);
    let call = parts.item(index as usize);
    if call.field(Key::ProviderExecuted).is_true() {
        return true;
    }
    let last = history.messages().len() - 1;
    if last != block.message + 1 || history.messages()[last].role != Role::Tool {
        return false;
    }
    let answers = message(last).field(Key::Content);
    let has = |list: &V, word: Word, id: Option<&String>| {
        (0..list.len()).map(|i| list.item(i)).any(|part| {
            part.field(Key::Type).word() == Some(word)
                && (id.is_none() || read_string(&part.field(Key::ToolCallIdCamel)).as_ref() == id)
        })
    };
    let id = read_string(&call.field(Key::ToolCallIdCamel));
    id.is_some()
        && has(&parts, Word::ToolApprovalRequest, id.as_ref())
        && has(&answers, Word::ToolApprovalResponse, None)
        && !has(&answers, Word::ToolResultPart, id.as_ref())
}

/// `result-shape`: `output` is `{type, value}`. Before version 5 it was the value itself.
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

/// What answers a call that was interrupted.
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
