//! AI SDK, `ModelMessage` (reference "ModelMessage", package `ai` 5 and 6).
//!
//! A call is a part `{type: 'tool-call', toolCallId, toolName, input}` of an assistant message. A result is a part
//! `{type: 'tool-result', toolCallId, toolName, output: {type, value}}` of the tool message that follows. A result in
//! the assistant message itself belongs to the provider (`providerExecuted`) and is sent back unchanged. It is opaque,
//! as are reasoning and approvals.

mod read;
mod validity;

use crate::formats::places::Places;
use crate::formats::repair::edits::{NewValue, RepairStep};
use crate::formats::repair::rules::{Counted, Fault, Half, MissingResult, Rules};
use crate::formats::slot::Slot;
use crate::formats::wire::{OtherShape, Wire};
use crate::message::{History, Key, MessageDraft, Names, Value};

/// The format `ai-sdk`.
pub struct AiSdk;

impl Wire for AiSdk {
    const PLACES: Places =
        Places { result: &[Key::Output], result_slot: Slot::ModelOutput, ..Places::CONTENT };
    const RULES: Rules = validity::RULES;

    fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
        read::read(message)
    }

    fn counted<V: Value>(
        history: &History,
        half: &Half<'_>,
        _message: &dyn Fn(usize) -> V,
    ) -> Option<Counted> {
        // The provider executes these calls itself: no tool message answers them.
        let is_providers = half.is_call() && half.is_providers(history);
        let counts = half.is_models(history) == half.is_call() && !is_providers;
        counts.then(Counted::default)
    }

    fn settled_calls<V: Value>(history: &History, message: &dyn Fn(usize) -> V) -> Names {
        validity::approved_calls(history, message)
    }

    fn missing_result<V: Value>(call: &MissingResult<'_>, _caller: &V) -> Option<NewValue> {
        Some(validity::missing_result(call.id, call.tool))
    }

    fn says_nothing<V: Value>(content: &V, _is_final_answer: bool) -> bool {
        validity::says_nothing(content)
    }

    fn result_fault<V: Value>(result: &V, _message: usize, _way: &[RepairStep]) -> Option<Fault> {
        validity::result_fault(result)
    }
}
