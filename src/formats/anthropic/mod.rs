//! Anthropic Messages (API reference, "Create a Message", `messages`).
//!
//! A call is a block `{type: 'tool_use', id, name, input}` of an assistant message. A result is a block
//! `{type: 'tool_result', tool_use_id, content?, is_error?}` of the user message that follows, which holds all results
//! of one assistant message before any other blocks. A call that the API sent to an MCP server (`mcp_tool_use`) and its
//! result (`mcp_tool_result`) are in one assistant message. Reasoning, other server tools and unknown blocks are opaque.

mod read;
mod validity;

use crate::formats::places::Places;
use crate::formats::repair::edits::{NewValue, RepairStep};
use crate::formats::repair::rules::{Counted, Fault, Half, MissingResult, Rules};
use crate::formats::wire::{OtherShape, Wire};
use crate::message::{History, MessageDraft, Value};

/// The format `anthropic`.
pub struct Anthropic;

impl Wire for Anthropic {
    const PLACES: Places = Places::CONTENT;
    const RULES: Rules = validity::RULES;

    fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
        read::read(message)
    }

    fn counted<V: Value>(
        history: &History,
        half: &Half<'_>,
        _message: &dyn Fn(usize) -> V,
    ) -> Option<Counted> {
        let counts = if half.is_call() { half.is_models(history) } else { !half.locked }
            && !half.is_providers(history);
        counts.then(Counted::default)
    }

    fn missing_result<V: Value>(call: &MissingResult<'_>, _caller: &V) -> Option<NewValue> {
        Some(validity::missing_result(call.id))
    }

    fn says_nothing<V: Value>(content: &V, is_final_answer: bool) -> bool {
        validity::says_nothing(content, is_final_answer)
    }

    fn is_empty_text<V: Value>(block: &V) -> bool {
        validity::is_empty_text(block)
    }

    fn result_fault<V: Value>(result: &V, message: usize, way: &[RepairStep]) -> Option<Fault> {
        validity::result_fault(result, message, way)
    }
}
