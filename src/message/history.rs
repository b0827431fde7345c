//! The host's history as facts, which is all that wasm memory contains of it.

use super::block::{BlockKind, BlockPath, Removable, Role};
use super::draft::{BlockDraft, CallDraft, MessageDraft, ResultDraft};
use super::media::{Media, MediaKind};
use super::names::{NameId, Names};
use super::origin::{Origin, origin_of};
use super::pairing::{OpenCalls, PairKey};
use crate::text::{TextSize, checksum, mix};
use crate::tokens::estimate_tokens;
use std::ops::Index;

/// The facts about a message.
#[derive(Debug)]
pub struct Message {
    /// The role of the message.
    pub role: Role,
    /// Number of steps up to and including this message. A step is one answer of the model.
    pub step: u32,
    /// Whether it ends a turn: a prompt of the user, or the end of an answer that calls no tool.
    pub ends_turn: bool,
    is_piece: bool,
    /// Whether the answer up to and including this piece has text, and whether it has calls.
    speaks: bool,
    calls: bool,
    /// The number of its first block, or of the next one if it has none.
    pub first_block: usize,
}

/// A block's number in its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub usize);

/// A tool use's number in its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UseId(pub usize);

/// The facts about a block.
#[derive(Debug)]
pub struct Block {
    /// The message it belongs to.
    pub message: usize,
    /// Number of steps up to and including this block. One message may contain several steps, and one step several
    /// messages.
    pub step: u32,
    /// The kind of block.
    pub kind: BlockKind,
    /// Its position in the message.
    pub place: BlockPath,
    /// The size of its text, or of its JSON if it has no text.
    pub size: TextSize,
    /// The images and files that it contains, or is.
    pub media: Media,
    /// Estimated tokens.
    pub tokens: u64,
    /// When it may be removed.
    pub removable: Removable,
    /// A checksum of the history up to and including this block.
    pub print: u32,
    /// The tool use to which it belongs.
    pub tool_use: Option<UseId>,
}

impl Block {
    /// Its size in a request, in bytes of text: an image counts by its tokens, not by its data.
    pub fn shown_bytes(&self) -> u64 {
        self.size.bytes + self.media.bytes()
    }

    /// Whether it only carries information about the blocks beside it.
    pub fn is_mark(&self) -> bool {
        self.size.bytes == 0 && self.place == BlockPath::Message
    }

    /// Whether it adds no content to a request.
    pub fn is_nothing(&self) -> bool {
        let is_empty = self.size.bytes == 0 && self.kind == BlockKind::Text;
        is_empty || self.is_mark() || self.place == BlockPath::Copy
    }
}

/// A tool call with its result, or one of them alone.
#[derive(Debug)]
pub struct ToolUse {
    /// The tool's name; empty if neither call nor result has it.
    pub tool: NameId,
    /// The kind of tool.
    pub origin: Origin,
    /// The files it names, with their lines.
    pub files: Vec<(NameId, Option<(u32, u32)>)>,
    /// The start of its command or pattern.
    pub command: Option<String>,
    /// The start of its stated purpose.
    pub intent: Option<String>,
    /// The provider's id.
    pub id: Option<String>,
    /// The call.
    pub call: Option<BlockId>,
    /// The result.
    pub result: Option<BlockId>,
    /// The size of the result in a request ([`Block::shown_bytes`]); 0 without one. Stored here because passes read it
    /// for every tool use without looking at the blocks.
    pub result_bytes: u64,
    /// The step of the assistant message that called it.
    pub step: u32,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Whether the host marked the result for removal after its turn.
    pub ephemeral: bool,
    /// Whether the result's content is only text.
    pub text_only: bool,
    /// Whether the result's content can be replaced.
    pub editable: bool,
    /// Whether the call's arguments can be changed.
    pub call_editable: bool,
    /// Whether the provider runs the tool itself.
    pub provider_executed: bool,
    /// Whether the tool's input is a text instead of JSON.
    pub takes_text: bool,
    /// Whether the result's content is a replacement made by an earlier projection.
    pub is_stub: bool,
    /// Whether less than the lines of `files` was requested.
    pub partial_request: bool,
    /// Whether the result shows less than the lines of `files`.
    pub partial_result: bool,
}

impl ToolUse {
    /// Whether a read shows all lines of `files`, so that it can replace an older read of them.
    pub fn shows_its_lines(&self) -> bool {
        !self.partial_request && !self.partial_result
    }

    fn lose_result(&mut self) {
        self.result = None;
        self.result_bytes = 0;
        self.is_error = false;
        self.ephemeral = false;
        self.text_only = false;
        self.editable = false;
        self.is_stub = false;
        self.partial_result = false;
    }
}

/// The facts about all messages, in order. Grows by [`History::push`], shrinks by [`History::truncate`].
#[derive(Debug, Default)]
pub struct History {
    messages: Vec<Message>,
    blocks: Vec<Block>,
    uses: Vec<ToolUse>,
    names: Names,
    open_calls: OpenCalls,
    /// Results that failed.
    failures: Vec<BlockId>,
    /// Signed reasoning.
    signed: Vec<BlockId>,
    /// The provider's compactions; the last one replaces everything before it.
    compactions: Vec<BlockId>,
    ephemeral: usize,
    tokens: u64,
}

impl Index<UseId> for History {
    type Output = ToolUse;

    fn index(&self, id: UseId) -> &ToolUse {
        &self.uses[id.0]
    }
}

impl Index<BlockId> for History {
    type Output = Block;

    fn index(&self, id: BlockId) -> &Block {
        &self.blocks[id.0]
    }
}

impl History {
    /// The messages.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// All blocks, in order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// All tool uses, in the order of first appearance.
    pub fn uses(&self) -> &[ToolUse] {
        &self.uses
    }

    /// Tool names and paths.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Marks the result of this tool use as a stub of an earlier projection.
    pub fn mark_stub(&mut self, id: UseId) {
        self.uses[id.0].is_stub = true;
    }

    /// The blocks of one message, with the number of the first.
    pub fn blocks_of(&self, message: usize) -> (usize, &[Block]) {
        let start = self.messages.get(message).map_or(self.blocks.len(), |m| m.first_block);
        let end = self.messages.get(message + 1).map_or(self.blocks.len(), |m| m.first_block);
        (start, &self.blocks[start..end])
    }

    /// The position of a block in its message.
    pub fn position(&self, block: BlockId) -> usize {
        block.0 - self.messages[self.blocks[block.0].message].first_block
    }

    /// The blocks of a message, or of the whole answer that it is a piece of.
    pub fn blocks_of_answer(&self, message: usize) -> &[Block] {
        let is_piece = |i: usize| self.messages.get(i).is_some_and(is_answer_piece);
        if !is_piece(message) {
            return self.blocks_of(message).1;
        }
        let first = (0..message).rev().take_while(|i| is_piece(*i)).last().unwrap_or(message);
        let last = (message..self.messages.len()).take_while(|i| is_piece(*i)).last();
        let (start, _) = self.blocks_of(first);
        let (end, _) = self.blocks_of(last.unwrap_or(message) + 1);
        &self.blocks[start..end]
    }

    /// Number of steps: answers of the model.
    pub fn steps(&self) -> u32 {
        self.messages.last().map_or(0, |message| message.step)
    }

    /// The first block that the provider reads: its last compaction, or else the first block.
    pub fn start(&self) -> BlockId {
        self.compactions.last().copied().unwrap_or(BlockId(0))
    }

    /// Whether it contains a provider's compaction.
    pub fn is_compacted(&self) -> bool {
        !self.compactions.is_empty()
    }

    /// Whether a block is a provider's compaction.
    pub fn is_compaction(&self, block: BlockId) -> bool {
        self.compactions.binary_search(&block).is_ok()
    }

    /// Estimated tokens of all blocks from [`History::start`] on.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Results that failed, in order.
    pub fn failures(&self) -> &[BlockId] {
        &self.failures
    }

    /// Reasoning that a provider may have bound to everything sent before it, in order.
    pub fn signed(&self) -> &[BlockId] {
        &self.signed
    }

    /// Whether any result is marked ephemeral.
    pub fn has_ephemeral(&self) -> bool {
        self.ephemeral > 0
    }

    /// Appends a message.
    pub fn push(&mut self, draft: MessageDraft) {
        let index = self.messages.len();
        let continues = draft.is_piece && self.messages.last().is_some_and(is_answer_piece);
        let is_answer = draft.role == Role::Assistant;
        let first_step = self.steps() + u32::from(is_answer && !continues);
        let before = self.messages.last().filter(|_| continues && is_answer);
        let is_text = |block: &BlockDraft| block.kind == BlockKind::Text;
        let speaks = before.is_some_and(|before| before.speaks) || draft.blocks.iter().any(is_text);
        let calls = before.is_some_and(|before| before.calls)
            || draft.blocks.iter().any(BlockDraft::asks_host);
        self.messages.push(Message {
            role: draft.role,
            step: first_step + draft.step_starts.len() as u32,
            ends_turn: draft.ends_turn(),
            is_piece: draft.is_piece,
            speaks,
            calls,
            first_block: self.blocks.len(),
        });
        let mut starts = draft.step_starts.into_iter().peekable();
        let mut step = first_step;
        for (position, block) in draft.blocks.into_iter().enumerate() {
            while starts.next_if(|start| *start <= position).is_some() {
                step += 1;
            }
            self.push_block(index, step, block);
        }
        self.settle_turn();
    }

    /// Updates which piece of the newest answer ends a turn: only the last can, if the answer has text and no calls.
    fn settle_turn(&mut self) {
        let Some(last) = self.messages.len().checked_sub(1) else { return };
        let Message { speaks, calls, .. } = self.messages[last];
        if !is_answer_piece(&self.messages[last]) {
            return;
        }
        if let Some(before) = last.checked_sub(1).map(|i| &mut self.messages[i])
            && is_answer_piece(before)
        {
            before.ends_turn = false;
        }
        self.messages[last].ends_turn = speaks && !calls;
    }

    fn push_block(&mut self, message: usize, step: u32, draft: BlockDraft) {
        let id = BlockId(self.blocks.len());
        let media = match &draft.result {
            Some(result) => result.media,
            None if draft.kind == BlockKind::File => Media::one(MediaKind::File),
            None => Media::default(),
        };
        let print = self.print_of(message, &draft);
        let tool_use = match (draft.call, draft.result) {
            (Some(call), _) => Some(self.open_use(id, step, call)),
            (None, Some(result)) => Some(self.answer(id, step, result, draft.size)),
            (None, None) => None,
        };
        let tokens = estimate_tokens(draft.size.bytes) + media.tokens();
        if draft.stands_for_before {
            self.compactions.push(id);
            self.tokens = 0;
        }
        self.tokens += tokens;
        if draft.signed {
            self.signed.push(id);
        }
        self.blocks.push(Block {
            message,
            step,
            kind: draft.kind,
            place: draft.place,
            size: draft.size,
            media,
            tokens,
            removable: draft.removable,
            print,
            tool_use,
        });
    }

    /// The checksum of the history up to and including this block.
    fn print_of(&self, message: usize, draft: &BlockDraft) -> u32 {
        let Message { role, first_block, .. } = self.messages[message];
        let is_first = first_block == self.blocks.len();
        let head = draft.kind as u32 | (role as u32) << 8 | u32::from(is_first) << 16;
        let before = self.blocks.last().map_or(0, |block| block.print);
        let call = draft.call.as_ref();
        let ids = [call.and_then(|call| call.id.as_deref()), call.map(|call| &*call.name)];
        let result = draft.result.as_ref().and_then(|result| result.id.as_deref());
        let mut print = mix(mix(mix(before, head), draft.size.bytes as u32), draft.size.print);
        for name in [ids[0], ids[1], result].into_iter().flatten() {
            print = mix(print, checksum(name.as_bytes()));
        }
        print
    }

    fn open_use(&mut self, block: BlockId, step: u32, call: CallDraft) -> UseId {
        let id = UseId(self.uses.len());
        for key in call_keys(call.id.as_deref(), &call.name) {
            self.open_calls.open(id.0, step, key);
        }
        let mut tool_use = self.new_use(&call.name, call.arguments.command, call.id, step);
        tool_use.call = Some(block);
        tool_use.call_editable = call.editable;
        tool_use.provider_executed = call.provider_executed;
        tool_use.takes_text = call.takes_text;
        tool_use.intent = call.arguments.intent;
        tool_use.partial_request = call.arguments.files.iter().any(|file| file.partial_request);
        let files = call.arguments.files.into_iter();
        tool_use.files = files.map(|file| (self.names.intern(&file.path), file.lines)).collect();
        self.uses.push(tool_use);
        id
    }

    fn answer(&mut self, block: BlockId, step: u32, result: ResultDraft, size: TextSize) -> UseId {
        let tool = || PairKey::Tool(result.name.as_deref().unwrap_or(""));
        let key = match &result.id {
            Some(id) => Some(PairKey::Id(None, id)),
            None => result.by_name.then(tool),
        };
        let call = key.and_then(|key| self.open_calls.answer(key)).map(UseId);
        let id = call.unwrap_or_else(|| self.push_orphan(step, &result));
        self.ephemeral += usize::from(result.ephemeral);
        if result.is_error {
            self.failures.push(block);
        }
        let tool_use = &mut self.uses[id.0];
        tool_use.result = Some(block);
        tool_use.result_bytes = size.bytes + result.media.bytes();
        tool_use.is_error = result.is_error;
        tool_use.ephemeral = result.ephemeral;
        tool_use.text_only = result.text_only;
        tool_use.editable = result.editable;
        tool_use.is_stub = result.is_stub;
        tool_use.partial_result = result.partial_result;
        id
    }

    fn push_orphan(&mut self, step: u32, result: &ResultDraft) -> UseId {
        let name = result.name.as_deref().unwrap_or("");
        let tool_use = self.new_use(name, None, result.id.clone(), step);
        self.uses.push(tool_use);
        UseId(self.uses.len() - 1)
    }

    /// A tool use without call and result.
    fn new_use(
        &mut self,
        tool: &str,
        command: Option<String>,
        id: Option<String>,
        step: u32,
    ) -> ToolUse {
        ToolUse {
            tool: self.names.intern(tool),
            origin: origin_of(tool, command.as_deref()),
            files: Vec::new(),
            command,
            intent: None,
            id,
            call: None,
            result: None,
            result_bytes: 0,
            step,
            is_error: false,
            ephemeral: false,
            text_only: false,
            editable: false,
            call_editable: false,
            provider_executed: false,
            takes_text: false,
            is_stub: false,
            partial_request: false,
            partial_result: false,
        }
    }

    /// Removes all messages from `len` on.
    pub fn truncate(&mut self, len: usize) {
        let Some(cut) = self.messages.get(len).map(|message| message.first_block) else { return };
        self.messages.truncate(len);
        self.blocks.truncate(cut);
        for kept in [&mut self.failures, &mut self.signed, &mut self.compactions] {
            kept.truncate(kept.partition_point(|block| block.0 < cut));
        }
        let shown = self.blocks.iter().skip(self.start().0);
        self.tokens = shown.map(|block| block.tokens).sum();
        let started = |tool_use: &ToolUse| {
            tool_use.call.or(tool_use.result).is_some_and(|block| block.0 < cut)
        };
        self.uses.truncate(self.uses.partition_point(started));
        for tool_use in &mut self.uses {
            if tool_use.result.is_some_and(|block| block.0 >= cut) {
                tool_use.lose_result();
            }
        }
        self.reopen_calls();
        self.ephemeral = self.uses.iter().filter(|tool_use| tool_use.ephemeral).count();
        self.settle_turn();
    }
}

impl History {
    /// Recomputes the open calls from the messages that are left.
    fn reopen_calls(&mut self) {
        let mut open_calls = OpenCalls::default();
        let called = self.uses.iter().enumerate().filter(|(_, one)| one.call.is_some());
        for (i, tool_use) in called {
            for key in call_keys(tool_use.id.as_deref(), self.names.text(tool_use.tool)) {
                open_calls.note(i, tool_use.step, key, tool_use.result.is_none());
            }
        }
        self.open_calls = open_calls;
    }
}

/// The keys by which a result can find a call.
fn call_keys<'a>(id: Option<&'a str>, tool: &'a str) -> impl Iterator<Item = PairKey<'a>> {
    id.map(|id| PairKey::Id(None, id)).into_iter().chain([PairKey::Tool(tool)])
}

fn is_answer_piece(message: &Message) -> bool {
    message.is_piece && message.role == Role::Assistant
}

#[cfg(test)]
mod tests;
