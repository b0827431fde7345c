//! Clears what is done, in batches that pay for their rewrite of the prompt cache: the policy that costs least.
//!
//! What is done is known from the calls alone. Command output is done once the model has seen it; a read when its file
//! is no longer named, or when a newer read or a write has overtaken it; a failure when the same is tried again; the
//! text that an edit replaced, when the edit is done. When it goes is for [`super::batch`] to say.
//!
//! It needs what was decided before, so that batches stay gone: a `Context` or `state`.

use super::age::last_accesses;
use super::batch::{Done, Terms, first_to_go};
use super::outline::{MIN_CHARS, Outline};
use super::reads::contains;
use super::stub::{StubStyle, brief_stub_bytes, is_worth};
use super::{Pass, PassName, Replacement, View};
use crate::message::{Block, BlockId, BlockKind, History, Origin, ToolUse, UseId};
use crate::tokens::estimate_tokens;
use serde::{Deserialize, Serialize};

/// Settings of the done pass. It decides what becomes of results by itself, so of the other passes only `reasoning`,
/// `ephemeral` and `budget` can be on beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct DonePolicy {
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
    /// Seconds that the cache lives. After a longer pause, as the projection's `idle` says, all that is done goes.
    /// Default 300, `null` where nobody says.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "number | null"))]
    pub cache_seconds: Option<u32>,
}

impl Default for DonePolicy {
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
pub const OLD_TEXTS: Replacement =
    Replacement::Outlined(Outline { max_chars: MIN_CHARS, old_only: true });

impl Pass for DonePolicy {
    // It is called in two places, and large.
    #[inline(never)]
    fn run(&self, view: &mut View<'_>) {
        let history = view.history;
        let mut done = self.find(view);
        done.retain_mut(|one| {
            let Some(id) = call_of(history, one) else { return true };
            let left = view.cache.call_tokens(history, id, OLD_TEXTS, view.source);
            one.saves = one.saves.saturating_sub(left.map_or(one.saves, u64::from));
            left.is_some()
        });
        let tokens = tokens_now(view);
        let terms = self.terms(view, tokens.iter().sum());
        let Some(first) = first_to_go(&done, &tokens, cached(view), terms) else { return };
        for one in &done[first..] {
            if let Some(id) = call_of(history, one) {
                view.shorten(id, PassName::Done, OLD_TEXTS);
            } else if let Some(id) = history[one.block].tool_use {
                view.clear(id, PassName::Done, StubStyle::BRIEF);
            }
        }
    }
}

/// The tool use whose call it is, if it is one.
fn call_of(history: &History, one: &Done) -> Option<UseId> {
    let facts = &history[one.block];
    facts.tool_use.filter(|_| facts.kind == BlockKind::ToolCall)
}

impl DonePolicy {
    /// A reason why these settings cannot be used.
    pub fn problem(&self) -> Option<String> {
        (self.rewrite_cost < 0.0).then(|| "done.rewriteCost must be 0 or more".to_owned())
    }

    fn terms(&self, view: &View<'_>, tokens: u64) -> Terms {
        let is_cold = |seconds: u32| view.idle > f64::from(seconds);
        Terms {
            step: view.current_step,
            expected_steps: self.expected_steps,
            at_least: self.at_least.into(),
            rewrite_cost: self.rewrite_cost,
            is_full: tokens as f64 >= FULL * f64::from(view.window),
            at_once: view.must_fit || self.cache_seconds.is_some_and(is_cold),
        }
    }

    /// What is done, in the order of its blocks. Calls are said to save all that they are.
    pub fn find(&self, view: &View<'_>) -> Vec<Done> {
        let (history, step) = (view.history, view.current_step);
        let mut files = Files::of(history, step);
        let mut done = Vec::new();
        for (i, facts) in history.blocks().iter().enumerate().rev() {
            let Some(id) = facts.tool_use else { continue };
            let one = &history[id];
            if one.step > step {
                continue;
            }
            let is_call = facts.kind == BlockKind::ToolCall;
            let (since, saves) = if is_call {
                (self.call(view, id), facts.tokens)
            } else {
                let stub = brief_stub_bytes(facts.size, view.recall);
                let is_shown =
                    !view.plan.is_taken(id) && !one.is_stub && is_worth(facts.size, stub);
                let may_go = is_shown && one.editable && view.is_free(id, one);
                let since = if may_go { self.result(history, id, &files, facts) } else { None };
                files.note(one, is_shown);
                (since, facts.tokens.saturating_sub(estimate_tokens(stub as u64)))
            };
            if let Some(since) = since.filter(|since| *since <= step) {
                done.push(Done { block: BlockId(i), saves, since });
            }
        }
        done.reverse();
        done
    }

    /// The step since which what an edit replaced is done.
    fn call(&self, view: &View<'_>, id: UseId) -> Option<u32> {
        let one = &view.history[id];
        let may_go = self.old_texts && one.origin == Origin::Edit && view.is_call_free(id, one);
        may_go.then_some(one.step.saturating_add(1))
    }

    /// The step since which a result is done; `files` tell of what came after it.
    fn result(&self, history: &History, id: UseId, files: &Files, block: &Block) -> Option<u32> {
        let one = &history[id];
        match one.origin {
            Origin::Edit | Origin::Write if one.is_error => None,
            _ if one.is_error => {
                let old = self.failures.map(|steps| one.step.saturating_add(steps));
                tried_again(history, id).map(|other| other.step).or(old)
            }
            Origin::Read | Origin::Other => {
                let named = one.files.iter().filter_map(|(path, _)| files.named[path.index()]);
                let last = named.max().unwrap_or(one.step).max(one.step);
                let is_edited = one.files.iter().any(|(path, _)| files.edited[path.index()]);
                let carried = u32::try_from(u64::from(self.carry) / block.tokens.max(1));
                let most = carried.unwrap_or(u32::MAX).max(self.reads);
                let steps = if is_edited { self.edited_reads.min(most) } else { self.reads };
                let unused = last.saturating_add(steps);
                Some(files.overtaken(one).map_or(unused, |step| step.min(unused)))
            }
            _ => Some(one.step.saturating_add(self.outputs)),
        }
    }
}

/// The use that does again what failed in this one.
fn tried_again(history: &History, id: UseId) -> Option<&ToolUse> {
    let (one, later) = (&history[id], &history.uses()[id.0 + 1..]);
    later.iter().find(|other| {
        other.tool == one.tool
            && other.result.is_some()
            && other.files == one.files
            && what_runs(other) == what_runs(one)
    })
}

/// What a command runs, without the change of folder before it and what becomes of its output.
fn what_runs(one: &ToolUse) -> &str {
    let command = one.command.as_deref().unwrap_or("");
    let inside = command.strip_prefix("cd ").and_then(|rest| rest.split_once('&'));
    let run = inside.map_or(command, |(_, run)| run.trim_start_matches('&'));
    // `2>&1 | tail` and `| tail` are the same run.
    run.split(['|', '>']).next().unwrap_or(run).trim_end_matches([' ', '2']).trim_start()
}

/// First and last line; `None` is the whole file.
type Lines = Option<(u32, u32)>;

/// What calls say of files. Reads and writes are noted from the newest on.
struct Files {
    /// By path: the step of the last call that read or changed it.
    named: Vec<Option<u32>>,
    /// By path: whether some call was to edit it. Failures count: once they are cleared, nothing tells them from others.
    edited: Vec<bool>,
    /// By path: the reads that stand, with their lines and steps.
    reads: Vec<Vec<(Lines, u32)>>,
    /// By path: the step at which it was written whole.
    written: Vec<Option<u32>>,
}

impl Files {
    fn of(history: &History, step: u32) -> Self {
        let paths = history.names().len();
        let mut edited = vec![false; paths];
        for one in history.uses().iter().filter(|one| one.step <= step) {
            if matches!(one.origin, Origin::Edit | Origin::Write) {
                one.files.iter().for_each(|(path, _)| edited[path.index()] = true);
            }
        }
        let named = last_accesses(history, step);
        Self { named, edited, reads: vec![Vec::new(); paths], written: vec![None; paths] }
    }

    fn note(&mut self, one: &ToolUse, is_shown: bool) {
        let [(path, lines)] = one.files.as_slice() else { return };
        match one.origin {
            _ if one.is_error || one.ephemeral => {}
            Origin::Read if is_shown && one.shows_its_lines() => {
                self.reads[path.index()].push((*lines, one.step))
            }
            Origin::Write => self.written[path.index()] = Some(one.step),
            _ => {}
        }
    }

    /// The step at which a newer read showed the same lines, or the file was written whole.
    fn overtaken(&self, one: &ToolUse) -> Option<u32> {
        let [(path, lines)] = one.files.as_slice() else { return None };
        let covers = |(other, _): &&(Lines, u32)| contains(*other, *lines);
        let read = self.reads[path.index()].iter().rfind(covers).map(|(_, step)| *step);
        read.into_iter().chain(self.written[path.index()]).min()
    }
}

/// The first block that was not in the request before.
fn cached(view: &View<'_>) -> BlockId {
    let history = view.history;
    let step = view.current_step.min(history.steps());
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

/// Why a block was cleared.
pub fn reason(history: &History, id: UseId, is_call: bool) -> &'static str {
    let one = &history[id];
    match one.origin {
        _ if is_call => "the text that it replaced is gone from the file",
        _ if one.is_error => "the failure is old, or the same was tried again",
        Origin::Read => "its file was not named for long, or a newer read or a write overtook it",
        Origin::Other => "old",
        _ => "the model has seen it",
    }
}
