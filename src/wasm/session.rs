//! One history of the host: reads it, plans views of it, and locates the edits.

use super::host::Host;
use super::read::HostMessages;
use super::{CompiledPolicy, Returned, problem_value, to_js};
use crate::formats::Step;
use crate::projection::Ask;
use crate::session;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// The facts of one history.
///
/// What every view needs is a method. The rest are functions, which bundlers leave out where they are not used.
#[wasm_bindgen]
pub struct Session {
    pub(super) session: session::Session,
}

#[wasm_bindgen]
impl Session {
    /// Creates an empty history. `format` fixes its format; if it is empty, the format is detected.
    #[wasm_bindgen(constructor)]
    pub fn new(format: &str) -> Result<Session, JsValue> {
        let session = session::Session::new((!format.is_empty()).then_some(format));
        session.map(|session| Session { session }).map_err(|why| problem_value(&why))
    }

    /// Reads the messages up to `len` that were not read yet. After an error, none of the new ones is kept.
    pub fn read(&mut self, host: &Host, messages: &JsValue, len: u32) -> Result<(), JsValue> {
        make_room((len as usize).saturating_sub(self.length()));
        let messages = HostMessages { host, messages };
        self.session.extend(&messages, len as usize).map_err(|problem| problem_value(&problem))
    }

    /// Drops all messages from `len` on. The caller must make the host forget the values watched in them.
    pub fn truncate(&mut self, len: u32) {
        self.session.truncate(len as usize);
    }

    /// Plans a view and returns it as numbers (`Engine::plan_numbers`). A negative `current_step` is the newest step.
    /// `idle`: seconds since the last request; 0 if unknown. `prefix`: checksum of what precedes the messages in the
    /// request; with one that is not negative, the view applies earlier decisions and records its own.
    pub fn plan(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        current_step: i32,
        idle: f64,
        prefix: f64,
    ) -> Vec<u32> {
        let (policy, step) = (policy.policy(), u32::try_from(current_step).ok());
        let (sticky, prefix) = (prefix >= 0.0, prefix as u32);
        let ask = Ask { policy, step, sticky, idle, prefix };
        self.session.plan(&HostMessages { host, messages }, ask)
    }

    /// Restores an earlier plan, as [`Session::plan`] returned it, to describe it.
    pub fn load(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        numbers: &[u32],
    ) {
        let messages = HostMessages { host, messages };
        self.session.load(&messages, policy.policy(), numbers);
    }

    /// Returns the decisions of the last plan and the first `requests` requests, in a form that can be saved.
    pub fn state(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        requests: usize,
    ) -> Vec<u32> {
        self.session.state(&HostMessages { host, messages }, policy.policy(), requests)
    }

    /// Restores the result of [`Session::state`]. Returns the number of invalid decisions.
    pub fn restore(&mut self, state: &[u32]) -> usize {
        self.session.engine.restore(state)
    }

    /// Returns the `edit`-th edit of the last plan: the path from the message to the content (empty for the whole
    /// message), the form of the content (the name of a `Slot`), and its replacement (`null` if it is removed).
    pub fn edit(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        edit: usize,
    ) -> Returned {
        let messages = HostMessages { host, messages };
        let text = self.session.replacement(&messages, policy.policy(), edit);
        let place = self.session.edit_place(edit);
        Ok(place.map_or(JsValue::UNDEFINED, |place| {
            to_js(&(path_of(&place.way), place.slot.name(), text))
        }))
    }
}

/// Bytes of facts, decisions and texts that a message takes, roughly.
const MESSAGE_BYTES: usize = 1 << 10;
/// Maximum number of messages for which room is made: a list may claim any length.
const MOST_ROOM: usize = 1 << 14;

/// Grows the memory for this many messages at once, unless it has room. The allocator grows it by the pages that one
/// allocation needs. In V8, each growth of a memory over 64 MB may start a collection of garbage.
fn make_room(messages: usize) {
    let bytes = messages.min(MOST_ROOM) * MESSAGE_BYTES;
    drop(std::hint::black_box(Vec::<u8>::with_capacity(bytes)));
}

impl Session {
    /// Returns the number of messages read.
    pub fn length(&self) -> usize {
        self.session.history().messages().len()
    }
}

/// A step of a path, in the form in which JavaScript takes it.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum PathStep {
    Field(&'static str),
    Item(u32),
}

pub(super) fn path_of(way: &[Step]) -> Vec<PathStep> {
    let step = |step: &Step| match step {
        Step::Field(key) => PathStep::Field(key.text()),
        Step::Item(index) => PathStep::Item(*index),
    };
    way.iter().map(step).collect()
}
