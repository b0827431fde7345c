//! Blocks of extension members (`extension(string text) { ... }`), which the grammar takes for constructors. Their head
//! and their last bracket are blanked, so that the members are those of the class around.

use crate::text::blank::Overwritten;
use crate::text::brackets::closing_of;
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
        let begin = start + indent(line).len();
        if text.get(begin..).is_some_and(|code| code.starts_with('}'))
            && let Some(block) = open.take_if(|block| block.indent == indent(line))
        {
            into.fill(block.head, b' ');
            into.fill(begin..begin + 1, b' ');
        }
        for head in heads(text, line, start) {
            if let Some(last) = last_bracket(text, &head) {
                into.fill(head, b' ');
                into.fill(last..last + 1, b' ');
            } else {
                let indent = indent(line_of(text, head.end));
                open = Some(Open { head, indent });
            }
        }
        start += line.len();
    }
}

/// Returns the heads of the blocks that begin on a line: first on it, or behind another bracket or declaration.
fn heads(text: &str, line: &str, start: usize) -> Vec<Range<usize>> {
    let begins = |at: &usize| {
        let before = line.get(..*at).unwrap_or_default().trim_end();
        before.is_empty() || before.ends_with(['{', '}', ';'])
    };
    let words = line.match_indices(WORD).map(|(at, _)| at).filter(begins);
    words.filter_map(|at| head(text, start + at)).collect()
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

/// Returns the offset of the bracket that closes a block, if it is on the line on which the block opens.
fn last_bracket(text: &str, head: &Range<usize>) -> Option<usize> {
    let block = text.get(head.end..)?.split('\n').next()?;
    Some(head.end + closing_of(block, *b"{}", &mut 1)? - 1)
}

/// Returns the line before an offset, up to there.
fn line_of(text: &str, end: usize) -> &str {
    text.get(..end).and_then(|before| before.rsplit('\n').next()).unwrap_or_default()
}

fn indent(line: &str) -> &str {
    line.get(..line.len() - line.trim_start().len()).unwrap_or_default()
}
