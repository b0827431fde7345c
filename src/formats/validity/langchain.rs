//! What LangChain refuses of messages, and the providers that it sends them on to.
//!
//! - `unanswered-call`: LangGraph's INVALID_CHAT_HISTORY, "Found AIMessages with tool_calls that do not have a
//!   corresponding ToolMessage"; OpenAI's and Anthropic's errors for the same.
//! - `orphan-result`, `result-order`, `duplicate-result`, `duplicate-id`: as OpenAI says them of Chat Completions. A
//!   `ToolMessage` stands in the run behind its `AIMessage`.
//! - `missing-id`: `tool_call_id` is required of a `ToolMessage`.
//!
//! An empty `tool_calls` is what the class has always.

use super::rules::{Ids, Reach, Rules};
use super::{NO_CONTENT, NO_RESULT, New, RepairEdit};
use crate::formats::langchain;
use crate::message::{Key, Kind, Role, Value, Word};

pub const RULES: Rules = Rules {
    ids: Ids { unique_in_history: false, plain: false, optional: false },
    reach: Reach::Run,
    call_id: &[Key::Id],
    result_id: &[Key::ToolCallId],
};

/// A `FunctionMessage` answers by name; it is let through as it is.
pub fn is_result<V: Value>(message: &V) -> bool {
    let word = langchain::kind(message).map(|(word, _)| word);
    matches!(word, Some(Word::Tool | Word::ToolMessage | Word::ToolMessageChunk))
}

/// The field that holds the fields of a serialised message.
pub fn holder<V: Value>(message: &V) -> Option<Key> {
    langchain::kind(message).and_then(|(_, holder)| holder)
}

/// `empty-content`: an answer of nothing is passed on, and "all messages must have non-empty content" (Anthropic),
/// "contents.parts must not be empty" (Gemini), "expected a string, got null" (OpenAI).
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

/// What answers a call that was interrupted, in the form that the calling message has. An instance is answered by
/// plain fields, which LangChain makes a `ToolMessage` of.
pub fn no_result<V: Value>(caller: &V, id: &str) -> New {
    let mut fields = vec![
        (Key::Content, NO_RESULT.into()),
        (Key::ToolCallId, id.into()),
        (Key::Status, "error".into()),
    ];
    match holder(caller) {
        Some(Key::Kwargs) => New::Object(vec![
            (Key::Lc, New::Number(1)),
            (Key::Type, "constructor".into()),
            (
                Key::Id,
                New::List(vec!["langchain_core".into(), "messages".into(), "ToolMessage".into()]),
            ),
            (Key::Kwargs, New::Object(fields)),
        ]),
        Some(key) => New::Object(vec![(Key::Type, "tool".into()), (key, New::Object(fields))]),
        None => {
            fields.insert(0, (Key::Type, "tool".into()));
            New::Object(fields)
        }
    }
}
