//! What a pass works on: the facts, what earlier passes planned, and the content where facts are not enough.

use super::cache::Cache;
use super::protection::ProtectedNames;
use super::retries::Retries;
use super::text_cache::{StubFacts, StubKey, StubText, TextCache};
use crate::message::{BlockId, BlockKind, FileTimelines, History, Role, ToolUse, UseId};
use crate::projection::cache_cost::Spending;
use crate::projection::content::reader::ContentReader;
use crate::projection::plan::Plan;
use crate::projection::registry::PassName;
use crate::projection::replacement::clipped::clipped_text;
use crate::projection::replacement::kind::{LEAST_TRIM_CHARS, Replacement, StubStyle};
use crate::projection::replacement::texts::{call_text, cleared_text};
use std::cell::OnceCell;

/// What a pass works on: the facts, what earlier passes planned, and the content where facts are not enough.
pub struct View<'a> {
    /// The facts.
    pub history: &'a History,
    /// What calls did to each file, up to the current step.
    pub files: &'a FileTimelines,
    /// What the view is made for.
    pub settings: ViewSettings,
    /// The edits so far.
    pub plan: Plan,
    /// Reads a block's content from the host.
    pub reader: &'a dyn ContentReader,
    /// What was worked out of contents before.
    pub texts: &'a mut TextCache,
    /// Which failures were tried again: the retire pass asks for it.
    pub retries: &'a Retries,
    protected: &'a ProtectedNames,
    /// The oldest failure that stays for being new.
    pub(super) failures: OnceCell<BlockId>,
    /// What [`View::survivors`] is made of.
    open: OnceCell<Vec<UseId>>,
}

/// What a view is made for.
#[derive(Debug, Clone, Copy)]
pub struct ViewSettings {
    /// The step that the view is made for; results of later steps are not touched.
    pub current_step: u32,
    /// The length of the clear pass's placeholder, or of a brief stub where stubs are brief, or else 0: what is not twice
    /// as long may be one.
    pub placeholder_bytes: usize,
    /// Whether stubs say no more than they must: where the retire pass is on, none may be worth another.
    pub brief_stubs: bool,
    /// Whether stubs carry references for recall.
    pub recall: bool,
    /// The size of the model's window, in tokens.
    pub window: u32,
    /// Seconds since the last request, 0 where nobody says.
    pub idle: f64,
    /// The newest failures stay, as many as have no more than so many tokens together.
    pub failure_tokens: u32,
    /// Whether what is edited takes the signed reasoning behind it along.
    pub takes_reasoning: bool,
    /// How many of the oldest results the budget clears; `None` where the view fits without.
    pub must_clear: Option<usize>,
    /// What the requests before cost, where the retire pass asks; `None` where nobody knows of any.
    pub spending: Option<Spending>,
}

impl<'a> View<'a> {
    /// The view of a plan that earlier projections began. The cache fits the history, and `files` are those of the
    /// settings' step; `None` are those of the cache.
    pub fn new(
        history: &'a History,
        settings: ViewSettings,
        plan: Plan,
        reader: &'a dyn ContentReader,
        cache: &'a mut Cache,
        files: Option<&'a FileTimelines>,
    ) -> Self {
        let Cache { texts, files: newest, protected, retries } = cache;
        let files = files.unwrap_or(newest);
        let (failures, open) = (OnceCell::new(), OnceCell::new());
        let mut view = View {
            history,
            files,
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

    /// Whether the policy protects a tool use by name.
    pub fn is_protected(&self, tool_use: &ToolUse) -> bool {
        self.protected.cover(tool_use)
    }

    /// Answered tool uses that are not later than the current step, in the order of their calls.
    pub fn answered(&self) -> impl Iterator<Item = (UseId, &ToolUse)> {
        let step = self.settings.current_step;
        let uses = self.history.uses().iter().enumerate().map(|(i, one)| (UseId(i), one));
        uses.filter(move |(_, one)| one.result.is_some() && one.step <= step)
    }

    /// Those of them that stand in full and that the policy does not protect. In a long session few are left of all, and
    /// each pass looks for its own among them, so they are found once.
    pub fn survivors(&self) -> impl Iterator<Item = (UseId, &ToolUse)> {
        let open = self.open.get_or_init(|| {
            let may_go =
                |(id, one): &(UseId, &ToolUse)| !self.plan.is_taken(*id) && !self.is_protected(one);
            self.answered().filter(may_go).map(|(id, _)| id).collect()
        });
        let still = open.iter().filter(|id| !self.plan.is_taken(**id));
        still.map(|id| (*id, &self.history[*id]))
    }

    /// A result's stub.
    pub fn stub(&mut self, id: UseId, text: StubText) -> StubFacts {
        let Some(block) = self.history[id].result else { return StubFacts::default() };
        let key = StubKey { text, recall: self.settings.recall };
        stub(self.texts, self.history, id, block, key, self.reader)
    }

    /// Plans that a result gives way to a stub; says whether that is worth it.
    pub fn clear(&mut self, id: UseId, pass: PassName, style: StubStyle) -> bool {
        self.replace(id, pass, StubText::Cleared(style), Replacement::Cleared(style))
    }

    /// Plans that a result gives way to such a text; says whether that is worth it.
    pub fn replace(
        &mut self,
        id: UseId,
        pass: PassName,
        text: StubText,
        replacement: Replacement,
    ) -> bool {
        let stub = self.stub(id, text);
        if stub.is_worth {
            self.plan.replace(self.history, id, pass, replacement, stub.tokens.into());
        }
        stub.is_worth
    }

    /// Plans that a call's arguments are shortened; says whether that is worth it.
    pub fn shorten(&mut self, id: UseId, pass: PassName, replacement: Replacement) -> bool {
        let Some(block) = self.history[id].call else { return false };
        // Nothing in it can be long.
        if self.history[block].size.bytes <= u64::from(LEAST_TRIM_CHARS) {
            return false;
        }
        let Some(tokens) = self.shortened_tokens(id, replacement) else { return false };
        self.plan.replace_block(self.history, block, pass, replacement, tokens.into());
        true
    }

    /// Estimated tokens of a call's arguments under a replacement; `None` where it is not worth it.
    pub fn shortened_tokens(&mut self, id: UseId, replacement: Replacement) -> Option<u32> {
        let make = || call_text(self.history, self.files, id, replacement, self.reader);
        self.texts.call_tokens(id, replacement, &make)
    }

    /// Keeps passes, but for reasoning and ephemeral content, from what stands before a block.
    pub fn hold_before(&mut self, end: BlockId) {
        let is_before = |block: Option<BlockId>| block.is_some_and(|block| block < end);
        for (i, tool_use) in self.history.uses().iter().enumerate() {
            if is_before(tool_use.call) {
                self.plan.take_call(UseId(i));
            }
            if is_before(tool_use.result) {
                self.plan.hold_result(UseId(i));
            }
        }
    }

    /// The first message of the turn that goes on: the newest prompt that came when the model had had its say. One that
    /// came in the midst of its calls belongs to their turn: providers take it as a part of the results before it.
    pub fn turn_prompt(&self) -> usize {
        let prompt = (0..self.history.messages().len()).rev().find(|i| self.is_prompt(*i));
        prompt.unwrap_or(0)
    }

    /// The first block of the turn that goes on.
    pub fn turn_start(&self) -> BlockId {
        BlockId(self.history.blocks_of(self.turn_prompt()).0)
    }

    /// Whether a turn begins with a message.
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

    /// Whether a message, or the answer that it is a piece of, holds anything that a signature may cover, so that none
    /// of its blocks can be taken out.
    pub fn is_signed(&self, message: usize) -> bool {
        let opaque = |kind| matches!(kind, BlockKind::Reasoning | BlockKind::Unknown);
        self.history.blocks_of_answer(message).iter().any(|block| opaque(block.kind))
    }
}

/// The stub of a result, from the cache or made now.
pub fn stub(
    texts: &mut TextCache,
    history: &History,
    id: UseId,
    block: BlockId,
    key: StubKey,
    reader: &dyn ContentReader,
) -> StubFacts {
    let facts = &history[block];
    let read = |sink: &mut dyn FnMut(&[u8])| reader.read_result(facts, sink);
    // Of what is text alone the digest comes with reading it for the stub.
    if key.recall && !history[id].text_only {
        texts.digest(history, id, block, reader);
    }
    texts.stub(
        id,
        key,
        facts.shown_bytes(),
        |reading| {
            let reference = || reading.reference();
            let read = |sink: &mut dyn FnMut(&[u8])| reading.read(sink);
            match key.text {
                StubText::Cleared(style) => {
                    cleared_text(history, id, block, style, &reference, &read)
                }
                StubText::Clipped(ends) => clipped_text(facts.size, ends, &reference, &read),
            }
        },
        &read,
    )
}
