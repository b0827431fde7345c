//! What a provider refuses of a history, and what has to change for it to be accepted: one file per provider.
//!
//! The rules work on the facts of a [`History`] and look at the messages themselves only for what facts do not hold (is
//! a text blank, is there an empty list of calls). What a repair would do is worked out together with the problems, so
//! that the two cannot disagree.

mod ai_sdk;
mod ai_sdk_ui;
mod anthropic;
mod blocks;
mod check;
mod gemini;
mod langchain;
mod layout;
mod messages;
mod openai_chat;
mod openai_responses;
mod pairing;
mod rule;
mod rules;

pub use layout::{New, RepairEdit, RepairEntry, RepairItem, RepairStep};
pub use rule::{Repair, ValidityProblem, ValidityRule};

use super::Format;
use crate::message::{History, Kind, Value};
use check::Check;

/// What stands where a call's result never came.
pub const NO_RESULT: &str = "[No result: the call was interrupted.]";
/// What stands in a message that must say something and does not.
pub const NO_CONTENT: &str = "[Empty message.]";
/// What ends an answer that broke off in its reasoning.
pub const NO_ANSWER: &str = "[No answer: the response was interrupted.]";
/// What stands before a conversation whose start is gone.
pub const NO_START: &str = "[The start of the conversation is missing.]";

/// What stands between two answers where the provider wants a word of the user's.
pub const NO_PROMPT: &str = "[Continue.]";

/// What is wrong with a history, and the history that would be right.
#[derive(Debug, Default)]
pub struct Findings {
    /// What the provider refuses, by position.
    pub problems: Vec<ValidityProblem>,
    /// What was done about it, by position.
    pub repairs: Vec<Repair>,
    /// The repaired history, message by message.
    pub entries: Vec<RepairEntry>,
    found: Vec<Vec<Found>>,
}

/// One thing that was found: a problem, what was done, or both.
#[derive(Debug)]
struct Found {
    block: Option<usize>,
    rule: ValidityRule,
    problem: Option<String>,
    remedy: Option<String>,
}

impl Findings {
    /// A problem that the repair removes, with what it does.
    fn repaired(
        &mut self,
        at: Position,
        rule: ValidityRule,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.push(at, rule, Some(problem.into()), Some(remedy.into()));
    }

    /// A problem that is left as it is, because the message must not be changed.
    fn left(&mut self, at: Position, rule: ValidityRule, problem: &str) {
        let because =
            "beside signed reasoning or a provider's copy of the call, so it is not repaired";
        self.push(at, rule, Some(format!("{problem}; {because}")), None);
    }

    /// A repair that another one made necessary.
    fn also(&mut self, index: usize, rule: ValidityRule, remedy: impl Into<String>) {
        self.push(Position::message(index), rule, None, Some(remedy.into()));
    }

    /// Keeps what was found by position: by message, and there by block.
    fn push(
        &mut self,
        at: Position,
        rule: ValidityRule,
        problem: Option<String>,
        remedy: Option<String>,
    ) {
        if self.found.len() <= at.message {
            self.found.resize_with(at.message + 1, Vec::new);
        }
        let list = &mut self.found[at.message];
        let behind = list.partition_point(|found| found.block <= at.block);
        list.insert(behind, Found { block: at.block, rule, problem, remedy });
    }

    /// Tells what was found as problems and repairs.
    fn told(mut self) -> Self {
        for (index, list) in std::mem::take(&mut self.found).into_iter().enumerate() {
            for Found { block, rule, problem, remedy } in list {
                if let Some(message) = problem {
                    let repairable = remedy.is_some();
                    self.problems.push(ValidityProblem { index, block, rule, message, repairable });
                }
                if let Some(message) = remedy {
                    self.repairs.push(Repair { index, rule, message });
                }
            }
        }
        self
    }
}

/// Where a problem stands: a message, and the block's position among its blocks.
#[derive(Debug, Clone, Copy)]
struct Position {
    message: usize,
    block: Option<usize>,
}

impl Position {
    fn message(message: usize) -> Self {
        Self { message, block: None }
    }

    fn block(message: usize, block: usize) -> Self {
        Self { message, block: Some(block) }
    }
}

/// Checks a history in `format`; `message` gives the messages that its facts were read from.
pub fn check<V: Value>(
    format: Format,
    history: &History,
    message: impl Fn(usize) -> V,
) -> Findings {
    if format == Format::AiSdkUi {
        return ai_sdk_ui::check(history, message).told();
    }
    let mut check = Check::new(format, history, message);
    check.ids();
    check.results();
    match format {
        Format::Anthropic | Format::AiSdk | Format::Gemini => check.lay_out_blocks(),
        _ => check.lay_out_messages(),
    }
    check.findings.told()
}

/// Whether a value is a text with something in it.
fn says_something<V: Value>(text: &V) -> bool {
    text.kind() == Kind::Text && !text.is_blank()
}

#[cfg(test)]
mod tests;
