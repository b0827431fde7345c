//! The host's history as facts: what wasm holds of it.

use super::{
    BlockDraft, BlockKind, CallDraft, MessageDraft, NameId, Names, Origin, Place, ResultDraft,
    Role, origin_of,
};
use crate::text::TextSize;
use crate::tokens::{FILE_TOKENS, estimate_tokens};
use std::collections::HashMap;

/// A message's facts.
#[derive(Debug)]
pub struct Message {
    /// Who it is from.
    pub role: Role,
    /// How many assistant messages there are up to and including this one.
    pub step: u32,
    /// Whether it ends a turn: a prompt of the user, or an assistant message that calls no tool.
    pub ends_turn: bool,
    first_block: usize,
}

/// A block's number in its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub usize);

/// A tool use's number in its history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UseId(pub usize);

/// A block's facts.
#[derive(Debug)]
pub struct Block {
    /// The message it belongs to.
    pub message: usize,
    /// What it is.
    pub kind: BlockKind,
    /// Where it stands in its message.
    pub place: Place,
    /// The size of its text.
    pub size: TextSize,
    /// Estimated tokens.
    pub tokens: u64,
    /// The tool use it is a half of.
    pub tool_use: Option<UseId>,
}

/// A tool call with its result, or either alone.
#[derive(Debug)]
pub struct ToolUse {
    /// The tool's name; empty where neither half says it.
    pub tool: NameId,
    /// What kind of work it is.
    pub origin: Origin,
    /// The files it names, with their lines.
    pub files: Vec<(NameId, Option<(u32, u32)>)>,
    /// The start of its command or pattern.
    pub command: Option<String>,
    /// The provider's id.
    pub id: Option<String>,
    /// The call.
    pub call: Option<BlockId>,
    /// The result.
    pub result: Option<BlockId>,
    /// The step of the assistant message that called it.
    pub step: u32,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Whether the host marked the result to go after its turn.
    pub ephemeral: bool,
    /// Whether the result's content is text alone.
    pub text_only: bool,
    /// Whether the result's content can be replaced.
    pub editable: bool,
    /// Whether the result's content is what an earlier projection put there.
    pub is_stub: bool,
}

/// Facts of messages, in order. Grows by [`History::push`], shrinks by [`History::truncate`].
#[derive(Debug, Default)]
pub struct History {
    messages: Vec<Message>,
    blocks: Vec<Block>,
    uses: Vec<ToolUse>,
    names: Names,
    /// Unanswered calls by id, the newest of each: ids may repeat once they are answered.
    open_calls: HashMap<String, UseId>,
    ephemeral: usize,
    tokens: u64,
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

    /// All tool uses, in the order of their first halves.
    pub fn uses(&self) -> &[ToolUse] {
        &self.uses
    }

    /// Tool names and paths.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The blocks of one message, with the number of the first.
    pub fn blocks_of(&self, message: usize) -> (usize, &[Block]) {
        let start = self.messages.get(message).map_or(self.blocks.len(), |m| m.first_block);
        let end = self.messages.get(message + 1).map_or(self.blocks.len(), |m| m.first_block);
        (start, &self.blocks[start..end])
    }

    /// A block's position among those of its message.
    pub fn position(&self, block: BlockId) -> usize {
        block.0 - self.messages[self.blocks[block.0].message].first_block
    }

    /// How many assistant messages there are.
    pub fn steps(&self) -> u32 {
        self.messages.last().map_or(0, |message| message.step)
    }

    /// Estimated tokens of all blocks.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// Whether any result is marked ephemeral.
    pub fn has_ephemeral(&self) -> bool {
        self.ephemeral > 0
    }

    /// Appends a message.
    pub fn push(&mut self, draft: MessageDraft) {
        let index = self.messages.len();
        let step = self.steps() + u32::from(draft.role == Role::Assistant);
        self.messages.push(Message {
            role: draft.role,
            step,
            ends_turn: ends_turn(&draft),
            first_block: self.blocks.len(),
        });
        for block in draft.blocks {
            self.push_block(index, step, block);
        }
    }

    fn push_block(&mut self, message: usize, step: u32, draft: BlockDraft) {
        let id = BlockId(self.blocks.len());
        let tool_use = match (draft.call, draft.result) {
            (Some(call), _) => Some(self.open_use(id, step, call)),
            (None, Some(result)) => Some(self.answer(id, step, result)),
            (None, None) => None,
        };
        let files = if draft.kind == BlockKind::File { FILE_TOKENS } else { 0 };
        let tokens = estimate_tokens(draft.size.bytes) + files;
        self.tokens += tokens;
        self.blocks.push(Block {
            message,
            kind: draft.kind,
            place: draft.place,
            size: draft.size,
            tokens,
            tool_use,
        });
    }

    fn open_use(&mut self, block: BlockId, step: u32, call: CallDraft) -> UseId {
        let id = UseId(self.uses.len());
        if let Some(text) = &call.id {
            self.open_calls.insert(text.clone(), id);
        }
        let mut tool_use = self.new_use(&call.name, call.arguments.command, call.id, step);
        tool_use.call = Some(block);
        let files = call.arguments.files.into_iter();
        tool_use.files = files.map(|file| (self.names.intern(&file.path), file.lines)).collect();
        self.uses.push(tool_use);
        id
    }

    fn answer(&mut self, block: BlockId, step: u32, result: ResultDraft) -> UseId {
        let call = result.id.as_ref().and_then(|id| self.open_calls.remove(id));
        let id = call.unwrap_or_else(|| self.push_orphan(step, &result));
        self.ephemeral += usize::from(result.ephemeral);
        let tool_use = &mut self.uses[id.0];
        tool_use.result = Some(block);
        tool_use.is_error = result.is_error;
        tool_use.ephemeral = result.ephemeral;
        tool_use.text_only = result.text_only;
        tool_use.editable = result.editable;
        tool_use.is_stub = result.is_stub;
        id
    }

    fn push_orphan(&mut self, step: u32, result: &ResultDraft) -> UseId {
        let name = result.name.as_deref().unwrap_or("");
        let tool_use = self.new_use(name, None, result.id.clone(), step);
        self.uses.push(tool_use);
        UseId(self.uses.len() - 1)
    }

    /// A tool use of which neither half is known yet.
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
            id,
            call: None,
            result: None,
            step,
            is_error: false,
            ephemeral: false,
            text_only: false,
            editable: false,
            is_stub: false,
        }
    }

    /// Drops all messages from `len` on, so that others can follow.
    pub fn truncate(&mut self, len: usize) {
        let Some(cut) = self.messages.get(len).map(|message| message.first_block) else { return };
        self.tokens -= self.blocks[cut..].iter().map(|block| block.tokens).sum::<u64>();
        self.messages.truncate(len);
        self.blocks.truncate(cut);
        let started = |tool_use: &ToolUse| {
            tool_use.call.or(tool_use.result).is_some_and(|block| block.0 < cut)
        };
        self.uses.truncate(self.uses.partition_point(started));
        for tool_use in &mut self.uses {
            if tool_use.result.is_some_and(|block| block.0 >= cut) {
                tool_use.result = None;
                tool_use.is_error = false;
                tool_use.ephemeral = false;
            }
        }
        let open = self.uses.iter().enumerate().filter(|(_, tool_use)| tool_use.result.is_none());
        self.open_calls =
            open.filter_map(|(i, tool_use)| Some((tool_use.id.clone()?, UseId(i)))).collect();
        self.ephemeral = self.uses.iter().filter(|tool_use| tool_use.ephemeral).count();
    }
}

fn ends_turn(draft: &MessageDraft) -> bool {
    match draft.role {
        Role::Assistant => draft.blocks.iter().all(|block| block.kind != BlockKind::ToolCall),
        Role::User => draft.blocks.iter().any(|block| block.kind != BlockKind::ToolResult),
        Role::System | Role::Tool => false,
    }
}
