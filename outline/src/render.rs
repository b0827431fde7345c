//! Writes an outline: numbered lines like those of the read tool, and notices of folded lines.

use crate::lines::Lines;
use std::fmt::Write;

/// Maximum number of characters shown of a line, as in the read tool.
const MAX_LINE_LENGTH: usize = 2000;

/// Width of a line number in columns.
const NUMBER_WIDTH: usize = 6;

/// Size of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub bytes: usize,
    pub lines: usize,
}

/// Computes the size of an outline without writing it, because many candidates are tried.
pub(crate) struct Sizes {
    /// Size of each line if shown, in bytes.
    shown: Vec<usize>,
    /// For each line, the number of earlier lines that are not blank or closing brackets; the last entry is their
    /// total.
    telling: Vec<usize>,
}

impl Sizes {
    #[inline(never)]
    pub fn of(lines: &Lines) -> Self {
        let mut telling = Vec::with_capacity(lines.len() + 1);
        let mut count = 0;
        telling.push(count);
        for line in 0..lines.len() {
            count += usize::from(!says_nothing(lines.get(line)));
            telling.push(count);
        }
        Self {
            shown: (0..lines.len()).map(|line| line_size(lines.get(line), line + 1)).collect(),
            telling,
        }
    }

    /// Returns the size of the outline that shows these lines, which must be in order.
    pub fn outline(&self, shown: impl Iterator<Item = usize>) -> Size {
        let mut size = Size { bytes: 0, lines: 0 };
        let mut next = 0;
        for line in shown {
            self.add_fold(&mut size, next, line);
            size.bytes += self.shown.get(line).copied().unwrap_or_default();
            size.lines += 1;
            next = line + 1;
        }
        self.add_fold(&mut size, next, self.shown.len());
        size
    }

    fn add_fold(&self, size: &mut Size, from: usize, to: usize) {
        let before = |line: usize| self.telling.get(line).copied().unwrap_or_default();
        if before(from) < before(to) {
            size.bytes += fold_size(to - from);
            size.lines += 1;
        }
    }
}

/// Returns the size of a line with its number, tab and line end, in bytes.
fn line_size(line: &str, number: usize) -> usize {
    if line.len() > MAX_LINE_LENGTH {
        let mut text = String::new();
        write_line(&mut text, line, number);
        return text.len();
    }
    digits(number).max(NUMBER_WIDTH) + 1 + line.len() + 1
}

/// Returns the size of the notice of `count` folded lines, in bytes.
fn fold_size(count: usize) -> usize {
    "\t...  line\n".len() + digits(count) + usize::from(count != 1)
}

fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// Returns the outline that shows these lines, which must be in order.
#[inline(never)]
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
        None => writeln!(text, "{number:>NUMBER_WIDTH$}\t{line}"),
        Some((end, _)) => {
            let (start, chars) = (line.get(..end).unwrap_or_default(), line.chars().count());
            let column = MAX_LINE_LENGTH + 1;
            writeln!(
                text,
                "{number:>NUMBER_WIDTH$}\t{start} ... [line of {chars} chars: read on with offset={number}, limit=1, column={column}]"
            )
        }
    };
}

/// Writes a notice of folded lines, unless they are only blanks and closing brackets.
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

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{Size, Sizes, render};
    use crate::lines::Lines;
    use proptest::prelude::*;

    proptest! {
        /// The computed size equals that of the rendered text.
        #[test]
        fn sizes_are_those_of_the_text(
            written in prop::collection::vec(("[a-z }\\])é]{0,12}", 1..300_usize), 0..40),
            shown in prop::collection::vec(any::<bool>(), 12_000),
        ) {
            let text: String = written.iter().map(|(line, times)| format!("{line}\n").repeat(*times)).collect();
            let text = format!("{text}{}", "é".repeat(written.len() * 60));
            let lines = Lines::of(&text);
            let shown: Vec<usize> = (0..lines.len()).filter(|&line| shown.get(line) == Some(&true)).collect();
            let text = render(&lines, &shown);
            let size = Sizes::of(&lines).outline(shown.iter().copied());
            prop_assert_eq!(size, Size { bytes: text.len(), lines: text.matches('\n').count() });
        }
    }
}
