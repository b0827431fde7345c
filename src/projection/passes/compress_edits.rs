//! Compresses many old edits of one file into a note. Source: document "Smart Tool History", compressed edits. All
//! calls stay, with their long arguments cut. The newest call with enough room for the note contains it; the note lists
//! the changes of all of them.

use crate::message::{History, UseId};
use crate::projection::passes::pass::{Pass, age_of};
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{ArgumentTrim, Kind, Replacement};
use crate::projection::replacement::note::NOTE_LIMIT;
use crate::projection::settings::settings;
use crate::projection::view::pass_view::View;
use serde::Serialize;

/// Cuts no text as short as a note.
const BESIDE_NOTES: ArgumentTrim = ArgumentTrim { max_chars: NOTE_LIMIT, old_only: false };

/// Settings of the edits pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EditsPolicy {
    /// For how many steps an edit is not changed. Default 20. If the `inputs` pass is on too, use a value no larger
    /// than its `after`: a call that was cut once stays cut.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub after: u32,
    /// The minimum number of old edits of a file to replace. Default 3.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub at_least: u32,
}

settings!(EditsPolicy { after as "after", at_least as "atLeast" });

impl Default for EditsPolicy {
    fn default() -> Self {
        Self { after: 20, at_least: 3 }
    }
}

impl Pass for EditsPolicy {
    const PUTS: &'static [Kind] = &[Kind::Trimmed, Kind::Noted];

    fn run(&self, view: &mut View<'_>) {
        let (history, files, step) = (view.history, view.all_files, view.settings.current_step);
        let is_old = |id: &UseId| step.saturating_sub(history[*id].step) > self.after;
        for file in files.all() {
            let old = &file.changes[..file.changes.partition_point(is_old)];
            // A note must not describe excluded calls.
            let gone = old.iter().rposition(|id| view.plan.is_gone(*id)).map_or(0, |at| at + 1);
            let old = &old[gone..];
            // Edits that an earlier note describes are skipped.
            let noted = old.iter().rposition(|id| view.plan.is_noted(*id)).map_or(0, |at| at + 1);
            self.compress(view, &old[noted..]);
        }
    }

    fn reason(history: &History, edit: &PlannedEdit, current_step: u32) -> String {
        match edit.replacement.kind() {
            Kind::Noted => "tells of several old edits of the file".to_owned(),
            _ => age_of(history, edit, current_step),
        }
    }
}

impl EditsPolicy {
    /// Replaces the edits with one note. The number of edits must not depend on what earlier passes edited, because a
    /// view that is projected again no longer shows that. So all edits count, and no call is left to a later pass. A
    /// call that is not worth a note may already contain one, so only texts longer than a note are cut in it.
    fn compress(&self, view: &mut View<'_>, edits: &[UseId]) {
        let least = (self.at_least as usize).max(2);
        if edits.len() < least {
            return;
        }
        let from = edits[0];
        let mut has_note = false;
        for (i, id) in edits.iter().enumerate().rev() {
            if view.is_call_eligible(*id, &view.history[*id]) {
                let is_done = !view.history[*id].is_error;
                let may_hold_note = !has_note && is_done && i + 1 >= least;
                has_note |= may_hold_note
                    && view.shorten(*id, PassName::Edits, Replacement::Noted { from });
                if !view.plan.is_call_taken(*id) {
                    let trim = if may_hold_note { BESIDE_NOTES } else { ArgumentTrim::LONG };
                    view.shorten(*id, PassName::Edits, Replacement::Trimmed(trim));
                }
            }
            view.plan.take_call(*id);
        }
    }
}
