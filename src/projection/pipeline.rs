//! Plans a view: runs all passes in order, and again if the view does not fit.

use super::binding::{Sent, take_out};
use super::content::reader::ContentReader;
use super::passes::{ReasoningMode, rests_on, take_along};
use super::plan::{Before, Plan, PlannedEdit};
use super::policy::Policy;
use super::registry::{ORDER, PassName};
use super::replacement::texts::BRIEF_STUB_LIMIT;
use super::spending::spending_of;
use super::view::cache::Cache;
use super::view::pass_view::{View, ViewSettings};
use crate::message::{BlockId, FileTimelines, History};

/// The input of a projection besides the history.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The settings.
    pub policy: &'a Policy,
    /// The step for which the view is made.
    pub current_step: u32,
    /// The decisions of earlier projections, sorted by block. They are repeated if their pass is on.
    pub decided: &'a [PlannedEdit],
    /// Seconds since the last request; 0 if unknown. The engine has no clock.
    pub idle: f64,
    /// What was sent before; `None` for a view that is not sent as a request.
    pub sent: Option<Sent<'a>>,
}

/// Plans the view of `history`.
///
/// The budget is the last stage. If the view is too large after all passes, they plan again with the oldest results
/// cleared, so that no pointer refers to a cleared result.
pub fn project(
    history: &History,
    request: Request<'_>,
    reader: &dyn ContentReader,
    cache: &mut Cache,
) -> Plan {
    let shown = prepare(history, request, reader, cache);
    let mut plan_with =
        |must_clear| plan_passes(history, request, must_clear, reader, cache, &shown);
    let plan = plan_with(None);
    match request.policy.budget.settings() {
        Some(budget) if !budget.allows(history.tokens() - plan.saved()) => {
            budget.fit(history, |count| plan_with(Some(count)))
        }
        _ => plan,
    }
}

/// The view before any pass has run.
pub(super) fn bare_view<'a>(
    history: &'a History,
    request: Request<'_>,
    reader: &'a dyn ContentReader,
    cache: &'a mut Cache,
    shown: &'a Shown,
) -> View<'a> {
    let settings = settings_of(history, request, None, None);
    View::new(history, settings, Plan::default(), reader, cache, shown.files.as_ref())
}

/// The part of a history that passes work on: calls up to the current step that are not excluded.
pub(super) struct Shown {
    /// For each tool use, whether it is excluded; empty if none can be.
    excluded: Vec<bool>,
    /// The file timelines, if they differ from those of the whole history.
    files: Option<FileTimelines>,
}

/// Updates the cache for the history and the policy.
pub(super) fn prepare(
    history: &History,
    request: Request<'_>,
    reader: &dyn ContentReader,
    cache: &mut Cache,
) -> Shown {
    cache.fit(history);
    cache.protected.follow(&request.policy.protect, history.names());
    if request.policy.retire.is_on() {
        cache.retries.follow(history, reader);
    }
    let exclude = request.policy.exclude.as_ref().filter(|_| request.policy.has(PassName::Exclude));
    let excluded = exclude.map_or(Vec::new(), |exclude| exclude.uses_in(history));
    let is_whole = request.current_step >= history.steps() && !excluded.contains(&true);
    let files = (!is_whole).then(|| FileTimelines::at(history, request.current_step, &excluded));
    Shown { excluded, files }
}

/// Runs all passes, and again if reasoning is removed for which edits have waited: nothing waits for it then.
fn plan_passes(
    history: &History,
    request: Request<'_>,
    must_clear: Option<usize>,
    reader: &dyn ContentReader,
    cache: &mut Cache,
    shown: &Shown,
) -> Plan {
    let mut gone = BlockId(usize::MAX);
    loop {
        let (plan, more) = run_passes(history, request, must_clear, gone, reader, cache, shown);
        match more {
            Some(block) => gone = block,
            None => return plan,
        }
    }
}

/// Runs all passes; none waits for reasoning from `gone` on. Returns the first reasoning that the plan removes, if edits
/// have waited for any of it.
// A large function with several callers.
#[inline(never)]
fn run_passes(
    history: &History,
    request: Request<'_>,
    must_clear: Option<usize>,
    gone: BlockId,
    reader: &dyn ContentReader,
    cache: &mut Cache,
    shown: &Shown,
) -> (Plan, Option<BlockId>) {
    let policy = request.policy;
    // Removed reasoning stays removed, because later reasoning was made without it. Pinned calls come back, except
    // ephemeral content, which had to be removed after its turn.
    let is_pinned = |edit: &PlannedEdit| {
        edit.pass != PassName::Ephemeral
            && edit.tool_use.is_some_and(|id| cache.protected.pins(&history[id]))
    };
    let repeated = repeated_passes(policy);
    let excluded = &shown.excluded;
    let repeats = |edit: &PlannedEdit| {
        if !excluded.is_empty() && rests_on(edit, history, &cache.files, excluded) {
            return false;
        }
        edit.block < history.start()
            || edit.pass == PassName::Reasoning
            || repeated & 1 << edit.pass.code() != 0 && !is_pinned(edit)
    };
    let mut decided = Vec::with_capacity(history.uses().len());
    decided.extend_from_slice(request.decided);
    decided.retain(repeats);
    let plan = Plan::repeating(history, decided);
    let sent = request.sent.filter(|_| policy.binding.takes_out() && !history.signed().is_empty());
    let newest = sent.map(|sent| (sent.log.newest(), sent.unknown_from));
    let before = newest.as_ref().map(|(edits, from)| Before { edits, unknown_from: *from });
    let settings = settings_of(history, request, must_clear, before);
    let mut view = View::new(history, settings, plan, reader, cache, shown.files.as_ref());
    let held = request.sent.and_then(|_| policy.binding.hold(&mut view, gone));
    for pass in ORDER {
        policy.run(*pass, &mut view);
    }
    let mut plan = view.plan;
    // A view that does not fit cannot wait, and waiting would make clearing more results save less.
    let at_least = u64::from(policy.clear_at_least.0);
    if must_clear.is_none() && plan.newly_saved(history, PassName::waits) < at_least {
        plan.take_back(history, PassName::waits);
    }
    if !excluded.is_empty() {
        take_along(history, &mut plan);
    }
    if let Some(before) = before.filter(|_| policy.reasoning != Some(ReasoningMode::Keep)) {
        take_out(history, &mut plan, before);
    }
    plan.waits_for_reasoning = held.is_some_and(|held| held.results_wait) && policy.edits_results();
    plan.finish(history);
    let first = held.map(|held| held.before).filter(|held| plan.has_edit(*held)).and_then(|held| {
        let is_beside = |block: &BlockId| (*block < history.start()) == (held < history.start());
        let is_new = |block: &BlockId| request.decided.iter().all(|edit| edit.block != *block);
        let mut signed = history.signed().iter().copied();
        signed.find(|block| is_beside(block) && plan.has_edit(*block) && is_new(block))
    });
    (plan, first)
}

/// The passes whose decisions are repeated, as one bit per pass code.
fn repeated_passes(policy: &Policy) -> u32 {
    let on = ORDER.iter().filter(|pass| policy.has(**pass));
    on.map(|pass| 1 << pass.code()).sum()
}

fn settings_of<'a>(
    history: &History,
    request: Request<'_>,
    must_clear: Option<usize>,
    before: Option<Before<'a>>,
) -> ViewSettings<'a> {
    let Request { policy, current_step, idle, .. } = request;
    let brief_stubs = policy.retire.is_on();
    let brief = if brief_stubs { BRIEF_STUB_LIMIT } else { 0 };
    let clear = policy.clear.settings();
    let log = request.sent.filter(|_| policy.retire.is_on()).map(|sent| sent.log);
    // The limit does not apply if earlier requests are unknown, as in a history that began elsewhere.
    let log = log.filter(|log| must_clear.is_none() && log.count_before(history) > 0);
    ViewSettings {
        current_step,
        placeholder_bytes: clear.map_or(brief, |clear| clear.placeholder_bytes(policy.recall)),
        brief_stubs,
        recall: policy.recall,
        window: policy.window,
        idle,
        failure_tokens: policy.protect.failure_tokens,
        before,
        must_clear,
        spending: log.map(|log| spending_of(log, history)),
    }
}
