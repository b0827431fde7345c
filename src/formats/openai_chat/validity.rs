//! Rules that OpenAI enforces on Chat Completions messages (API reference, "Create chat completion", `messages`;
//! quotations are the API's error messages).
//!
//! - `unanswered-call`: "An assistant message with 'tool_calls' must be followed by tool messages responding to each
//!   'tool_call_id'. The following tool_call_ids did not have response messages: …".
//! - `orphan-result`: "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'".
//! - `result-order`: both of these. Results are in the run of tool messages after the call, in any order.
//! - `duplicate-result`: "Duplicate value for 'tool_call_id' of '…', in messages[7] and messages[8]".
//! - `duplicate-id`: the same error: the ids of the calls of one message must differ. An id may be used again in a later
//!   message, after it was answered.
//! - `missing-id`: `tool_calls[].id` and `tool_call_id` are required.
//! - `empty-tool-calls`: "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1".

use crate::formats::parts::says_something;
use crate::formats::repair::call_reasoning::CallReasoning;
use crate::formats::repair::edits::{NewValue, RepairEdit};
use crate::formats::repair::rules::{NO_RESULT, Rules};
use crate::message::{Key, Kind, Role, Value, Word};

pub const RULES: Rules = Rules { no_empty_calls: true, ..Rules::USUAL };

/// Returns whether a message has the role `tool`. A message of the deprecated role `function` answers by name and is
/// not checked.
pub fn is_result<V: Value>(message: &V) -> bool {
    message.field(Key::Role).word() == Some(Word::Tool)
}

/// `reasoning-missing`: an empty text counts as reasoning. Gateways have their own fields for text and signature.
pub fn lacks_reasoning<V: Value>(message: &V, asked: CallReasoning) -> bool {
    let has = |value: &V, key| value.field(key).kind() != Kind::Absent;
    let is_told = match asked {
        CallReasoning::Text => has(message, Key::ReasoningContent) || has(message, Key::Reasoning),
        CallReasoning::Signature => has(&message.field(Key::ToolCalls).item(0), Key::ExtraContent),
    };
    !is_told && !has(message, Key::ReasoningDetails)
}

/// `empty-content`: "Invalid value for 'content': expected a string, got null". Only assistant messages with calls, a
/// refusal or audio may omit it. A list of parts must have at least one.
pub fn content_edit<V: Value>(message: &V, role: Role) -> Option<RepairEdit> {
    let content = message.field(Key::Content);
    match content.kind() {
        Kind::List if content.is_empty() => {}
        Kind::Absent if !may_be_silent(message, role) => {}
        _ => return None,
    }
    Some(RepairEdit::set(&[Key::Content], ""))
}

fn may_be_silent<V: Value>(message: &V, role: Role) -> bool {
    role == Role::Assistant
        && (!message.field(Key::ToolCalls).is_empty()
            || says_something(&message.field(Key::Refusal))
            || message.field(Key::Audio).kind() == Kind::Object
            || message.field(Key::FunctionCall).kind() == Kind::Object)
}

/// Returns the result that repair adds for an interrupted call.
pub fn missing_result(id: &str) -> NewValue {
    NewValue::Object(vec![
        (Key::Role, "tool".into()),
        (Key::ToolCallId, id.into()),
        (Key::Content, NO_RESULT.into()),
    ])
}
