//! A projection decides what the model sees of a history: a plan of edits, from facts and a policy alone.
//!
//! Each rule is a [`Pass`] in a file of its own. Passes run in one order, stated in [`project`]: what an earlier pass
//! has edited, a later one leaves alone.

mod age;
mod batch;
mod budget;
mod clear;
mod clear_inputs;
mod clip;
mod dedupe;
mod done;
mod edit;
mod edits;
mod ephemeral;
mod explain;
mod file_uses;
mod inputs;
mod lists;
mod outline;
mod plan;
mod policy;
mod protect;
mod reads;
mod reasoning;
mod recall;
mod report;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod schema;
mod source;
mod state;
mod stub;
mod summarize;
mod summary;
mod switch;
mod warn;

pub use age::{ActiveFile, AgePolicy, active_files, should_truncate};
pub use budget::BudgetPolicy;
pub use clear::{ClearKeep, ClearMeasure, ClearPolicy, ClearTrigger, KeepMeasure};
pub use clear_inputs::ClearInputs;
pub use clip::{ClipLimits, ClipPolicy, ClipUnit};
pub use dedupe::DedupePolicy;
pub use done::{DonePolicy, OLD_TEXTS};
pub use edit::{Edit, PassName, Replacement};
pub use edits::EditsPolicy;
pub use ephemeral::{EphemeralMode, EphemeralPolicy, EphemeralWhen};
pub use explain::{BlockReport, explain};
pub use inputs::{InputsPolicy, InputsWhat};
pub use lists::ListsPolicy;
pub use outline::Outline;
pub use plan::Plan;
pub use policy::Policy;
pub use protect::ProtectPolicy;
pub use reads::{ReadsPolicy, Superseded};
pub use reasoning::ReasoningMode;
pub use recall::find_result;
pub use report::{EditReport, PassReport};
pub use source::{Cache, Source};
pub use state::{DECISION_NUMBERS, Decision, Finder, Found};
pub use stub::replacement_text;
pub use summarize::SummarizePolicy;
pub use summary::{key_info, summary_text};
pub use switch::Switch;
pub use warn::WarnPolicy;

use crate::message::{History, UseId};
use std::cell::OnceCell;
use stub::{BRIEF_STUB_LIMIT, StubStyle};

/// One rule of a projection.
pub trait Pass {
    /// Adds its edits to the plan.
    fn run(&self, view: &mut View<'_>);
}

/// What a pass works on: the facts, what earlier passes planned, and the content where facts are not enough.
pub struct View<'a> {
    /// The facts.
    pub history: &'a History,
    /// The step that the view is made for; results of later steps are not touched.
    pub current_step: u32,
    /// The edits so far.
    pub plan: Plan,
    /// What [`View::survivors`] is made of.
    open: OnceCell<Vec<UseId>>,
    /// Reads a block's content from the host.
    pub source: &'a dyn Source,
    /// What was worked out of contents before.
    pub cache: &'a mut Cache,
    /// The length of the clear pass's placeholder, or of a brief stub where the done pass is on, or else 0: what is not
    /// twice as long may be one.
    pub placeholder_bytes: usize,
    /// Whether stubs carry references for recall.
    pub recall: bool,
    /// The size of the model's window, in tokens.
    pub window: u32,
    /// Seconds since the last request, 0 where nobody says.
    pub idle: f64,
    /// Whether the view did not fit without the budget.
    pub must_fit: bool,
    /// How what the budget clears is worded: where the done pass is on, no stub may be worth another.
    pub budget_style: StubStyle,
}

/// A projection's input beside the history: what it is asked to do, and when.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The settings.
    pub policy: &'a Policy,
    /// The step that the view is made for.
    pub current_step: u32,
    /// What earlier projections decided, in the order of the blocks: it is decided again, where its pass is on.
    pub decided: &'a [Edit],
    /// Seconds since the last request, 0 where nobody says: the engine has no clock.
    pub idle: f64,
}

/// Plans the view of `history`.
///
/// The order is that of law 6, in [`plan_with`]; what must go for the view to fit is settled when that is done.
pub fn project(
    history: &History,
    request: Request<'_>,
    source: &dyn Source,
    cache: &mut Cache,
) -> Plan {
    let plan = plan_with(history, request, source, cache, None);
    match request.policy.budget.settings() {
        Some(budget) if !budget.allows(history.tokens() - plan.saved()) => {
            budget.fit(history, |count| plan_with(history, request, source, cache, Some(count)))
        }
        _ => plan,
    }
}

/// Reasoning and ephemeral content first (it may stand in no view), then clearing by size, by age and, where the view
/// does not fit, the `budget_count` oldest results; then repeated reads and listings, then summaries and clipping of
/// what stays, then duplicates, which are looked for only among what is still shown in full. Calls come last: what a
/// call says of files and lines stays whatever is cut, and the passes before do not look at more. What is done comes
/// after all that the passes beside it do, for it weighs what stands then, unless it must go for the view to fit.
// It is called in several places, and large.
#[inline(never)]
fn plan_with(
    history: &History,
    request: Request<'_>,
    source: &dyn Source,
    cache: &mut Cache,
    budget_count: Option<usize>,
) -> Plan {
    let policy = request.policy;
    let mut view = View::of(history, request, source, cache);
    view.must_fit = budget_count.is_some();
    policy.reasoning.run(&mut view);
    run(&policy.ephemeral, &mut view);
    policy.reasoning.hold(&mut view);
    run(&policy.clear, &mut view);
    run(&policy.age, &mut view);
    if let (Some(budget), Some(count)) = (policy.budget.settings(), budget_count) {
        run(&policy.done, &mut view);
        budget.clear_oldest(&mut view, count);
    }
    run(&policy.reads, &mut view);
    run(&policy.lists, &mut view);
    run(&policy.summarize, &mut view);
    run(&policy.clip, &mut view);
    run(&policy.dedupe, &mut view);
    run(&policy.edits, &mut view);
    run(&policy.inputs, &mut view);
    if !view.must_fit {
        run(&policy.done, &mut view);
    }
    // What does not fit has nothing to wait for, and waiting would make more clearing save less.
    let at_least = u64::from(policy.clear_at_least);
    if !view.must_fit && at_least > 0 && view.plan.newly_saved(history) < at_least {
        view.plan.take_back(history);
    }
    view.plan.finish(history);
    view.plan
}

impl<'a> View<'a> {
    /// The view before any pass.
    pub fn of(
        history: &'a History,
        request: Request<'_>,
        source: &'a dyn Source,
        cache: &'a mut Cache,
    ) -> Self {
        let Request { policy, current_step, decided, idle } = request;
        cache.fit(history);
        cache.protected.follow(&policy.protect, history.names());
        let brief = if policy.done.is_on() { BRIEF_STUB_LIMIT } else { 0 };
        let bytes = |settings: &ClearPolicy| settings.placeholder_bytes(policy.recall);
        View {
            history,
            current_step,
            plan: Plan::repeating(history, policy, decided),
            open: OnceCell::new(),
            source,
            cache,
            placeholder_bytes: policy.clear.settings().map_or(brief, bytes),
            recall: policy.recall,
            window: policy.window,
            idle,
            must_fit: false,
            budget_style: policy.stub_style(PassName::Budget).unwrap_or(StubStyle::PLAIN),
        }
    }
}

fn run(pass: &Switch<impl Pass>, view: &mut View<'_>) {
    if let Some(pass) = pass.settings() {
        pass.run(view);
    }
}
