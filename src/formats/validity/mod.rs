//! What a provider refuses of a history, and what has to change for it to be accepted: one file per provider.
//!
//! The rules work on the facts of a [`History`] and look at the messages themselves only for what facts do not hold (is
//! a text blank, is there an empty list of calls). What a repair would do is worked out together with the problems, so
//! that the two cannot disagree.

mod anthropic;
mod layout;
mod openai_chat;
mod pairing;
mod rule;

pub use layout::{Edit, Entry, Item, PathStep};
pub use rule::{Repair, ValidityProblem, ValidityRule};

use super::Format;
use crate::message::{History, Kind, Problem, Value};

/// What stands where a call's result never came.
pub const NO_RESULT: &str = "[No result: the call was interrupted.]";
/// What stands in a message that must say something and does not.
pub const NO_CONTENT: &str = "[Empty message.]";
/// What ends an answer that broke off in its reasoning.
pub const NO_ANSWER: &str = "[No answer: the response was interrupted.]";
/// What stands before a conversation whose start is gone.
pub const NO_START: &str = "[The start of the conversation is missing.]";

/// What is wrong with a history, and the history that would be right.
#[derive(Debug, Default)]
pub struct Findings {
    /// What the provider refuses, by position.
    pub problems: Vec<ValidityProblem>,
    /// What was done about it, by position.
    pub repairs: Vec<Repair>,
    /// The repaired history, message by message.
    pub entries: Vec<Entry>,
}

impl Findings {
    /// A problem that the repair removes, with what it does.
    fn repaired(&mut self, at: Place, rule: ValidityRule, message: String, remedy: String) {
        self.problem(at, rule, message, true);
        self.repairs.push(Repair { index: at.message, rule, message: remedy });
    }

    /// A problem that is left as it is, because the message must not be changed.
    fn left(&mut self, at: Place, rule: ValidityRule, message: &str) {
        let message = format!("{message}; beside signed reasoning, so it is not repaired");
        self.problem(at, rule, message, false);
    }

    /// A repair that another one made necessary.
    fn also(&mut self, index: usize, rule: ValidityRule, remedy: String) {
        self.repairs.push(Repair { index, rule, message: remedy });
    }

    fn problem(&mut self, at: Place, rule: ValidityRule, message: String, repairable: bool) {
        let Place { message: index, block } = at;
        self.problems.push(ValidityProblem { index, block, rule, message, repairable });
    }

    fn sorted(mut self) -> Self {
        self.problems.sort_by_key(|problem| (problem.index, problem.block));
        self.repairs.sort_by_key(|repair| repair.index);
        self
    }
}

/// Where a problem stands: a message, and the block's position among its blocks.
#[derive(Debug, Clone, Copy)]
struct Place {
    message: usize,
    block: Option<usize>,
}

impl Place {
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
) -> Result<Findings, Problem> {
    let findings = match format {
        Format::OpenAiChat => openai_chat::check(history, message),
        Format::Anthropic => anthropic::check(history, message),
        other => {
            let reason =
                format!("validate and repair know openai-chat and anthropic, not {}", other.name());
            return Err(Problem::InvalidOption { option: "format", reason });
        }
    };
    Ok(findings.sorted())
}

/// Whether a value is a text with something in it.
fn says_something<V: Value>(text: &V) -> bool {
    text.kind() == Kind::Text && !text.is_blank()
}

#[cfg(test)]
mod tests;
