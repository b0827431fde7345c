//! The plan: all edits of one projection, and what they mean for later passes.

mod before;
mod marks;
mod planned_edit;

pub use before::{Before, first_difference};
pub use planned_edit::PlannedEdit;

use super::registry::PassName;
use super::replacement::kind::Replacement;
use super::replacement::texts::ephemeral_stub;
use crate::message::{Block, BlockId, History, UseId};
use crate::tokens::estimate_tokens;
use marks::Marks;

/// The edits of one projection. A call and its result are removed together or not at all.
#[derive(Debug, Default)]
pub struct Plan {
    edits: Vec<PlannedEdit>,
    /// The flags of each tool use.
    marks: Vec<Marks>,
    /// Number of edits that earlier projections decided. They come first until the plan is finished.
    decided: usize,
    /// Pointers of earlier projections that were released, because their targets can be cleared.
    released: Vec<PlannedEdit>,
    /// Messages that are removed as a whole, in order.
    removed_messages: Vec<usize>,
    /// Estimated tokens saved by all edits so far.
    saved: u64,
    /// Whether edits wait because reasoning that must be kept follows their blocks.
    pub waits_for_reasoning: bool,
}

impl Plan {
    /// An empty plan for a history.
    pub fn new(history: &History) -> Self {
        Self::repeating(history, Vec::with_capacity(history.uses().len()))
    }

    /// A plan that starts with the decisions of earlier projections, sorted by block.
    pub fn repeating(history: &History, decided: Vec<PlannedEdit>) -> Self {
        let mut plan = Self { marks: vec![Marks(0); history.uses().len()], ..Self::default() };
        decided.iter().for_each(|edit| plan.mark(history, edit));
        plan.decided = decided.len();
        plan.edits = decided;
        plan
    }

    /// A finished plan of these edits.
    pub fn of(history: &History, edits: &[PlannedEdit]) -> Self {
        let mut plan = Self::repeating(history, edits.to_vec());
        plan.finish(history);
        plan
    }

    /// Estimated tokens saved by the edits of this projection whose passes `may_wait`, minus the savings of released
    /// pointers.
    pub fn newly_saved(&self, history: &History, may_wait: impl Fn(PassName) -> bool) -> u64 {
        let waiting = self.edits[self.decided..].iter().filter(|edit| may_wait(edit.pass));
        let saved: u64 = waiting.map(|edit| edit.saves(history)).sum();
        let released = self.released.iter().filter(|edit| may_wait(edit.pass));
        saved.saturating_sub(released.map(|edit| edit.saves(history)).sum())
    }

    /// Undoes the decisions of this projection whose passes `may_wait`, and restores released pointers.
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

    /// The decision of earlier projections about a block.
    pub fn decided(&self, block: BlockId) -> Option<&PlannedEdit> {
        edit_of(self.all_decided(), block)
    }

    /// The decisions of earlier projections, sorted by block.
    pub fn all_decided(&self) -> &[PlannedEdit] {
        &self.edits[..self.decided]
    }

    /// Estimated tokens saved by all edits so far.
    pub fn saved(&self) -> u64 {
        self.saved
    }

    /// Number of blocks that a pass edited.
    pub fn count(&self, pass: PassName) -> usize {
        self.edits.iter().filter(|edit| edit.pass == pass).count()
    }

    /// The edits, sorted by block once the plan is finished.
    pub fn edits(&self) -> &[PlannedEdit] {
        &self.edits
    }

    /// Messages whose blocks are all removed, in order.
    pub fn removed_messages(&self) -> &[usize] {
        &self.removed_messages
    }

    fn has(&self, id: UseId, any: u16) -> bool {
        self.marks.get(id.0).is_some_and(|marks| marks.has(any))
    }

    /// Whether the result of this tool use is edited.
    pub fn is_edited(&self, id: UseId) -> bool {
        self.has(id, Marks::EDITED)
    }

    /// Whether call and result are removed.
    pub fn is_gone(&self, id: UseId) -> bool {
        self.has(id, Marks::GONE)
    }

    /// Whether later passes must not edit the result of this tool use, because it is edited or held.
    pub fn is_taken(&self, id: UseId) -> bool {
        self.has(id, Marks::TAKEN)
    }

    /// Whether the result of this tool use must stay as earlier projections left it.
    pub fn is_held(&self, id: UseId) -> bool {
        self.has(id, Marks::HELD)
    }

    /// Whether later passes must not edit this call, because it is edited or held.
    pub fn is_call_taken(&self, id: UseId) -> bool {
        self.has(id, Marks::CALL_TAKEN | Marks::CALL_HELD)
    }

    /// Whether this call must stay as earlier projections left it.
    pub fn is_call_held(&self, id: UseId) -> bool {
        self.has(id, Marks::CALL_HELD)
    }

    /// Whether of this call only the texts that an edit replaced are cut.
    pub fn is_old_cut(&self, id: UseId) -> bool {
        self.has(id, Marks::OLD_CUT)
    }

    /// Whether this call contains a note of several edits.
    pub fn is_noted(&self, id: UseId) -> bool {
        self.has(id, Marks::NOTED)
    }

    /// Whether a pointer refers to the result of this tool use.
    pub fn is_referred(&self, id: UseId) -> bool {
        self.has(id, Marks::REFERRED)
    }

    /// Both at once: every view asks this of every tool use.
    #[inline(always)]
    pub fn is_taken_or_referred(&self, id: UseId) -> bool {
        self.has(id, Marks::TAKEN | Marks::REFERRED)
    }

    /// Whether the view hides a result completely, even whether it failed.
    pub fn is_outcome_hidden(&self, id: UseId) -> bool {
        self.has(id, Marks::OUTCOME_HIDDEN)
    }

    /// Counts the result of this tool use as edited: the history holds its stub.
    pub fn take_result(&mut self, id: UseId) {
        self.marks[id.0].0 |= Marks::EDITED;
    }

    /// Prevents later passes from editing this call.
    pub fn take_call(&mut self, id: UseId) {
        self.marks[id.0].0 |= Marks::CALL_TAKEN;
    }

    /// Prevents later passes from editing this call, or changing what earlier projections left of it.
    pub fn hold_call(&mut self, id: UseId) {
        self.marks[id.0].0 |= Marks::CALL_HELD;
    }

    /// Prevents later passes from editing this result, or changing what earlier projections left of it.
    pub fn hold_result(&mut self, id: UseId) {
        self.marks[id.0].0 |= Marks::HELD;
    }

    /// Records that a pointer refers to the result of this tool use, which later passes must leave in full.
    pub fn refer_to(&mut self, id: UseId) {
        self.marks[id.0].0 |= Marks::REFERRED;
    }

    /// Replaces a block; `tokens` are the estimated tokens of the replacement.
    ///
    /// An ephemeral result that goes before its turn is over gets its last stub at once: a summary or the ends of it would
    /// stay after the turn, and a reference to it is refused.
    pub fn replace(
        &mut self,
        history: &History,
        block: BlockId,
        pass: PassName,
        replacement: Replacement,
        tokens: u64,
    ) {
        let ephemeral = history[block].tool_use.map(|id| &history[id]).filter(|one| one.ephemeral);
        let (replacement, tokens) = match ephemeral.filter(|_| replacement.shows_result()) {
            Some(one) => {
                let stub = ephemeral_stub(history[block].tokens, one.is_error);
                (Replacement::Ephemeral, estimate_tokens(stub.len() as u64))
            }
            None => (replacement, tokens),
        };
        self.add(history, PlannedEdit::of(history, block, pass, replacement, tokens));
    }

    /// Removes call and result together.
    pub fn remove(&mut self, history: &History, id: UseId, pass: PassName) {
        let tool_use = &history[id];
        for block in [tool_use.call, tool_use.result].into_iter().flatten() {
            self.replace(history, block, pass, Replacement::Removed, 0);
        }
    }

    /// Undoes the decision of earlier projections about a block, so that it can be edited again.
    pub fn undo(&mut self, history: &History, block: BlockId) {
        let decided = &self.edits[..self.decided];
        if let Ok(at) = decided.binary_search_by_key(&block, |edit| edit.block) {
            self.saved -= self.edits.remove(at).saves(history);
            self.decided -= 1;
        }
    }

    /// Undoes pointers, except those to tool uses that are `held`. The results of undone pointers and their targets are
    /// then shown in full.
    pub fn release(&mut self, history: &History, held: &[bool]) {
        let goes = |edit: &PlannedEdit| edit.replacement.names().is_some_and(|of| !held[of.0]);
        self.released.clear();
        // Few plans have pointers, and `extract_if` is slow over all edits.
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
        self.mark(history, &edit);
        self.edits.push(edit);
    }

    /// Notes what an edit means for later passes.
    fn mark(&mut self, history: &History, edit: &PlannedEdit) {
        if let Some(id) = edit.tool_use {
            self.marks[id.0].0 |= match edit.replacement {
                // The retire pass decides about calls itself.
                Replacement::Cleared(style) if style.brief => Marks::EDITED,
                Replacement::Cleared(_) | Replacement::Placeholder => {
                    Marks::EDITED | Marks::OUTCOME_HIDDEN
                }
                // The stub of ephemeral content tells a failure.
                Replacement::Ephemeral
                | Replacement::Reread { .. }
                | Replacement::Duplicate { .. }
                | Replacement::Clipped => Marks::EDITED,
                Replacement::Trimmed(trim) if trim.old_only => Marks::CALL_TAKEN | Marks::OLD_CUT,
                Replacement::Trimmed(_) => Marks::CALL_TAKEN,
                Replacement::Noted { .. } => Marks::CALL_TAKEN | Marks::NOTED,
                Replacement::Removed if history[id].call == Some(edit.block) => {
                    Marks::CALL_TAKEN | Marks::OUTCOME_HIDDEN | Marks::GONE
                }
                Replacement::Removed => Marks::EDITED | Marks::OUTCOME_HIDDEN | Marks::GONE,
            };
        }
        if let Some(of) = edit.replacement.names() {
            self.refer_to(of);
        }
        self.saved += edit.saves(history);
    }

    /// Sorts the edits by block.
    pub fn order(&mut self) {
        self.edits = PlannedEdit::sorted(std::mem::take(&mut self.edits));
    }

    /// The edit of a block. The edits must be sorted.
    pub fn edit(&self, block: BlockId) -> Option<&PlannedEdit> {
        edit_of(&self.edits, block)
    }

    /// Whether a block is edited. The edits must be sorted.
    pub fn has_edit(&self, block: BlockId) -> bool {
        self.edit(block).is_some()
    }

    /// Whether a block is removed. The edits must be sorted.
    pub fn removes(&self, block: BlockId) -> bool {
        self.edit(block).is_some_and(|edit| edit.replacement.is_removed())
    }

    /// Sorts the edits and finds the messages that have no blocks left.
    pub fn finish(&mut self, history: &History) {
        self.order();
        let removed = |edit: &&PlannedEdit| edit.replacement.is_removed();
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

/// The edit of a block in a list that is sorted by block.
fn edit_of(edits: &[PlannedEdit], block: BlockId) -> Option<&PlannedEdit> {
    edits.get(edits.binary_search_by_key(&block, |edit| edit.block).ok()?)
}
