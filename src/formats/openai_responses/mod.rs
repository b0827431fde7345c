//! OpenAI Responses (API reference, "Create a model response", `input`): a list of items.
//!
//! A call is an item `{type: 'function_call', call_id, name, arguments}` or another `*_call` with a `call_id`. A result
//! is an item `{type: 'function_call_output', call_id, output}` of the matching type. Each item is one message in the
//! facts. A step is one response of the model: the run of items that it wrote, up to the host's next item. Reasoning
//! requires the item that follows it, so no item is removed from an answer that holds an opaque item. Of server-side
//! tools, an `mcp_call` is read as a call with its result; the others, item references, compactions and items of
//! unknown types are opaque.

mod read;
mod validity;

use crate::formats::places::Places;
use crate::formats::repair::edits::{NewValue, RepairEdit};
use crate::formats::repair::rules::{Counted, Half, MissingResult, Rules};
use crate::formats::slot::Slot;
use crate::formats::wire::{OtherShape, Wire};
use crate::message::{History, Key, MessageDraft, Role, Value};

/// The format `openai-responses`.
pub struct OpenAiResponses;

impl Wire for OpenAiResponses {
    const PLACES: Places = Places {
        result_slot: Slot::ResponsesOutput,
        arguments: &[&[Key::Arguments]],
        ..Places::CONTENT
    };
    const RULES: Rules = validity::RULES;

    fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
        read::read(message)
    }

    fn recognises<V: Value>(item: &V) -> bool {
        read::is_known(item)
    }

    fn counted<V: Value>(
        history: &History,
        half: &Half<'_>,
        message: &dyn Fn(usize) -> V,
    ) -> Option<Counted> {
        let kind = Some(validity::kind(&message(half.block.message)));
        (!half.is_providers(history)).then_some(Counted { kind, tool: None })
    }

    fn missing_result<V: Value>(call: &MissingResult<'_>, _caller: &V) -> Option<NewValue> {
        validity::missing_result(call.kind?, call.id)
    }

    fn content_edit<V: Value>(item: &V, _role: Role) -> Option<RepairEdit> {
        validity::output_edit(item)
    }

    fn result_id<V: Value>(item: &V) -> &'static [Key] {
        validity::result_id(item)
    }
}
