//! The reasoning that a model asks for beside the calls that it led to. Which model asks for what is not known here:
//! the host names the model.

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
