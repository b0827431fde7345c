//! Calls without the reasoning that the model requires with them.

use super::call_reasoning::CallReasoning;
use super::problem::{ValidityProblem, ValidityRule};
use crate::formats::registry::Format;
use crate::message::{BlockKind, History, Role, Value};

/// `reasoning-missing`: reports answers with calls that lack the required reasoning. It cannot be repaired.
pub fn missing_reasoning<V: Value>(
    format: Format,
    history: &History,
    asked: CallReasoning,
    message: impl Fn(usize) -> V,
) -> Vec<ValidityProblem> {
    let turn = history.messages().iter().enumerate().rposition(|(index, message)| {
        let is_result = |kind| kind == BlockKind::ToolResult;
        message.role == Role::User
            && !history.blocks_of(index).1.iter().any(|block| is_result(block.kind))
    });
    let from = match asked {
        CallReasoning::Text => 0,
        CallReasoning::Signature => turn.unwrap_or(0),
    };
    let problem = |index: usize| {
        let (_, blocks) = history.blocks_of(index);
        let call = blocks.iter().position(|block| block.kind == BlockKind::ToolCall)?;
        let lacks = history.messages()[index].role == Role::Assistant
            && format.lacks_reasoning(&message(index), asked);
        lacks.then(|| ValidityProblem {
            index,
            block: Some(call),
            rule: ValidityRule::ReasoningMissing,
            message: match asked {
                CallReasoning::Text => "the call comes without the reasoning that led to it",
                CallReasoning::Signature => "the first call of a step has no thought signature",
            }
            .to_owned(),
            repairable: false,
        })
    };
    (from..history.messages().len()).filter_map(problem).collect()
}
