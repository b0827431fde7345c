//! The plan: all edits of one projection, and what they mean for the passes that come later.

mod marks;
mod planned_edit;

pub use planned_edit::PlannedEdit;

use super::registry::PassName;
use super::replacement::kind::Replacement;
use crate::message::{Block, BlockId, History, UseId, stable_merge_sort};
use marks::Marks;

/// The edits of one projection. Calls and results of a tool use are edited together or not at all.
#[derive(Debug, Default)]
pub struct Plan {
    edits: Vec<PlannedEdit>,
    /// What is planned for each tool use.
    marks: Vec<Marks>,
    /// How many of the edits were decided by earlier projections: they come first until the plan is finished.
    decided: usize,
    /// Pointers of earlier projections that may go, since what they name may.
    released: Vec<PlannedEdit>,
    /// Messages that are taken out whole, in order.
    removed_messages: Vec<usize>,
    /// Tokens saved by all edits so far.
    saved: u64,
    /// Whether reasoning that stays kept passes from what stands before it.
    pub waits_for_reasoning: bool,
}

impl Plan {
    /// An empty plan for a history.
    pub fn new(history: &History) -> Self {
        let uses = history.uses().len();
        Self { edits: Vec::with_capacity(uses), marks: vec![Marks(0); uses], ..Self::default() }
    }

    /// The plan that repeats what earlier projections decided.
    pub fn repeating(history: &History, decided: impl Iterator<Item = PlannedEdit>) -> Self {
        let mut plan = Self::new(history);
        decided.for_each(|edit| plan.add(history, edit));
        plan.decided = plan.edits.len();
        plan
    }

    /// The plan of these edits.
    pub fn of(history: &History, edits: &[PlannedEdit]) -> Self {
        let mut plan = Self::repeating(history, edits.iter().copied());
        plan.finish(history);
        plan
    }

    /// Tokens that the edits save which this projection decided and which `may_wait`.
    pub fn newly_saved(&self, history: &History, may_wait: impl Fn(PassName) -> bool) -> u64 {
        let waiting = self.edits[self.decided..].iter().filter(|edit| may_wait(edit.pass));
        let saved: u64 = waiting.map(|edit| edit.saves(history)).sum();
        let released = self.released.iter().filter(|edit| may_wait(edit.pass));
        saved.saturating_sub(released.map(|edit| edit.saves(history)).sum())
    }

    /// Takes back what this projection decided and which `may_wait`.
    pub fn take_back(&mut self, history: &History, may_wait: impl Fn(PassName) -> bool) {
        let decided = self.decided;
        let edits = std::mem::take(&mut self.edits);
        let released = std::mem::take(&mut self.released);
        *self = Self::new(history);
        for (i, edit) in edits.into_iter().enumerate() {
            if i < decided || !may_wait(edit.pass) {
                self.add(history, edit);
            }
        }
        self.decided = decided;
        released.into_iter().for_each(|edit| self.add(history, edit));
    }

    /// What earlier projections decided of a block.
    pub fn decided(&self, block: BlockId) -> Option<&PlannedEdit> {
        edit_of(&self.edits[..self.decided], block)
    }

    /// Tokens that a block saves by what earlier projections decided.
    pub fn decided_saving(&self, history: &History, block: BlockId) -> u64 {
        self.decided(block).map_or(0, |edit| edit.saves(history))
    }

    /// Tokens saved by all edits so far.
    pub fn saved(&self) -> u64 {
        self.saved
    }

    /// How many blocks a pass edited.
    pub fn count(&self, pass: PassName) -> usize {
        self.edits.iter().filter(|edit| edit.pass == pass).count()
    }

    /// The edits, in the order of their blocks once the plan is finished.
    pub fn edits(&self) -> &[PlannedEdit] {
        &self.edits
    }

    /// Messages that lose every block, in order.
    pub fn removed_messages(&self) -> &[usize] {
        &self.removed_messages
    }

    fn has(&self, id: UseId, any: u8) -> bool {
        self.marks.get(id.0).is_some_and(|marks| marks.has(any))
    }

    /// Whether this tool use's result is edited.
    pub fn is_edited(&self, id: UseId) -> bool {
        self.has(id, Marks::EDITED)
    }

    /// Whether call and result are taken out.
    pub fn is_gone(&self, id: UseId) -> bool {
        self.has(id, Marks::GONE)
    }

    /// Whether later passes leave this tool use's result alone: it is edited, or held.
    pub fn is_taken(&self, id: UseId) -> bool {
        self.has(id, Marks::TAKEN)
    }

    /// Whether this tool use's result must stay as earlier projections left it.
    pub fn is_held(&self, id: UseId) -> bool {
        self.has(id, Marks::HELD)
    }

    /// Whether later passes leave this call alone.
    pub fn is_call_taken(&self, id: UseId) -> bool {
        self.has(id, Marks::CALL_TAKEN)
    }

    /// Whether a pointer names the result of this tool use.
    pub fn is_referred(&self, id: UseId) -> bool {
        self.has(id, Marks::REFERRED)
    }

    /// Whether nothing is left to see of a result, not even that it failed.
    pub fn is_outcome_hidden(&self, id: UseId) -> bool {
        self.has(id, Marks::OUTCOME_HIDDEN)
    }

    /// Keeps later passes from this call.
    pub fn take_call(&mut self, id: UseId) {
        self.marks[id.0].0 |= Marks::CALL_TAKEN;
    }

    /// Keeps later passes from this result, and from what earlier projections left of it.
    pub fn hold_result(&mut self, id: UseId) {
        self.marks[id.0].0 |= Marks::HELD;
    }

    /// Notes that a pointer names the result of this tool use, which later passes must leave in full.
    pub fn refer_to(&mut self, id: UseId) {
        self.marks[id.0].0 |= Marks::REFERRED;
    }

    /// Plans that the tool use's result is replaced by something of `tokens`.
    pub fn replace(
        &mut self,
        history: &History,
        id: UseId,
        pass: PassName,
        replacement: Replacement,
        tokens: u64,
    ) {
        if let Some(block) = history[id].result {
            self.replace_block(history, block, pass, replacement, tokens);
        }
    }

    /// Plans that a block is replaced by something of `tokens`.
    pub fn replace_block(
        &mut self,
        history: &History,
        block: BlockId,
        pass: PassName,
        replacement: Replacement,
        tokens: u64,
    ) {
        self.add(history, PlannedEdit::of(history, block, pass, replacement, tokens));
    }

    /// Plans that call and result are taken out together.
    pub fn remove(&mut self, history: &History, id: UseId, pass: PassName) {
        let tool_use = &history[id];
        for block in [tool_use.call, tool_use.result].into_iter().flatten() {
            self.replace_block(history, block, pass, Replacement::Removed, 0);
        }
    }

    /// Takes pointers back, but for those to tool uses that are `held`: they, and what they name, then stand in full.
    pub fn release(&mut self, history: &History, held: &[bool]) {
        let goes = |edit: &PlannedEdit| edit.replacement.names().is_some_and(|of| !held[of.0]);
        self.released.clear();
        // Few plans have pointers, and taking some out goes through all edits slowly.
        if self.edits.iter().any(goes) {
            self.released = self.edits.extract_if(.., |edit| goes(edit)).collect();
        }
        self.decided -= self.released.len();
        for edit in &self.released {
            let (Some(id), Some(of)) = (edit.tool_use, edit.replacement.names()) else { continue };
            self.marks[id.0].0 &= !Marks::EDITED;
            self.marks[of.0].0 &= !Marks::REFERRED;
            self.saved -= edit.saves(history);
        }
    }

    fn add(&mut self, history: &History, edit: PlannedEdit) {
        if let Some(id) = edit.tool_use {
            let is_call = history[id].call == Some(edit.block);
            let hides = match edit.replacement {
                // The retire pass decides about calls by itself.
                Replacement::Cleared(style) => !style.brief,
                Replacement::Placeholder | Replacement::Ephemeral | Replacement::Removed => true,
                _ => false,
            };
            let marks = if is_call { Marks::CALL_TAKEN } else { Marks::EDITED };
            let hidden = if hides { Marks::OUTCOME_HIDDEN } else { 0 };
            let gone = if edit.replacement == Replacement::Removed { Marks::GONE } else { 0 };
            self.marks[id.0].0 |= marks + hidden + gone;
        }
        if let Some(of) = edit.replacement.names() {
            self.refer_to(of);
        }
        self.saved += edit.saves(history);
        self.edits.push(edit);
    }

    /// Puts the edits in the order of their blocks.
    pub fn order(&mut self) {
        if !self.edits.is_sorted_by_key(|edit| edit.block) {
            let edits = std::mem::take(&mut self.edits);
            self.edits = stable_merge_sort(edits, |edit| edit.block.0 as u64);
        }
    }

    /// The edit of a block, of a plan whose edits are in order.
    pub fn edit(&self, block: BlockId) -> Option<&PlannedEdit> {
        edit_of(&self.edits, block)
    }

    /// Whether a block is edited, of a plan whose edits are in order.
    pub fn has_edit(&self, block: BlockId) -> bool {
        self.edit(block).is_some()
    }

    /// Whether a block is taken out, of a plan whose edits are in order.
    pub fn removes(&self, block: BlockId) -> bool {
        self.edit(block).is_some_and(|edit| edit.replacement == Replacement::Removed)
    }

    /// Puts the edits in order and works out which messages are left with nothing.
    pub fn finish(&mut self, history: &History) {
        self.order();
        let removed = |edit: &&PlannedEdit| edit.replacement == Replacement::Removed;
        if !self.edits.iter().any(|edit| removed(&edit)) {
            return;
        }
        let counts = |block: &&Block| !block.is_nothing();
        for group in self.edits.chunk_by(|a, b| a.message == b.message) {
            let (_, blocks) = history.blocks_of(group[0].message);
            if group.iter().filter(removed).count() == blocks.iter().filter(counts).count() {
                self.removed_messages.push(group[0].message);
            }
        }
    }
}

/// The edit of a block among edits that are in the order of their blocks.
fn edit_of(edits: &[PlannedEdit], block: BlockId) -> Option<&PlannedEdit> {
    edits.get(edits.binary_search_by_key(&block, |edit| edit.block).ok()?)
}
