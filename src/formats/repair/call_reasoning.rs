//! The reasoning that a model asks for beside the calls that it led to. Which model asks for what is not known here:
//! the host names the model.

use super::problem::{ValidityProblem, ValidityRule};
use crate::formats::registry::Format;
use crate::message::{BlockKind, History, Role, Value};
use serde::Serialize;

/// What a model asks for with the calls of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum CallReasoning {
    /// Each answer with calls has its reasoning as text, in all later requests: DeepSeek's "The `reasoning_content` in the
    /// thinking mode must be passed back to the API.", Moonshot's "thinking is enabled but reasoning_content is missing in
    /// assistant tool call message at index 2".
    Text,
    /// The first call of each step of the turn that goes on is signed: Gemini's "Function call is missing a
    /// thought_signature in functionCall parts."
    Signature,
}

impl CallReasoning {
    /// By the name that crosses the boundary.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Text, Self::Signature].into_iter().find(|one| one.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            CallReasoning::Text => "text",
            CallReasoning::Signature => "signature",
        }
    }
}

/// `reasoning-missing`: answers with calls that come without what the model asks for. It cannot be made up.
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
