//! The text of an outline: numbered lines as the read tool shows them, and notices of what was folded.

use crate::lines::Lines;
use std::fmt::Write;

/// The most characters that are shown of a line, as the read tool has it.
const MAX_LINE_LENGTH: usize = 2000;

/// How large a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub bytes: usize,
    pub lines: usize,
}

impl Size {
    /// Of the outline that shows these lines.
    pub fn of(lines: &Lines, shown: &[usize]) -> Self {
        let text = render(lines, shown);
        Self { bytes: text.len(), lines: text.split_terminator('\n').count() }
    }
}

/// The outline that shows these lines, which are in order.
pub(crate) fn render(lines: &Lines, shown: &[usize]) -> String {
    let mut text = String::new();
    let mut next = 0;
    for &line in shown {
        write_fold(&mut text, lines, next, line);
        write_line(&mut text, lines.get(line), line + 1);
        next = line + 1;
    }
    write_fold(&mut text, lines, next, lines.len());
    text
}

fn write_line(text: &mut String, line: &str, number: usize) {
    // Writing to a string cannot fail.
    let _ = match line.char_indices().nth(MAX_LINE_LENGTH) {
        None => writeln!(text, "{number:>6}\t{line}"),
        Some((end, _)) => {
            let (start, chars) = (line.get(..end).unwrap_or_default(), line.chars().count());
            let column = MAX_LINE_LENGTH + 1;
            writeln!(
                text,
                "{number:>6}\t{start} ... [line of {chars} chars: read on with offset={number}, limit=1, column={column}]"
            )
        }
    };
}

/// Says how many lines are not shown, unless they hold nothing but blanks and closing brackets.
fn write_fold(text: &mut String, lines: &Lines, from: usize, to: usize) {
    if (from..to).all(|line| says_nothing(lines.get(line))) {
        return;
    }
    let plural = if to - from == 1 { "" } else { "s" };
    let _ = writeln!(text, "\t... {} line{plural}", to - from);
}

fn says_nothing(line: &str) -> bool {
    let line = line.trim();
    line == "end" || line.bytes().all(|byte| b"})],;".contains(&byte))
}
