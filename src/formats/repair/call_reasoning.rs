//! The reasoning that a model requires with its earlier calls. The engine does not know which model requires which; the
//! host passes it.

use serde::Serialize;

/// The reasoning that a model requires with the calls of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum CallReasoning {
    /// Each answer with calls has its reasoning as text, in all later requests: DeepSeek's "The `reasoning_content` in
    /// the thinking mode must be passed back to the API.", Moonshot's "thinking is enabled but reasoning_content is
    /// missing in assistant tool call message at index 2".
    Text,
    /// The first call of each step of the current turn is signed: Gemini's "Function call is missing a
    /// thought_signature in functionCall parts."
    Signature,
}

impl CallReasoning {
    /// Returns the value with the name used at the boundary.
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
