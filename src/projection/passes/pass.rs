//! What a pass is.

use crate::message::{History, UseId};
use crate::projection::plan::PlannedEdit;
use crate::projection::replacement::kind::{Kind, StubStyle};
use crate::projection::view::pass_view::View;

/// One rule of a projection: the settings are the type that implements it, in a file of `passes`.
pub trait Pass {
    /// What it puts in the place of content. A saved state in which it puts something else there is not believed.
    const PUTS: &'static [Kind];
    /// Whether later projections repeat its edits; or else it finds them each time.
    const LASTING: bool = true;
    /// Whether its edits wait until a batch is worth `clearAtLeast`.
    const WAITS: bool = true;

    /// Adds its edits to the plan.
    fn run(&self, view: &mut View<'_>);

    /// Whether it edits anything, as it is set.
    fn edits(&self) -> bool {
        true
    }

    /// Why an edit was made, in a few words.
    fn reason(history: &History, edit: &PlannedEdit, current_step: u32) -> String;

    /// A reason why its settings cannot be used.
    fn check(&self) -> Option<String> {
        None
    }

    /// How its stubs are worded.
    fn style(&self) -> StubStyle {
        StubStyle::PLAIN
    }

    /// Why a result that nothing keeps from every pass was left by this one; `None` where it has nothing to say.
    fn why_kept(&self, view: &View<'_>, id: UseId) -> Option<&'static str> {
        let _ = (view, id);
        None
    }
}

/// The reason of passes that go by age.
pub fn age_of(history: &History, edit: &PlannedEdit, current_step: u32) -> String {
    let step = edit.tool_use.map_or(current_step, |id| history[id].step);
    format!("{} steps old", current_step.saturating_sub(step))
}
