//! Clears the oldest tool results when the context has grown too large. Sources: document "Memory and Context Editing",
//! and Anthropic's `clear_tool_uses_20250919`, whose settings these are.
//!
//! Cleared results stay cleared without any state, because the pass replays the history. One request was sent before
//! each step, regardless of how many messages the format has per step. Wherever the context had reached the trigger by
//! then, all eligible results were cleared in one batch. The same history always gives the same batches, and between
//! two batches the view only grows at its end.

use crate::message::{BlockId, BlockKind, History, Role, ToolUse, UseId};
use crate::projection::input_clearing::ClearInputs;
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{ArgumentTrim, Kind, Replacement};
use crate::projection::replacement::texts::{RECALL_SUFFIX_BYTES, failure_mark};
use crate::projection::replacement::worth::STUB_LIMIT;
use crate::projection::settings::{names_tool, settings, words};
use crate::projection::token_amount::TokenAmount;
use crate::projection::view::pass_view::View;
use crate::tokens::estimate_tokens;
use serde::Serialize;

/// Settings of the clear pass: those of Anthropic's `clear_tool_uses_20250919`, and others.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClearPolicy {
    /// When to clear: the high watermark. Default: at 100,000 estimated tokens.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClearTrigger>"))]
    pub trigger: ClearTrigger,
    /// What to keep. Default: the newest 3 tool uses.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClearKeep>"))]
    pub keep: ClearKeep,
    /// The low watermark: clears, oldest first, until the context has this many estimated tokens. Default: clears
    /// everything that may be cleared.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional))]
    pub down_to: Option<u32>,
    /// Clears only if that saves this many estimated tokens, because each batch rewrites the prompt cache once. A
    /// number, or `{ type: 'input_tokens', value }`. Default 0.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "number | { type: 'input_tokens', value: number }")
    )]
    pub clear_at_least: TokenAmount,
    /// Tools whose results are never cleared: names, or `mcp__*` for all that begin so. Default none.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<String>>"))]
    pub exclude_tools: Vec<String>,
    /// The only tools whose results are cleared: names, or `mcp__*` for all that begin so. Default all.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub include_tools: Option<Vec<String>>,
    /// Also clears failures, even those that `protect.failureTokens` keeps. Default false.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<bool>"))]
    pub clear_errors: bool,
    /// Also cuts the arguments of calls whose results are cleared: for all tools, or for a list of tools (`mcp__*`
    /// stands for all that begin so). File names and the first line of a command are kept. Default false.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "boolean | string[]"))]
    pub clear_tool_inputs: ClearInputs,
    /// The text that replaces a result: 1 to 160 bytes.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<String>"),
        schemars(length(min = 1, max = 160))
    )]
    pub placeholder: String,
}

settings!(ClearPolicy { trigger as "trigger", keep as "keep", down_to as "downTo", clear_at_least as "clearAtLeast", exclude_tools as "excludeTools", include_tools as "includeTools", clear_errors as "clearErrors", clear_tool_inputs as "clearToolInputs", placeholder as "placeholder" });

impl Default for ClearPolicy {
    fn default() -> Self {
        Self {
            trigger: ClearTrigger { measure: ClearMeasure::InputTokens, value: 100_000.0 },
            keep: ClearKeep { measure: KeepMeasure::ToolUses, value: 3 },
            down_to: None,
            clear_at_least: TokenAmount(0),
            exclude_tools: Vec::new(),
            include_tools: None,
            clear_errors: false,
            clear_tool_inputs: ClearInputs::None,
            placeholder: "[Tool result cleared to save context. Re-run the tool if needed.]"
                .to_owned(),
        }
    }
}

/// When the clear pass acts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(deny_unknown_fields)]
pub struct ClearTrigger {
    /// What is counted.
    #[serde(rename = "type")]
    pub measure: ClearMeasure,
    /// How many.
    pub value: f64,
}

settings!(complete ClearTrigger { measure as "type", value as "value" });

/// What the clear pass counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "snake_case")]
pub enum ClearMeasure {
    /// At least this many estimated tokens of context.
    InputTokens,
    /// More than this many tool uses whose results are shown in full.
    ToolUses,
    /// At least this fraction, 0 to 1, of the policy's `window`.
    WindowFraction,
}

words!(ClearMeasure { InputTokens = "input_tokens", ToolUses = "tool_uses", WindowFraction = "window_fraction" });

/// What the clear pass keeps: the newest `value` of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(deny_unknown_fields)]
pub struct ClearKeep {
    /// What is counted.
    #[serde(rename = "type")]
    pub measure: KeepMeasure,
    /// How many.
    pub value: u32,
}

settings!(complete ClearKeep { measure as "type", value as "value" });

/// The unit of what the clear pass keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "snake_case")]
pub enum KeepMeasure {
    /// Tool uses.
    ToolUses,
    /// Steps: the tool uses of this many answers of the model.
    Steps,
    /// Turns: the tool uses since this many user prompts ago.
    Turns,
}

words!(KeepMeasure { ToolUses = "tool_uses", Steps = "steps", Turns = "turns" });

impl Pass for ClearPolicy {
    const PUTS: &'static [Kind] = &[Kind::Placeholder, Kind::Trimmed];
    const WAITS: bool = false;

    fn run(&self, view: &mut View<'_>) {
        let cleared = Replay::new(self, view).run(view);
        for id in cleared {
            let tool_use = &view.history[id];
            let Some(block) = tool_use.result else { continue };
            let bytes = self.stub_bytes(view, tool_use);
            let tokens = estimate_tokens(bytes as u64);
            view.plan.replace(
                view.history,
                block,
                PassName::Clear,
                Replacement::Placeholder,
                tokens,
            );
            if self.clear_tool_inputs.take(view.history.names().text(tool_use.tool))
                && view.is_call_eligible(id, tool_use)
            {
                view.shorten(id, PassName::Clear, Replacement::Trimmed(ArgumentTrim::SHORTEST));
            }
        }
    }

    fn check(&self) -> Option<String> {
        let length = self.placeholder.len();
        if length == 0 || length > STUB_LIMIT {
            return Some(format!(
                "clear.placeholder must have 1 to {STUB_LIMIT} bytes, it has {length}"
            ));
        }
        let ClearTrigger { measure, value } = self.trigger;
        let is_fraction = measure == ClearMeasure::WindowFraction;
        let most = if is_fraction { 1.0 } else { f64::from(u32::MAX) };
        let allowed = if is_fraction { "a fraction from 0 to 1" } else { "0 or more" };
        (!(0.0..=most).contains(&value)).then(|| format!("clear.trigger.value must be {allowed}"))
    }

    fn reason(_: &History, edit: &PlannedEdit, _: u32) -> String {
        let is_call = edit.replacement.kind() == Kind::Trimmed;
        let why = "among the oldest when the context had grown too large";
        if is_call { "cleared with its result" } else { why }.to_owned()
    }
}

impl ClearPolicy {
    /// The length in bytes of the replacement of a success: the placeholder, and the reference if `recall` is on.
    pub fn placeholder_bytes(&self, recall: bool) -> usize {
        self.placeholder.len() + if recall { RECALL_SUFFIX_BYTES } else { 0 }
    }

    /// The length in bytes of the replacement of a result.
    fn stub_bytes(&self, view: &View<'_>, tool_use: &ToolUse) -> usize {
        view.settings.placeholder_bytes + failure_mark(tool_use).len()
    }

    fn takes(&self, tool: &str) -> bool {
        let is_in = |list: &[String]| names_tool(list, tool);
        !is_in(&self.exclude_tools) && self.include_tools.as_deref().is_none_or(is_in)
    }
}

/// A result that is shown in full and can be cleared.
#[derive(Debug, Clone, Copy)]
struct Standing {
    id: UseId,
    /// Number of counted results before it, including those that were cleared since.
    number: usize,
    /// Estimated tokens that clearing it saves.
    saved: u64,
    /// Its turn, counted from the first.
    turn: u32,
    /// Estimated tokens of the failures before it.
    failed_before: u64,
}

/// Replays the history as it was when each request was sent.
struct Replay<'p> {
    policy: &'p ClearPolicy,
    /// For each tool name, whether its results can be cleared.
    takes: Vec<bool>,
    /// Tool uses whose results are shown in full and can be cleared, oldest result first. Every request reads all of
    /// them.
    standing: Vec<Standing>,
    /// Estimated tokens that clearing all of them saves.
    savings: u64,
    /// Number of results so far that were shown in full and worth clearing, including those that are always kept.
    /// Smaller results do not count: a placeholder must not count as a result when a view is projected again.
    stood: usize,
    cleared: Vec<UseId>,
    tokens: u64,
    /// Estimated tokens of all failures so far.
    failed: u64,
    turn: u32,
    step: u32,
    /// The first block after the request.
    end: BlockId,
}

impl<'p> Replay<'p> {
    fn new(policy: &'p ClearPolicy, view: &View<'_>) -> Self {
        let names = view.history.names();
        Self {
            policy,
            takes: names.all().map(|name| policy.takes(name)).collect(),
            standing: Vec::new(),
            savings: 0,
            stood: 0,
            cleared: Vec::new(),
            tokens: 0,
            failed: 0,
            turn: 0,
            step: 0,
            end: BlockId(0),
        }
    }

    fn run(mut self, view: &View<'_>) -> Vec<UseId> {
        let history = view.history;
        let mut decided = view.plan.all_decided().iter().peekable();
        for (index, message) in history.messages().iter().enumerate() {
            let (first, blocks) = history.blocks_of(index);
            if message.role == Role::User && message.ends_turn {
                self.turn += 1;
            }
            for (i, block) in blocks.iter().enumerate() {
                let id = BlockId(first + i);
                if block.step > view.settings.current_step {
                    break;
                }
                self.begin_step(view, block.step, id);
                // Decisions are in the order of the blocks.
                while decided.next_if(|edit| edit.block < id).is_some() {}
                let edit = decided.next_if(|edit| edit.block == id);
                self.tokens += block.tokens - edit.map_or(0, |edit| edit.saves(history));
                if let (BlockKind::ToolResult, Some(id)) = (block.kind, block.tool_use) {
                    self.answer(view, id, block.tokens);
                }
            }
            if message.step > view.settings.current_step {
                break;
            }
            // An answer may have no blocks.
            self.begin_step(view, message.step, BlockId(first + blocks.len()));
        }
        self.end = BlockId(usize::MAX);
        self.request(view);
        self.cleared
    }

    /// Replays the request before a step, if the step is new. The step begins with block `end`.
    fn begin_step(&mut self, view: &View<'_>, step: u32, end: BlockId) {
        if step > self.step {
            self.end = end;
            self.request(view);
            self.step = step;
        }
    }

    /// Replays a request: clears a batch if the trigger is reached.
    fn request(&mut self, view: &View<'_>) {
        let value = self.policy.trigger.value;
        let reached = match self.policy.trigger.measure {
            ClearMeasure::InputTokens => self.tokens as f64 >= value,
            ClearMeasure::ToolUses => (self.stood - self.cleared.len()) as f64 > value,
            ClearMeasure::WindowFraction => {
                self.tokens as f64 >= value * f64::from(view.settings.window)
            }
        };
        let at_least = u64::from(self.policy.clear_at_least.0);
        if !reached || self.savings < at_least {
            return;
        }
        let mut surplus =
            self.policy.down_to.map(|tokens| self.tokens.saturating_sub(tokens.into()));
        let old = self.old(view);
        let mut goes = |one: &Standing| {
            let goes = surplus != Some(0) && self.can_go(view, one);
            if goes {
                surplus = surplus.map(|tokens| tokens.saturating_sub(one.saved));
            }
            goes
        };
        let (going, mut staying): (Vec<_>, Vec<_>) =
            self.standing[..old].iter().copied().partition(|one| goes(one));
        let saved: u64 = going.iter().map(|one| one.saved).sum();
        if going.is_empty() || saved < at_least {
            return;
        }
        staying.extend_from_slice(&self.standing[old..]);
        self.standing = staying;
        self.tokens -= saved;
        self.savings -= saved;
        self.cleared.extend(going.iter().map(|one| one.id));
    }

    /// Number of standing results that `keep` does not protect.
    fn old(&self, view: &View<'_>) -> usize {
        let ClearKeep { measure, value } = self.policy.keep;
        let step = |one: &Standing| view.history[one.id].step;
        match measure {
            KeepMeasure::ToolUses => {
                let kept = self.stood.saturating_sub(value as usize);
                self.standing.partition_point(|one| one.number < kept)
            }
            KeepMeasure::Steps => {
                let is_old = |one: &&Standing| {
                    u64::from(step(one)) + u64::from(value) <= u64::from(self.step)
                };
                self.standing.iter().take_while(is_old).count()
            }
            KeepMeasure::Turns => {
                let is_old = |one: &&Standing| {
                    u64::from(one.turn) + u64::from(value) <= u64::from(self.turn)
                };
                self.standing.iter().take_while(is_old).count()
            }
        }
    }

    fn answer(&mut self, view: &View<'_>, id: UseId, result_tokens: u64) {
        let tool_use = &view.history[id];
        let stub_bytes = self.policy.stub_bytes(view, tool_use);
        let is_shown = !view.plan.is_taken(id)
            && !tool_use.is_stub
            && tool_use.editable
            && view.is_long(tool_use, stub_bytes);
        if is_shown {
            if self.may_go(view, id, tool_use, stub_bytes) {
                let saved = result_tokens.saturating_sub(estimate_tokens(stub_bytes as u64));
                let (number, turn, failed_before) = (self.stood, self.turn, self.failed);
                self.standing.push(Standing { id, number, saved, turn, failed_before });
                self.savings += saved;
            }
            self.stood += 1;
        }
        if tool_use.is_error {
            self.failed += result_tokens;
        }
    }

    /// Whether a result can be cleared at some request.
    fn may_go(&self, view: &View<'_>, id: UseId, tool_use: &ToolUse, stub_bytes: usize) -> bool {
        self.takes[tool_use.tool.index()] && view.is_eligible(id, tool_use, stub_bytes)
    }

    /// Whether a failure was among the newest, which are kept, when the request was sent.
    fn keeps_failure(&self, view: &View<'_>, one: &Standing) -> bool {
        let tool_use = &view.history[one.id];
        let is_new = || self.failed - one.failed_before <= u64::from(view.settings.failure_tokens);
        tool_use.is_error && !self.policy.clear_errors && is_new()
    }

    fn can_go(&self, view: &View<'_>, one: &Standing) -> bool {
        let tool_use = &view.history[one.id];
        !self.keeps_failure(view, one)
            && !view.needs_read(tool_use, self.end, view.settings.placeholder_bytes)
    }
}
