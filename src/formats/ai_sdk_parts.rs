//! Part properties that both AI SDK formats read from the provider options. The name of that field differs per format.

use crate::formats::parts::is_signed_list;
use crate::message::{
    BlockDraft, BlockKind, BlockPath, Key, Kind, Removable, Value, Word, text_size,
};

/// Returns whether a call's input may be edited. Calls that the provider executed may not. Neither may calls with
/// provider options: they are signed (Gemini) or refer to an item stored by the provider (OpenAI's `itemId`).
pub fn can_change<V: Value>(call: &V, options: Key) -> bool {
    !call.field(Key::ProviderExecuted).is_true() && call.field(options).kind() == Kind::Absent
}

/// Returns whether a call has Gemini's signature, which is in the options: of the calls of a step only the first has one
/// (`@ai-sdk/google`, `convertToGoogleMessages`).
pub fn is_signed<V: Value>(call: &V, options: Key) -> bool {
    call.field(options).has_any(Key::GEMINI)
}

/// Reads a text part. It is either text or an Anthropic compaction of everything before it: `@ai-sdk/anthropic` returns
/// a compaction as a text part with its type in the provider options.
pub fn text<V: Value>(part: &V, place: BlockPath, options: Key) -> BlockDraft {
    let size = text_size(&part.watched(Key::Text));
    let own = part.field(options).field(Key::Anthropic).field(Key::Type).word();
    match own {
        Some(Word::Compaction) => BlockDraft::compaction(BlockKind::Text, place, size),
        _ => BlockDraft::plain(BlockKind::Text, place, size),
    }
}

/// Reads a reasoning part. It can be removed unless the provider may require it: Anthropic accepts finished turns
/// without it; OpenAI rejects the item that followed it. Without options, the provider is one like DeepSeek.
pub fn reasoning<V: Value>(part: &V, place: BlockPath, options: Key) -> BlockDraft {
    let options = part.field(options);
    let has = |key| options.field(key).kind() != Kind::Absent;
    let signed = has(Key::Anthropic)
        || has(Key::Bedrock)
        || is_signed_list(&options.field(Key::Openrouter).field(Key::ReasoningDetails));
    let removable = match options.kind() {
        Kind::Absent => Removable::WithoutCalls,
        _ if options.field_count() == 1 && signed => Removable::AfterTurn,
        _ => Removable::Never,
    };
    BlockDraft::reasoning(place, text_size(&part.watched(Key::Text)), removable).signed(signed)
}
