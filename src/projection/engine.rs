//! The engine state of one history: the decisions made so far and the last plan. It does natively what the boundary
//! exposes. Each call is passed the facts and a reader of the contents, because both belong to the caller.

use super::binding::{Sent, unbound};
use super::content::reader::ContentReader;
use super::explain::{BlockReport, explain};
use super::ledger::Ledger;
use super::passes::{ActiveFile, active_files};
use super::pipeline::{Request, bare_view, prepare, project};
use super::plan::{Plan, PlannedEdit};
use super::policy::Policy;
use super::recall::find_result;
use super::registry::PassName;
use super::replacement::codec::Code;
use super::replacement::kind::Kind;
use super::report::{EditReport, PassReport};
use super::saved_edit::Found;
use super::sent_log::SentLog;
use super::summary::summary_text;
use super::view::cache::Cache;
use super::view::edit_text::replacement_text;
use crate::message::{BlockId, BlockKind, History, Problem, UseId};
use crate::tokens::estimate_tokens;

/// Numbers per edit in the array passed to JavaScript: message, position of the block in the message, and the two
/// numbers of pass and replacement ([`Engine::edit_numbers`]).
pub const EDIT_NUMBERS: usize = 4;

/// Length of the head of [`Engine::plan_numbers`]: `[steps, current step, tokens before, tokens after, first changed
/// message + 1 or 0, known requests, 1 if the plan waits for reasoning, number of removed messages]`. The removed
/// messages follow, then the edits.
pub const PLAN_HEAD: usize = 8;

/// The last plan of a history, and the decisions of all earlier plans.
#[derive(Debug, Default)]
pub struct Engine {
    cache: Cache,
    plan: Plan,
    current_step: u32,
    ledger: Ledger,
}

/// Options of one view.
#[derive(Clone, Copy)]
pub struct Ask<'p> {
    /// The settings.
    pub policy: &'p Policy,
    /// The step for which the view is made; `None` for the newest.
    pub step: Option<u32>,
    /// Whether the view applies earlier decisions and records its own.
    pub sticky: bool,
    /// Seconds since the last request; 0 if unknown.
    pub idle: f64,
    /// A checksum of what precedes the messages in the request: the system prompt and the tools.
    pub prefix: u32,
}

impl Engine {
    /// The last plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The step for which the last plan was made.
    pub fn current_step(&self) -> u32 {
        self.current_step
    }

    /// The decisions, and the requests that were sent.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// Replaces the decisions with `decided`, sorted by block.
    pub fn repeat(&mut self, decided: Vec<PlannedEdit>) {
        self.ledger.repeat(decided);
    }

    /// Plans a view. Call [`Engine::find_decisions`] before a sticky one, so that restored decisions apply.
    pub fn project(&mut self, history: &History, ask: Ask<'_>, reader: &dyn ContentReader) {
        self.current_step = ask.step.unwrap_or(history.steps());
        let decided = if ask.sticky { self.ledger.decided() } else { &[] };
        let Ask { policy, idle, .. } = ask;
        let sent = ask.sticky.then(|| self.ledger.sent_before(ask.prefix));
        let request = Request { policy, current_step: self.current_step, decided, idle, sent };
        self.plan = project(history, request, reader, &mut self.cache);
        if ask.sticky {
            self.ledger.record(history, &self.plan, ask.prefix, PassName::is_lasting);
        }
    }

    /// Searches the history for decisions that were restored, or whose messages were cut. Results that already contain
    /// the stub of such a decision are marked as stubs in the history, so that no pass edits them again. A decision
    /// whose text under this policy costs more than the content is dropped.
    pub fn find_decisions(
        &mut self,
        history: &mut History,
        policy: &Policy,
        reader: &dyn ContentReader,
    ) {
        let cache = &mut self.cache;
        cache.fit(history);
        let mut stubs = Vec::new();
        let mut take = |found| match found {
            Found::Edit(edit) => {
                let edit = measured(history, policy, edit, reader, cache);
                (edit.tokens <= edit.tokens_before).then_some(edit)
            }
            Found::Stub(id, block, digest) => {
                let is_stub = cache.texts.digest(history, id, block, reader).start() == digest;
                stubs.extend(is_stub.then_some(id));
                None
            }
        };
        self.ledger.find(history, PassName::puts, PassName::is_lasting, &mut take);
        stubs.into_iter().for_each(|id| history.mark_stub(id));
    }

    /// Plans to clear every tool result, regardless of age and size, with the stubs of the policy's age pass. Does
    /// nothing if the age pass is off.
    pub fn clear_all(&mut self, history: &History, policy: &Policy, reader: &dyn ContentReader) {
        let Some(age) = policy.age.settings() else { return };
        self.current_step = history.steps();
        self.plan = age.clear_all(history, policy.recall, reader, &mut self.cache);
    }

    /// Truncates the history to the first `messages` messages.
    pub fn truncate(&mut self, history: &mut History, messages: usize) {
        self.ledger.truncate(history, messages);
        history.truncate(messages);
        self.cache.truncate(history);
        self.plan = Plan::default();
    }

    /// Resets the state after the history was parsed again with another format.
    pub fn forget_facts(&mut self) {
        self.cache = Cache::default();
        self.plan = Plan::default();
        self.ledger.forget_requests();
    }

    /// Returns the last plan as numbers: its head ([`PLAN_HEAD`]), the removed messages, and the edits
    /// ([`Engine::edit_numbers`]).
    pub fn plan_numbers(&self, history: &History) -> Vec<u32> {
        let (edits, removed) = (self.plan.edits(), self.plan.removed_messages());
        let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let tokens = history.tokens();
        let head: [u32; PLAN_HEAD] = [
            history.steps(),
            self.current_step,
            number(tokens),
            number(tokens - self.plan.saved()),
            edits.first().map_or(0, |edit| edit.message as u32 + 1),
            self.ledger.sent().len() as u32,
            u32::from(self.plan.waits_for_reasoning),
            removed.len() as u32,
        ];
        let mut numbers = head.to_vec();
        numbers.extend(removed.iter().map(|index| *index as u32));
        // There can be thousands of edits at every step, so each is written in place instead of appended.
        let start = numbers.len();
        numbers.resize(start + EDIT_NUMBERS * edits.len(), 0);
        for (place, edit) in numbers[start..].as_chunks_mut().0.iter_mut().zip(edits) {
            *place = Self::edit_numbers(edit);
        }
        numbers
    }

    /// Returns an edit as numbers: message, position of the block in it, one number with a byte each for pass, kind and
    /// flags, and the value of the replacement ([`Code`]). Under one policy, edits of a block with equal numbers have
    /// the same text.
    pub fn edit_numbers(edit: &PlannedEdit) -> [u32; EDIT_NUMBERS] {
        let Code { kind, flags, value } = Code::of(edit.replacement);
        let head = u32::from_le_bytes([edit.pass as u8, kind as u8, flags, 0]);
        [edit.message as u32, edit.position, head, value]
    }

    /// Restores an earlier plan from its numbers ([`Engine::plan_numbers`]), so that it can be described; an empty plan at
    /// step 0 if there are none.
    pub fn load(
        &mut self,
        history: &History,
        policy: &Policy,
        numbers: &[u32],
        reader: &dyn ContentReader,
    ) {
        let head: [u32; PLAN_HEAD] = numbers.first_chunk().copied().unwrap_or_default();
        let [_, current_step, _, _, _, _, waits, removed] = head;
        let edits = numbers.get(PLAN_HEAD + removed as usize..).unwrap_or_default();
        self.current_step = current_step;
        self.cache.fit(history);
        let mut edit_of = |numbers: &[u32]| {
            Some(measured(history, policy, bare_edit(history, numbers)?, reader, &mut self.cache))
        };
        let edits: Vec<PlannedEdit> =
            edits.chunks_exact(EDIT_NUMBERS).filter_map(&mut edit_of).collect();
        self.plan = Plan::of(history, &edits);
        self.plan.waits_for_reasoning = waits != 0;
    }

    /// Serializes the decisions of the last plan and the first `requests` requests, to be saved (`Ledger::to_numbers`).
    pub fn state(
        &mut self,
        history: &History,
        policy: &Policy,
        requests: usize,
        reader: &dyn ContentReader,
    ) -> Vec<u32> {
        let cache = &mut self.cache;
        let text =
            |edit: &PlannedEdit| replacement_text(history, policy, edit, reader, &mut *cache);
        self.ledger.to_numbers(history, &self.plan, requests, PassName::is_lasting, text)
    }

    /// Restores the output of [`Engine::state`]. Returns the number of rows that are not valid edits.
    pub fn restore(&mut self, state: &[u32]) -> usize {
        self.ledger.restore(state)
    }

    /// The replacement text of an edit; `None` if the block is removed.
    pub fn text(
        &mut self,
        history: &History,
        policy: &Policy,
        edit: &PlannedEdit,
        reader: &dyn ContentReader,
    ) -> Option<String> {
        replacement_text(history, policy, edit, reader, &mut self.cache)
    }

    /// Describes the edits of the last plan.
    pub fn edit_reports(
        &mut self,
        history: &History,
        policy: &Policy,
        reader: &dyn ContentReader,
    ) -> Vec<EditReport> {
        let (step, cache) = (self.current_step, &mut self.cache);
        let report = |edit: &PlannedEdit| {
            let text = replacement_text(history, policy, edit, reader, &mut *cache);
            EditReport::of(history, edit, step, text)
        };
        self.plan.edits().iter().map(report).collect()
    }

    /// Summarizes the last plan by pass.
    pub fn pass_reports(&self, history: &History) -> Vec<PassReport> {
        PassReport::all(history, &self.plan)
    }

    /// Signed reasoning in the last view whose preceding content differs from when it was made, as positions in the
    /// view: `[message, block]`. If `knows_requests` is false, nothing is known about requests, and all reasoning is
    /// assumed to have been made after the unedited history.
    pub fn unbound(&self, history: &History, knows_requests: bool) -> Vec<[usize; 2]> {
        let nothing = SentLog::default();
        let sent = if knows_requests {
            self.ledger.sent_so_far()
        } else {
            Sent { log: &nothing, unknown_from: None }
        };
        let edits = self.plan.edits().iter();
        let removed = edits.filter(|edit| edit.replacement.is_removed());
        let removed: Vec<BlockId> = removed.map(|edit| edit.block).collect();
        let removed_before = |block: BlockId| removed.partition_point(|gone| *gone < block);
        let place = |block: &BlockId| {
            let message = history[*block].message;
            let first = BlockId(history.blocks_of(message).0);
            let gone = self.plan.removed_messages().partition_point(|index| *index < message);
            let before = removed_before(*block) - removed_before(first);
            [message - gone, history.position(*block) - before]
        };
        unbound(history, &self.plan, sent).iter().map(place).collect()
    }

    /// Explains for each block of a message whether the last plan keeps or edits it, and why.
    pub fn explain(
        &mut self,
        history: &History,
        policy: &Policy,
        message: usize,
        reader: &dyn ContentReader,
    ) -> Vec<BlockReport> {
        let current_step = self.current_step;
        let request = Request { policy, current_step, decided: &[], idle: 0.0, sent: None };
        let shown = prepare(history, request, reader, &mut self.cache);
        let view = bare_view(history, request, reader, &mut self.cache, &shown);
        explain(&view, policy, &self.plan, message)
    }

    /// Returns the call and the result that a reference names, with the digest of the content verified.
    pub fn recall(
        &mut self,
        history: &History,
        reference: &str,
        reader: &dyn ContentReader,
    ) -> Result<(UseId, BlockId), Problem> {
        find_result(history, reference, reader, &mut self.cache)
    }

    /// The SHA-256 digest of a result's content in hexadecimal digits.
    pub fn digest(
        &mut self,
        history: &History,
        id: UseId,
        block: BlockId,
        reader: &dyn ContentReader,
    ) -> String {
        self.cache.fit(history);
        self.cache.texts.digest(history, id, block, reader).to_hex()
    }

    /// The active files at a step (`None` for the newest), as three strings each: the path, the step of the last
    /// access, and the digest of the newest result that shows the file, or an empty string. Empty if the policy has no
    /// age pass.
    pub fn active_files(
        &mut self,
        history: &History,
        policy: &Policy,
        step: Option<u32>,
        reader: &dyn ContentReader,
    ) -> Vec<[String; 3]> {
        let Some(age) = policy.age.settings() else { return Vec::new() };
        let texts = |file: ActiveFile| {
            let newest = file.newest_read;
            let digest = newest.map(|(id, block)| self.digest(history, id, block, reader));
            let path = history.names().text(file.path).to_owned();
            [path, file.last_access_step.to_string(), digest.unwrap_or_default()]
        };
        let files = active_files(history, step.unwrap_or(history.steps()), age);
        files.into_iter().map(texts).collect()
    }

    /// Summarizes each tool result of a message in one line.
    pub fn summaries(history: &History, message: usize, reader: &dyn ContentReader) -> Vec<String> {
        let (first, blocks) = history.blocks_of(message);
        let results = blocks.iter().enumerate().filter(|(_, b)| b.kind == BlockKind::ToolResult);
        let lines = results.filter_map(|(i, block)| {
            Some(summary_text(history, block.tool_use?, BlockId(first + i), reader))
        });
        lines.collect()
    }
}

/// The edit with the tokens of its text under a policy.
fn measured(
    history: &History,
    policy: &Policy,
    edit: PlannedEdit,
    reader: &dyn ContentReader,
    cache: &mut Cache,
) -> PlannedEdit {
    let text = replacement_text(history, policy, &edit, reader, cache);
    PlannedEdit { tokens: text.map_or(0, |text| estimate_tokens(text.len() as u64)), ..edit }
}

/// Decodes an edit from its numbers, with 0 tokens, because its text is not known yet. `None` if they are not a valid
/// edit.
fn bare_edit(history: &History, numbers: &[u32]) -> Option<PlannedEdit> {
    let [message, position, head, value] = *numbers else { return None };
    let (first, blocks) = history.blocks_of(message as usize);
    blocks.get(position as usize)?;
    let [pass, kind, flags, _] = head.to_le_bytes();
    let pass = PassName::from_code(pass.into())?;
    let code = Code { kind: Kind::of_number(kind.into())?, flags, value };
    let replacement = code.replacement()?;
    if replacement.rests_on().is_some_and(|id| id.0 >= history.uses().len()) {
        return None;
    }
    let block = BlockId(first + position as usize);
    Some(PlannedEdit::of(history, block, pass, replacement, 0))
}
