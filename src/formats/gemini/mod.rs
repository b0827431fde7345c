//! Gemini (API reference, "Generating content", `contents`).
//!
//! A call is a part `{functionCall: {id?, name, args}}` of a model's content. A result is a part
//! `{functionResponse: {id?, name, response}}` of the content that follows, whose role is `user` (`function` in older
//! histories). Ids are optional: without them the provider pairs by order and name, within one step. `response` is an
//! object. Its `output` is the tool's output and its `error` a failure; without either, the whole object is the output.
//! Images and files that a tool returned are in the `parts` beside it. Thoughts, signatures, files and code executed by
//! the provider are opaque.

mod read;
mod validity;

use crate::formats::places::Places;
use crate::formats::repair::call_reasoning::CallReasoning;
use crate::formats::repair::edits::{NewValue, RepairStep};
use crate::formats::repair::rules::{Counted, Fault, Half, MissingResult, Rules};
use crate::formats::slot::Slot;
use crate::formats::wire::{OtherShape, Wire};
use crate::message::{History, Key, MessageDraft, Value};

/// The format `gemini`.
pub struct Gemini;

impl Wire for Gemini {
    const PLACES: Places = Places {
        list: Key::Parts,
        result: &[Key::FunctionResponse],
        text_holder: &[Key::Response],
        result_slot: Slot::FunctionResponse,
        arguments: &[&[Key::FunctionCallCamel, Key::Args]],
        ..Places::CONTENT
    };
    const RULES: Rules = validity::RULES;

    fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
        read::read(message)
    }

    fn counted<V: Value>(
        history: &History,
        half: &Half<'_>,
        message: &dyn Fn(usize) -> V,
    ) -> Option<Counted> {
        let counts = if half.is_call() { half.is_models(history) } else { !half.locked };
        let tool = || validity::tool(&message(half.block.message), half.block.place);
        counts.then(|| Counted { kind: None, tool: tool() })
    }

    fn missing_result<V: Value>(call: &MissingResult<'_>, _caller: &V) -> Option<NewValue> {
        Some(validity::missing_result(call.id, call.tool))
    }

    fn lacks_reasoning<V: Value>(answer: &V, asked: CallReasoning) -> bool {
        validity::lacks_reasoning(answer, asked)
    }

    fn content_of(text: &str) -> NewValue {
        validity::content_of(text)
    }

    fn is_empty_text<V: Value>(part: &V) -> bool {
        validity::is_empty_part(part)
    }

    fn result_fault<V: Value>(part: &V, _message: usize, _way: &[RepairStep]) -> Option<Fault> {
        validity::result_fault(part)
    }
}
