//! The trait of all passes.

use crate::message::{History, UseId};
use crate::projection::plan::PlannedEdit;
use crate::projection::replacement::kind::{Kind, StubStyle};
use crate::projection::view::pass_view::View;

/// One rule of a projection, implemented by the type of its settings in a file of `passes`.
pub trait Pass {
    /// The kinds of its replacements. A saved edit of this pass with another kind is ignored.
    const PUTS: &'static [Kind];
    /// Whether later projections repeat its edits. If not, the pass makes them again each time.
    const LASTING: bool = true;
    /// Whether its edits wait until a batch saves `clearAtLeast` tokens.
    const WAITS: bool = true;

    /// Adds its edits to the plan.
    fn run(&self, view: &mut View<'_>);

    /// Whether it edits anything with these settings.
    fn edits(&self) -> bool {
        true
    }

    /// The reason for an edit, in a few words.
    fn reason(history: &History, edit: &PlannedEdit, current_step: u32) -> String;

    /// The problem with its settings, if any.
    fn check(&self) -> Option<String> {
        None
    }

    /// The style of its stubs.
    fn style(&self) -> StubStyle {
        StubStyle::PLAIN
    }

    /// Why this pass kept a result that no rule of all passes keeps; `None` if it has no specific reason.
    fn why_kept(&self, view: &View<'_>, id: UseId) -> Option<&'static str> {
        let _ = (view, id);
        None
    }
}

/// The reason of passes that decide by age.
pub fn age_of(history: &History, edit: &PlannedEdit, current_step: u32) -> String {
    let step = edit.tool_use.map_or(current_step, |id| history[id].step);
    format!("{} steps old", current_step.saturating_sub(step))
}
