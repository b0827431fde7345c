//! One history of the host's: its facts, and the plan last made of it.

use super::edit_key::{edit_of, key_of};
use super::host::{Host, HostValue};
use super::read::HostMessages;
use super::{CompiledPolicy, problem_value, to_js};
use crate::formats::{Extended, Messages, ReadHistory, Slot, Step, read_block};
use crate::message::{
    Block, BlockId, BlockKind, BlockPath, TokensByKind, message_facts, stable_merge_sort,
};
use crate::projection::{
    Cache, DECISION_NUMBERS, Decision, Edit, EditReport, Finder, Found, PassName, PassReport, Plan,
    Replacement, Request, Source, View, active_files, explain, project, replacement_text,
    should_truncate,
};
use wasm_bindgen::prelude::*;

/// The facts of one history.
#[wasm_bindgen]
pub struct Session {
    pub(super) read: ReadHistory,
    pub(super) cache: Cache,
    plan: Plan,
    current_step: u32,
    /// What was decided and stays, in the order of the blocks.
    decided: Vec<Edit>,
    /// Decisions that are still to be found in the history.
    pending: Vec<Decision>,
}

#[wasm_bindgen]
impl Session {
    /// An empty history. `format` fixes its format, which is else detected.
    #[wasm_bindgen(constructor)]
    pub fn new(format: Option<String>) -> Result<Session, JsValue> {
        Ok(Session {
            read: ReadHistory::new(format.as_deref()).map_err(|problem| problem_value(&problem))?,
            cache: Cache::default(),
            plan: Plan::default(),
            current_step: 0,
            decided: Vec::new(),
            pending: Vec::new(),
        })
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
                self.cache = Cache::default();
                self.plan = Plan::default();
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
        let lost = |edit: &Edit| {
            let uses = [edit.tool_use, edit.replacement.rests_on()].into_iter().flatten();
            let results = uses.filter_map(|id| self.read.history[id].result);
            let last = results.map(|block| self.read.history[block].message).max();
            edit.message.max(last.unwrap_or(0)) >= len as usize
        };
        let (gone, kept): (Vec<Edit>, Vec<Edit>) = self.decided.drain(..).partition(lost);
        self.decided = kept;
        let portable = |edit: &Edit| Decision::of(&self.read.history, edit, None);
        self.pending.extend(gone.iter().filter_map(portable));
        self.read.history.truncate(len as usize);
        self.cache.truncate(&self.read.history);
        self.plan = Plan::default();
    }

    /// The format's name.
    pub fn format(&self) -> String {
        self.read.detection.format.name().to_owned()
    }

    /// Plans a view and returns it as numbers: `[steps, current step, tokens before, tokens after, first changed
    /// message + 1 or 0, then edits and tokens saved of each pass, then the count of removed messages and these, then
    /// for each edit its message, its block's position there, and its key]`. Edits of a block with the same key stand
    /// for the same text.
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
        self.current_step = u32::try_from(current_step).unwrap_or(self.read.history.steps());
        if sticky {
            self.find_pending(host, messages);
        }
        let source = HostSource { host, messages, read: &self.read };
        let decided = if sticky { self.decided.as_slice() } else { &[] };
        let current_step = self.current_step;
        let request = Request { policy: policy.policy(), current_step, decided, idle };
        self.plan = project(&self.read.history, request, &source, &mut self.cache);
        if sticky {
            self.decided.clear();
            self.decided.extend_from_slice(self.plan.edits());
            self.decided.retain(Edit::is_lasting);
        }
        self.plan_numbers(policy.serial())
    }

    /// Takes over what earlier projections decided, as [`Session::state`] gave it; says how many of the decisions are
    /// none.
    pub fn restore(&mut self, decisions: &[u32]) -> usize {
        let rows = decisions.chunks(DECISION_NUMBERS);
        self.decided.clear();
        self.pending = rows.clone().filter_map(Decision::from_numbers).collect();
        rows.len() - self.pending.len()
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
        self.current_step = current_step;
        let source = HostSource { host, messages, read: &self.read };
        self.cache.fit(&self.read.history);
        let edits: Vec<Edit> = edits
            .chunks_exact(3)
            .filter_map(|numbers| {
                edit_of(&self.read.history, policy.policy(), numbers, &source, &mut self.cache)
            })
            .collect();
        self.plan = Plan::of(&self.read.history, &edits);
    }

    /// What the last plan decided, in a form that outlives the process: so many numbers for each edit.
    pub fn state(&mut self, host: &Host, messages: &JsValue, policy: &CompiledPolicy) -> Vec<u32> {
        let edits = self.plan.edits().to_vec();
        let mut numbers = Vec::with_capacity(DECISION_NUMBERS * edits.len());
        for edit in &edits {
            let text = self.text_of(host, messages, policy, edit);
            let decision = Decision::of(&self.read.history, edit, text.as_deref());
            numbers.extend(decision.into_iter().flat_map(Decision::to_numbers));
        }
        numbers
    }

    /// What stands where the `edit`-th edit of the last plan is; `undefined` where the block is taken out.
    pub fn replacement(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        edit: usize,
    ) -> Option<String> {
        let edit = *self.plan.edits().get(edit)?;
        self.text_of(host, messages, policy, &edit)
    }

    /// The way from a message to the place of the `edit`-th edit: a field is its key's number, an entry of a list is
    /// `-1 - index`. Empty for the whole message.
    pub fn path(&self, edit: usize) -> Vec<i32> {
        let Some(edit) = self.plan.edits().get(edit) else { return Vec::new() };
        let place = self.read.history[edit.block].place;
        let places = self.read.detection.format.places();
        let path = match edit.replacement {
            Replacement::Removed => places.block_path(place),
            Replacement::Outlined(_) | Replacement::Noted { .. } => places.arguments_path(place),
            _ => places.content_path(place),
        };
        let number = |step: &Step| match step {
            Step::Field(key) => *key as i32,
            Step::Item(index) => -1 - *index as i32,
        };
        path.iter().map(number).collect()
    }

    /// What stands at the place of the `edit`-th edit: the name of a `Slot`.
    pub fn slot(&self, edit: usize) -> Option<String> {
        let edit = self.plan.edits().get(edit)?;
        let places = self.read.detection.format.places();
        let slot = match edit.replacement {
            Replacement::Removed => places.entry_slot,
            Replacement::Outlined(_) | Replacement::Noted { .. } => Slot::Arguments,
            _ => places.content_slot(self.read.history[edit.block].place),
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
        let edits = self.plan.edits().to_vec();
        let mut reports = Vec::with_capacity(edits.len());
        for edit in &edits {
            let text = self.text_of(host, messages, policy, edit);
            reports.push(EditReport::of(&self.read.history, edit, self.current_step, text));
        }
        to_js(&reports)
    }

    /// What became of the blocks of one message in the last plan, and why.
    pub fn explain(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        message: usize,
    ) -> JsValue {
        let source = HostSource { host, messages, read: &self.read };
        let policy = policy.policy();
        let current_step = self.current_step;
        let request = Request { policy, current_step, decided: &[], idle: 0.0 };
        let view = View::of(&self.read.history, request, &source, &mut self.cache);
        to_js(&explain(&view, policy, &self.plan, message))
    }

    /// What the last plan did by pass.
    #[wasm_bindgen(js_name = passReports)]
    pub fn pass_reports(&self) -> JsValue {
        let passes = PassName::ALL.iter().zip(self.plan.passes());
        let report = |(pass, sums): (&PassName, &(usize, u64))| PassReport {
            pass: *pass,
            edits: sums.0,
            tokens_saved: sums.1,
        };
        to_js(&passes.map(report).collect::<Vec<_>>())
    }

    /// Every message with its blocks, in order.
    pub fn messages(&self) -> JsValue {
        to_js(&message_facts(&self.read.history))
    }

    /// The text of the `block`-th block of message `index` (`read_block`); empty where it has none.
    #[wasm_bindgen(js_name = blockText)]
    pub fn block_text(
        &self,
        host: &Host,
        messages: &JsValue,
        index: usize,
        block: usize,
    ) -> String {
        let mut bytes = Vec::new();
        if let Some(block) = self.read.history.blocks_of(index).1.get(block) {
            let message = HostMessages { host, messages }.peeked(index);
            let places = self.read.detection.format.places();
            read_block(places, block, &message, &mut |chunk| bytes.extend_from_slice(chunk));
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// How many assistant messages there are.
    pub fn steps(&self) -> u32 {
        self.read.history.steps()
    }

    /// Tokens by what they are spent on.
    pub fn usage(&self) -> JsValue {
        to_js(&TokensByKind::of(&self.read.history))
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
        let Some(age) = policy.policy().age.settings() else { return Vec::new() };
        let current_step = u32::try_from(current_step).unwrap_or(self.read.history.steps());
        let source = HostSource { host, messages, read: &self.read };
        self.cache.fit(&self.read.history);
        let mut texts = Vec::new();
        for file in active_files(&self.read.history, current_step, age) {
            let digest =
                file.newest_read.map(|(id, block)| self.cache.digest(id, block, &source).to_hex());
            texts.push(self.read.history.names().text(file.path).to_owned());
            texts.push(file.last_access_step.to_string());
            texts.push(digest.unwrap_or_default());
        }
        texts
    }

    /// Whether the first tool result of message `index` is cleared at this age.
    #[wasm_bindgen(js_name = shouldTruncate)]
    pub fn should_truncate(&self, index: usize, age: u32, policy: &CompiledPolicy) -> bool {
        let Some(settings) = policy.policy().age.settings() else { return false };
        let history = &self.read.history;
        let is_result = |block: &&Block| block.kind == BlockKind::ToolResult;
        history.blocks_of(index).1.iter().filter(is_result).any(|block| {
            let one = block.tool_use.and_then(|id| history.uses().get(id.0));
            one.is_some_and(|one| {
                should_truncate(one, history.names().text(one.tool), block.size, age, settings)
            })
        })
    }

    /// Plans that every tool result is cleared, whatever its age and size, and returns it as [`Session::plan`] does.
    #[wasm_bindgen(js_name = planPlaceholders)]
    pub fn plan_placeholders(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
    ) -> Vec<u32> {
        self.current_step = self.read.history.steps();
        let Some(age) = policy.policy().age.settings() else { return Vec::new() };
        let source = HostSource { host, messages, read: &self.read };
        let recall = policy.policy().recall;
        self.plan = age.clear_all(&self.read.history, recall, &source, &mut self.cache);
        self.plan_numbers(policy.serial())
    }
}

impl Session {
    /// Looks for the decisions that are to be taken over. What is not there now is dropped.
    fn find_pending(&mut self, host: &Host, messages: &JsValue) {
        if self.pending.is_empty() {
            return;
        }
        self.cache.fit(&self.read.history);
        let finder = Finder::new(&self.read.history);
        let found: Vec<Found> =
            self.pending.drain(..).filter_map(|decision| finder.find(&decision)).collect();
        for one in found {
            match one {
                Found::Edit(edit) => self.decided.push(edit),
                Found::Stub(id, block, digest) => {
                    let source = HostSource { host, messages, read: &self.read };
                    if self.cache.digest(id, block, &source).start() == digest {
                        self.read.history.mark_stub(id);
                    }
                }
            }
        }
        self.decided =
            stable_merge_sort(std::mem::take(&mut self.decided), |edit| edit.block.0 as u64);
        self.decided.dedup_by_key(|edit| edit.block);
    }

    fn plan_numbers(&self, serial: u32) -> Vec<u32> {
        let before = self.read.history.tokens();
        let saved: u64 = self.plan.passes().iter().map(|(_, saved)| saved).sum();
        let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let edits = self.plan.edits();
        let mut numbers = Vec::with_capacity(40 + 3 * edits.len());
        numbers.extend([self.read.history.steps(), self.current_step]);
        numbers.extend([number(before), number(before - saved)]);
        numbers.push(edits.first().map_or(0, |edit| edit.message as u32 + 1));
        numbers.extend(
            self.plan.passes().iter().flat_map(|(edits, saved)| [*edits as u32, number(*saved)]),
        );
        numbers.push(self.plan.removed_messages().len() as u32);
        numbers.extend(self.plan.removed_messages().iter().map(|index| *index as u32));
        for edit in edits {
            let position = self.read.history.position(edit.block) as u32;
            numbers.extend_from_slice(&[edit.message as u32, position, key_of(edit, serial)]);
        }
        numbers
    }

    fn text_of(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        edit: &Edit,
    ) -> Option<String> {
        let source = HostSource { host, messages, read: &self.read };
        replacement_text(&self.read.history, policy.policy(), edit, &source, &mut self.cache)
    }
}

/// Reads results from the messages that the host passed along.
pub(super) struct HostSource<'a> {
    pub host: &'a Host,
    pub messages: &'a JsValue,
    pub read: &'a ReadHistory,
}

impl HostSource<'_> {
    /// The message that a block stands in, and its place there.
    fn place(&self, block: BlockId) -> (HostValue<'_>, BlockPath) {
        let block = &self.read.history[block];
        let messages = HostMessages { host: self.host, messages: self.messages };
        (messages.peeked(block.message), block.place)
    }
}

impl Source for HostSource<'_> {
    fn read_result(&self, block: BlockId, sink: &mut dyn FnMut(&[u8])) {
        let (message, place) = self.place(block);
        self.read.detection.format.places().read_result(&message, place, sink);
    }

    fn read_arguments(&self, block: BlockId, sink: &mut dyn FnMut(&[u8])) {
        let (message, place) = self.place(block);
        self.read.detection.format.places().read_arguments(&message, place, sink);
    }
}
