//! What both formats of the AI SDK say of a part by its provider options: the name of that field differs.

use crate::message::{
    BlockDraft, BlockKind, BlockPath, Key, Kind, Removable, Value, Word, text_size,
};

/// Whether a call's input can be changed. What the provider ran is its own; a call with options of the provider is
/// signed (Gemini), or stands for what the provider stored (OpenAI's `itemId`).
pub fn can_change<V: Value>(call: &V, options: Key) -> bool {
    !call.field(Key::ProviderExecuted).is_true() && call.field(options).kind() == Kind::Absent
}

/// Text, or what Anthropic made of all before it: `@ai-sdk/anthropic` gives its compaction as a text with its type in the
/// provider's options.
pub fn text<V: Value>(part: &V, place: BlockPath, options: Key) -> BlockDraft {
    let size = text_size(&part.watched(Key::Text));
    let own = part.field(options).field(Key::Anthropic).field(Key::Type).word();
    match own {
        Some(Word::Compaction) => BlockDraft::compaction(BlockKind::Text, place, size),
        _ => BlockDraft::plain(BlockKind::Text, place, size),
    }
}

/// Reasoning, which can be taken out unless the provider may ask for it: Anthropic takes turns that are over without it;
/// OpenAI refuses what followed it when it is missing. Without options it is of a provider like DeepSeek.
pub fn reasoning<V: Value>(part: &V, place: BlockPath, options: Key) -> BlockDraft {
    let options = part.field(options);
    let signed = options.field(Key::Anthropic).kind() != Kind::Absent;
    let removable = match options.kind() {
        Kind::Absent => Removable::WithoutCalls,
        _ if options.field_count() == 1 && signed => Removable::AfterTurn,
        _ => Removable::Never,
    };
    BlockDraft::reasoning(place, text_size(&part.watched(Key::Text)), removable).signed(signed)
}
