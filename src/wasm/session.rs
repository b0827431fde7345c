//! One history of the host's: reading it, planning views of it, and what they put where.

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
    /// What stands before the messages of requests, as a checksum.
    prefix: u32,
}

#[wasm_bindgen]
impl Session {
    /// An empty history. `format` fixes its format, which is else detected.
    #[wasm_bindgen(constructor)]
    pub fn new(format: Option<String>) -> Result<Session, JsValue> {
        let session = session::Session::new(format.as_deref());
        session.map(|session| Session { session, prefix: 0 }).map_err(|why| problem_value(&why))
    }

    /// How many messages were read.
    pub fn length(&self) -> u32 {
        self.session.history().messages().len() as u32
    }

    /// Reads the messages up to `len` that were not read yet. On an error nothing new is kept.
    pub fn read(&mut self, host: &Host, messages: &JsValue, len: u32) -> Result<(), JsValue> {
        let messages = HostMessages { host, messages };
        self.session.extend(&messages, len as usize).map_err(|problem| problem_value(&problem))
    }

    /// Drops all messages from `len` on. What the host watches of them is for the caller to forget.
    pub fn truncate(&mut self, len: u32) {
        self.session.truncate(len as usize);
    }

    /// Plans a view and returns it as numbers (`Engine::plan_numbers`).
    /// A negative `current_step` means the newest. A `sticky` plan repeats what was decided, and is decided itself. `idle` is
    /// seconds since the last request, 0 where nobody says.
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

    /// What the requests have before their messages from now on, as a checksum.
    #[wasm_bindgen(js_name = setPrefix)]
    pub fn set_prefix(&mut self, prefix: u32) {
        self.prefix = prefix;
    }

    /// Plans that every tool result is cleared, whatever its age and size, and returns it as [`Session::plan`] does.
    #[wasm_bindgen(js_name = planPlaceholders)]
    pub fn plan_placeholders(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
    ) -> Vec<u32> {
        self.session.plan_placeholders(&HostMessages { host, messages }, policy.policy())
    }

    /// Makes a plan that was made before the last one again, from its edits as numbers, to describe it.
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

    /// What the last plan decided and the first so many requests, in a form that outlives the process.
    pub fn state(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        requests: usize,
    ) -> Vec<u32> {
        self.session.state(&HostMessages { host, messages }, policy.policy(), requests)
    }

    /// Takes over what [`Session::state`] gave; says how many of the decisions are none.
    pub fn restore(&mut self, state: &[u32]) -> usize {
        self.session.engine.restore(state)
    }

    /// What stands where the `edit`-th edit of the last plan is; `undefined` where the block is taken out.
    pub fn replacement(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        edit: usize,
    ) -> Option<String> {
        self.session.replacement(&HostMessages { host, messages }, policy.policy(), edit)
    }

    /// The way from a message to the place of the `edit`-th edit ([`numbers_of`]). Empty for the whole message.
    pub fn path(&self, edit: usize) -> Vec<i32> {
        self.session.edit_place(edit).map(|place| numbers_of(&place.way)).unwrap_or_default()
    }

    /// What stands at the place of the `edit`-th edit: the name of a `Slot`.
    pub fn slot(&self, edit: usize) -> Option<String> {
        self.session.edit_place(edit).map(|place| place.slot.name().to_owned())
    }
}

/// A way as numbers: a field is its key's number, an entry of a list is `-1 - index`.
pub(super) fn numbers_of(way: &[Step]) -> Vec<i32> {
    let number = |step: &Step| match step {
        Step::Field(key) => *key as i32,
        Step::Item(index) => -1 - *index as i32,
    };
    way.iter().map(number).collect()
}
