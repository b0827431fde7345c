//! AI SDK, `UIMessage` (reference "UIMessage", package `ai` 5 and 6): the messages that `useChat` holds and
//! applications save.
//!
//! A call and its result are one part: `{type: 'tool-NAME', toolCallId, state, input, output}`, or `dynamic-tool` with
//! a `toolName`. A whole turn is one message; each step in it begins with a `step-start` part. A stub replaces `output`
//! with a text, which the SDK sends unchanged. Parts that the provider executed (`providerExecuted`) are opaque.

mod read;
mod validity;

use crate::formats::places::Places;
use crate::formats::repair::edits::NewValue;
use crate::formats::repair::rules::{Counted, Fault, Half, MissingResult, Rules};
use crate::formats::slot::Slot;
use crate::formats::wire::{OtherShape, Wire};
use crate::message::{History, Key, MessageDraft, Value};

/// The format `ai-sdk-ui`.
pub struct AiSdkUi;

impl Wire for AiSdkUi {
    const PLACES: Places =
        Places { list: Key::Parts, result_slot: Slot::RawOutput, ..Places::CONTENT };
    const RULES: Rules = validity::RULES;

    fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
        read::read(message)
    }

    fn counted<V: Value>(
        history: &History,
        half: &Half<'_>,
        _message: &dyn Fn(usize) -> V,
    ) -> Option<Counted> {
        (half.is_call() && half.is_models(history)).then(Counted::default)
    }

    fn missing_result<V: Value>(_call: &MissingResult<'_>, _caller: &V) -> Option<NewValue> {
        None
    }

    fn content_of(text: &str) -> NewValue {
        validity::content_of(text)
    }

    fn part_fault<V: Value>(part: &V, is_last_message: bool) -> Option<Fault> {
        validity::part_fault(part, is_last_message)
    }
}
