//! One history of the host: reads it, plans views of it, and locates the edits.

use super::host::Host;
use super::read::HostMessages;
use super::{CompiledPolicy, problem_value};
use crate::formats::Step;
use crate::projection::Ask;
use crate::session;
use wasm_bindgen::prelude::*;

/// The facts of one history.
#[wasm_bindgen]
pub struct Session {
    pub(super) session: session::Session,
    /// Checksum of the parts of requests before their messages.
    prefix: u32,
}

#[wasm_bindgen]
impl Session {
    /// Creates an empty history. `format` fixes its format, which is detected otherwise.
    #[wasm_bindgen(constructor)]
    pub fn new(format: Option<String>) -> Result<Session, JsValue> {
        let session = session::Session::new(format.as_deref());
        session.map(|session| Session { session, prefix: 0 }).map_err(|why| problem_value(&why))
    }

    /// Returns the number of messages read.
    pub fn length(&self) -> u32 {
        self.session.history().messages().len() as u32
    }

    /// Reads the messages up to `len` that were not read yet. After an error, none of the new ones is kept.
    pub fn read(&mut self, host: &Host, messages: &JsValue, len: u32) -> Result<(), JsValue> {
        let messages = HostMessages { host, messages };
        self.session.extend(&messages, len as usize).map_err(|problem| problem_value(&problem))
    }

    /// Drops all messages from `len` on. The caller must make the host forget the values watched in them.
    pub fn truncate(&mut self, len: u32) {
        self.session.truncate(len as usize);
    }

    /// Plans a view and returns it as numbers (`Engine::plan_numbers`). A negative `current_step` is the newest step.
    /// `sticky`: whether the view applies earlier decisions and records its own. `idle`: seconds since the last
    /// request; 0 if unknown.
    pub fn plan(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        current_step: i32,
        sticky: bool,
        idle: f64,
    ) -> Vec<u32> {
        let (policy, step) = (policy.policy(), u32::try_from(current_step).ok());
        let ask = Ask { policy, step, sticky, idle, prefix: self.prefix };
        self.session.plan(&HostMessages { host, messages }, ask)
    }

    /// Sets the checksum of the parts before the messages of later requests.
    #[wasm_bindgen(js_name = setPrefix)]
    pub fn set_prefix(&mut self, prefix: u32) {
        self.prefix = prefix;
    }

    /// Plans a view in which every tool result is cleared, whatever its age and size. Returns it like
    /// [`Session::plan`].
    #[wasm_bindgen(js_name = planPlaceholders)]
    pub fn plan_placeholders(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
    ) -> Vec<u32> {
        self.session.plan_placeholders(&HostMessages { host, messages }, policy.policy())
    }

    /// Restores an earlier plan from its edits as numbers, to describe it.
    pub fn load(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        current_step: u32,
        edits: &[u32],
    ) {
        let messages = HostMessages { host, messages };
        self.session.load(&messages, policy.policy(), current_step, edits);
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

    /// Returns the replacement of the `edit`-th edit of the last plan; `undefined` if the block is removed.
    pub fn replacement(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        edit: usize,
    ) -> Option<String> {
        self.session.replacement(&HostMessages { host, messages }, policy.policy(), edit)
    }

    /// Returns the path from a message to the `edit`-th edit ([`numbers_of`]); empty for the whole message.
    pub fn path(&self, edit: usize) -> Vec<i32> {
        self.session.edit_place(edit).map(|place| numbers_of(&place.way)).unwrap_or_default()
    }

    /// Returns the form of the value at the `edit`-th edit: the name of a `Slot`.
    pub fn slot(&self, edit: usize) -> Option<String> {
        self.session.edit_place(edit).map(|place| place.slot.name().to_owned())
    }
}

/// Encodes a path as numbers: a field is the number of its key, a list entry is `-1 - index`.
pub(super) fn numbers_of(way: &[Step]) -> Vec<i32> {
    let number = |step: &Step| match step {
        Step::Field(key) => *key as i32,
        Step::Item(index) => -1 - *index as i32,
    };
    way.iter().map(number).collect()
}
