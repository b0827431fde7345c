//! What an edit replaces, and the content that comes of it.

use super::diff::unified_diff;
use std::ops::Range;

/// An edit that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The whole content after the edit.
    pub content: Vec<u8>,
    /// One sentence for the model, as the document words it.
    pub message: String,
    /// What changed, with three lines around it.
    pub diff: String,
    /// How many places were changed.
    pub replacements: usize,
}

/// Bytes of the content that give way to others.
#[derive(Debug, Clone)]
pub(super) struct Change<'a> {
    /// Where, in bytes of the content before.
    pub before: Range<usize>,
    /// What stands there afterwards.
    pub text: &'a [u8],
}

/// Makes changes, which stand in order and do not overlap. `is_new` says that there was no file before.
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
    Edited { content, message, diff, replacements: changes.len() }
}
