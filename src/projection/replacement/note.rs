//! The note that tells of several edits of a file: document "Smart Tool History", compressed edits.

use crate::message::{History, NameId, Origin, ToolUse, UseId};
use crate::text::{keep_end, keep_start};

/// A note tells of so many changes, the newest.
const LINES: usize = 8;
/// The path, and what it says of each change, in bytes.
const WORDS: usize = 60;

/// No note has more UTF-16 units: 8 lines of 63, 110 before them and 55 behind. Arguments beside notes are trimmed by no
/// less, so that a note in them stays as it is.
pub const NOTE_LIMIT: u32 = 700;

/// What was done to a file from one edit of it to another. `purpose` tells what a call says that it is for, or puts into
/// the file.
pub fn note_text(
    history: &History,
    from: UseId,
    to: UseId,
    purpose: &dyn Fn(UseId) -> Option<String>,
) -> String {
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
        let purpose = purpose(*id);
        let text = purpose.as_deref().unwrap_or("").trim();
        let words = keep_start(text.lines().next().unwrap_or(""), WORDS);
        note.push_str("\n- ");
        note.push_str(if words.is_empty() { "(removed text)" } else { &words });
    }
    note + "\n[Full diff available in ground truth]"
}

/// The file that a tool use changed, if it is one and that went well.
fn edited_file(tool_use: &ToolUse) -> Option<NameId> {
    let is_answered = tool_use.call.is_some() && tool_use.result.is_some() && !tool_use.is_error;
    match (tool_use.origin, tool_use.files.as_slice()) {
        (Origin::Edit | Origin::Write, [(path, _)]) if is_answered => Some(*path),
        _ => None,
    }
}
