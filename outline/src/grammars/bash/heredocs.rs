//! Here-documents whose word is followed by an operator without a space: `cat <<END; then`. The grammar takes the operator
//! for a part of the word.

use crate::text::blank::Overwritten;
use crate::text::line::{Line, is_word};

/// Maximum lines of a here-document.
const MAX_LINES: usize = 1000;

/// Blanks such here-documents, with their redirection.
pub(super) fn overwrite(lines: &[Line], into: &mut Overwritten) {
    for (at, (start, line)) in lines.iter().enumerate() {
        let Some(found) = redirection(line) else { continue };
        let is_end = |(_, line): &&Line| {
            let line = if found.is_indented { line.trim_start_matches('\t') } else { line };
            line == found.word
        };
        let mut below = lines.iter().skip(at + 1).take(MAX_LINES);
        let (Some((first, _)), Some((end, last))) = (lines.get(at + 1), below.find(is_end)) else {
            continue;
        };
        into.fill(start + found.start..start + found.end, b' ');
        into.fill(*first..end + last.len(), b' ');
    }
}

struct Redirection<'t> {
    start: usize,
    end: usize,
    word: &'t str,
    /// `<<-`: tabs before the last line do not count.
    is_indented: bool,
}

/// Returns the redirection of a line if it is the only one, and an operator follows.
fn redirection(line: &str) -> Option<Redirection<'_>> {
    let (before, after) = line.split_once("<<")?;
    let given = after.trim_start_matches('-');
    let rest = given.trim_start_matches(is_word);
    let word = given.strip_suffix(rest).filter(|word| !word.is_empty())?;
    let is_only = !rest.contains("<<") && !before.contains("((");
    (is_only && rest.starts_with([';', '|', '&', ')', '>'])).then(|| Redirection {
        start: before.len(),
        end: line.len() - rest.len(),
        word,
        is_indented: after.starts_with('-'),
    })
}
