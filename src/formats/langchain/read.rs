//! Parses LangChain messages.

use crate::formats::ephemeral_mark::is_marked;
use crate::formats::parts::{ResultContent, text_or_json_size, unknown_size};
use crate::formats::slot::Slot;
use crate::formats::wire::OtherShape;
use crate::message::{
    BlockDraft, BlockKind, BlockPath, CallDraft, Key, Kind, MessageDraft, ResultDraft, Role,
    ToolArguments, Value, Word, read_string, text_size,
};
use crate::text::TextSize;

/// Parses a message, or returns [`OtherShape`] if it is not in this format.
pub fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
    let (word, holder) = kind(message).ok_or(OtherShape)?;
    let inner = holder.map(|key| message.watched(key));
    let body = inner.as_ref().unwrap_or(message);
    let role = role(word, body).ok_or(OtherShape)?;
    let content = body.watched(Key::Content);
    if role == Role::Tool {
        return Ok(MessageDraft::new(role, vec![result(body, &content, holder)]));
    }
    let mut blocks = content_blocks(&content, holder);
    if role == Role::Assistant {
        let calls = body.watched(Key::ToolCalls);
        let is_copied = body.field(Key::AdditionalKwargs).field(Key::ToolCalls).len() > 0;
        let has_copies = is_copied || has_call_parts(&content.unwatched());
        blocks.extend((0..calls.len()).map(|i| call(&calls.item(i), i as u32, holder, has_copies)));
        if is_copied {
            let size = TextSize::default();
            blocks.push(BlockDraft::plain(BlockKind::Unknown, BlockPath::Copy, size));
        }
    }
    Ok(MessageDraft::new(role, blocks))
}

/// Returns the message's type, and the field that holds its content if that is not the message itself.
pub fn kind<V: Value>(message: &V) -> Option<(Word, Option<Key>)> {
    let is_object = |key| message.field(key).kind() == Kind::Object;
    let own = message.field(Key::Type);
    match own.word() {
        Some(Word::Constructor) if is_object(Key::Kwargs) => {
            let path = message.field(Key::Id);
            let class = path.item(path.len().checked_sub(1)?).word()?;
            Some((class, Some(Key::Kwargs)))
        }
        Some(word) if is_object(Key::Data) => Some((word, Some(Key::Data))),
        Some(word) => Some((word, None)),
        None if own.kind() == Kind::Absent => Some((message.returned(Key::GetType)?.word()?, None)),
        None => None,
    }
}

fn role<V: Value>(word: Word, body: &V) -> Option<Role> {
    match word {
        Word::Human | Word::HumanMessage | Word::HumanMessageChunk => Some(Role::User),
        Word::Ai | Word::AiMessage | Word::AiMessageChunk => Some(Role::Assistant),
        Word::System | Word::Developer | Word::SystemMessage | Word::SystemMessageChunk => {
            Some(Role::System)
        }
        Word::Tool
        | Word::Function
        | Word::ToolMessage
        | Word::FunctionMessage
        | Word::ToolMessageChunk
        | Word::FunctionMessageChunk => Some(Role::Tool),
        Word::Generic | Word::ChatMessage | Word::ChatMessageChunk => {
            match body.field(Key::Role).word() {
                Some(Word::Assistant | Word::Ai | Word::Model) => Some(Role::Assistant),
                Some(Word::System | Word::Developer) => Some(Role::System),
                _ => Some(Role::User),
            }
        }
        _ => None,
    }
}

fn content_blocks<V: Value>(content: &V, holder: Option<Key>) -> Vec<BlockDraft> {
    let whole = holder.map_or(BlockPath::Content, BlockPath::Inside);
    let item = |i| holder.map_or(BlockPath::Item(i), |key| BlockPath::InsideItem(key, i));
    match content.kind() {
        Kind::Absent => Vec::new(),
        Kind::Text => {
            vec![BlockDraft::plain(BlockKind::Text, whole, text_size(content))]
        }
        Kind::List => {
            (0..content.len()).map(|i| part_block(&content.item(i), item(i as u32))).collect()
        }
        Kind::Object | Kind::Scalar => {
            let size = text_or_json_size(content);
            vec![BlockDraft::plain(BlockKind::Unknown, whole, size)]
        }
    }
}

/// Returns whether the content holds the provider's own form of the calls, in addition to `tool_calls`.
fn has_call_parts<V: Value>(content: &V) -> bool {
    let is_call =
        |part: V| matches!(part.field(Key::Type).word(), Some(Word::ToolUse | Word::FunctionCall));
    (0..content.len()).any(|i| is_call(content.item(i)))
}

fn part_block<V: Value>(part: &V, place: BlockPath) -> BlockDraft {
    let (kind, size) = match part.field(Key::Type).word() {
        Some(Word::Text) => (BlockKind::Text, text_size(&part.watched(Key::Text))),
        // Reasoning is kept: the target provider and its requirements are unknown here.
        Some(
            kind @ (Word::Thinking
            | Word::RedactedThinking
            | Word::Reasoning
            | Word::ReasoningContent),
        ) => {
            // Bedrock signs its `reasoning_content`.
            let signed = part.field(Key::Signature).kind() == Kind::Text
                || matches!(kind, Word::RedactedThinking | Word::ReasoningContent);
            return BlockDraft::plain(BlockKind::Reasoning, place, unknown_size(part))
                .signed(signed);
        }
        Some(Word::Image | Word::ImageUrl | Word::Document | Word::InputAudio | Word::File) => {
            (BlockKind::File, unknown_size(part))
        }
        // The provider's copy of a call that is also in `tool_calls`: opaque, and counted there.
        Some(Word::ToolUse | Word::FunctionCall) => {
            let size = TextSize::default();
            return BlockDraft::plain(BlockKind::Unknown, BlockPath::Copy, size);
        }
        _ => (BlockKind::Unknown, unknown_size(part)),
    };
    BlockDraft::plain(kind, place, size)
}

fn call<V: Value>(call: &V, index: u32, holder: Option<Key>, has_copies: bool) -> BlockDraft {
    let arguments = call.watched(Key::Args);
    let (arguments, size) = ToolArguments::read(&arguments);
    let draft = CallDraft {
        id: read_string(&call.field(Key::Id)),
        name: read_string(&call.field(Key::Name)).unwrap_or_default(),
        arguments,
        editable: !has_copies,
        provider_executed: false,
        takes_text: false,
    };
    let place = match holder {
        Some(key) => BlockPath::InsideCall(key, index),
        None => BlockPath::Call(index),
    };
    BlockDraft::call(place, size, draft)
}

fn result<V: Value>(body: &V, content: &V, holder: Option<Key>) -> BlockDraft {
    let read = ResultContent::read(Slot::Content, content);
    let failed = body.watched(Key::Status).word() == Some(Word::Error);
    let result = ResultDraft {
        id: read_string(&body.field(Key::ToolCallId)),
        name: read_string(&body.field(Key::Name)),
        by_name: false,
        is_error: failed || read.reads_as_error,
        ephemeral: is_marked(body),
        media: read.media,
        text_only: read.text_only,
        editable: read.editable,
        is_stub: body.is_stub(),
        partial_result: read.partial_result,
    };
    let place = match holder {
        Some(key) => BlockPath::Inside(key),
        None => BlockPath::Content,
    };
    BlockDraft::result(place, read.size, result)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::message::{BlockKind, History, JsonValue};
    use serde_json::{Value as Json, json};

    fn history(messages: &Json) -> History {
        let mut history = History::default();
        for message in messages.as_array().into_iter().flatten() {
            if let Ok(draft) = read(&JsonValue::from(message)) {
                history.push(draft);
            }
        }
        assert_eq!(history.messages().len(), messages.as_array().map_or(0, Vec::len));
        history
    }

    fn constructed(class: &str, kwargs: &Json) -> Json {
        json!({"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", class], "kwargs": kwargs})
    }

    #[test]
    fn the_plain_forms_read_alike() {
        let call = json!({"content": "", "tool_calls": [{"id": "a", "name": "read", "args": {"path": "x.ts"}, "type": "tool_call"}]});
        let answer = json!({"content": "text", "tool_call_id": "a", "status": "error", "artifact": {"big": true}});
        let mut plain = [call.clone(), answer.clone()];
        plain[0]["type"] = "ai".into();
        plain[1]["type"] = "tool".into();
        let forms = [
            json!(plain),
            json!([{"type": "ai", "data": call}, {"type": "tool", "data": answer}]),
            json!([constructed("AIMessageChunk", &call), constructed("ToolMessage", &answer)]),
        ];
        for form in forms {
            let history = history(&form);
            let one = &history.uses()[0];
            assert!(one.call.is_some() && one.result.is_some() && one.is_error, "{form}");
            assert_eq!(history.names().text(one.files[0].0), "x.ts");
            assert_eq!(history.steps(), 1);
        }
    }

    #[test]
    fn a_providers_copy_of_a_call_is_opaque() {
        let calls = json!([{"id": "a", "name": "read", "args": {}}]);
        let cases = [
            json!({"type": "ai", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {}}], "tool_calls": calls}),
            json!({"type": "ai", "content": "", "tool_calls": calls, "additional_kwargs": {"tool_calls": [{}]}}),
        ];
        for message in cases {
            let history = history(&json!([message]));
            assert!(history.blocks().iter().any(|block| block.kind == BlockKind::Unknown));
            assert_eq!(history.uses().len(), 1);
        }
    }

    #[test]
    fn other_types_are_other_shapes() {
        for message in [
            json!({"type": "message", "role": "user"}),
            json!({"role": "user"}),
            json!({"type": "remove"}),
        ] {
            assert!(read(&JsonValue::from(&message)).is_err());
        }
    }
}
