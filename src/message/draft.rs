//! A message as read by a format, before it is added to a history.

use super::arguments::ToolArguments;
use super::block::{BlockKind, BlockPath, Removable, Role};
use super::media::Media;
use crate::text::TextSize;

/// The facts about a message.
#[derive(Debug)]
pub struct MessageDraft {
    /// The role of the message.
    pub role: Role,
    /// The blocks, in their order in the message.
    pub blocks: Vec<BlockDraft>,
    /// Whether it is a piece of an answer: consecutive pieces of the assistant are one step.
    pub is_piece: bool,
    /// Positions of the blocks that begin a further step, if one message contains several steps.
    pub step_starts: Vec<usize>,
}

impl MessageDraft {
    /// A message of at most one step.
    pub fn new(role: Role, blocks: Vec<BlockDraft>) -> Self {
        Self { role, blocks, is_piece: false, step_starts: Vec::new() }
    }

    /// A piece of an answer, or a message between two answers.
    pub fn piece(role: Role, block: BlockDraft) -> Self {
        Self { is_piece: true, ..Self::new(role, vec![block]) }
    }

    /// Whether it ends the turn: the model calls no tool, or the user says more than tool results.
    pub fn ends_turn(&self) -> bool {
        let last_step = self.step_starts.last().copied().unwrap_or(0);
        match self.role {
            Role::Assistant => !self.blocks.iter().skip(last_step).any(BlockDraft::asks_host),
            Role::User => self.blocks.iter().any(|block| block.kind != BlockKind::ToolResult),
            Role::System | Role::Tool => false,
        }
    }
}

/// The facts about a block.
#[derive(Debug)]
pub struct BlockDraft {
    /// The kind of block.
    pub kind: BlockKind,
    /// Its position in the message.
    pub place: BlockPath,
    /// The size of its text, or of its JSON if it has no text.
    pub size: TextSize,
    /// When it may be removed.
    pub removable: Removable,
    /// Whether it is reasoning that a provider may have bound to everything sent before it.
    pub signed: bool,
    /// Whether it is the provider's own compaction, which replaces everything sent before it.
    pub stands_for_before: bool,
    /// Present on tool calls.
    pub call: Option<CallDraft>,
    /// Present on tool results.
    pub result: Option<ResultDraft>,
}

impl BlockDraft {
    /// Whether it is a call that the host answers.
    pub fn asks_host(&self) -> bool {
        self.call.as_ref().is_some_and(|call| !call.provider_executed)
    }

    /// A tool call whose arguments have this size.
    pub fn call(place: BlockPath, size: TextSize, call: CallDraft) -> Self {
        Self {
            kind: BlockKind::ToolCall,
            place,
            size,
            removable: Removable::Never,
            signed: false,
            stands_for_before: false,
            call: Some(call),
            result: None,
        }
    }

    /// A tool result whose content has this size.
    pub fn result(place: BlockPath, size: TextSize, result: ResultDraft) -> Self {
        Self {
            kind: BlockKind::ToolResult,
            place,
            size,
            removable: Removable::Never,
            signed: false,
            stands_for_before: false,
            call: None,
            result: Some(result),
        }
    }

    /// A block that is neither a call nor a result.
    pub fn plain(kind: BlockKind, place: BlockPath, size: TextSize) -> Self {
        Self {
            kind,
            place,
            size,
            removable: Removable::Never,
            signed: false,
            stands_for_before: false,
            call: None,
            result: None,
        }
    }

    /// Reasoning. `removable` says whether it can be removed after its turn.
    pub fn reasoning(place: BlockPath, size: TextSize, removable: Removable) -> Self {
        Self { removable, ..Self::plain(BlockKind::Reasoning, place, size) }
    }

    /// A provider's compaction of everything sent before it. It is opaque, and is kept as the first block.
    pub fn compaction(kind: BlockKind, place: BlockPath, size: TextSize) -> Self {
        Self { stands_for_before: true, ..Self::plain(kind, place, size) }
    }

    /// The same block, with or without the signature of a provider that may have bound it to everything sent before it.
    pub fn signed(self, signed: bool) -> Self {
        Self { signed, ..self }
    }
}

/// A tool call.
#[derive(Debug)]
pub struct CallDraft {
    /// The provider's id, if any.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// The facts about its arguments.
    pub arguments: ToolArguments,
    /// Whether its arguments can be changed: they are not signed, not the provider's own, and not repeated elsewhere.
    pub editable: bool,
    /// Whether the provider runs the tool itself.
    pub provider_executed: bool,
    /// Whether the tool's input is a text instead of JSON.
    pub takes_text: bool,
}

/// A tool result.
#[derive(Debug)]
pub struct ResultDraft {
    /// The id of the call that it answers.
    pub id: Option<String>,
    /// The tool, if the result names it.
    pub name: Option<String>,
    /// Whether a result without id answers the first open call of its tool in this step, by the provider's rule.
    pub by_name: bool,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Whether the host marked it for removal after its turn.
    pub ephemeral: bool,
    /// The images and files in its content.
    pub media: Media,
    /// Whether its content is only text.
    pub text_only: bool,
    /// Whether its content has a shape that can be replaced.
    pub editable: bool,
    /// Whether its content is a replacement made by an earlier projection.
    pub is_stub: bool,
    /// Whether its content says that it shows only a part of a file.
    pub partial_result: bool,
}
