//! Provider rules as data, and the types that format functions take and return.

use super::edits::RepairEdit;
use super::problem::ValidityRule;
use crate::message::{Block, BlockKind, History, Key, Role};

/// Content of the result added for a call without one.
pub const NO_RESULT: &str = "[No result: the call was interrupted.]";
/// Content added to a message that requires some.
pub const NO_CONTENT: &str = "[Empty message.]";

/// The rules of one provider that are plain data.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Where calls and results are.
    pub layout: Layout,
    /// Requirements on ids.
    pub ids: Ids,
    /// Where a result may be, relative to its call.
    pub reach: Reach,
    /// Path from the object of a call to its id.
    pub call_id: &'static [Key],
    /// Path from the object of a result to its id.
    pub result_id: &'static [Key],
    /// Path from the object of a result to its tool name, if it must match the call's.
    pub result_name: &'static [Key],
    /// Kinds of blocks that lock their assistant message: its blocks keep their positions and ids. Nothing may change
    /// beside signed reasoning, and a provider's copy of a call would keep the old id.
    pub locked_by: &'static [BlockKind],
    /// Whether results are valid only in messages of the role `tool`.
    pub tool_role: bool,
    /// Whether results precede other blocks, text precedes calls, and no answer may end in its reasoning.
    pub ordered_blocks: bool,
    /// Whether a result of a tool that the provider runs itself is a block of the assistant, after its call.
    pub served_results: bool,
    /// Whether the first message must be the user's.
    pub user_first: bool,
    /// Whether calls must follow a message that is not the model's.
    pub calls_follow_user: bool,
    /// Whether an empty list of calls is invalid.
    pub no_empty_calls: bool,
    /// Whether messages are items with unique ids, and an item of reasoning must be followed by another item of the
    /// model.
    pub items: bool,
}

impl Rules {
    /// Defaults for providers: each result is a message, in the run after the call.
    pub const USUAL: Rules = Rules {
        layout: Layout::Separate,
        ids: Ids { unique_in_history: false, plain: false, optional: false },
        reach: Reach::Run,
        call_id: &[Key::Id],
        result_id: &[Key::ToolCallId],
        result_name: &[],
        locked_by: &[],
        tool_role: false,
        ordered_blocks: false,
        served_results: false,
        user_first: false,
        calls_follow_user: false,
        no_empty_calls: false,
        items: false,
    };
}

/// Where calls and results are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Each result is a message.
    Separate,
    /// Results are blocks of the message that follows the calls.
    Nested,
    /// A call and its result are one part, so nothing is moved.
    Joined,
}

/// Requirements on ids.
#[derive(Debug, Clone, Copy)]
pub struct Ids {
    /// Unique in the whole history, not only among the calls of one message.
    pub unique_in_history: bool,
    /// Only letters, digits, `_` and `-`.
    pub plain: bool,
    /// May be missing; then the tool's name and the order decide.
    pub optional: bool,
}

/// Where a result may be, relative to its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// In the next message.
    Next,
    /// In the run of result messages right after it.
    Run,
    /// Anywhere after it.
    Later,
}

/// Whether a block is a call that the provider executes itself, or its result.
pub fn is_providers(history: &History, block: &Block) -> bool {
    block.tool_use.is_some_and(|id| history[id].provider_executed)
}

/// A call or result that `Wire::counted` may include in pairing.
#[derive(Debug, Clone, Copy)]
pub struct Half<'a> {
    /// Its block.
    pub block: &'a Block,
    /// Whether its message is locked ([`Rules::locked_by`]).
    pub locked: bool,
}

impl Half<'_> {
    /// Returns whether it is a call rather than a result.
    pub fn is_call(&self) -> bool {
        self.block.kind == BlockKind::ToolCall
    }

    /// Returns whether the provider executes the tool itself.
    pub fn is_providers(&self, history: &History) -> bool {
        is_providers(history, self.block)
    }

    /// Returns whether it is in an assistant message.
    pub fn is_models(&self, history: &History) -> bool {
        history.messages()[self.block.message].role == Role::Assistant
    }
}

/// Properties of a paired call or result that the facts lack.
#[derive(Debug, Default)]
pub struct Counted {
    /// Kind of call or result, for formats that pair only halves of the same kind.
    pub kind: Option<char>,
    /// The tool's name, if the provider pairs by it.
    pub tool: Option<String>,
}

/// A call that has no result.
#[derive(Debug)]
pub struct MissingResult<'a> {
    /// Its id in the repaired history; empty if it has none.
    pub id: &'a str,
    /// The name of its tool.
    pub tool: &'a str,
    /// Its kind ([`Counted::kind`]).
    pub kind: Option<char>,
}

/// A problem within a single block, with its repair.
#[derive(Debug)]
pub struct Fault {
    /// The broken rule.
    pub rule: ValidityRule,
    /// Description of the problem.
    pub problem: &'static str,
    /// Description of the repair.
    pub remedy: &'static str,
    /// The edits that repair it.
    pub edits: Vec<RepairEdit>,
}
