//! A projection decides what the model sees of a history: a plan of edits, from facts and a policy alone.
//!
//! Each rule is a [`Pass`] in a file of its own. Passes run in one order, stated in [`project`]: what an earlier pass
//! has edited, a later one leaves alone.

mod age;
mod clear;
mod clip;
mod dedupe;
mod ephemeral;
mod plan;
mod policy;
mod protect;
mod reads;
mod report;
mod source;
mod stub;
mod summary;
mod switch;

pub use age::{ActiveFile, AgePolicy, active_files, should_truncate};
pub use clear::{ClearKeep, ClearMeasure, ClearPolicy, ClearTrigger, KeepMeasure};
pub use clip::ClipPolicy;
pub use dedupe::DedupePolicy;
pub use ephemeral::{EphemeralMode, EphemeralPolicy, EphemeralWhen};
pub use plan::{Edit, PassName, Plan, Replacement};
pub use policy::Policy;
pub use reads::ReadsPolicy;
pub use report::{EditReport, PassReport};
pub use source::{Cache, Source, StubFacts, StubKey};
pub use stub::replacement_text;
pub use switch::Switch;

use crate::message::History;

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
    /// Reads a block's content from the host.
    pub source: &'a dyn Source,
    /// What was worked out of contents before.
    pub cache: &'a mut Cache,
    /// The length of the clear pass's placeholder, 0 where it is off: what is not twice as long may be one.
    pub placeholder_bytes: usize,
}

/// Plans the view of `history` at `current_step` under `policy`.
///
/// The order is that of law 6: ephemeral content first (it may stand in no view), then clearing by size and
/// by age, then repeated reads, then clipping what stays, then duplicates, which are looked for only among what is still shown in full.
pub fn project(
    history: &History,
    policy: &Policy,
    current_step: u32,
    source: &dyn Source,
    cache: &mut Cache,
) -> Plan {
    cache.fit(history);
    let plan = Plan::new(history);
    let placeholder_bytes =
        policy.clear.settings().map_or(0, |settings| settings.placeholder.len());
    let mut view = View { history, current_step, plan, source, cache, placeholder_bytes };
    if let Some(pass) = policy.ephemeral.settings() {
        pass.run(&mut view);
    }
    if let Some(pass) = policy.clear.settings() {
        pass.run(&mut view);
    }
    if let Some(pass) = policy.age.settings() {
        pass.run(&mut view);
    }
    if let Some(pass) = policy.reads.settings() {
        pass.run(&mut view);
    }
    if let Some(pass) = policy.clip.settings() {
        pass.run(&mut view);
    }
    if let Some(pass) = policy.dedupe.settings() {
        pass.run(&mut view);
    }
    view.plan.finish(history);
    view.plan
}
