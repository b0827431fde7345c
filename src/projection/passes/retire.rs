//! Retires results that cost more to carry than missing them will cost, if that pays for the rewrite of the prompt
//! cache. It is the policy with the lowest cost.
//!
//! How likely a result is needed again is derived from the calls alone ([`Need`]): command output hardly ever, once the
//! model has seen it; a read as long as its file is worked on, until a newer read or a write supersedes it; a failure
//! until the call is retried; the text of a written file like a read; the text that an edit replaced, never; the text
//! that it inserted, until the file was written or read as a whole.
//! [`crate::projection::cache_cost`] decides when it is cleared.
//!
//! The pass needs the earlier decisions, so that cleared results stay cleared: a `Context` or `state`.

use crate::message::{BlockId, BlockKind, FileTimeline, History, Origin, ToolUse, UseId};
use crate::projection::cache_cost::{Candidate, Carried, CostModel, Spending};
#[cfg(feature = "fitting")]
use crate::projection::need::Scales;
use crate::projection::need::{Known, Need};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{
    ArgumentTrim, Kind, LEAST_TRIM_CHARS, Replacement, StubStyle,
};
use crate::projection::replacement::texts::{brief_stub_bytes, ephemeral_stub, failure_mark};
use crate::projection::settings::settings;
use crate::projection::view::eligibility::Kept;
use crate::projection::view::pass_view::{View, ViewSettings};
use crate::tokens::estimate_tokens;
use serde::Serialize;

/// Settings of the retire pass. It decides about all results itself, so only `exclude`, `reasoning`, `ephemeral` and
/// `budget` can be combined with it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RetirePolicy {
    /// The cost of missing a result, as a number of requests that carry it. Fetching it again costs 12 to 50 of them,
    /// depending on the price of cache reads. A larger value keeps results longer. Default 100.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<f64>"),
        schemars(range(min = 0.0))
    )]
    pub missing: f64,
    /// Cuts calls too: the texts that edits replaced, because they are no longer in the file, the texts that they
    /// inserted, once the file was written or read as a whole, and the texts of written files, when reads of them would
    /// be cleared. Default true.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<bool>"))]
    pub old_texts: bool,
    /// The minimum saving of a batch, in estimated tokens. A larger value makes fewer rewrites, useful if a rewrite
    /// costs more than its tokens. Default 0.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub at_least: u32,
    /// Upper limit for the number of requests that are expected to follow. Within it, twice as many requests are
    /// expected as there were so far. Default 60.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub expected_steps: u32,
    /// The extra cost of writing a token to the prompt cache instead of reading it, in units of a cache read:
    /// `(cacheWrite - cacheRead) / cacheRead`. Default 11.5, for prices of 1.25 and 0.1.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<f64>"),
        schemars(range(min = 0.0))
    )]
    pub rewrite_cost: f64,
    /// The maximum loss if the session ends early, as a fraction of what sending everything would have cost: the
    /// rewrite of a batch costs at most that plus what was saved before. Default 0.03; a larger value clears sooner.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<f64>"),
        schemars(range(min = 0.0))
    )]
    pub most_loss: f64,
    /// The value of a token of signed reasoning to each request that could contain it, in tokens read from the cache,
    /// if clearing a result before it would remove it (`binding`). Default 2; a larger value keeps more reasoning and
    /// clears less.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<f64>"),
        schemars(range(min = 0.0))
    )]
    pub reasoning: f64,
    /// The life of the prompt cache in seconds. After a longer pause, given by the projection's `idle`, all retired
    /// results are cleared. Default 300; `null` if unknown.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "number | null"))]
    pub cache_seconds: Option<u32>,
    /// Factors for the probabilities that results are needed again, to judge them by sessions left out.
    #[cfg(feature = "fitting")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(skip), schemars(skip))]
    pub scales: Scales,
}

#[cfg(feature = "fitting")]
settings!(RetirePolicy { missing as "missing", old_texts as "oldTexts", at_least as "atLeast", expected_steps as "expectedSteps", rewrite_cost as "rewriteCost", most_loss as "mostLoss", reasoning as "reasoning", cache_seconds as "cacheSeconds", scales as "scales" });
#[cfg(not(feature = "fitting"))]
settings!(RetirePolicy { missing as "missing", old_texts as "oldTexts", at_least as "atLeast", expected_steps as "expectedSteps", rewrite_cost as "rewriteCost", most_loss as "mostLoss", reasoning as "reasoning", cache_seconds as "cacheSeconds" });

impl Default for RetirePolicy {
    fn default() -> Self {
        Self {
            missing: 100.0,
            old_texts: true,
            at_least: 0,
            expected_steps: 60,
            rewrite_cost: 11.5,
            most_loss: 0.03,
            reasoning: 2.0,
            cache_seconds: Some(300),
            #[cfg(feature = "fitting")]
            scales: Scales::default(),
        }
    }
}

/// The fraction of the policy's `window` from which on a batch need not pay for its rewrite.
const FULL: f64 = 0.7;

/// The minimum fraction of the view that such a batch must free; a smaller one would soon be followed by the next
/// rewrite.
const ROOM: f64 = 0.2;

/// Why a read is cleared, or the text that a call put into a file.
const OVERTAKEN: &str =
    "a newer read or a write overtook it, or carrying it costs more than missing it";

/// Cuts the texts of a call: all, or only those that it replaced.
fn trim(old_only: bool) -> Replacement {
    Replacement::Trimmed(ArgumentTrim { max_chars: LEAST_TRIM_CHARS, old_only })
}

impl Pass for RetirePolicy {
    const PUTS: &'static [Kind] = &[Kind::Cleared, Kind::Trimmed];
    const WAITS: bool = false;

    fn run(&self, view: &mut View<'_>) {
        let tokens = tokens_now(view);
        let mut model = self.cost_model(view);
        let overtaken = overtaken(view);
        let mut retired = self.find(view, model, &overtaken, 0);
        if makes_room(&retired, tokens.iter().sum(), view.settings.window) {
            model.rewrite_cost = 0.0;
        }
        let bound = bound(view);
        let carried = Carried { tokens: &tokens, cached: cached(view), bound: &bound };
        let Some(mut first) = model.first_to_go(&retired, carried) else { return };
        // The rest of the session is not worth these results either, and nothing more is rewritten for them. With them
        // gone, a batch that begins earlier may pay.
        model.goes_along = true;
        loop {
            let from = retired[first].block.0;
            retired.truncate(first);
            retired.extend(self.find(view, model, &overtaken, from));
            match model.first_to_go(&retired, carried) {
                Some(earlier) if earlier < first => first = earlier,
                _ => break,
            }
        }
        for one in retired.drain(first..) {
            let Some(id) = view.history[one.block].tool_use else { continue };
            if view.history[one.block].kind == BlockKind::ToolCall {
                view.plan.undo(view.history, one.block);
                view.shorten(id, PassName::Retire, trim(one.old_only));
            } else {
                view.clear(id, PassName::Retire, self.style());
            }
        }
    }

    fn check(&self) -> Option<String> {
        let named = [
            ("rewriteCost", self.rewrite_cost),
            ("missing", self.missing),
            ("mostLoss", self.most_loss),
            ("reasoning", self.reasoning),
        ];
        let (name, _) = named.into_iter().find(|(_, value)| *value < 0.0)?;
        Some(format!("retire.{name} must be 0 or more"))
    }

    fn reason(history: &History, edit: &PlannedEdit, _: u32) -> String {
        let tool_use = edit.tool_use.map(|id| &history[id]);
        let is_read = tool_use.is_some_and(|one| one.origin == Origin::Read);
        match edit.replacement {
            old if old == trim(true) => "the text that it replaced is no longer in the file",
            _ if tool_use.is_some_and(|one| one.is_error) => {
                "the same was tried again, or carrying it costs more than missing it"
            }
            Replacement::Trimmed(_) => OVERTAKEN,
            _ if is_read => OVERTAKEN,
            _ => "the model has seen it",
        }
        .to_owned()
    }

    fn style(&self) -> StubStyle {
        StubStyle::BRIEF
    }

    fn why_kept(&self, view: &View<'_>, id: UseId) -> Option<&'static str> {
        let tool_use = &view.history[id];
        let retired = self.result(view, self.cost_model(view), &overtaken(view), id);
        Some(match () {
            () if retired.is_some() => {
                "retired: cleared with the next batch that pays for its rewrite"
            }
            () if tool_use.is_error => Kept::Failure.reason(),
            () if !is_long(view, tool_use) => Kept::Short.reason(),
            () => "not retired: it may still be needed",
        })
    }
}

/// The length in bytes of the stub that the result of this tool use would get; 0 without a result.
fn stub_bytes(view: &View<'_>, tool_use: &ToolUse) -> usize {
    let Some(block) = tool_use.result else { return 0 };
    let block = &view.history[block];
    if tool_use.ephemeral {
        return ephemeral_stub(block.tokens, tool_use.is_error).len();
    }
    failure_mark(tool_use).len() + brief_stub_bytes(block, view.settings.recall)
}

fn is_long(view: &View<'_>, tool_use: &ToolUse) -> bool {
    view.is_long(tool_use, stub_bytes(view, tool_use))
}

impl RetirePolicy {
    fn cost_model(&self, view: &View<'_>) -> CostModel {
        let ViewSettings { current_step, idle, must_clear, spending, .. } = view.settings;
        let tokens = view.history.tokens();
        let is_cold = self.cache_seconds.is_some_and(|seconds| idle > f64::from(seconds));
        let must_fit = must_clear.is_some();
        let is_free = is_cold || must_fit;
        CostModel {
            requests_left: current_step.saturating_mul(2).min(self.expected_steps),
            missing: self.missing,
            at_least: if is_free { 0 } else { self.at_least.into() },
            rewrite_cost: if is_free { 0.0 } else { self.rewrite_cost },
            reasoning: if must_fit { 0.0 } else { self.reasoning },
            most_rewrite: spending
                .map_or(f64::INFINITY, |spending| self.most_rewrite(spending, tokens)),
            most_rewrite_grows: view.plan.saved() as f64 + self.most_loss * tokens as f64,
            goes_along: false,
        }
    }

    /// The maximum cost of a rewrite, in tokens read from the cache, such that the loss stays below `most_loss` if this
    /// is the last request.
    fn most_rewrite(&self, spending: Spending, tokens: u64) -> f64 {
        let Spending { unedited, saved, rewritten } = spending;
        let cost = |sent: u64, written: u64| sent as f64 + self.rewrite_cost * written as f64;
        let everything = cost(unedited, tokens);
        (saved as f64 - cost(0, rewritten) + self.most_loss * everything).max(0.0)
    }

    /// The blocks from one on that are better edited than carried, in order.
    fn find(
        &self,
        view: &mut View<'_>,
        model: CostModel,
        overtaken: &[bool],
        from: usize,
    ) -> Vec<Candidate> {
        let mut retired = Vec::new();
        for facts in view.history.blocks().iter().skip(from) {
            let Some(id) = facts.tool_use else { continue };
            let is_call = facts.kind == BlockKind::ToolCall;
            // In a long session most results are edited, and most calls cut, which is known without looking at their
            // facts. The model has not seen the results of the current step.
            let is_done = if is_call {
                view.plan.is_call_taken(id) && !view.plan.is_old_cut(id)
            } else {
                view.plan.is_taken_or_referred(id)
            };
            if is_done || view.history[id].step >= view.settings.current_step {
                continue;
            }
            let one = if is_call {
                self.call(view, model, id)
            } else {
                self.result(view, model, overtaken, id)
            };
            if let Some(one) = one {
                retired.push(one);
            }
        }
        retired
    }

    /// A result, if it is better cleared than carried.
    fn result(
        &self,
        view: &View<'_>,
        model: CostModel,
        overtaken: &[bool],
        id: UseId,
    ) -> Option<Candidate> {
        let tool_use = &view.history[id];
        let block = tool_use.result?;
        let stub = stub_bytes(view, tool_use);
        if !view.is_eligible(id, tool_use, stub) {
            return None;
        }
        let (known, requests) = known_of_result(view, id, overtaken[id.0]);
        let saves = view.history[block].tokens.saturating_sub(estimate_tokens(stub as u64));
        let gain = model.gain(saves, self.need(known, requests))?;
        Some(Candidate { block, saves, gain, old_only: false })
    }

    /// A call, if its texts are better cut than carried: first the text that an edit replaced, which is never needed
    /// again, then the text that the call put into the file.
    fn call(&self, view: &mut View<'_>, model: CostModel, id: UseId) -> Option<Candidate> {
        let tool_use = &view.history[id];
        let block = tool_use.call?;
        if !self.old_texts || !matches!(tool_use.origin, Origin::Edit | Origin::Write) {
            return None;
        }
        let is_old_cut = view.plan.is_old_cut(id);
        let may_go = if is_old_cut {
            !view.plan.is_call_held(id) && !view.is_protected(tool_use)
        } else {
            view.is_call_eligible(id, tool_use)
        };
        if !may_go {
            return None;
        }
        let text =
            known_of_text(view, tool_use).map(|(known, requests)| self.need(known, requests));
        let has_old = !is_old_cut && tool_use.origin == Origin::Edit;
        // Looked up only for a text that may be cut: every view comes by all calls.
        let decided = text.filter(|_| is_old_cut).and_then(|_| view.plan.decided(block));
        let now = decided.map_or(view.history[block].tokens, |edit| edit.tokens);
        for (old_only, need) in [(false, text), (true, has_old.then_some(Need::NONE))] {
            let Some(need) = need else { continue };
            let left = view.shortened_tokens(id, trim(old_only)).map_or(now, u64::from);
            let saves = now.saturating_sub(left);
            if let Some(gain) = model.gain(saves, need) {
                return Some(Candidate { block, saves, gain, old_only });
            }
        }
        None
    }

    #[cfg(not(feature = "fitting"))]
    fn need(&self, known: Known, requests: u32) -> Need {
        Need::of(known, requests)
    }

    #[cfg(feature = "fitting")]
    fn need(&self, known: Known, requests: u32) -> Need {
        self.scales.apply(known, Need::of(known, requests))
    }
}

/// What is known about the text that a call put into a file, and the number of requests since; `None` if it is kept.
fn known_of_text(view: &View<'_>, tool_use: &ToolUse) -> Option<(Known, u32)> {
    let shown = match tool_use.files.as_slice() {
        [(path, _)] => view.files.of(*path).last_whole(),
        _ => None,
    };
    match tool_use.origin {
        Origin::Edit | Origin::Write if shown > tool_use.result => Some((Known::Overtaken, 0)),
        Origin::Write => Some(known_of_read(view, tool_use)),
        _ => None,
    }
}

/// Whether the window is nearly full, and all retired blocks together free a large part of it.
fn makes_room(retired: &[Candidate], tokens: u64, window: u32) -> bool {
    let saves: u64 = retired.iter().map(|one| one.saves).sum();
    tokens as f64 >= FULL * f64::from(window) && saves as f64 >= ROOM * tokens as f64
}

/// What is known about a result, and the number of requests since.
fn known_of_result(view: &View<'_>, id: UseId, is_overtaken: bool) -> (Known, u32) {
    let (step, tool_use) = (view.settings.current_step, &view.history[id]);
    let is_past = |at: Option<u32>| at.is_some_and(|at| at <= step);
    let known = match tool_use.origin {
        _ if tool_use.is_error && is_past(view.retries.of(id)) => Known::Seen,
        _ if tool_use.is_error => Known::Failure,
        Origin::Read if is_overtaken => Known::Overtaken,
        Origin::Other if tool_use.files.is_empty() => Known::Seen,
        Origin::Read | Origin::Other => return known_of_read(view, tool_use),
        Origin::Shell if prints_a_file(tool_use) => Known::Print,
        _ => Known::Seen,
    };
    (known, step - tool_use.step)
}

/// What is known about a read, and the number of requests since it was shown or a call last named one of its files. A
/// call belongs to the answer to the request before its step, so one step is subtracted.
fn known_of_read(view: &View<'_>, tool_use: &ToolUse) -> (Known, u32) {
    let files = || tool_use.files.iter().map(|(path, _)| view.files.of(*path));
    let named = files().filter_map(|file| file.last_access()).max();
    let last = named.map_or(0, |id| view.history[id].step).saturating_sub(1).max(tool_use.step);
    let is_changed = files().any(FileTimeline::was_to_change);
    let known = if is_changed { Known::Changed } else { Known::Read };
    (known, view.settings.current_step - last)
}

/// Commands that print files or lines of files.
const PRINTERS: [&str; 8] = ["awk", "cat", "grep", "head", "nl", "rg", "sed", "tail"];

fn prints_a_file(tool_use: &ToolUse) -> bool {
    let command = tool_use.command.as_deref().unwrap_or("");
    let mut runs = command.split(['&', ';']);
    runs.any(|run| run.split_ascii_whitespace().next().is_some_and(|word| PRINTERS.contains(&word)))
}

/// For each tool use, whether it is a read of one file that is superseded: a newer read shows the same lines, or the
/// file was written as a whole since.
fn overtaken(view: &View<'_>) -> Vec<bool> {
    let history = view.history;
    let mut overtaken = vec![false; history.uses().len()];
    for file in view.files.all().iter().filter(|file| file.can_overtake()) {
        let mut newer = file.no_reads();
        for (block, id) in file.reads.iter().rev().filter(|(_, id)| !view.plan.is_taken(*id)) {
            let one = &history[*id];
            let [(_, lines)] = one.files.as_slice() else { continue };
            overtaken[id.0] = file.rewritten > Some(*block) || newer.showing(*lines).is_some();
            if !one.ephemeral && one.shows_its_lines() && !one.is_stub && is_long(view, one) {
                newer.add(*lines, *id);
            }
        }
    }
    overtaken
}

/// The first block that the previous request did not contain.
fn cached(view: &View<'_>) -> BlockId {
    let history = view.history;
    let step = view.settings.current_step.min(history.steps());
    // By block: a message of the AI SDK's UI holds several steps.
    BlockId(history.blocks().partition_point(|block| block.step < step))
}

/// The reasoning in view that is removed if anything before it changes.
fn bound(view: &View<'_>) -> Vec<BlockId> {
    let history = view.history;
    let Some(before) = view.settings.before else { return Vec::new() };
    // What earlier passes edit removes reasoning in any case.
    let edits = PlannedEdit::sorted(view.plan.edits().to_vec());
    let start = history.start();
    let kept = start..before.lost_from(&edits, &(start..BlockId(usize::MAX)));
    let is_shown = |id: &BlockId| kept.contains(id) && view.plan.decided(*id).is_none();
    history.signed().iter().copied().filter(is_shown).collect()
}

/// Estimated tokens of each block as the plan leaves it; 0 before a provider's compaction.
fn tokens_now(view: &View<'_>) -> Vec<u64> {
    let mut tokens: Vec<u64> = view.history.blocks().iter().map(|block| block.tokens).collect();
    tokens[..view.history.start().0].fill(0);
    for edit in view.plan.edits() {
        tokens[edit.block.0] = edit.tokens;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::{RetirePolicy, Spending};

    /// The maximum is the savings minus the cost of rewrites, plus a fraction of the cost of sending everything.
    #[test]
    fn no_rewrite_costs_more_than_was_saved() {
        let most = |most_loss, saved, rewritten| {
            let policy = RetirePolicy { rewrite_cost: 10.0, most_loss, ..RetirePolicy::default() };
            policy.most_rewrite(Spending { unedited: 1000, saved, rewritten }, 300)
        };
        assert_eq!(most(0.0, 500, 0), 500.0);
        assert_eq!(most(0.0, 500, 20), 300.0);
        // Sending everything would have cost 1,000, plus 10 times 300 to write it.
        assert_eq!(most(0.5, 500, 20), 2300.0);
        assert_eq!(most(0.0, 500, 60), 0.0);
    }
}
