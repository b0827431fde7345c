//! The rules by name, and how a breach of one is told.

use serde::Serialize;

/// A rule of a provider's. What each provider says where it is broken stands with its checks.
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
    /// A call has one result.
    DuplicateResult,
    /// Results stand right after the message that called.
    ResultOrder,
    /// Results stand before anything else in their message.
    ResultsNotFirst,
    /// Results are said by who may say them.
    ResultRole,
    /// Calls are made by the assistant.
    CallRole,
    /// Nothing is said after a call in its message.
    CallsNotLast,
    /// Calls have ids of their own.
    DuplicateId,
    /// Calls and results have ids.
    MissingId,
    /// Ids are made of the characters that are allowed.
    InvalidId,
    /// A message has content.
    EmptyContent,
    /// A text block has text.
    EmptyText,
    /// A list of calls has calls.
    EmptyToolCalls,
    /// Reasoning leads to something.
    ReasoningLast,
    /// Calls come with the reasoning that the model asks for.
    ReasoningMissing,
    /// The user speaks first.
    FirstRole,
    /// Instructions within a conversation stand where the provider takes them.
    SystemOrder,
    /// A signed compaction of the provider's is the first block.
    CompactionFirst,
    /// Calls follow a message of the user's.
    CallOrder,
    /// A result names the tool that was called.
    ResultName,
    /// A result has the shape that its place wants.
    ResultShape,
    /// An item comes once.
    DuplicateItem,
    /// Signed reasoning stands behind what was sent when it was made. Only who knows what was sent can tell.
    #[serde(rename = "thinking_unbound")]
    ThinkingUnbound,
}

/// What a provider would refuse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct ValidityProblem {
    /// The message's position in the history.
    pub index: usize,
    /// The block's position in the message, as `inspect` counts; absent where the whole message is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional))]
    pub block: Option<usize>,
    /// The rule that is broken.
    pub rule: ValidityRule,
    /// What is wrong, for people.
    pub message: String,
    /// Whether `repair` removes it. Signed reasoning, or a provider's own copy of a call, keeps its message from being
    /// changed.
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
    /// The message's position in the history as it was.
    pub index: usize,
    /// The rule that was broken.
    pub rule: ValidityRule,
    /// What was done, for people.
    pub message: String,
}
