//! Results of a check: problems and repairs.

use super::edits::RepairEntry;
use super::problem::{Repair, ValidityProblem, ValidityRule};
use crate::message::stable_merge_sort;

/// The problems of a history, and the repaired history.
#[derive(Debug, Default)]
pub struct Findings {
    /// Problems, by message and block.
    pub problems: Vec<ValidityProblem>,
    /// Repairs, by message and block.
    pub repairs: Vec<Repair>,
    /// The repaired history, message by message.
    pub entries: Vec<RepairEntry>,
    found: Vec<Vec<Found>>,
}

/// One finding: a problem, a repair, or both.
#[derive(Debug)]
struct Found {
    block: Option<usize>,
    rule: ValidityRule,
    problem: Option<String>,
    remedy: Option<String>,
}

impl Findings {
    /// Records a problem that is repaired, with the description of the repair.
    pub fn repaired(
        &mut self,
        at: Position,
        rule: ValidityRule,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.push(at, rule, Some(problem.into()), Some(remedy.into()));
    }

    /// Records a problem that is not repaired because the message must not change.
    pub fn left(&mut self, at: Position, rule: ValidityRule, problem: &str) {
        let because =
            "beside signed reasoning or a provider's copy of the call, so it is not repaired";
        self.push(at, rule, Some(format!("{problem}; {because}")), None);
    }

    /// Records a repair that another repair made necessary.
    pub fn also(&mut self, index: usize, rule: ValidityRule, remedy: impl Into<String>) {
        self.push(Position::message(index), rule, None, Some(remedy.into()));
    }

    /// Records a finding under its message.
    pub fn push(
        &mut self,
        at: Position,
        rule: ValidityRule,
        problem: Option<String>,
        remedy: Option<String>,
    ) {
        if self.found.len() <= at.message {
            self.found.resize_with(at.message + 1, Vec::new);
        }
        self.found[at.message].push(Found { block: at.block, rule, problem, remedy });
    }

    /// Converts the findings to problems and repairs, sorted by message and block.
    pub fn told(mut self) -> Self {
        for (index, list) in std::mem::take(&mut self.found).into_iter().enumerate() {
            let by_block = |found: &Found| found.block.map_or(0, |block| block as u64 + 1);
            for Found { block, rule, problem, remedy } in stable_merge_sort(list, by_block) {
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

/// Location of a problem: a message, and the position of a block among its blocks.
#[derive(Debug, Clone, Copy)]
pub struct Position {
    /// The message.
    pub message: usize,
    /// The block; `None` for the message as a whole.
    pub block: Option<usize>,
}

impl Position {
    /// A whole message.
    pub fn message(message: usize) -> Self {
        Self { message, block: None }
    }

    /// A block of a message.
    pub fn block(message: usize, block: usize) -> Self {
        Self { message, block: Some(block) }
    }
}
