//! Validity rules, problems and repairs.

use serde::Serialize;

/// A provider's validity rule. The quoted error messages are in the `validity` file of each format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum ValidityRule {
    /// Each call has a result.
    UnansweredCall,
    /// Each result has a call.
    OrphanResult,
    /// A call has only one result.
    DuplicateResult,
    /// Results follow directly after the message with the calls.
    ResultOrder,
    /// Results precede all other blocks of their message.
    ResultsNotFirst,
    /// Results are in messages whose role allows them.
    ResultRole,
    /// Calls are in assistant messages.
    CallRole,
    /// No text follows a call in its message.
    CallsNotLast,
    /// Ids of calls are unique.
    DuplicateId,
    /// Calls and results have ids.
    MissingId,
    /// Ids consist of the allowed characters.
    InvalidId,
    /// A message has content.
    EmptyContent,
    /// A text block has text.
    EmptyText,
    /// A list of calls is not empty.
    EmptyToolCalls,
    /// Reasoning is followed by other content.
    ReasoningLast,
    /// Calls have the reasoning that the model requires.
    ReasoningMissing,
    /// The first message is the user's.
    FirstRole,
    /// System messages are in positions that the provider accepts.
    SystemOrder,
    /// A signed compaction by the provider is the first block.
    CompactionFirst,
    /// Calls follow a user message.
    CallOrder,
    /// A result names the tool that was called.
    ResultName,
    /// A result has the shape that its position requires.
    ResultShape,
    /// An item occurs once.
    DuplicateItem,
    /// Signed reasoning follows the same messages as when it was created. Only a caller that knows what was sent can
    /// check this.
    #[serde(rename = "thinking_unbound")]
    ThinkingUnbound,
}

/// A problem for which the provider would reject the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct ValidityProblem {
    /// Index of the message in the history.
    pub index: usize,
    /// Position of the block in the message, as in `inspect`; absent if the problem concerns the whole message.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional))]
    pub block: Option<usize>,
    /// The broken rule.
    pub rule: ValidityRule,
    /// Description of the problem, for people.
    pub message: String,
    /// Whether `repair` removes it. Signed reasoning and a provider's own copy of a call prevent changes to their
    /// message.
    pub repairable: bool,
}

/// One repair of a history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct Repair {
    /// Index of the message in the original history.
    pub index: usize,
    /// The broken rule.
    pub rule: ValidityRule,
    /// Description of the repair, for people.
    pub message: String,
}
