//! Clears the oldest tool results once the context has grown too large: documents "Memory and Context Editing" and
//! Anthropic's `clear_tool_uses_20250919`, whose settings these are.
//!
//! What was cleared stays cleared, without any state: the pass replays the history. Before each assistant message a
//! request was sent; wherever the context had then reached the trigger, all that could go went, in one batch. The
//! same history always gives the same batches, and between two of them the view only grows at its end.

use super::protect::EditedFiles;
use super::stub::is_worth;
use super::{Pass, PassName, Replacement, View};
use crate::message::{BlockId, BlockKind, Role, UseId};
use crate::tokens::estimate_tokens;
use serde::{Deserialize, Serialize};

/// Settings of the clear pass: those of Anthropic's `clear_tool_uses_20250919`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClearPolicy {
    /// When to clear. Default: at 100,000 estimated tokens.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClearTrigger>"))]
    pub trigger: ClearTrigger,
    /// What stays. Default: the newest 3 tool uses.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClearKeep>"))]
    pub keep: ClearKeep,
    /// Clears nothing unless it saves this many estimated tokens: each batch rewrites the prompt cache once, and
    /// should be worth it. Default 0.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub clear_at_least: u32,
    /// Tools whose results are never cleared. Default none.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<String>>"))]
    pub exclude_tools: Vec<String>,
    /// The only tools whose results are cleared. Default all.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub include_tools: Option<Vec<String>>,
    /// What stands where a result was: 1 to 160 bytes.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<String>"))]
    pub placeholder: String,
}

impl Default for ClearPolicy {
    fn default() -> Self {
        Self {
            trigger: ClearTrigger { measure: ClearMeasure::InputTokens, value: 100_000 },
            keep: ClearKeep { measure: KeepMeasure::ToolUses, value: 3 },
            clear_at_least: 0,
            exclude_tools: Vec::new(),
            include_tools: None,
            placeholder: "[Tool result cleared to save context. Re-run the tool if needed.]"
                .to_owned(),
        }
    }
}

/// When the clear pass acts: once there are at least `value` tokens, or more than `value` tool uses in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(deny_unknown_fields)]
pub struct ClearTrigger {
    /// What is counted.
    #[serde(rename = "type")]
    pub measure: ClearMeasure,
    /// How many of it.
    pub value: u32,
}

/// What the clear pass counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "snake_case")]
pub enum ClearMeasure {
    /// Estimated tokens of the context.
    InputTokens,
    /// Tool uses whose results stand in full.
    ToolUses,
}

/// What the clear pass leaves: the newest `value` of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(deny_unknown_fields)]
pub struct ClearKeep {
    /// What is counted.
    #[serde(rename = "type")]
    pub measure: KeepMeasure,
    /// How many of it.
    pub value: u32,
}

/// What the clear pass keeps by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "snake_case")]
pub enum KeepMeasure {
    /// Tool uses.
    ToolUses,
}

impl Pass for ClearPolicy {
    fn run(&self, view: &mut View<'_>) {
        let cleared = Replay::new(self, view).run(view);
        let tokens = self.placeholder_tokens();
        for id in cleared {
            view.plan.replace(view.history, id, PassName::Clear, Replacement::Placeholder, tokens);
        }
    }
}

impl ClearPolicy {
    fn placeholder_tokens(&self) -> u64 {
        estimate_tokens(self.placeholder.len() as u64)
    }

    fn takes(&self, tool: &str) -> bool {
        let is_in = |list: &[String]| list.iter().any(|name| name == tool);
        !is_in(&self.exclude_tools) && self.include_tools.as_deref().is_none_or(is_in)
    }
}

/// The history so far, as it was when each request was sent.
struct Replay<'p> {
    policy: &'p ClearPolicy,
    /// By tool name: whether its results may go.
    takes: Vec<bool>,
    /// Tool uses whose results stand in full and are worth clearing, oldest result first, with the tokens it saves.
    /// Smaller ones do not count: a placeholder must not be taken for a result when a view is projected again.
    standing: Vec<(UseId, u64)>,
    cleared: Vec<UseId>,
    tokens: u64,
    files: EditedFiles,
}

impl<'p> Replay<'p> {
    fn new(policy: &'p ClearPolicy, view: &View<'_>) -> Self {
        let names = view.history.names();
        Self {
            policy,
            takes: names.all().map(|name| policy.takes(name)).collect(),
            standing: Vec::new(),
            cleared: Vec::new(),
            tokens: 0,
            files: EditedFiles::new(names.len()),
        }
    }

    fn run(mut self, view: &View<'_>) -> Vec<UseId> {
        let history = view.history;
        for (index, message) in history.messages().iter().enumerate() {
            if message.step > view.current_step {
                break;
            }
            if message.role == Role::Assistant {
                self.request(view);
            }
            for block in history.blocks_of(index).1 {
                self.tokens += block.tokens;
                if let (BlockKind::ToolResult, Some(id)) = (block.kind, block.tool_use) {
                    let saved = block.tokens.saturating_sub(self.policy.placeholder_tokens());
                    self.answer(view, id, saved);
                }
            }
        }
        self.request(view);
        self.cleared
    }

    /// A request is about to be sent.
    fn request(&mut self, view: &View<'_>) {
        let limit = u64::from(self.policy.trigger.value);
        let reached = match self.policy.trigger.measure {
            ClearMeasure::InputTokens => self.tokens >= limit,
            ClearMeasure::ToolUses => self.standing.len() as u64 > limit,
        };
        if !reached {
            return;
        }
        let old = self.standing.len().saturating_sub(self.policy.keep.value as usize);
        let (going, mut staying): (Vec<_>, Vec<_>) =
            self.standing[..old].iter().copied().partition(|(id, _)| self.can_go(view, *id));
        let saved: u64 = going.iter().map(|(_, saved)| saved).sum();
        if going.is_empty() || saved < u64::from(self.policy.clear_at_least) {
            return;
        }
        staying.extend_from_slice(&self.standing[old..]);
        self.standing = staying;
        self.tokens -= saved;
        self.cleared.extend(going.iter().map(|(id, _)| *id));
    }

    fn answer(&mut self, view: &View<'_>, id: UseId, saved: u64) {
        let one = &view.history.uses()[id.0];
        if view.plan.is_taken(id) {
            return;
        }
        let is_worth = |block: BlockId| {
            is_worth(view.history.blocks()[block.0].size, self.policy.placeholder.len())
        };
        let is_shown = !one.is_stub && one.result.is_some_and(is_worth);
        if is_shown && one.editable {
            self.standing.push((id, saved));
        }
        self.files.note(id, one, is_shown);
    }

    fn can_go(&self, view: &View<'_>, id: UseId) -> bool {
        let one = &view.history.uses()[id.0];
        !one.is_error && self.takes[one.tool.index()] && !self.files.need(id, one)
    }
}
