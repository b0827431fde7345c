//! LangChain messages (reference `@langchain/core/messages`): class instances, their serialised forms
//! `{lc, type: 'constructor', id, kwargs}` and `{type, data}`, and the plain `{type, content, ...}` of LangGraph.
//!
//! A call is `AIMessage.tool_calls[].{id, name, args}`, a result a `ToolMessage {tool_call_id, content, status}`. The
//! kind of an instance is its `type` or, before 1.0, the return value of its method `_getType`. Content parts can be of
//! any provider's kind: parts other than text are opaque, and so are `additional_kwargs` and `artifact`. If the
//! provider's own copy of a call is stored beside `tool_calls`, no call is removed.

mod read;
mod validity;

use crate::formats::places::Places;
use crate::formats::repair::edits::{NewValue, RepairEdit};
use crate::formats::repair::rules::{Counted, Half, MissingResult, Rules};
use crate::formats::slot::Slot;
use crate::formats::wire::{OtherShape, Wire};
use crate::message::{History, Key, MessageDraft, Role, Value};

/// The format `langchain`.
pub struct LangChain;

impl Wire for LangChain {
    const PLACES: Places =
        Places { arguments: &[&[Key::Args]], entry_slot: Slot::EntryOfList, ..Places::CONTENT };
    const RULES: Rules = validity::RULES;

    fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
        read::read(message)
    }

    fn holder<V: Value>(message: &V) -> Option<Key> {
        read::kind(message).and_then(|(_, holder)| holder)
    }

    fn counted<V: Value>(
        _history: &History,
        half: &Half<'_>,
        message: &dyn Fn(usize) -> V,
    ) -> Option<Counted> {
        let counts = half.is_call() || validity::is_result(&message(half.block.message));
        counts.then(Counted::default)
    }

    fn missing_result<V: Value>(call: &MissingResult<'_>, caller: &V) -> Option<NewValue> {
        Some(validity::missing_result(Self::holder(caller), call.id))
    }

    fn content_edit<V: Value>(body: &V, role: Role) -> Option<RepairEdit> {
        validity::content_edit(body, role)
    }
}
