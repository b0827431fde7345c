//! The interface of a wire format. A format is one folder with one `impl Wire`, and one line in `registry`.

use super::places::Places;
use super::repair::call_reasoning::CallReasoning;
use super::repair::edits::{NewValue, RepairEdit, RepairStep};
use super::repair::rules::{Counted, Fault, Half, MissingResult, Rules};
use crate::message::{History, Key, MessageDraft, Names, Role, Value};

/// Error for a message that is not in the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherShape;

/// A wire format: how its messages are read, where their parts are, and what its provider rejects.
pub trait Wire {
    /// Positions of the parts of its messages.
    const PLACES: Places;
    /// Validity rules of the provider that are plain data.
    const RULES: Rules;

    /// Parses a message, or returns [`OtherShape`] if it is not in this format.
    fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape>;

    /// Returns whether detection may assign this format to a message that [`Wire::read`] accepts.
    fn recognises<V: Value>(_message: &V) -> bool {
        true
    }

    /// Returns the field that holds the message's own fields, if they are not in the message itself.
    fn holder<V: Value>(_message: &V) -> Option<Key> {
        None
    }

    /// Returns the properties of a call or result that the facts lack; `None` if it takes no part in pairing.
    fn counted<V: Value>(
        history: &History,
        half: &Half<'_>,
        message: &dyn Fn(usize) -> V,
    ) -> Option<Counted>;

    /// Returns the ids of the calls in the last answer that need no result in the history.
    fn settled_calls<V: Value>(_history: &History, _message: &dyn Fn(usize) -> V) -> Names {
        Names::default()
    }

    /// Returns the result that repair adds for an interrupted call; `None` if it cannot be made up.
    fn missing_result<V: Value>(call: &MissingResult<'_>, caller: &V) -> Option<NewValue>;

    /// Returns the edit that gives a message of `role` the content it lacks. Called if each result is a message.
    fn content_edit<V: Value>(_message: &V, _role: Role) -> Option<RepairEdit> {
        None
    }

    /// Returns whether content, a text or a list of blocks, is empty for the provider. Called if results are blocks.
    fn says_nothing<V: Value>(content: &V, _is_final_answer: bool) -> bool {
        content.is_empty()
    }

    /// Returns message content that consists of `text`.
    fn content_of(text: &str) -> NewValue {
        text.into()
    }

    /// Returns whether a block is an empty text, which the provider rejects.
    fn is_empty_text<V: Value>(_block: &V) -> bool {
        false
    }

    /// Returns whether an answer with calls lacks the reasoning that the model requires.
    fn lacks_reasoning<V: Value>(_answer: &V, _asked: CallReasoning) -> bool {
        false
    }

    /// Returns the path to the id of a result.
    fn result_id<V: Value>(_message: &V) -> &'static [Key] {
        Self::RULES.result_id
    }

    /// Returns the problem within a result, if any. `_result` is the block, `_message` its message and `_way` the path
    /// to it there.
    fn result_fault<V: Value>(_result: &V, _message: usize, _way: &[RepairStep]) -> Option<Fault> {
        None
    }

    /// Returns the problem within a part that is both call and result, if any.
    fn part_fault<V: Value>(_part: &V, _is_last_message: bool) -> Option<Fault> {
        None
    }
}
