//! What a pass works on: the facts, the edits of earlier passes, and contents where facts are not enough.

use super::cache::Cache;
use super::protection::ProtectedNames;
use super::retries::Retries;
use super::text_cache::{Reading, StubFacts, StubKey, StubText, TextCache};
use crate::message::{BlockId, BlockKind, FileTimelines, History, Role, ToolUse, UseId};
use crate::projection::cache_cost::Spending;
use crate::projection::content::reader::ContentReader;
use crate::projection::plan::{Before, Plan};
use crate::projection::registry::PassName;
use crate::projection::replacement::clipped::clipped_text;
use crate::projection::replacement::kind::{LEAST_TRIM_CHARS, Replacement, StubStyle};
use crate::projection::replacement::texts::{call_text, cleared_text};
use std::cell::OnceCell;

/// What a pass works on: the facts, the edits of earlier passes, and contents where facts are not enough.
pub struct View<'a> {
    /// The facts.
    pub history: &'a History,
    /// The effects of calls on each file, up to the current step, without excluded calls.
    pub files: &'a FileTimelines,
    /// The effects of all calls on each file.
    pub all_files: &'a FileTimelines,
    /// The settings of the view.
    pub settings: ViewSettings<'a>,
    /// The edits so far.
    pub plan: Plan,
    /// Reads a block's content from the host.
    pub reader: &'a dyn ContentReader,
    /// Cached digests and texts of contents.
    pub texts: &'a mut TextCache,
    /// The failures that were retried, for the retire pass.
    pub retries: &'a Retries,
    protected: &'a ProtectedNames,
    /// The oldest failure that is kept as one of the newest.
    pub(super) failures: OnceCell<BlockId>,
    /// The cache of [`View::survivors`].
    open: OnceCell<Vec<UseId>>,
}

/// The settings of a view.
#[derive(Debug, Clone, Copy)]
pub struct ViewSettings<'a> {
    /// The step for which the view is made; results of later steps are not edited.
    pub current_step: u32,
    /// The length in bytes of the clear pass's placeholder, or the maximum length of a brief stub if stubs are brief,
    /// or 0. A result less than twice as long may itself be one.
    pub placeholder_bytes: usize,
    /// Whether all stubs are brief. They are if the retire pass is on, so that no stub is worth another.
    pub brief_stubs: bool,
    /// Whether stubs carry references for recall.
    pub recall: bool,
    /// The size of the model's window, in tokens.
    pub window: u32,
    /// Seconds since the last request; 0 if unknown.
    pub idle: f64,
    /// The newest failures are kept, up to this many estimated tokens together.
    pub failure_tokens: u32,
    /// The previous request, if there is signed reasoning that an edit before it removes.
    pub before: Option<Before<'a>>,
    /// Number of oldest results that the budget pass clears; `None` if the view fits without it.
    pub must_clear: Option<usize>,
    /// The cost of earlier requests, for the retire pass; `None` if the pass is off, no request is known, or the view
    /// must fit.
    pub spending: Option<Spending>,
}

impl<'a> View<'a> {
    /// A view of a plan that starts with the decisions of earlier projections. The cache must fit the history. `files`
    /// are those of [`View::files`]; `None` uses those of the cache.
    pub fn new(
        history: &'a History,
        settings: ViewSettings<'a>,
        plan: Plan,
        reader: &'a dyn ContentReader,
        cache: &'a mut Cache,
        files: Option<&'a FileTimelines>,
    ) -> Self {
        let Cache { texts, files: all_files, protected, retries } = cache;
        let files = files.unwrap_or(all_files);
        let (failures, open) = (OnceCell::new(), OnceCell::new());
        let mut view = View {
            history,
            files,
            all_files,
            settings,
            plan,
            reader,
            texts,
            retries,
            protected,
            failures,
            open,
        };
        if history.is_compacted() {
            view.hold_before(history.start());
        }
        view
    }

    /// Whether the policy protects a tool use by id, tool or file.
    pub fn is_protected(&self, tool_use: &ToolUse) -> bool {
        self.protected.cover(tool_use)
    }

    /// Answered tool uses up to the current step whose results have no edit, in the order of the history's tool uses. In
    /// a long session most have one, which is known without looking at their facts.
    pub fn unedited(&self) -> impl Iterator<Item = (UseId, &ToolUse)> {
        let step = self.settings.current_step;
        let ids = (0..self.history.uses().len()).map(UseId);
        let unedited = ids.filter(|id| !self.plan.is_edited(*id));
        let uses = unedited.map(|id| (id, &self.history[id]));
        uses.filter(move |(_, one)| one.result.is_some() && one.step <= step)
    }

    /// The answered tool uses that are shown in full and not protected by the policy. In a long session they are few,
    /// and every pass searches them, so they are found once.
    pub fn survivors(&self) -> impl Iterator<Item = (UseId, &ToolUse)> {
        let open = self.open.get_or_init(|| {
            let may_go =
                |(id, one): &(UseId, &ToolUse)| !self.plan.is_taken(*id) && !self.is_protected(one);
            self.unedited().filter(may_go).map(|(id, _)| id).collect()
        });
        let still = open.iter().filter(|id| !self.plan.is_taken(**id));
        still.map(|id| (*id, &self.history[*id]))
    }

    /// Facts about a result's stub.
    pub fn stub(&mut self, id: UseId, text: StubText) -> StubFacts {
        let Some(block) = self.history[id].result else { return StubFacts::default() };
        self.stub_of(id, block, text)
    }

    #[inline(always)] // Hundreds of calls at every step.
    fn stub_of(&mut self, id: UseId, block: BlockId, text: StubText) -> StubFacts {
        let key = StubKey { text, recall: self.settings.recall };
        stub(self.texts, self.history, id, block, key, self.reader)
    }

    /// Replaces a result with a stub if that is worth it; returns whether it is.
    pub fn clear(&mut self, id: UseId, pass: PassName, style: StubStyle) -> bool {
        self.replace(id, pass, StubText::Cleared(style), Replacement::Cleared(style))
    }

    /// Replaces a result with this kind of text if that is worth it; returns whether it is.
    pub fn replace(
        &mut self,
        id: UseId,
        pass: PassName,
        text: StubText,
        replacement: Replacement,
    ) -> bool {
        let Some(block) = self.history[id].result else { return false };
        let stub = self.stub_of(id, block, text);
        if stub.is_worth {
            let tokens = stub.tokens.into();
            self.plan.replace(self.history, block, pass, replacement, tokens);
        }
        stub.is_worth
    }

    /// Shortens a call's arguments if that is worth it; returns whether it is.
    pub fn shorten(&mut self, id: UseId, pass: PassName, replacement: Replacement) -> bool {
        let Some(block) = self.history[id].call else { return false };
        // It is too short to contain a long text.
        if self.history[block].size.bytes <= u64::from(LEAST_TRIM_CHARS) {
            return false;
        }
        let Some(tokens) = self.shortened_tokens(id, replacement) else { return false };
        self.plan.replace(self.history, block, pass, replacement, tokens.into());
        true
    }

    /// Estimated tokens of a call's arguments after a replacement; `None` if it is not worth it.
    pub fn shortened_tokens(&mut self, id: UseId, replacement: Replacement) -> Option<u32> {
        let make = || call_text(self.history, self.all_files, id, replacement, self.reader);
        self.texts.call_tokens(id, replacement, &make)
    }

    /// Prevents passes, except those for excluded calls, reasoning and ephemeral content, from editing anything before
    /// a block.
    pub fn hold_before(&mut self, end: BlockId) {
        let is_before = |block: Option<BlockId>| block.is_some_and(|block| block < end);
        for (i, tool_use) in self.history.uses().iter().enumerate() {
            if is_before(tool_use.call) {
                self.plan.hold_call(UseId(i));
            }
            if is_before(tool_use.result) {
                self.plan.hold_result(UseId(i));
            }
        }
    }

    /// The first message of the current turn: the newest prompt that does not interrupt tool calls. A prompt between
    /// calls belongs to their turn, because providers treat it as a part of the results before it.
    pub fn turn_prompt(&self) -> usize {
        let prompt = (0..self.history.messages().len()).rev().find(|i| self.is_prompt(*i));
        prompt.unwrap_or(0)
    }

    /// The first block of the current turn.
    pub fn turn_start(&self) -> BlockId {
        BlockId(self.history.blocks_of(self.turn_prompt()).0)
    }

    /// Whether a message begins a turn.
    pub fn is_prompt(&self, index: usize) -> bool {
        let history = self.history;
        let message = &history.messages()[index];
        let (first, blocks) = history.blocks_of(index);
        let before = first.checked_sub(1).map(|at| history.blocks()[at].kind);
        message.role == Role::User
            && message.step <= self.settings.current_step
            && blocks.iter().all(|block| block.kind != BlockKind::ToolResult)
            && !matches!(before, Some(BlockKind::ToolCall | BlockKind::ToolResult))
    }

    /// Whether a message, or the answer that it is a piece of, contains blocks that a signature may cover, so that none
    /// of its blocks can be removed.
    pub fn is_signed(&self, message: usize) -> bool {
        let opaque = |kind| matches!(kind, BlockKind::Reasoning | BlockKind::Unknown);
        self.history.blocks_of_answer(message).iter().any(|block| opaque(block.kind))
    }
}

/// The stub of a result, from the cache or newly made.
pub fn stub(
    texts: &mut TextCache,
    history: &History,
    id: UseId,
    block: BlockId,
    key: StubKey,
    reader: &dyn ContentReader,
) -> StubFacts {
    let known = texts.known_stub(id, key);
    known.unwrap_or_else(|| make_stub(texts, history, id, block, key, reader))
}

#[inline(never)] // A large function, and rarely needed.
fn make_stub(
    texts: &mut TextCache,
    history: &History,
    id: UseId,
    block: BlockId,
    key: StubKey,
    reader: &dyn ContentReader,
) -> StubFacts {
    let facts = &history[block];
    let read = |sink: &mut dyn FnMut(&[u8])| reader.read_result(facts, sink);
    // The digest of a text-only result is computed while it is read for the stub.
    if key.recall && !history[id].text_only {
        texts.digest(history, id, block, reader);
    }
    let make = |reading: &Reading<'_>| {
        let reference = || reading.reference();
        let read = |sink: &mut dyn FnMut(&[u8])| reading.read(sink);
        match key.text {
            StubText::Cleared(style) => cleared_text(history, id, block, style, &reference, &read),
            StubText::Clipped(ends) => clipped_text(facts.size, ends, &reference, &read),
        }
    };
    texts.make_stub(id, key, facts.shown_bytes(), make, &read)
}
