//! The note that describes several edits of a file. Source: document "Smart Tool History", compressed edits.

use crate::message::{FileTimelines, History, UseId};
use crate::text::{keep_end, keep_start};

/// Maximum number of changes in a note; the newest are listed.
const LINES: usize = 8;
/// Maximum bytes of the path, and of the text for each change.
const WORDS: usize = 60;

/// Upper limit of a note in UTF-16 units: 8 lines of 63, 110 before them and 55 after. Arguments that contain a note
/// are trimmed with a limit of at least this, so that the note is kept as it is.
pub const NOTE_LIMIT: u32 = 700;

/// Describes the edits of a file from one edit to another. `purpose` returns the stated purpose of a call, or the text
/// that it puts into the file. `None` if the last edit does not name exactly one file, or if the range is not valid.
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
