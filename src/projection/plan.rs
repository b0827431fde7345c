//! The plan: all edits of one projection, and what they mean for the passes that come later.

use super::edit::{Edit, PassName, Replacement};
use super::outline::MIN_CHARS;
use super::policy::PLACEHOLDER_LIMIT;
use super::source::StubFacts;
use super::stub::{StubKey, StubStyle, is_worth};
use super::{Policy, View};
use crate::message::{Block, BlockId, BlockKind, History, ToolUse, UseId, stable_merge_sort};

/// The edits of one projection. Calls and results of a tool use are edited together or not at all.
#[derive(Debug, Default)]
pub struct Plan {
    edits: Vec<Edit>,
    taken: Vec<bool>,
    /// The same of calls, whose arguments are edited without their results.
    taken_calls: Vec<bool>,
    /// Tool uses of whose results nothing is left to see, not even that they failed.
    hidden: Vec<bool>,
    /// How many of the edits were decided by earlier projections: they come first until the plan is finished.
    decided: usize,
    /// Tool uses whose results a pointer names: they stay in full.
    referred: Vec<bool>,
    /// Tool uses whose results must stay as earlier projections left them.
    held: Vec<bool>,
    /// Pointers of earlier projections that may go, since what they name may.
    released: Vec<Edit>,
    /// Messages that are taken out whole, in order.
    removed_messages: Vec<usize>,
    /// Edits and tokens saved, by pass in the order of [`PassName::ALL`].
    passes: [(usize, u64); PassName::ALL.len()],
}

impl Plan {
    /// An empty plan for a history.
    pub fn new(history: &History) -> Self {
        Self {
            edits: Vec::with_capacity(history.uses().len()),
            taken: vec![false; history.uses().len()],
            taken_calls: vec![false; history.uses().len()],
            hidden: vec![false; history.uses().len()],
            decided: 0,
            referred: vec![false; history.uses().len()],
            held: vec![false; history.uses().len()],
            released: Vec::new(),
            removed_messages: Vec::new(),
            passes: Default::default(),
        }
    }

    /// The plan that repeats what earlier projections decided.
    pub fn repeating(history: &History, policy: &Policy, decided: &[Edit]) -> Self {
        let mut plan = Self::new(history);
        for edit in decided {
            if policy.has(edit.pass) {
                plan.mark(history, edit);
                plan.edits.push(*edit);
            }
        }
        plan.decided = plan.edits.len();
        plan
    }

    /// The plan of these edits.
    pub fn of(history: &History, edits: &[Edit]) -> Self {
        let mut plan = Self::new(history);
        edits.iter().for_each(|edit| plan.add(history, *edit));
        plan.finish(history);
        plan
    }

    /// Tokens that the edits save which this projection decided and may put off.
    pub fn newly_saved(&self, history: &History) -> u64 {
        let saved = |edits: &[Edit]| -> u64 {
            let waiting = edits.iter().filter(|edit| edit.can_wait());
            waiting.map(|edit| history[edit.block].tokens.saturating_sub(edit.tokens)).sum()
        };
        saved(&self.edits[self.decided..]).saturating_sub(saved(&self.released))
    }

    /// Takes back what this projection decided and may put off.
    pub fn take_back(&mut self, history: &History) {
        let decided = self.decided;
        let edits = std::mem::take(&mut self.edits);
        let released = std::mem::take(&mut self.released);
        *self = Self::new(history);
        for (i, edit) in edits.into_iter().enumerate() {
            if i < decided || !edit.can_wait() {
                self.add(history, edit);
            }
        }
        self.decided = decided;
        released.into_iter().for_each(|edit| self.add(history, edit));
    }

    /// What earlier projections decided of a block.
    pub fn decided(&self, block: BlockId) -> Option<&Edit> {
        let edits = &self.edits[..self.decided];
        let at = edits.binary_search_by_key(&block, |edit| edit.block).ok()?;
        edits.get(at)
    }

    /// Tokens that a block saves by what earlier projections decided.
    pub fn decided_saving(&self, history: &History, block: BlockId) -> u64 {
        let tokens = history[block].tokens;
        self.decided(block).map_or(0, |edit| tokens.saturating_sub(edit.tokens))
    }

    /// Tokens saved by all edits so far.
    pub fn saved(&self) -> u64 {
        self.passes.iter().map(|(_, saved)| saved).sum()
    }

    /// How many blocks a pass edited.
    pub fn count(&self, pass: PassName) -> usize {
        self.passes[pass as usize].0
    }

    /// The edits, in the order of their blocks once the plan is finished.
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Edits and tokens saved, by pass in the order of [`PassName::ALL`].
    pub fn passes(&self) -> &[(usize, u64)] {
        &self.passes
    }

    /// Messages that lose every block, in order.
    pub fn removed_messages(&self) -> &[usize] {
        &self.removed_messages
    }

    /// Whether an edit of this tool use's result was planned already.
    pub fn is_taken(&self, id: UseId) -> bool {
        self.taken.get(id.0).copied().unwrap_or(true)
    }

    /// Whether an edit of this call was planned already, or is not to be.
    pub fn is_call_taken(&self, id: UseId) -> bool {
        self.taken_calls.get(id.0).copied().unwrap_or(true)
    }

    /// Keeps later passes from this call.
    pub fn take_call(&mut self, id: UseId) {
        self.taken_calls[id.0] = true;
    }

    /// Keeps later passes from this result, and from what earlier projections left of it.
    pub fn hold_result(&mut self, id: UseId) {
        self.taken[id.0] = true;
        self.held[id.0] = true;
    }

    /// Notes that a pointer names the result of this tool use, which later passes must leave in full.
    pub fn refer_to(&mut self, id: UseId) {
        self.referred[id.0] = true;
    }

    /// Whether a pointer names the result of this tool use.
    pub fn is_referred(&self, id: UseId) -> bool {
        self.referred.get(id.0).copied().unwrap_or(false)
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
        let Some(block) = history[id].result else { return };
        let message = history[block].message;
        self.add(history, Edit { block, message, tool_use: Some(id), pass, replacement, tokens });
    }

    /// Plans that a block which belongs to no tool use is taken out.
    pub fn remove_block(&mut self, history: &History, block: BlockId, pass: PassName) {
        let message = history[block].message;
        let (replacement, tool_use) = (Replacement::Removed, None);
        self.add(history, Edit { block, message, tool_use, pass, replacement, tokens: 0 });
    }

    /// Plans that call and result are taken out together.
    pub fn remove(&mut self, history: &History, id: UseId, pass: PassName) {
        let tool_use = &history[id];
        for block in [tool_use.call, tool_use.result].into_iter().flatten() {
            let message = history[block].message;
            let (replacement, tool_use) = (Replacement::Removed, Some(id));
            self.add(history, Edit { block, message, tool_use, pass, replacement, tokens: 0 });
        }
    }

    /// Takes pointers back, but for those to what is held: they, and what they name, then stand in full.
    fn release(&mut self, history: &History, held: &[UseId]) {
        let goes = |edit: &mut Edit| edit.replacement.names().is_some_and(|of| !held.contains(&of));
        self.released = self.edits.extract_if(.., goes).collect();
        self.decided -= self.released.len();
        for edit in &self.released {
            let (Some(id), Some(of)) = (edit.tool_use, edit.replacement.names()) else { continue };
            self.taken[id.0] = false;
            self.referred[of.0] = false;
            let (edits, saved) = &mut self.passes[edit.pass as usize];
            *edits -= 1;
            *saved -= history[edit.block].tokens.saturating_sub(edit.tokens);
        }
    }

    fn add(&mut self, history: &History, edit: Edit) {
        self.mark(history, &edit);
        self.edits.push(edit);
    }

    fn mark(&mut self, history: &History, edit: &Edit) {
        if let Some(id) = edit.tool_use {
            let is_call = history[id].call == Some(edit.block);
            let taken = if is_call { &mut self.taken_calls } else { &mut self.taken };
            taken[id.0] = true;
            self.hidden[id.0] |= matches!(edit.pass, PassName::Clear | PassName::Ephemeral);
        }
        if let Some(of) = edit.replacement.names() {
            self.refer_to(of);
        }
        let before = history[edit.block].tokens;
        let (edits, saved) = &mut self.passes[edit.pass as usize];
        *edits += 1;
        *saved += before.saturating_sub(edit.tokens);
    }

    /// Puts the edits in the order of their blocks and works out which messages are left with nothing.
    pub fn finish(&mut self, history: &History) {
        if !self.edits.is_sorted_by_key(|edit| edit.block) {
            let edits = std::mem::take(&mut self.edits);
            self.edits = stable_merge_sort(edits, |edit| edit.block.0 as u64);
        }
        let removed = |edit: &&Edit| edit.replacement == Replacement::Removed;
        if !self.edits.iter().any(|edit| removed(&edit)) {
            return;
        }
        // An empty text beside a call that goes is nothing to send.
        let counts = |block: &&Block| block.kind != BlockKind::Text || block.size.bytes > 0;
        for group in self.edits.chunk_by(|a, b| a.message == b.message) {
            let (_, blocks) = history.blocks_of(group[0].message);
            if group.iter().filter(removed).count() == blocks.iter().filter(counts).count() {
                self.removed_messages.push(group[0].message);
            }
        }
    }
}

impl View<'_> {
    /// Answered tool uses whose results stand in full and that are not later than the current step, in the order of
    /// their calls.
    pub fn answered(&self) -> impl Iterator<Item = (UseId, &ToolUse)> {
        let uses = self.history.uses().iter().zip(&self.plan.taken).enumerate();
        uses.filter(|(_, (one, is_taken))| {
            !**is_taken && one.result.is_some() && one.step <= self.current_step
        })
        .map(|(i, (one, _))| (UseId(i), one))
    }

    /// Those of them that the policy does not protect. In a long session few are left of all, and each pass looks for
    /// its own among them, so they are found once.
    pub fn survivors(&self) -> impl Iterator<Item = (UseId, &ToolUse)> {
        let open = self.open.get_or_init(|| {
            let may_go = |one: &ToolUse| !self.cache.protected.cover(one);
            self.answered().filter(|(_, one)| may_go(one)).map(|(id, _)| id).collect()
        });
        let still = open.iter().filter(|id| !self.plan.is_taken(**id));
        still.map(|id| (*id, &self.history[*id]))
    }

    /// Whether a result stands in full, is named by no pointer, and may go as far as the policy's protection says.
    pub fn is_free(&self, id: UseId, one: &ToolUse) -> bool {
        !self.plan.is_taken(id) && !self.plan.is_referred(id) && !self.cache.protected.cover(one)
    }

    /// Whether a call stands as it was, is answered and done, and may be shortened.
    pub fn is_call_free(&self, id: UseId, one: &ToolUse) -> bool {
        one.call_editable
            && one.result.is_some()
            && (!one.is_error || self.plan.hidden[id.0])
            && one.step <= self.current_step
            && !self.plan.is_call_taken(id)
            && !self.cache.protected.cover(one)
    }

    /// Plans that a call's arguments are shortened; says whether that is worth it.
    pub fn shorten(&mut self, id: UseId, pass: PassName, replacement: Replacement) -> bool {
        let Some(block) = self.history[id].call else { return false };
        let facts = &self.history[block];
        // Nothing in it can be long.
        if facts.size.bytes <= u64::from(MIN_CHARS) {
            return false;
        }
        let tokens = self.cache.call_tokens(self.history, id, replacement, self.source);
        let Some(tokens) = tokens.map(u64::from) else { return false };
        let (message, tool_use) = (facts.message, Some(id));
        self.plan.add(self.history, Edit { block, message, tool_use, pass, replacement, tokens });
        true
    }

    /// The stub of a result, under the key that `key` makes of whether stubs carry references.
    pub fn stub(&mut self, id: UseId, key: impl Fn(bool) -> StubKey) -> StubFacts {
        let Some(block) = self.history[id].result else { return StubFacts::default() };
        self.cache.stub(self.history, id, block, key(self.recall), self.source)
    }

    /// Plans that a result gives way to a stub; says whether that is worth it.
    pub fn clear(&mut self, id: UseId, pass: PassName, style: StubStyle) -> bool {
        let stub = self.stub(id, |recall| StubKey::Cleared { style, recall });
        if stub.is_worth {
            let (replacement, tokens) = (Replacement::Cleared(style), u64::from(stub.tokens));
            self.plan.replace(self.history, id, pass, replacement, tokens);
        }
        stub.is_worth
    }

    /// Frees results that only pointers of earlier projections hold, and these pointers, where `may_go` says of all of
    /// them that they may give way to a stub of this style. The pass that asks for it then clears all that it frees.
    pub fn release(&mut self, style: StubStyle, may_go: &dyn Fn(UseId) -> bool) {
        let mut held = Vec::new();
        for at in 0..self.plan.edits.len() {
            let edit = self.plan.edits[at];
            let (Some(id), Some(of)) = (edit.tool_use, edit.replacement.names()) else { continue };
            let may_go = [id, of].into_iter().all(|id| {
                may_go(id)
                    && !self.plan.held[id.0]
                    && !self.cache.protected.cover(&self.history[id])
                    && self.is_more_than_placeholder(id)
                    && self.stub(id, |recall| StubKey::Cleared { style, recall }).is_worth
            });
            if !may_go {
                held.push(of);
            }
        }
        self.plan.release(self.history, &held);
    }

    /// Whether a result is so long that it cannot be a stub of any pass.
    pub fn is_long(&self, id: UseId) -> bool {
        let block = self.history[id].result;
        block.is_some_and(|block| is_worth(self.history[block].size, PLACEHOLDER_LIMIT))
    }

    /// Whether a result is so long that it cannot be a placeholder of the clear pass.
    pub fn is_more_than_placeholder(&self, id: UseId) -> bool {
        let block = self.history[id].result;
        block.is_some_and(|block| is_worth(self.history[block].size, self.placeholder_bytes))
    }

    /// Whether a message, or the answer that it is a piece of, holds anything that a signature may cover, so that none
    /// of its blocks can be taken out.
    pub fn is_signed(&self, message: usize) -> bool {
        let opaque = |kind| matches!(kind, BlockKind::Reasoning | BlockKind::Unknown);
        self.history.blocks_of_answer(message).iter().any(|block| opaque(block.kind))
    }
}
