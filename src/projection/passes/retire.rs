//! Retires what is no longer needed, in batches that pay for their rewrite of the prompt cache: the policy that costs
//! least.
//!
//! What is retired is known from the calls alone. Command output is once the model has seen it; a read when its file
//! is no longer named, or when a newer read or a write has overtaken it; a failure when the same is tried again; the
//! text that an edit replaced, when the edit is over. When it goes is for [`crate::projection::cache_cost`] to say.
//!
//! It needs what was decided before, so that batches stay gone: a `Context` or `state`.

use crate::message::{
    Block, BlockId, BlockKind, FileTimeline, History, Origin, ToolUse, UseId, contains,
};
use crate::projection::cache_cost::{Candidate, CostModel, first_to_go};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{
    ArgumentTrim, Kind, LEAST_TRIM_CHARS, Replacement, StubStyle,
};
use crate::projection::replacement::texts::brief_stub_bytes;
use crate::projection::settings::settings;
use crate::projection::view::eligibility::Kept;
use crate::projection::view::pass_view::View;
use crate::tokens::estimate_tokens;
use serde::Serialize;

/// Settings of the retire pass. It decides what becomes of results by itself, so of the other passes only `reasoning`,
/// `ephemeral` and `budget` can be on beside it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RetirePolicy {
    /// Steps that what a command, a search, a listing or an edit answered stays once the model was shown it. Default 1.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub outputs: u32,
    /// Steps a read stays after a call last named its file; what a tool of unknown kind answered, after its call.
    /// Default 15.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub reads: u32,
    /// The same of files that were edited: the model comes back to them. Default 60.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub edited_reads: u32,
    /// The most that a read may cost beyond `reads` steps, in tokens times steps: a large one is sooner read again than
    /// carried. Default 200,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub carry: u32,
    /// Steps a failure stays that is not tried again; those of edits and writes always do. Default 30, `null` for good.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "number | null"))]
    pub failures: Option<u32>,
    /// Cuts the texts that edits replaced short in their calls: they are gone from the file. Default true.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<bool>"))]
    pub old_texts: bool,
    /// No batch saves less than so many estimated tokens. Default 3,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub at_least: u32,
    /// Requests that a batch may count on to pay for its rewrite, beside those that what it clears was carried for
    /// nothing already. Default 12.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub expected_steps: u32,
    /// What writing a token to the prompt cache costs more than reading it, in the price of reading one:
    /// `(cacheWrite - cacheRead) / cacheRead`. Default 11.5, for 1.25 and 0.1.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<f64>"),
        schemars(range(min = 0.0))
    )]
    pub rewrite_cost: f64,
    /// Seconds that the cache lives. After a longer pause, as the projection's `idle` says, all that is retired goes.
    /// Default 300, `null` where nobody says.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "number | null"))]
    pub cache_seconds: Option<u32>,
}

settings!(RetirePolicy { outputs as "outputs", reads as "reads", edited_reads as "editedReads", carry as "carry", failures as "failures", old_texts as "oldTexts", at_least as "atLeast", expected_steps as "expectedSteps", rewrite_cost as "rewriteCost", cache_seconds as "cacheSeconds" });

impl Default for RetirePolicy {
    fn default() -> Self {
        Self {
            outputs: 1,
            reads: 15,
            edited_reads: 60,
            carry: 200_000,
            failures: Some(30),
            old_texts: true,
            at_least: 3000,
            expected_steps: 12,
            rewrite_cost: 11.5,
            cache_seconds: Some(300),
        }
    }
}

/// From this fraction of the policy's `window` on, a batch need not pay for its rewrite.
const FULL: f64 = 0.7;

/// Cuts what an edit replaced.
const OLD_TEXTS: Replacement =
    Replacement::Trimmed(ArgumentTrim { max_chars: LEAST_TRIM_CHARS, old_only: true });

impl Pass for RetirePolicy {
    const PUTS: &'static [Kind] = &[Kind::Cleared, Kind::Trimmed];
    const WAITS: bool = false;

    fn run(&self, view: &mut View<'_>) {
        let history = view.history;
        let mut retired = self.find(view);
        retired.retain_mut(|one| {
            let Some(id) = call_of(history, one) else { return true };
            let left = view.shortened_tokens(id, OLD_TEXTS);
            one.saves = one.saves.saturating_sub(left.map_or(one.saves, u64::from));
            left.is_some()
        });
        let tokens = tokens_now(view);
        let model = self.cost_model(view, tokens.iter().sum());
        let Some(first) = first_to_go(&retired, &tokens, cached(view), model) else { return };
        for one in &retired[first..] {
            if let Some(id) = call_of(history, one) {
                view.shorten(id, PassName::Retire, OLD_TEXTS);
            } else if let Some(id) = history[one.block].tool_use {
                view.clear(id, PassName::Retire, self.style());
            }
        }
    }

    fn check(&self) -> Option<String> {
        (self.rewrite_cost < 0.0).then(|| "retire.rewriteCost must be 0 or more".to_owned())
    }

    fn reason(history: &History, edit: &PlannedEdit, _: u32) -> String {
        let is_call = edit.replacement.kind() == Kind::Trimmed;
        let origin = edit.tool_use.map_or(Origin::Other, |id| history[id].origin);
        let is_error = edit.tool_use.is_some_and(|id| history[id].is_error);
        match origin {
            _ if is_call => "the text that it replaced is gone from the file",
            _ if is_error => "the failure is old, or the same was tried again",
            Origin::Read => {
                "its file was not named for long, or a newer read or a write overtook it"
            }
            Origin::Other => "old",
            _ => "the model has seen it",
        }
        .to_owned()
    }

    fn style(&self) -> StubStyle {
        StubStyle::BRIEF
    }

    fn why_kept(&self, view: &View<'_>, id: UseId) -> Option<&'static str> {
        let tool_use = &view.history[id];
        let is_retired = self.find(view).iter().any(|one| Some(one.block) == tool_use.result);
        Some(match () {
            () if is_retired => "retired: it goes with the next batch that pays for its rewrite",
            () if tool_use.is_error => Kept::Failure.reason(),
            () if !is_long(view, tool_use) => Kept::Short.reason(),
            () => "not retired: it may still be needed",
        })
    }
}

/// The tool use whose call it is, if it is one.
fn call_of(history: &History, one: &Candidate) -> Option<UseId> {
    let facts = &history[one.block];
    facts.tool_use.filter(|_| facts.kind == BlockKind::ToolCall)
}

/// The length of the stub that a result of this tool use would get.
fn stub_bytes(view: &View<'_>, tool_use: &ToolUse) -> usize {
    let size = tool_use.result.map(|block| view.history[block].size).unwrap_or_default();
    brief_stub_bytes(size, view.settings.recall)
}

fn is_long(view: &View<'_>, tool_use: &ToolUse) -> bool {
    view.is_long(tool_use, stub_bytes(view, tool_use))
}

impl RetirePolicy {
    fn cost_model(&self, view: &View<'_>, tokens: u64) -> CostModel {
        let is_cold = |seconds: u32| view.settings.idle > f64::from(seconds);
        CostModel {
            step: view.settings.current_step,
            expected_steps: self.expected_steps,
            at_least: self.at_least.into(),
            rewrite_cost: self.rewrite_cost,
            is_full: tokens as f64 >= FULL * f64::from(view.settings.window),
            at_once: view.settings.must_clear.is_some() || self.cache_seconds.is_some_and(is_cold),
        }
    }

    /// What is retired, in the order of its blocks. Calls are said to save all that they are.
    fn find(&self, view: &View<'_>) -> Vec<Candidate> {
        let step = view.settings.current_step;
        let mut retired = Vec::new();
        for (i, facts) in view.history.blocks().iter().enumerate() {
            let Some(id) = facts.tool_use else { continue };
            let tool_use = &view.history[id];
            if tool_use.step > step {
                continue;
            }
            let (since, left) = if facts.kind == BlockKind::ToolCall {
                (self.call(view, id), 0)
            } else {
                let stub = stub_bytes(view, tool_use);
                let may_go = view.is_eligible(id, tool_use, stub);
                let since = may_go.then(|| self.result(view, id, BlockId(i), facts)).flatten();
                (since, estimate_tokens(stub as u64))
            };
            if let Some(since) = since.filter(|since| *since <= step) {
                let saves = facts.tokens.saturating_sub(left);
                retired.push(Candidate { block: BlockId(i), saves, since });
            }
        }
        retired
    }

    /// The step since which what an edit replaced is of no use.
    fn call(&self, view: &View<'_>, id: UseId) -> Option<u32> {
        let tool_use = &view.history[id];
        let may_go = self.old_texts
            && tool_use.origin == Origin::Edit
            && view.is_call_eligible(id, tool_use);
        may_go.then_some(tool_use.step.saturating_add(1))
    }

    /// The step since which a result is retired.
    fn result(&self, view: &View<'_>, id: UseId, block: BlockId, facts: &Block) -> Option<u32> {
        let (history, tool_use) = (view.history, &view.history[id]);
        match tool_use.origin {
            Origin::Edit | Origin::Write if tool_use.is_error => None,
            _ if tool_use.is_error => {
                let old = self.failures.map(|steps| tool_use.step.saturating_add(steps));
                view.retries.of(id).into_iter().chain(old).min()
            }
            Origin::Read | Origin::Other => {
                let files = || tool_use.files.iter().map(|(path, _)| view.files.of(*path));
                let named = files().filter_map(|file| file.last_access(history)).max();
                let last = named.unwrap_or(tool_use.step).max(tool_use.step);
                let is_edited = files().any(FileTimeline::was_to_change);
                let carried = u32::try_from(u64::from(self.carry) / facts.tokens.max(1));
                let most = carried.unwrap_or(u32::MAX).max(self.reads);
                let steps = if is_edited { self.edited_reads.min(most) } else { self.reads };
                let unused = last.saturating_add(steps);
                Some(overtaken(view, tool_use, block).map_or(unused, |step| step.min(unused)))
            }
            _ => Some(tool_use.step.saturating_add(self.outputs)),
        }
    }
}

/// The step at which a newer read showed the same lines, or the file was written whole.
fn overtaken(view: &View<'_>, tool_use: &ToolUse, block: BlockId) -> Option<u32> {
    let [(path, lines)] = tool_use.files.as_slice() else { return None };
    let (history, file) = (view.history, view.files.of(*path));
    let shows = |(_, id): &&(BlockId, UseId)| {
        let other = &history[*id];
        let of = other.files.first().and_then(|(_, lines)| *lines);
        contains(of, *lines)
            && other.shows_its_lines()
            && !other.is_stub
            && !view.plan.is_taken(*id)
            && is_long(view, other)
    };
    let next = file.plain_reads.partition_point(|(result, _)| *result <= block);
    let read = file.plain_reads[next..].iter().find(shows).map(|(_, id)| history[*id].step);
    let next = file.writes.partition_point(|write| *write <= block);
    let writes = file.writes[next..].iter().filter_map(|write| history[*write].tool_use);
    let is_whole =
        |one: &&ToolUse| one.origin == Origin::Write && one.files.len() == 1 && !one.ephemeral;
    let written = writes.map(|id| &history[id]).find(is_whole).map(|one| one.step);
    read.into_iter().chain(written).min()
}

/// The first block that was not in the request before.
fn cached(view: &View<'_>) -> BlockId {
    let history = view.history;
    let step = view.settings.current_step.min(history.steps());
    let sent = history.messages().partition_point(|message| message.step < step);
    BlockId(history.blocks_of(sent).0)
}

/// Tokens of each block as the plan leaves it.
fn tokens_now(view: &View<'_>) -> Vec<u64> {
    let mut tokens: Vec<u64> = view.history.blocks().iter().map(|block| block.tokens).collect();
    for edit in view.plan.edits() {
        tokens[edit.block.0] = edit.tokens;
    }
    tokens
}
