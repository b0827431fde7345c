//! The rules for which results and calls a pass may clear. All passes use them, and so does the explanation of what is
//! kept.

use super::pass_view::View;
use super::text_cache::StubText;
use crate::message::{BlockId, Origin, ToolUse, UseId};
use crate::projection::replacement::kind::StubStyle;
use crate::projection::replacement::worth::is_worth;
use crate::text::Digest;

/// Why a result is not cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It is later than the step for which the view is made.
    Later,
    /// It is a stub made by an earlier projection.
    Stub,
    /// Its content has a shape that cannot be replaced.
    Shape,
    /// The policy protects its id, tool or file.
    Protected,
    /// A pointer refers to it.
    Referred,
    /// It failed.
    Failure,
    /// No stub is at most half as long.
    Short,
    /// It is the newest read of a file that was edited.
    NewestRead,
    /// The model is unknown, and may refuse signed reasoning after a change.
    Waits,
}

impl Kept {
    /// The reason in a few words.
    pub fn reason(self) -> &'static str {
        match self {
            Kept::Later => "later than the step that the view is made for",
            Kept::Stub => "a stub of an earlier projection",
            Kept::Shape => "its content has a form that is not edited",
            Kept::Protected => "the policy protects it, its tool or its file",
            Kept::Referred => "a pointer refers to it",
            Kept::Failure => "a failure is kept",
            Kept::Short => "too short to be worth a stub",
            Kept::NewestRead => "the newest read of a file that was edited",
            Kept::Waits => {
                "waits for the next prompt: signed reasoning of an unknown model follows it"
            }
        }
    }
}

impl View<'_> {
    /// Whether a result can be cleared: it is shown in full, no rule of all passes keeps it, and a stub of `stub_bytes`
    /// bytes is worth it.
    pub fn is_eligible(&self, id: UseId, tool_use: &ToolUse, stub_bytes: usize) -> bool {
        !self.plan.is_taken_or_referred(id)
            && self.kept(tool_use).is_none()
            && self.is_long(tool_use, stub_bytes)
    }

    /// The rule that keeps a result from every pass, whatever the plan says of it.
    pub fn kept(&self, tool_use: &ToolUse) -> Option<Kept> {
        match () {
            () if tool_use.step > self.settings.current_step => Some(Kept::Later),
            () if tool_use.is_stub => Some(Kept::Stub),
            () if !tool_use.editable => Some(Kept::Shape),
            () if self.is_protected(tool_use) => Some(Kept::Protected),
            () => None,
        }
    }

    /// The rule that keeps a result from passes that clear by age alone.
    pub fn kept_when_old(&self, tool_use: &ToolUse) -> Option<Kept> {
        match () {
            () if self.keeps_failure(tool_use) => Some(Kept::Failure),
            () if self.is_newest_read(tool_use) => Some(Kept::NewestRead),
            () => None,
        }
    }

    /// Whether this is one of the newest failures, which are kept.
    fn keeps_failure(&self, tool_use: &ToolUse) -> bool {
        let is_new = || tool_use.result.is_some_and(|result| result >= self.oldest_kept_failure());
        tool_use.is_error && is_new()
    }

    /// The oldest of the newest failures that fit into the policy's `failureTokens`.
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

    /// Whether this was the newest read, before block `end`, of a file that was edited. A read that an earlier pass or
    /// projection removed, or that is too short for a stub of `stub_bytes` bytes, shows nothing and is ignored.
    pub fn needs_read(&self, tool_use: &ToolUse, end: BlockId, stub_bytes: usize) -> bool {
        let Some(result) = tool_use.result else { return false };
        let is_shown = |read: UseId| {
            let one = &self.history[read];
            // The read in question may be a pointer that is to be released.
            let is_free = one.result == Some(result) || !self.plan.is_taken(read);
            !one.is_stub && is_free && self.is_long(one, stub_bytes)
        };
        tool_use.origin == Origin::Read
            && tool_use
                .files
                .iter()
                .any(|(path, _)| self.files.of(*path).needs(result, end, &is_shown))
    }

    /// Whether a result is large enough to be worth a stub of `stub_bytes` bytes. A shorter one may itself be such a
    /// stub.
    pub fn is_long(&self, tool_use: &ToolUse, stub_bytes: usize) -> bool {
        tool_use.result.is_some() && is_worth(tool_use.result_bytes, stub_bytes)
    }

    /// Whether two existing results have the same content. Contents of different sizes are not read.
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

    /// Whether a call can be shortened: it is unedited, editable, answered and not protected, and its failure, if any,
    /// is hidden.
    pub fn is_call_eligible(&self, id: UseId, tool_use: &ToolUse) -> bool {
        tool_use.call_editable
            && tool_use.result.is_some()
            && (!tool_use.is_error || self.plan.is_outcome_hidden(id))
            && tool_use.step <= self.settings.current_step
            && !self.plan.is_call_taken(id)
            && !self.is_protected(tool_use)
    }

    /// Releases pointers of earlier projections, and the results that only those pointers keep in view, if `may_go`
    /// allows it and a stub of this style is worth it for each of them. The calling pass then clears all results that
    /// are freed.
    pub fn release(&mut self, style: StubStyle, may_go: &dyn Fn(&Self, UseId) -> bool) {
        let mut held = vec![false; self.history.uses().len()];
        for at in 0..self.plan.edits().len() {
            let edit = self.plan.edits()[at];
            let (Some(id), Some(of)) = (edit.tool_use, edit.replacement.names()) else { continue };
            let may_go = [id, of].into_iter().all(|id| {
                let tool_use = &self.history[id];
                may_go(self, id)
                    && !self.plan.is_held(id)
                    && self.kept(tool_use).is_none()
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
