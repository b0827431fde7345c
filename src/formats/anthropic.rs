//! Anthropic Messages (API reference, "Create a Message", `messages`).
//!
//! A call is a block `{type: 'tool_use', id, name, input}` of an assistant message. A result is a block
//! `{type: 'tool_result', tool_use_id, content?, is_error?}` of the user message that follows; the results of one
//! assistant message stand together there, before other blocks. Reasoning, server tools and unknown blocks are opaque.

use super::parts::{ResultContent, json_size, owner, text_or_json_size, unknown_size};
use super::{Format, OtherShape};
use crate::message::{
    BlockDraft, BlockKind, CallDraft, Key, Kind, MessageDraft, Place, ResultDraft, Role,
    ToolArguments, Value, Word, read_string, text_size,
};

/// Reads a message, or says that it is not of this format.
pub fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
    let role = match message.field(Key::Role).word() {
        Some(Word::User) => Role::User,
        Some(Word::Assistant) => Role::Assistant,
        _ => return Err(OtherShape),
    };
    if message.field(Key::ToolCalls).kind() != Kind::Absent {
        return Err(OtherShape);
    }
    let content = message.watched(Key::Content);
    let blocks = match content.kind() {
        Kind::Absent => Vec::new(),
        Kind::Text => vec![BlockDraft::plain(BlockKind::Text, Place::Content, text_size(&content))],
        Kind::List => content_blocks(message, &content)?,
        Kind::Object | Kind::Scalar => {
            vec![BlockDraft::plain(BlockKind::Unknown, Place::Content, text_or_json_size(&content))]
        }
    };
    Ok(MessageDraft { role, blocks })
}

fn content_blocks<V: Value>(message: &V, content: &V) -> Result<Vec<BlockDraft>, OtherShape> {
    let read = |i| {
        let block = content.item(i);
        let place = Place::Item(i as u32);
        let plain = |kind, size| Ok(BlockDraft::plain(kind, place, size));
        match block.field(Key::Type).word() {
            Some(Word::Text) => plain(BlockKind::Text, text_size(&block.watched(Key::Text))),
            Some(Word::ToolUse) => Ok(call_block(&block, place)),
            Some(Word::ToolResult) => Ok(result_block(message, &block, place)),
            Some(Word::Thinking) => {
                plain(BlockKind::Reasoning, text_size(&block.watched(Key::Thinking)))
            }
            Some(Word::RedactedThinking) => plain(BlockKind::Reasoning, json_size(&block)),
            Some(Word::Image | Word::Document) => plain(BlockKind::File, unknown_size(&block)),
            Some(word) if owner(word).is_some_and(|format| format != Format::Anthropic) => {
                Err(OtherShape)
            }
            _ => plain(BlockKind::Unknown, unknown_size(&block)),
        }
    };
    (0..content.len()).map(read).collect()
}

fn call_block<V: Value>(block: &V, place: Place) -> BlockDraft {
    let input = block.watched(Key::Input);
    BlockDraft {
        kind: BlockKind::ToolCall,
        place,
        size: text_or_json_size(&input),
        call: Some(CallDraft {
            id: read_string(&block.field(Key::Id)),
            name: read_string(&block.field(Key::Name)).unwrap_or_default(),
            arguments: ToolArguments::from_value(&input),
        }),
        result: None,
    }
}

fn result_block<V: Value>(message: &V, block: &V, place: Place) -> BlockDraft {
    let result = ResultContent::read(&block.watched(Key::Content));
    let marked = |holder: &V| holder.watched(Key::Metadata).field(Key::Ephemeral).is_true();
    BlockDraft {
        kind: BlockKind::ToolResult,
        place,
        size: result.size,
        call: None,
        result: Some(ResultDraft {
            id: read_string(&block.field(Key::ToolUseId)),
            name: read_string(&block.field(Key::Name)),
            is_error: block.field(Key::IsError).is_true(),
            ephemeral: marked(message),
            text_only: result.text_only,
            editable: result.editable,
            is_stub: block.is_stub(),
        }),
    }
}

/// Whether a message has a block that only this format has.
pub fn is_certain<V: Value>(message: &V) -> bool {
    let content = message.field(Key::Content);
    (0..content.len())
        .any(|i| content.item(i).field(Key::Type).word().and_then(owner) == Some(Format::Anthropic))
}
