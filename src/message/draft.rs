//! A message as a format read it, before it is placed in a history.

use super::arguments::ToolArguments;
use super::block::{BlockKind, BlockPath, Removable, Role};
use super::media::Media;
use crate::text::TextSize;

/// A message's facts.
#[derive(Debug)]
pub struct MessageDraft {
    /// Who it is from.
    pub role: Role,
    /// Its pieces, in the order of the wire.
    pub blocks: Vec<BlockDraft>,
    /// Whether it is a piece of an answer: pieces of the assistant that follow each other are one step.
    pub is_piece: bool,
    /// Positions of the blocks with which a further step begins, where one message holds several.
    pub step_starts: Vec<usize>,
}

impl MessageDraft {
    /// A message that is one step, or none.
    pub fn new(role: Role, blocks: Vec<BlockDraft>) -> Self {
        Self { role, blocks, is_piece: false, step_starts: Vec::new() }
    }

    /// A piece of an answer, or what stands between two answers.
    pub fn piece(role: Role, block: BlockDraft) -> Self {
        Self { is_piece: true, ..Self::new(role, vec![block]) }
    }

    /// Whether the turn is over with it: it asks for no tool, or the user says more than results.
    pub fn ends_turn(&self) -> bool {
        let last_step = self.step_starts.last().copied().unwrap_or(0);
        match self.role {
            Role::Assistant => {
                self.blocks.iter().skip(last_step).all(|block| block.kind != BlockKind::ToolCall)
            }
            Role::User => self.blocks.iter().any(|block| block.kind != BlockKind::ToolResult),
            Role::System | Role::Tool => false,
        }
    }
}

/// A block's facts.
#[derive(Debug)]
pub struct BlockDraft {
    /// What it is.
    pub kind: BlockKind,
    /// Where it stands in its message.
    pub place: BlockPath,
    /// The size of its text, or of its JSON where it has no text.
    pub size: TextSize,
    /// When it may be left out.
    pub removable: Removable,
    /// Whether it is reasoning that a provider may have bound to all that was sent before it.
    pub signed: bool,
    /// Whether it stands for all that was sent before it: the provider's own compaction.
    pub stands_for_before: bool,
    /// Present on tool calls.
    pub call: Option<CallDraft>,
    /// Present on tool results.
    pub result: Option<ResultDraft>,
}

impl BlockDraft {
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

    /// A block that is neither call nor result.
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

    /// Reasoning, which can be taken out when its turn is over, or stays.
    pub fn reasoning(place: BlockPath, size: TextSize, removable: Removable) -> Self {
        Self { removable, ..Self::plain(BlockKind::Reasoning, place, size) }
    }

    /// What a provider made of all that was sent before it. It is opaque, and stays first.
    pub fn compaction(kind: BlockKind, place: BlockPath, size: TextSize) -> Self {
        Self { stands_for_before: true, ..Self::plain(kind, place, size) }
    }

    /// The same, with the signature of a provider that may have bound it to all that was sent before it, or without.
    pub fn signed(self, signed: bool) -> Self {
        Self { signed, ..self }
    }
}

/// A tool call.
#[derive(Debug)]
pub struct CallDraft {
    /// The provider's id; `None` where it has none.
    pub id: Option<String>,
    /// The tool.
    pub name: String,
    /// What the engine understood of its arguments.
    pub arguments: ToolArguments,
    /// Whether its arguments can be changed: they are not signed, not the provider's own, and stand nowhere else.
    pub editable: bool,
    /// Whether the provider runs the tool itself.
    pub provider_executed: bool,
    /// Whether the tool takes a text instead of JSON.
    pub takes_text: bool,
}

/// A tool result.
#[derive(Debug)]
pub struct ResultDraft {
    /// The id of the call that it answers.
    pub id: Option<String>,
    /// The tool, where the result names it.
    pub name: Option<String>,
    /// Whether a result without id answers, by the provider's rule, the first open call of its tool in this step.
    pub by_name: bool,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Whether the host marked it to go after its turn.
    pub ephemeral: bool,
    /// The images and files that its content holds.
    pub media: Media,
    /// Whether its content is text alone, so that the text tells all of it.
    pub text_only: bool,
    /// Whether its content has a shape that an edit can stand in for.
    pub editable: bool,
    /// Whether its content is what an earlier projection put there.
    pub is_stub: bool,
    /// Whether its content says that it shows a part of a file.
    pub partial_result: bool,
}
