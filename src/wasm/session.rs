//! One history of the host's: its facts, and what the engine decided of it. Convert, call, convert.

use super::host::Host;
use super::read::HostMessages;
use super::{CompiledPolicy, problem_value, to_js};
use crate::formats::{Extended, Messages, Places, ReadHistory, Slot, Step};
use crate::message::{Block, TokensByKind, message_facts};
use crate::projection::{Ask, ContentReader, Engine, Part, should_truncate};
use wasm_bindgen::prelude::*;

/// The facts of one history.
#[wasm_bindgen]
pub struct Session {
    pub(super) read: ReadHistory,
    pub(super) engine: Engine,
    /// What stands before the messages of requests, as a checksum.
    prefix: u32,
}

#[wasm_bindgen]
impl Session {
    /// An empty history. `format` fixes its format, which is else detected.
    #[wasm_bindgen(constructor)]
    pub fn new(format: Option<String>) -> Result<Session, JsValue> {
        let read =
            ReadHistory::new(format.as_deref()).map_err(|problem| problem_value(&problem))?;
        Ok(Session { read, engine: Engine::default(), prefix: 0 })
    }

    /// How many messages were read.
    pub fn length(&self) -> u32 {
        self.read.history.messages().len() as u32
    }

    /// Reads the messages up to `len` that were not read yet. On an error nothing new is kept.
    pub fn read(&mut self, host: &Host, messages: &JsValue, len: u32) -> Result<(), JsValue> {
        let before = self.length();
        match self.read.extend(&HostMessages { host, messages }, len as usize) {
            Ok(Extended::Appended) => Ok(()),
            Ok(Extended::ReadAnew) => {
                self.engine.forget_facts();
                Ok(())
            }
            Err(problem) => {
                let kept = before.min(self.length());
                self.truncate(kept);
                host.forget(kept);
                Err(problem_value(&problem))
            }
        }
    }

    /// Drops all messages from `len` on. What the host watches of them is for the caller to forget. What was decided of
    /// them is looked for in those that follow.
    pub fn truncate(&mut self, len: u32) {
        self.engine.truncate(&mut self.read.history, len as usize);
    }

    /// The format's name.
    pub fn format(&self) -> String {
        self.read.detection.format.name().to_owned()
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
        let step = u32::try_from(current_step).ok();
        let ask = Ask { policy: policy.policy(), step, sticky, idle, prefix: self.prefix };
        let reader = self.reader(host, messages);
        if sticky {
            self.engine.find_decisions(&mut self.read.history, &reader);
        }
        self.engine.project(&self.read.history, ask, &reader);
        self.engine.plan_numbers(&self.read.history)
    }

    /// What the requests have before their messages from now on, as a checksum.
    #[wasm_bindgen(js_name = setPrefix)]
    pub fn set_prefix(&mut self, prefix: u32) {
        self.prefix = prefix;
    }

    /// Signed reasoning of the last plan that stands behind something else than it was made behind: message and block of
    /// each, as the view counts (`Engine::unbound`).
    pub fn unbound(&self, knows_requests: bool) -> Vec<u32> {
        let places = self.engine.unbound(&self.read.history, knows_requests);
        places.into_iter().flatten().map(|number| number as u32).collect()
    }

    /// Plans that every tool result is cleared, whatever its age and size, and returns it as [`Session::plan`] does.
    #[wasm_bindgen(js_name = planPlaceholders)]
    pub fn plan_placeholders(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
    ) -> Vec<u32> {
        let reader = self.reader(host, messages);
        self.engine.clear_all(&self.read.history, policy.policy(), &reader);
        self.engine.plan_numbers(&self.read.history)
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
        let reader = self.reader(host, messages);
        self.engine.load(&self.read.history, policy.policy(), current_step, edits, &reader);
    }

    /// What the last plan decided and the first so many requests, in a form that outlives the process.
    pub fn state(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        requests: usize,
    ) -> Vec<u32> {
        let reader = self.reader(host, messages);
        self.engine.find_decisions(&mut self.read.history, &reader);
        self.engine.state(&self.read.history, policy.policy(), requests, &reader)
    }

    /// Takes over what [`Session::state`] gave; says how many of the decisions are none.
    pub fn restore(&mut self, state: &[u32]) -> usize {
        self.engine.restore(state)
    }

    /// What stands where the `edit`-th edit of the last plan is; `undefined` where the block is taken out.
    pub fn replacement(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        edit: usize,
    ) -> Option<String> {
        let edit = *self.engine.plan().edits().get(edit)?;
        let reader = self.reader(host, messages);
        self.engine.text(&self.read.history, policy.policy(), &edit, &reader)
    }

    /// The way from a message to the place of the `edit`-th edit: a field is its key's number, an entry of a list is
    /// `-1 - index`. Empty for the whole message.
    pub fn path(&self, edit: usize) -> Vec<i32> {
        let Some(edit) = self.engine.plan().edits().get(edit) else { return Vec::new() };
        let (places, place) = (self.places(), self.read.history[edit.block].place);
        let path = match edit.replacement.kind().part() {
            Part::Block => places.block_path(place),
            Part::Arguments => places.arguments_path(place),
            Part::Content => places.content_path(place),
        };
        numbers_of(&path)
    }

    /// What stands at the place of the `edit`-th edit: the name of a `Slot`.
    pub fn slot(&self, edit: usize) -> Option<String> {
        let edit = self.engine.plan().edits().get(edit)?;
        let (places, place) = (self.places(), self.read.history[edit.block].place);
        let slot = match edit.replacement.kind().part() {
            Part::Block => places.entry_slot,
            Part::Arguments => Slot::Arguments,
            Part::Content => places.content_slot(place),
        };
        Some(slot.name().to_owned())
    }

    /// The edits of the last plan, described.
    #[wasm_bindgen(js_name = editReports)]
    pub fn edit_reports(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
    ) -> JsValue {
        let reader = self.reader(host, messages);
        to_js(&self.engine.edit_reports(&self.read.history, policy.policy(), &reader))
    }

    /// What became of the blocks of one message in the last plan, and why.
    pub fn explain(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        message: usize,
    ) -> JsValue {
        let reader = self.reader(host, messages);
        to_js(&self.engine.explain(&self.read.history, policy.policy(), message, &reader))
    }

    /// What the last plan did by pass.
    #[wasm_bindgen(js_name = passReports)]
    pub fn pass_reports(&self) -> JsValue {
        to_js(&self.engine.pass_reports(&self.read.history))
    }

    /// Every message with its blocks, in order.
    pub fn messages(&self) -> JsValue {
        to_js(&message_facts(&self.read.history))
    }

    /// The text of the `block`-th block of message `index` (`ReadHistory::block_text`); empty where it has none.
    #[wasm_bindgen(js_name = blockText)]
    pub fn block_text(
        &self,
        host: &Host,
        messages: &JsValue,
        index: usize,
        block: usize,
    ) -> String {
        self.read.block_text(&HostMessages { host, messages }, index, block)
    }

    /// How many assistant messages there are.
    pub fn steps(&self) -> u32 {
        self.read.history.steps()
    }

    /// Tokens by what they are spent on.
    pub fn usage(&self) -> JsValue {
        to_js(&TokensByKind::of(&self.read.history))
    }

    /// What each tool result of message `index` was, in a line each.
    pub fn summaries(&self, host: &Host, messages: &JsValue, index: usize) -> Vec<String> {
        Engine::summaries(&self.read.history, index, &self.reader(host, messages))
    }

    /// The active files at a step (negative: the newest), three texts each: path, step of the last access, and the digest
    /// of the newest content shown or nothing.
    #[wasm_bindgen(js_name = activeFiles)]
    pub fn active_files(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        current_step: i32,
    ) -> Vec<String> {
        let reader = self.reader(host, messages);
        let step = u32::try_from(current_step).ok();
        self.engine.active_files(&self.read.history, policy.policy(), step, &reader).concat()
    }

    /// Whether a tool result of message `index` is cleared at this age.
    #[wasm_bindgen(js_name = shouldTruncate)]
    pub fn should_truncate(&self, index: usize, age: u32, policy: &CompiledPolicy) -> bool {
        let age_policy = policy.policy().age.settings();
        age_policy.is_some_and(|policy| should_truncate(&self.read.history, index, age, policy))
    }
}

impl Session {
    pub(super) fn places(&self) -> &'static Places {
        self.read.detection.format.places()
    }

    pub(super) fn reader<'h>(&self, host: &'h Host, messages: &'h JsValue) -> HostReader<'h> {
        HostReader { messages: HostMessages { host, messages }, places: self.places() }
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

/// Reads contents from the messages that the host passed along.
pub(super) struct HostReader<'h> {
    messages: HostMessages<'h>,
    places: &'static Places,
}

impl ContentReader for HostReader<'_> {
    fn read_result(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.places.read_result(&self.messages.peeked(block.message), block.place, sink);
    }

    fn read_whole(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.places.read_whole(&self.messages.peeked(block.message), block.place, sink);
    }

    fn read_arguments(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.places.read_arguments(&self.messages.peeked(block.message), block.place, sink);
    }
}
