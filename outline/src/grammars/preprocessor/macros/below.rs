//! Macros below the parameters of a function: `int f(void)` above `DEPRECATED;`. A parser takes them for a declaration
//! of their own, and loses the one that follows.

use super::words::{MAX_LINE, code_of, given, is_macro, is_mark};
use crate::text::brackets::closing;
use crate::text::line::{Line, is_word};
use std::ops::Range;

/// Maximum lines of macros, and the one above.
const MAX_BELOW: usize = 6;
/// Words that a parser knows: alone they stay.
const KNOWN: [&str; 2] = ["__asm__", "__attribute__"];

/// Returns the macros below the first of these lines if parameters end it. `hidden` are those already found.
pub(super) fn after_parameters(
    text: &str,
    lines: &[Line],
    hidden: &[Range<usize>],
) -> Option<Vec<Range<usize>>> {
    let &(begin, line) = lines.first()?;
    let code = shown(line, begin, hidden);
    if !code.ends_with(')') || is_call(code) {
        return None;
    }
    let below =
        lines.get(1..)?.iter().take(MAX_BELOW).take_while(|(_, line)| line.len() <= MAX_LINE);
    let &(last, line_below) = below.last()?;
    let &(start, _) = lines.get(1)?;
    let found = marks(text.get(start..last + line_below.len())?)?;
    Some(found.into_iter().map(|mark| start + mark.start..start + mark.end).collect())
}

/// Returns a line's code without the macros at its end.
fn shown<'t>(line: &'t str, begin: usize, hidden: &[Range<usize>]) -> &'t str {
    let mut code = code_of(line);
    let in_line = hidden.iter().rev().take_while(|range| range.start >= begin);
    for range in in_line {
        if range.end == begin + code.len() {
            code = line.get(..range.start - begin).unwrap_or_default().trim_end();
        }
    }
    code
}

/// Returns whether code is only the call of a macro, below which another or a function's name may follow: `DEFINE(a)`,
/// `__attribute__((used))`; or ends with the type of a function: `decltype(auto)`.
fn is_call(code: &str) -> bool {
    let is_called = |name: &str| is_macro(name) || name.starts_with("__");
    let called = code.trim_start().split_once('(').filter(|(name, _)| is_called(name.trim_end()));
    called.is_some_and(|(_, rest)| closing(rest) == Some(rest.len())) || code.ends_with("(auto)")
}

/// Returns the macros at the beginning of a text; `None` if they are not the end of a declaration.
fn marks(text: &str) -> Option<Vec<Range<usize>>> {
    let mut marks = Vec::new();
    let mut is_known = true;
    // `TEST(Parser, Reads)` above a bracket.
    let mut is_test = false;
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        let code = rest.trim_start();
        let start = at + rest.len() - code.len();
        if let Some(comment) = code.strip_prefix("/*") {
            at = start + comment.find("*/")? + 4;
            continue;
        }
        if code.starts_with(';') || code.starts_with('{') && !is_test {
            return (!is_known).then_some(marks);
        }
        let length = code.find(|c: char| !is_word(c))?;
        let (word, after) = code.split_at(length);
        let is_other = !KNOWN.contains(&word);
        if is_other && !is_mark(word) {
            return None;
        }
        is_known &= !is_other;
        let given = given(after);
        is_test |= given > 0 && is_other;
        at = start + length + given;
        marks.push(start..at);
    }
}
