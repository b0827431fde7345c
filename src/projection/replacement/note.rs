//! The note that tells of several edits of a file: document "Smart Tool History", compressed edits.

use crate::message::{FileTimelines, History, UseId};
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
    files: &FileTimelines,
    from: UseId,
    to: UseId,
    purpose: &dyn Fn(UseId) -> Option<String>,
) -> Option<String> {
    let [(path, _)] = history[to].files.as_slice() else { return None };
    let done = &files.of(*path).done;
    let start = done.partition_point(|id| *id < from);
    let edits = done.get(start..done.partition_point(|id| *id <= to))?;
    let name = keep_end(history.names().text(*path), WORDS);
    let (first, last) = (history[from].step, history[to].step);
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
    Some(note + "\n[Full diff available in ground truth]")
}
