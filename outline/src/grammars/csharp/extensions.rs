//! Blocks of extension members (`extension(string text) { ... }`), which the grammar takes for constructors. Their first
//! line and their last bracket are blanked, so that the members are those of the class around.

use crate::text::blank::Overwritten;
use std::ops::Range;

const WORD: &str = "extension";
/// Maximum bytes between the word and the bracket that opens a block.
const MAX_HEAD: usize = 1000;

/// A block that is open.
struct Open<'t> {
    head: Range<usize>,
    indent: &'t str,
}

pub(super) fn overwrite(text: &str, into: &mut Overwritten) {
    if !text.contains(WORD) {
        return;
    }
    let mut start = 0;
    let mut open: Option<Open> = None;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        let indent = line.get(..line.len() - code.len()).unwrap_or_default();
        let begin = start + indent.len();
        start += line.len();
        if let Some(head) = head(text, begin) {
            let end = begin + code.trim_end().len();
            if head.end < end && code.trim_end().ends_with('}') {
                into.fill(head, b' ');
                into.fill(end - 1..end, b' ');
            } else {
                open = Some(Open { head, indent });
            }
        } else if code.starts_with('}')
            && let Some(block) = open.take_if(|block| block.indent == indent)
        {
            into.fill(block.head, b' ');
            into.fill(begin..begin + 1, b' ');
        }
    }
}

/// Returns the range from `extension` at an offset to the bracket that opens its block.
fn head(text: &str, begin: usize) -> Option<Range<usize>> {
    let after = text.get(begin..)?.strip_prefix(WORD)?;
    if !after.trim_start().starts_with(['(', '<']) {
        return None;
    }
    let end = after.bytes().take(MAX_HEAD).position(|byte| matches!(byte, b'{' | b'}' | b';'))?;
    let is_block = after.as_bytes().get(end) == Some(&b'{');
    is_block.then(|| begin..begin + WORD.len() + end + 1)
}
