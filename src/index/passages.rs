//! Splits a file into passages: ranges of lines that a search returns as one.

use super::declared::declared_name;
use super::section::Section;
use crate::text::{line_starts, line_terminator};

/// A shorter passage, in lines, is not ended by a definition.
const SHORT: usize = 8;
/// A passage of this many lines ends at the next blank line.
const MEDIUM: usize = 20;
/// Maximum lines of a passage.
const LONG: usize = 40;
/// Maximum lines of comments and attributes that belong to the definition below them.
const COMMENT: usize = 8;

/// The lines of a text.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub fn of(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        Self { text, starts: line_starts(bytes, line_terminator(bytes)) }
    }

    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns the line at this index, from 0, with its line end.
    pub fn line(&self, at: usize) -> &'t str {
        self.span(at, at + 1)
    }

    /// Returns the lines from one index up to another.
    pub fn span(&self, from: usize, to: usize) -> &'t str {
        let position = |at: usize| self.starts.get(at).copied().unwrap_or(self.text.len());
        &self.text[position(from)..position(to)]
    }
}

/// Whether and why a passage can begin at a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    None,
    /// After a blank line, at a line without indentation.
    Gap,
    /// A definition begins.
    Definition,
}

/// Returns the first lines of the passages of a text: indexes from 0, beginning with 0; empty for a text without lines.
pub(crate) fn passage_starts(lines: &Lines, sections: &[Section]) -> Vec<usize> {
    let cuts = cuts_of(lines, sections);
    let mut starts = Vec::new();
    let mut start = 0;
    if lines.len() > 0 {
        starts.push(0);
    }
    for (at, cut) in cuts.iter().enumerate().skip(1) {
        let length = at - start;
        let ends = match cut {
            Cut::Definition => length >= SHORT,
            Cut::Gap => length >= MEDIUM,
            Cut::None => false,
        };
        if ends || length >= LONG {
            starts.push(at);
            start = at;
        }
    }
    starts
}

fn cuts_of(lines: &Lines, sections: &[Section]) -> Vec<Cut> {
    let mut cuts = vec![Cut::None; lines.len()];
    let mut is_behind_blank = false;
    for (at, cut) in cuts.iter_mut().enumerate() {
        let line = lines.line(at);
        let is_blank = line.trim().is_empty();
        if is_behind_blank && !is_blank && !line.starts_with([' ', '\t', '}', ')']) {
            *cut = Cut::Gap;
        }
        is_behind_blank = is_blank;
    }
    let mut begin = |at: usize| {
        let first = with_comment(lines, at);
        if let Some(cut) = cuts.get_mut(first) {
            *cut = Cut::Definition;
        }
    };
    if sections.is_empty() {
        (0..lines.len()).filter(|at| declared_name(lines.line(*at)).is_some()).for_each(&mut begin);
    }
    for section in sections {
        begin(section.start_line.saturating_sub(1));
    }
    cuts
}

/// Returns the first line of the comments and attributes directly above a definition.
fn with_comment(lines: &Lines, at: usize) -> usize {
    let is_comment = |at: &usize| {
        let line = lines.line(*at).trim_start();
        line.starts_with(['/', '*', '#', '@', '-', '[', ';']) || line.starts_with("\"\"\"")
    };
    let above = (at.saturating_sub(COMMENT)..at.min(lines.len())).rev().take_while(is_comment);
    above.last().unwrap_or(at)
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{LONG, Lines, passage_starts};
    use crate::index::Section;
    use proptest::prelude::*;

    fn section(start_line: usize, end_line: usize) -> Section {
        Section { name: None, start_line, end_line }
    }

    #[test]
    fn passages_begin_where_something_begins() {
        let body = |name: &str| {
            format!("/// Says {name}.\nfn {name}() {{\n{}}}\n\n", "    work();\n".repeat(8))
        };
        let text = ["one", "two", "three"].map(body).concat();
        assert_eq!(passage_starts(&Lines::of(&text), &[]), [0, 12, 24]);
        let sections = [section(2, 11), section(26, 35)];
        assert_eq!(passage_starts(&Lines::of(&text), &sections), [0, 24]);
    }

    #[test]
    fn plain_text_is_cut_at_blank_lines_or_anyway() {
        assert_eq!(passage_starts(&Lines::of(""), &[]), [0_usize; 0]);
        assert_eq!(passage_starts(&Lines::of("a"), &[]), [0]);
        assert_eq!(passage_starts(&Lines::of(&"a\n".repeat(100)), &[]), [0, 40, 80]);
        let text = format!("{}\n{}", "a\n".repeat(24), "b\n".repeat(10));
        assert_eq!(passage_starts(&Lines::of(&text), &[]), [0, 25]);
    }

    proptest! {
        #[test]
        fn passages_are_ordered_and_short(
            text in "([a-z{} ]{0,6}\n){0,120}",
            marks in prop::collection::vec((0_usize..200, 0_usize..200), 0..10),
        ) {
            let sections: Vec<_> = marks.iter().map(|(start, end)| section(*start, *end)).collect();
            let lines = Lines::of(&text);
            let mut starts = passage_starts(&lines, &sections);
            prop_assert_eq!(starts.first().copied(), (lines.len() > 0).then_some(0));
            starts.push(lines.len());
            prop_assert!(starts.windows(2).all(|two| two[0] < two[1] && two[1] - two[0] <= LONG) || lines.len() == 0);
        }
    }
}
