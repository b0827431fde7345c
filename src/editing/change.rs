//! Changes of a content, and how they are applied.

use super::diff::unified_diff;
use super::line_ends::with_warning;
use std::ops::Range;

/// An edit that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The whole content after the edit.
    pub content: Vec<u8>,
    /// A sentence for the model, in the document's words, and a line for each warning.
    pub message: String,
    /// Unified diff with three lines of context.
    pub diff: String,
    /// Number of places changed.
    pub replacements: usize,
}

/// Replacement of a range of bytes.
#[derive(Debug, Clone)]
pub(super) struct Change<'a> {
    /// The range, in bytes of the original content.
    pub before: Range<usize>,
    /// The new bytes.
    pub text: &'a [u8],
}

/// Applies changes, which must be in order and not overlap. `is_new`: whether the file did not exist before.
pub(super) fn apply(
    path: &str,
    before: &[u8],
    changes: &[Change],
    message: String,
    is_new: bool,
) -> Edited {
    let mut content = Vec::with_capacity(before.len());
    let mut spans = Vec::with_capacity(changes.len());
    let mut copied = 0;
    for change in changes {
        content.extend_from_slice(&before[copied..change.before.start]);
        let start = content.len();
        content.extend_from_slice(change.text);
        spans.push((change.before.clone(), start..content.len()));
        copied = change.before.end;
    }
    content.extend_from_slice(&before[copied..]);
    let old_path = (!is_new).then_some(path);
    let diff = unified_diff(old_path, path, before, &content, &spans);
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let changes_ends = |change: &Change| {
        change.text.iter().any(is_end) || before[change.before.clone()].iter().any(is_end)
    };
    let message = if changes.iter().any(changes_ends) {
        with_warning(message, path, before, &content)
    } else {
        message
    };
    Edited { content, message, diff, replacements: changes.len() }
}
