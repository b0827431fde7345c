//! Parses Anthropic messages.

use crate::formats::ephemeral_mark::EphemeralMark;
use crate::formats::parts::{
    ResultContent, is_foreign, json_size, text_or_json_size, unknown_size,
};
use crate::formats::slot::Slot;
use crate::formats::wire::OtherShape;
use crate::message::{
    BlockDraft, BlockKind, BlockPath, CallDraft, Key, Kind, MessageDraft, Removable, ResultDraft,
    Role, ToolArguments, Value, Word, read_string, text_size,
};

/// Part types that identify this format; few other formats use them.
const OWN_PARTS: &[Word] = &[
    Word::ToolUse,
    Word::ToolResult,
    Word::Thinking,
    Word::RedactedThinking,
    Word::Document,
    Word::SearchResult,
    Word::ServerToolUse,
    Word::McpToolUse,
    Word::McpToolResult,
    Word::WebSearchToolResult,
    Word::ContainerUpload,
    Word::Compaction,
    Word::Image,
];

/// Parses a message, or returns [`OtherShape`] if it is not in this format.
pub fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
    let role = match message.field(Key::Role).word() {
        Some(Word::User) => Role::User,
        Some(Word::Assistant) => Role::Assistant,
        // Instructions within a conversation, after a user message.
        Some(Word::System) => Role::System,
        _ => return Err(OtherShape),
    };
    if message.field(Key::ToolCalls).kind() != Kind::Absent {
        return Err(OtherShape);
    }
    let content = message.watched(Key::Content);
    let blocks = match content.kind() {
        Kind::Absent if message.field(Key::Parts).kind() == Kind::List => return Err(OtherShape),
        Kind::Absent => Vec::new(),
        Kind::Text => {
            vec![BlockDraft::plain(BlockKind::Text, BlockPath::Content, text_size(&content))]
        }
        Kind::List => content_blocks(message, &content)?,
        Kind::Object | Kind::Scalar => {
            vec![BlockDraft::plain(
                BlockKind::Unknown,
                BlockPath::Content,
                text_or_json_size(&content),
            )]
        }
    };
    Ok(MessageDraft::new(role, blocks))
}

fn content_blocks<V: Value>(message: &V, content: &V) -> Result<Vec<BlockDraft>, OtherShape> {
    let mark = EphemeralMark::of(message);
    let read = |i| {
        let block = content.item(i);
        let place = BlockPath::Item(i as u32);
        let plain = |kind, size| Ok(BlockDraft::plain(kind, place, size));
        match block.field(Key::Type).word() {
            Some(Word::Text) => plain(BlockKind::Text, text_size(&block.watched(Key::Text))),
            Some(Word::ToolUse) => Ok(call_block(&block, place, false)),
            Some(Word::McpToolUse) => Ok(call_block(&block, place, true)),
            Some(Word::ToolResult) => Ok(result_block(mark.is_set(), &block, place)),
            // Its content is plain text, which the API takes back changed.
            Some(Word::McpToolResult) => Ok(result_block(false, &block, place)),
            Some(Word::Thinking) => {
                let size = text_size(&block.watched(Key::Thinking));
                let signed = block.field(Key::Signature).kind() == Kind::Text;
                let removable = if signed { Removable::AfterTurn } else { Removable::WithoutCalls };
                Ok(BlockDraft::reasoning(place, size, removable).signed(signed))
            }
            Some(Word::RedactedThinking) => {
                Ok(BlockDraft::reasoning(place, json_size(&block), Removable::AfterTurn)
                    .signed(true))
            }
            // A compaction without content has failed; the provider ignores it.
            Some(Word::Compaction) if block.field(Key::Content).kind() == Kind::Text => {
                Ok(BlockDraft::compaction(BlockKind::Unknown, place, unknown_size(&block)))
            }
            Some(Word::Image) if block.field(Key::Image).kind() != Kind::Absent => Err(OtherShape),
            Some(Word::Image | Word::Document) => plain(BlockKind::File, unknown_size(&block)),
            Some(word) if is_foreign(word, OWN_PARTS) => Err(OtherShape),
            _ => plain(BlockKind::Unknown, unknown_size(&block)),
        }
    };
    (0..content.len()).map(read).collect()
}

fn call_block<V: Value>(block: &V, place: BlockPath, provider_executed: bool) -> BlockDraft {
    let input = block.watched(Key::Input);
    let (arguments, size) = ToolArguments::read(&input);
    let call = CallDraft {
        id: read_string(&block.field(Key::Id)),
        name: read_string(&block.field(Key::Name)).unwrap_or_default(),
        arguments,
        editable: !provider_executed,
        provider_executed,
        takes_text: false,
    };
    BlockDraft::call(place, size, call)
}

fn result_block<V: Value>(ephemeral: bool, block: &V, place: BlockPath) -> BlockDraft {
    let result = ResultContent::read(Slot::Content, &block.watched(Key::Content));
    let draft = ResultDraft {
        id: read_string(&block.field(Key::ToolUseId)),
        name: read_string(&block.field(Key::Name)),
        by_name: false,
        is_error: block.field(Key::IsError).is_true(),
        ephemeral,
        media: result.media,
        text_only: result.text_only,
        editable: result.editable,
        is_stub: block.is_stub(),
        partial_result: result.partial_result,
    };
    BlockDraft::result(place, result.size, draft)
}
