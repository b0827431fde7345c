//! Which results and calls may go: the one place that says it for all passes, and for the explanation of what stays.

use super::pass_view::View;
use super::text_cache::StubText;
use crate::message::{BlockId, Origin, ToolUse, UseId};
use crate::projection::replacement::kind::StubStyle;
use crate::projection::replacement::worth::is_worth;
use crate::text::Digest;

/// What keeps a result from going.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It came after the step that the view is made for.
    Later,
    /// An earlier projection put it there.
    Stub,
    /// No text can stand in for it.
    Shape,
    /// The policy names its tool or file.
    Protected,
    /// A pointer leads to it.
    Referred,
    /// It failed.
    Failure,
    /// No stub is half as long.
    Short,
    /// It is the newest read of a file that was edited.
    NewestRead,
}

impl Kept {
    /// In a few words.
    pub fn reason(self) -> &'static str {
        match self {
            Kept::Later => "later than the step that the view is made for",
            Kept::Stub => "an earlier projection put it there",
            Kept::Shape => "its content has a shape that is not edited",
            Kept::Protected => "the policy protects it, its tool or its file",
            Kept::Referred => "a pointer names it",
            Kept::Failure => "a failure stays",
            Kept::Short => "too short to be worth a stub",
            Kept::NewestRead => "the newest read of a file that was edited",
        }
    }
}

/// Whether a tool use was to change a file.
pub fn is_change(tool_use: &ToolUse) -> bool {
    matches!(tool_use.origin, Origin::Edit | Origin::Write)
}

impl View<'_> {
    /// Whether a result may go: it stands in full, nothing keeps it from every pass, and a stub of so many bytes would be
    /// worth it.
    pub fn is_eligible(&self, id: UseId, tool_use: &ToolUse, stub_bytes: usize) -> bool {
        !self.plan.is_taken(id)
            && self.kept(id, tool_use).is_none()
            && self.is_long(tool_use, stub_bytes)
    }

    /// What keeps a result from every pass.
    pub fn kept(&self, id: UseId, tool_use: &ToolUse) -> Option<Kept> {
        let referred = || self.plan.is_referred(id).then_some(Kept::Referred);
        self.kept_by_itself(tool_use).or_else(referred)
    }

    /// The same, whatever the plan makes of it.
    fn kept_by_itself(&self, tool_use: &ToolUse) -> Option<Kept> {
        match () {
            () if tool_use.step > self.settings.current_step => Some(Kept::Later),
            () if tool_use.is_stub => Some(Kept::Stub),
            () if !tool_use.editable => Some(Kept::Shape),
            () if self.is_protected(tool_use) => Some(Kept::Protected),
            () => None,
        }
    }

    /// What keeps a result from passes that clear for age alone.
    pub fn kept_when_old(&self, tool_use: &ToolUse) -> Option<Kept> {
        match () {
            () if self.keeps_failure(tool_use) => Some(Kept::Failure),
            () if !self.is_newest_read(tool_use) => None,
            () if tool_use.is_error => Some(Kept::Failure),
            () => Some(Kept::NewestRead),
        }
    }

    /// Whether this is a failure that stays: one of the newest, or one of an edit or a write. A view that hides that a
    /// write failed would be taken for one in which it did not.
    fn keeps_failure(&self, tool_use: &ToolUse) -> bool {
        let is_new = || tool_use.result.is_some_and(|result| result >= self.oldest_kept_failure());
        tool_use.is_error && (is_change(tool_use) || is_new())
    }

    /// The oldest of the newest failures that the policy keeps.
    fn oldest_kept_failure(&self) -> BlockId {
        *self.failures.get_or_init(|| {
            let mut left = u64::from(self.settings.failure_tokens);
            let is_there = |block: &&BlockId| {
                let step = self.history[**block].tool_use.map(|id| self.history[id].step);
                step.is_some_and(|step| step <= self.settings.current_step)
            };
            let mut fits = |block: &&BlockId| {
                let fits = self.history[**block].tokens <= left;
                left = left.saturating_sub(self.history[**block].tokens);
                fits
            };
            let newest = self.history.failures().iter().rev().filter(is_there);
            newest.take_while(|block| fits(block)).last().copied().unwrap_or(BlockId(usize::MAX))
        })
    }

    /// Whether this is the newest read of a file that was edited.
    fn is_newest_read(&self, tool_use: &ToolUse) -> bool {
        let end = BlockId(usize::MAX);
        self.needs_read(tool_use, end, self.settings.placeholder_bytes)
    }

    /// Whether this was the newest read of a file that was edited, before block `end`. What an earlier pass or projection
    /// took out, or what is no longer than a stub of so many bytes, shows nothing, so it cannot be the read to keep.
    ///
    /// A failure after that read is kept with it: nothing tells its stub from a read that went well, and the next view
    /// would take it for the newest.
    pub fn needs_read(&self, tool_use: &ToolUse, end: BlockId, stub_bytes: usize) -> bool {
        let is_shown = |read: UseId| {
            let tool_use = &self.history[read];
            !tool_use.is_stub && !self.plan.is_taken(read) && self.is_long(tool_use, stub_bytes)
        };
        let Some(result) = tool_use.result else { return false };
        tool_use.origin == Origin::Read
            && tool_use.files.iter().any(|(path, _)| {
                self.files.of(*path).needs(result, tool_use.is_error, end, is_shown)
            })
    }

    /// Whether a result takes so much that a stub of so many bytes would be worth it. What is shorter may be such a stub.
    pub fn is_long(&self, tool_use: &ToolUse, stub_bytes: usize) -> bool {
        tool_use.result.is_some() && is_worth(tool_use.result_bytes, stub_bytes)
    }

    /// Whether two results, which are there, have the same content. What has not the same size is not read.
    pub fn has_same_content(&mut self, one: UseId, other: UseId) -> bool {
        let history = self.history;
        let size = |id: UseId| history[id].result.map(|block| history[block].size);
        size(one) == size(other) && self.digest(one) == self.digest(other)
    }

    /// The digest of a result's content.
    pub fn digest(&mut self, id: UseId) -> Option<Digest> {
        let block = self.history[id].result?;
        Some(self.texts.digest(self.history, id, block, self.reader))
    }

    /// Whether a call stands as it was, is answered and over, and may be shortened.
    pub fn is_call_eligible(&self, id: UseId, tool_use: &ToolUse) -> bool {
        tool_use.call_editable
            && tool_use.result.is_some()
            && (!tool_use.is_error || self.plan.is_outcome_hidden(id))
            && tool_use.step <= self.settings.current_step
            && !self.plan.is_call_taken(id)
            && !self.is_protected(tool_use)
    }

    /// Frees results that only pointers of earlier projections hold, and these pointers, where `may_go` says of all of
    /// them that they may give way to a stub of this style. The pass that asks for it then clears all that it frees.
    pub fn release(&mut self, style: StubStyle, may_go: &dyn Fn(&Self, UseId) -> bool) {
        let mut held = vec![false; self.history.uses().len()];
        for at in 0..self.plan.edits().len() {
            let edit = self.plan.edits()[at];
            let (Some(id), Some(of)) = (edit.tool_use, edit.replacement.names()) else { continue };
            let may_go = [id, of].into_iter().all(|id| {
                let tool_use = &self.history[id];
                may_go(self, id)
                    && !self.plan.is_held(id)
                    && self.kept_by_itself(tool_use).is_none()
                    && self.is_long(tool_use, self.settings.placeholder_bytes)
                    && self.stub(id, StubText::Cleared(style)).is_worth
            });
            if !may_go {
                held[of.0] = true;
            }
        }
        self.plan.release(self.history, &held);
    }
}
