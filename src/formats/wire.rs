//! What a wire format says of itself. One provider is one folder with one `impl Wire`, and one line in `registry`.

use super::places::Places;
use super::repair::call_reasoning::CallReasoning;
use super::repair::edits::{NewValue, RepairEdit, RepairStep};
use super::repair::rules::{Counted, Fault, Half, MissingResult, Rules};
use crate::message::{History, Key, MessageDraft, Names, Role, Value};

/// A message whose shape is not the format's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherShape;

/// A wire format: how its messages are read, where things stand in them, and what its provider refuses.
pub trait Wire {
    /// Where things stand.
    const PLACES: Places;
    /// What the provider refuses, as far as providers differ by data alone.
    const RULES: Rules;

    /// Reads a message, or says that it is not of this format.
    fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape>;

    /// Whether detection may take a message that [`Wire::read`] reads for one of this format.
    fn recognises<V: Value>(_message: &V) -> bool {
        true
    }

    /// The field that holds the message's own fields, where they do not stand in the message itself.
    fn holder<V: Value>(_message: &V) -> Option<Key> {
        None
    }

    /// Whether a call or result takes part in the pairing, and what the facts do not hold of it.
    fn counted<V: Value>(
        history: &History,
        half: &Half<'_>,
        message: &dyn Fn(usize) -> V,
    ) -> Option<Counted>;

    /// The ids of calls of the last answer whose results nobody waits for.
    fn settled_calls<V: Value>(_history: &History, _message: &dyn Fn(usize) -> V) -> Names {
        Names::default()
    }

    /// What answers a call that was interrupted. `None` where nothing can be made up.
    fn missing_result<V: Value>(call: &MissingResult<'_>, caller: &V) -> Option<NewValue>;

    /// What a message of `role` needs so that it has content. Asked where each result is a message of its own.
    fn content_edit<V: Value>(_message: &V, _role: Role) -> Option<RepairEdit> {
        None
    }

    /// Whether this content, a text or a list of blocks, says nothing. Asked where results are blocks.
    fn says_nothing<V: Value>(content: &V, _is_final_answer: bool) -> bool {
        content.is_empty()
    }

    /// Content that says `text`.
    fn content_of(text: &str) -> NewValue {
        text.into()
    }

    /// Whether a block is a text without text, which the provider refuses.
    fn is_empty_text<V: Value>(_block: &V) -> bool {
        false
    }

    /// Whether an answer with calls comes without the reasoning that the model asks for.
    fn lacks_reasoning<V: Value>(_answer: &V, _asked: CallReasoning) -> bool {
        false
    }

    /// The way to the id that a result has.
    fn result_id<V: Value>(_message: &V) -> &'static [Key] {
        Self::RULES.result_id
    }

    /// What is wrong with a result in itself: the block, with the message that it stands in and the way to it there.
    fn result_fault<V: Value>(_result: &V, _message: usize, _way: &[RepairStep]) -> Option<Fault> {
        None
    }

    /// What is wrong with a part that is a call and its result in one.
    fn part_fault<V: Value>(_part: &V, _is_last_message: bool) -> Option<Fault> {
        None
    }
}
