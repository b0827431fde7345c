//! What differs from provider to provider, as data, and what providers are asked.

use super::edits::RepairEdit;
use super::problem::ValidityRule;
use crate::message::{Block, BlockKind, History, Key, Role};

/// What stands where a call's result never came.
pub const NO_RESULT: &str = "[No result: the call was interrupted.]";
/// What stands in a message that must say something and does not.
pub const NO_CONTENT: &str = "[Empty message.]";

/// The rules of one provider, as far as data tells them.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Where calls and results stand.
    pub layout: Layout,
    /// What ids must be.
    pub ids: Ids,
    /// Where a result may stand behind its call.
    pub reach: Reach,
    /// The way to the id from the object that is the call.
    pub call_id: &'static [Key],
    /// The way to the id from the object that is the result.
    pub result_id: &'static [Key],
    /// The way to the tool's name from the object that is the result, where it must be that of the call.
    pub result_name: &'static [Key],
    /// A message of the assistant that holds such a block keeps its blocks in their places, with their ids: beside
    /// signed reasoning nothing may change, and a provider's copy of a call would keep the old id.
    pub locked_by: &'static [BlockKind],
    /// Results are said in messages of their own role alone.
    pub tool_role: bool,
    /// Results stand before other blocks, and text before calls; no answer ends in its reasoning.
    pub ordered_blocks: bool,
    /// The first message is the user's.
    pub user_first: bool,
    /// Calls follow a message that is not the model's.
    pub calls_follow_user: bool,
    /// A list of calls has calls.
    pub no_empty_calls: bool,
    /// Messages are items with ids of their own, and an item of reasoning leads to another one of the model's.
    pub items: bool,
}

impl Rules {
    /// What holds where a provider says nothing else: results are messages of their own in the run behind the call.
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
        user_first: false,
        calls_follow_user: false,
        no_empty_calls: false,
        items: false,
    };
}

/// Where calls and results stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Each result is a message.
    Separate,
    /// Results are blocks of the message that follows the calls.
    Nested,
    /// Call and result are one part, so that nothing is ever moved.
    Joined,
}

/// What ids must be.
#[derive(Debug, Clone, Copy)]
pub struct Ids {
    /// Unique in the whole history, not only among the calls of one message.
    pub unique_in_history: bool,
    /// Letters, digits, `_` and `-`.
    pub plain: bool,
    /// They may be missing: the tool's name and the order tell then.
    pub optional: bool,
}

/// Where a result may stand behind its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// In the next message.
    Next,
    /// In the run of messages of results right behind it.
    Run,
    /// Anywhere behind it.
    Later,
}

/// A call or a result, before it is known whether it counts.
#[derive(Debug, Clone, Copy)]
pub struct Half<'a> {
    /// Its block.
    pub block: &'a Block,
    /// Whether its message keeps its blocks as they are.
    pub locked: bool,
}

impl Half<'_> {
    /// Whether it is a call, and not a result.
    pub fn is_call(&self) -> bool {
        self.block.kind == BlockKind::ToolCall
    }

    /// Whether the model says it.
    pub fn is_models(&self, history: &History) -> bool {
        history.messages()[self.block.message].role == Role::Assistant
    }
}

/// What the facts do not hold of a call or result that counts.
#[derive(Debug, Default)]
pub struct Counted {
    /// What kinds of calls and results belong together, where a format has several.
    pub kind: Option<char>,
    /// The tool's name, where the provider pairs by it.
    pub tool: Option<String>,
}

/// A call that has no result.
#[derive(Debug)]
pub struct MissingResult<'a> {
    /// Its id in the repaired history; empty where it has none.
    pub id: &'a str,
    /// The tool that it names.
    pub tool: &'a str,
    /// What [`Counted::kind`] says of it.
    pub kind: Option<char>,
}

/// Something that is wrong with a block in itself.
#[derive(Debug)]
pub struct Fault {
    /// The rule that is broken.
    pub rule: ValidityRule,
    /// What is wrong.
    pub problem: &'static str,
    /// What is done.
    pub remedy: &'static str,
    /// How.
    pub edits: Vec<RepairEdit>,
}
