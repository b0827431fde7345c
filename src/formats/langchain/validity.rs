//! Rules that LangChain and the providers it sends to enforce on messages.
//!
//! - `unanswered-call`: LangGraph's INVALID_CHAT_HISTORY, "Found AIMessages with tool_calls that do not have a
//!   corresponding ToolMessage"; OpenAI's and Anthropic's errors for the same.
//! - `orphan-result`, `result-order`, `duplicate-result`, `duplicate-id`: OpenAI's rules for Chat Completions. A
//!   `ToolMessage` is in the run of tool messages after its `AIMessage`.
//! - `missing-id`: `tool_call_id` is required in a `ToolMessage`.
//!
//! An empty `tool_calls` is valid: the class always has the field.

use super::read;
use crate::formats::repair::edits::{NewValue, RepairEdit};
use crate::formats::repair::rules::{NO_CONTENT, NO_RESULT, Rules};
use crate::message::{BlockKind, Key, Kind, Role, Value, Word};

pub const RULES: Rules =
    Rules { locked_by: &[BlockKind::Reasoning, BlockKind::Unknown], ..Rules::USUAL };

/// Returns whether a message is a `ToolMessage`. A `FunctionMessage` answers by name and is not checked.
pub fn is_result<V: Value>(message: &V) -> bool {
    let word = read::kind(message).map(|(word, _)| word);
    matches!(word, Some(Word::Tool | Word::ToolMessage | Word::ToolMessageChunk))
}

/// `empty-content`: LangChain sends empty content on, and providers reject it: "all messages must have non-empty
/// content" (Anthropic), "contents.parts must not be empty" (Gemini), "expected a string, got null" (OpenAI).
pub fn content_edit<V: Value>(body: &V, role: Role) -> Option<RepairEdit> {
    let content = body.field(Key::Content);
    let copies = body.field(Key::AdditionalKwargs);
    let calls = !body.field(Key::ToolCalls).is_empty()
        || !copies.field(Key::ToolCalls).is_empty()
        || copies.field(Key::FunctionCall).kind() == Kind::Object;
    let is_answer = role == Role::Assistant;
    let is_empty = match content.kind() {
        Kind::List => content.is_empty(),
        Kind::Absent => !(is_answer && calls),
        Kind::Text => is_answer && !calls && content.read_text(&mut |_| {}) == 0,
        Kind::Object | Kind::Scalar => false,
    };
    let text = if is_answer && !calls { NO_CONTENT } else { "" };
    is_empty.then(|| RepairEdit::set(&[Key::Content], text))
}

/// Returns the result that repair adds for an interrupted call, in the form of the calling message. The result for an
/// instance is a plain object, which LangChain converts to a `ToolMessage`.
pub fn missing_result(holder: Option<Key>, id: &str) -> NewValue {
    let mut fields = vec![
        (Key::Content, NO_RESULT.into()),
        (Key::ToolCallId, id.into()),
        (Key::Status, "error".into()),
    ];
    match holder {
        Some(Key::Kwargs) => NewValue::Object(vec![
            (Key::Lc, NewValue::Number(1)),
            (Key::Type, "constructor".into()),
            (
                Key::Id,
                NewValue::List(vec![
                    "langchain_core".into(),
                    "messages".into(),
                    "ToolMessage".into(),
                ]),
            ),
            (Key::Kwargs, NewValue::Object(fields)),
        ]),
        Some(key) => {
            NewValue::Object(vec![(Key::Type, "tool".into()), (key, NewValue::Object(fields))])
        }
        None => {
            fields.insert(0, (Key::Type, "tool".into()));
            NewValue::Object(fields)
        }
    }
}
