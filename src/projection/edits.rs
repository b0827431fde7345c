//! Many old edits of one file become a note: document "Smart Tool History", compressed edits. All calls stay, with
//! their long arguments cut; the newest in which there is room for it tells what was done in all of them.

use super::outline::{Outline, purpose};
use super::source::arguments;
use super::{Pass, PassName, Replacement, Source, View};
use crate::message::{History, NameId, Origin, ToolUse, UseId};
use crate::text::{keep_end, keep_start};
use serde::{Deserialize, Serialize};
use std::mem::take;

/// A note tells of so many changes, the newest.
const LINES: usize = 8;
/// The path, and what it says of each change, in bytes.
const WORDS: usize = 60;
/// Leaves a note as it is: the longest has 8 lines of 63 UTF-16 units, 110 before them and 55 behind.
const BESIDE_NOTES: Outline = Outline { max_chars: 700, ..Outline::LONG };

/// Settings of the edits pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EditsPolicy {
    /// Steps an edit stays as it is. Default 20. Where the `inputs` pass is on as well, it should come no later:
    /// a call that was cut once stays so.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub after: u32,
    /// Fewer old edits of a file stay as they are. Default 3.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub at_least: u32,
}

impl Default for EditsPolicy {
    fn default() -> Self {
        Self { after: 20, at_least: 3 }
    }
}

impl Pass for EditsPolicy {
    fn run(&self, view: &mut View<'_>) {
        let (history, step) = (view.history, view.current_step);
        let mut files = take(&mut view.cache.files);
        files.follow(history, u32::MAX);
        let is_old = |id: &UseId| step.saturating_sub(history[*id].step) > self.after;
        for file in files.all() {
            let old = &file.changes[..file.changes.partition_point(is_old)];
            // What an earlier note tells of is done.
            let has_note = |id: &UseId| {
                let call = history[*id].call.filter(|_| view.plan.is_call_taken(*id));
                let edit = call.and_then(|block| view.plan.decided(block));
                edit.is_some_and(|edit| matches!(edit.replacement, Replacement::Noted { .. }))
            };
            let noted = old.iter().rposition(has_note).map_or(0, |at| at + 1);
            self.compress(view, &old[noted..]);
        }
        view.cache.files = files;
    }
}

impl EditsPolicy {
    /// Whether some are edited must not depend on what earlier passes edited: a view that is projected again shows that
    /// no more. So all count, and none is left to a later pass. A call for which no note is worth it may hold one.
    fn compress(&self, view: &mut View<'_>, edits: &[UseId]) {
        let least = (self.at_least as usize).max(2);
        if edits.len() < least {
            return;
        }
        let from = edits[0];
        let mut has_note = false;
        for (i, id) in edits.iter().enumerate().rev() {
            if view.is_call_free(*id, &view.history[*id]) {
                let is_done = !view.history[*id].is_error;
                let may_hold_note = !has_note && is_done && i + 1 >= least;
                has_note |= may_hold_note
                    && view.shorten(*id, PassName::Edits, Replacement::Noted { from });
                if !view.plan.is_call_taken(*id) {
                    let outline = if may_hold_note { BESIDE_NOTES } else { Outline::LONG };
                    view.shorten(*id, PassName::Edits, Replacement::Outlined(outline));
                }
            }
            view.plan.take_call(*id);
        }
    }
}

/// The file that a tool use changed, if it is one and that went well.
fn edited_file(one: &ToolUse) -> Option<NameId> {
    meant_file(one).filter(|_| !one.is_error)
}

/// The file that a tool use was to change. Failures count among a file's edits: once they are cleared, nothing tells
/// them from the others in a view.
fn meant_file(one: &ToolUse) -> Option<NameId> {
    let is_answered = one.call.is_some() && one.result.is_some();
    match (one.origin, one.files.as_slice()) {
        (Origin::Edit | Origin::Write, [(path, _)]) if is_answered => Some(*path),
        _ => None,
    }
}

/// What was done to a file from one edit of it to another.
pub fn note_text(history: &History, from: UseId, to: UseId, source: &dyn Source) -> String {
    let uses = history.uses();
    let path = edited_file(&uses[to.0]);
    let edits: Vec<UseId> = (from.0..=to.0)
        .map(UseId)
        .filter(|id| path.is_some() && edited_file(&uses[id.0]) == path)
        .collect();
    let name = keep_end(path.map_or("", |path| history.names().text(path)), WORDS);
    let (first, last) = (uses[from.0].step, uses[to.0].step);
    let mut note =
        format!("[Edits to {name}: {} changes between turns {first}-{last}]", edits.len());
    let unsaid = edits.len().saturating_sub(LINES);
    if unsaid > 0 {
        note.push_str(&format!("\n- ({unsaid} earlier)"));
    }
    for id in &edits[unsaid..] {
        let purpose = arguments(history, *id, source).and_then(|json| purpose(&json));
        let text = purpose.as_deref().unwrap_or("").trim();
        let words = keep_start(text.lines().next().unwrap_or(""), WORDS);
        note.push_str("\n- ");
        note.push_str(if words.is_empty() { "(removed text)" } else { &words });
    }
    note + "\n[Full diff available in ground truth]"
}
