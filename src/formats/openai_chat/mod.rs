//! OpenAI Chat Completions (API reference, "Create chat completion", `messages`), and messages of that shape with
//! the `metadata`, `name` and `thinking` fields that some agents add.
//!
//! A call is `assistant.tool_calls[].{id, function: {name, arguments}}`; `arguments` is JSON text (some agents store
//! the object). A result is a message `{role: 'tool', tool_call_id, content}`; `content` is a text or a list of text parts.

mod read;
mod validity;

use crate::formats::places::Places;
use crate::formats::repair::call_reasoning::CallReasoning;
use crate::formats::repair::edits::{NewValue, RepairEdit};
use crate::formats::repair::rules::{Counted, Half, MissingResult, Rules};
use crate::formats::wire::{OtherShape, Wire};
use crate::message::{History, Key, MessageDraft, Role, Value};

/// The format `openai-chat`.
pub struct OpenAiChat;

impl Wire for OpenAiChat {
    const PLACES: Places = Places {
        arguments: &[&[Key::Function, Key::Arguments], &[Key::Custom, Key::Input]],
        ..Places::CONTENT
    };
    const RULES: Rules = validity::RULES;

    fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
        read::read(message)
    }

    fn counted<V: Value>(
        _history: &History,
        half: &Half<'_>,
        message: &dyn Fn(usize) -> V,
    ) -> Option<Counted> {
        let counts = half.is_call() || validity::is_result(&message(half.block.message));
        counts.then(Counted::default)
    }

    fn missing_result<V: Value>(call: &MissingResult<'_>, _caller: &V) -> Option<NewValue> {
        Some(validity::missing_result(call.id))
    }

    fn lacks_reasoning<V: Value>(answer: &V, asked: CallReasoning) -> bool {
        validity::lacks_reasoning(answer, asked)
    }

    fn content_edit<V: Value>(message: &V, role: Role) -> Option<RepairEdit> {
        validity::content_edit(message, role)
    }
}
