//! Patterns that the grammar reads in few places only: `*.@(png|jpg)`, the right side of `=~`, commands whose result is
//! a variable's (`${| cmd; }`), and files opened for both ways (`<>file`).

use crate::text::blank::Overwritten;
use crate::text::brackets::{Turn, end};
use crate::text::line::Line;
use std::ops::Range;

/// Maximum bytes of a line with patterns.
const MAX_LINE: usize = 2000;

/// Replaces patterns by letters, or by what has the same names.
pub(super) fn overwrite(lines: &[Line], into: &mut Overwritten) {
    for &(start, line) in lines.iter().filter(|(_, line)| line.len() <= MAX_LINE) {
        let mut fill =
            |range: Range<usize>, with| into.fill(start + range.start..start + range.end, with);
        for (at, _) in line.match_indices("${|") {
            fill(at + 2..at + 3, b' ');
        }
        for (at, _) in line.match_indices("<>") {
            fill(at + 1..at + 2, b' ');
        }
        expressions(line, &mut fill);
        groups(line, &mut fill);
    }
}

/// Writes `a == xxx` for `a =~ (b|c)`.
fn expressions(line: &str, fill: &mut impl FnMut(Range<usize>, u8)) {
    const OPERATOR: &str = "=~ ";
    for (at, _) in line.match_indices(OPERATOR) {
        let start = at + OPERATOR.len();
        let (before, after) = line.split_at(start);
        let inside = before.rfind("[[").and_then(|open| before.get(open..)).unwrap_or("\"");
        if inside.matches('"').count() % 2 > 0 {
            continue;
        }
        let ends = [" ]]", " &&", " ||"].into_iter().filter_map(|end| after.find(end));
        let Some(pattern) = ends.min().and_then(|end| after.get(..end)) else { continue };
        fill(at..at + 2, b'=');
        fill(start..start + without_closing(pattern).len(), b'x');
    }
}

/// Returns a pattern without the brackets at its end that close none in it: `[[ ($a =~ b) ]]`.
fn without_closing(pattern: &str) -> &str {
    let plain = pattern.replace("\\)", "").replace("\\(", "");
    let open = plain.matches('(').count();
    let extra = plain.matches(')').count().saturating_sub(open);
    let closed = pattern.len() - pattern.trim_end_matches(')').len();
    pattern.get(..pattern.len() - extra.min(closed)).unwrap_or(pattern)
}

/// Replaces groups: `@(a|b)`, `!(a)`, `*(a)`, `+(a)`, `?(a)`.
fn groups(line: &str, fill: &mut impl FnMut(Range<usize>, u8)) {
    let mut next = 0;
    for (at, _) in line.match_indices('(') {
        let before = line.get(next..at).unwrap_or_default();
        if !before.ends_with(['@', '!', '*', '+', '?']) {
            continue;
        }
        let group = line.get(at..).unwrap_or_default();
        let Some(length) = closing(group) else { continue };
        let inside = group.get(1..length - 1).unwrap_or_default();
        let is_closed = |quote: char| inside.matches(quote).count() % 2 == 0;
        if !inside.is_empty() && is_closed('"') && is_closed('\'') {
            fill(at..at + length, b'x');
            next = at + length;
        }
    }
}

/// Maximum bytes of a group.
const MAX_GROUP: usize = 200;

/// Returns the length of a group, which begins with its bracket.
fn closing(group: &str) -> Option<usize> {
    let mut is_escaped = false;
    end(group.bytes().take(MAX_GROUP), &mut 0, |byte| {
        let turn = match byte {
            b'(' if !is_escaped => Turn::Opens,
            b')' if !is_escaped => Turn::Closes,
            _ => Turn::Neither,
        };
        is_escaped = byte == b'\\' && !is_escaped;
        turn
    })
}
