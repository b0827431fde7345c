//! Finds the closest matches of a text that is not in the file: usually the same text with other whitespace, line ends
//! or escapes.

use super::fold::{Alike, Folded};
use crate::text::{line_number, line_starts, line_terminator};
use memchr::memmem;
use serde::Serialize;
use std::ops::Range;

/// Larger contents and texts are not searched, in bytes: folding takes nine times their memory.
const SEARCHED_BYTES: usize = 16 << 20;
/// Maximum number of candidates.
const NAMED: usize = 3;
/// Two lines are similar if they share this fraction of their pairs of adjacent bytes (Dice's coefficient).
const SIMILAR: f64 = 0.6;
/// Maximum number of lines that are added to a candidate until its text is in one place.
const ADDED_LINES: usize = 3;
/// Bytes of a line that are compared.
const LINE_BYTES: usize = 500;

/// A place in the file that may have been meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// The first line, from 1.
    pub start_line: usize,
    /// The last line.
    pub end_line: usize,
    /// How it differs.
    pub difference: Difference,
    /// The file's own text there: the correct `oldString`.
    pub text: String,
}

/// How a candidate differs from the text that was searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum Difference {
    /// CRLF, LF or CR.
    LineEndings,
    /// Indentation, whitespace within or at the ends of lines, line breaks.
    Whitespace,
    /// Escapes (`\n`, `\"`, `&lt;`) on one side and the characters they represent on the other.
    Escapes,
    /// Typographic quotes, dashes or spaces.
    Typography,
    /// Several of these.
    Several,
    /// Words: the lines are only similar.
    Words,
}

/// Foldings, from the smallest difference to the largest.
const FOLDS: &[(Difference, Alike)] = &[
    (Difference::LineEndings, Alike { whitespace: false, escapes: false, typography: false }),
    (Difference::Whitespace, Alike { whitespace: true, escapes: false, typography: false }),
    (Difference::Escapes, Alike { whitespace: false, escapes: true, typography: false }),
    (Difference::Typography, Alike { whitespace: false, escapes: false, typography: true }),
    (Difference::Several, Alike { whitespace: true, escapes: true, typography: true }),
];

impl Candidate {
    /// Describes its place and difference for the model.
    pub(super) fn describe(&self) -> String {
        let place = if self.start_line == self.end_line {
            format!("Line {}", self.start_line)
        } else {
            format!("Lines {}-{}", self.start_line, self.end_line)
        };
        let verb = if self.start_line == self.end_line { "differs" } else { "differ" };
        let only = match self.difference {
            Difference::LineEndings if self.text.contains("\r\n") => {
                "line endings (CRLF in the file)"
            }
            Difference::LineEndings => "line endings",
            Difference::Whitespace => "whitespace",
            Difference::Escapes => "escapes",
            Difference::Typography => "quotes, dashes or special spaces",
            Difference::Several => "whitespace, escapes or quotes",
            Difference::Words => return format!("{place} of the file may be meant"),
        };
        format!("{place} of the file {verb} from it only in {only}")
    }
}

/// Returns the candidates with the smallest difference that has any, in the order of the file.
pub(super) fn nearest(content: &[u8], wanted: &str) -> Vec<Candidate> {
    if content.len().max(wanted.len()) > SEARCHED_BYTES || wanted.trim().is_empty() {
        return Vec::new();
    }
    for (difference, alike) in FOLDS {
        let ranges = places(content, wanted, *alike);
        if !ranges.is_empty() {
            return ranges
                .into_iter()
                .map(|range| candidate(content, range, *difference))
                .collect();
        }
    }
    similar(content, wanted)
        .map(|range| candidate(content, range, Difference::Words))
        .into_iter()
        .collect()
}

fn candidate(content: &[u8], range: Range<usize>, difference: Difference) -> Candidate {
    let last = range.end.saturating_sub(1).max(range.start);
    Candidate {
        start_line: line_number(content, range.start),
        end_line: line_number(content, last),
        difference,
        text: String::from_utf8_lossy(&content[range]).into_owned(),
    }
}

fn places(content: &[u8], wanted: &str, alike: Alike) -> Vec<Range<usize>> {
    let needle = Folded::of(wanted.as_bytes(), alike).bytes;
    if needle.is_empty() {
        return Vec::new();
    }
    let folded = Folded::of(content, alike);
    let found = memmem::find_iter(&folded.bytes, &needle).take(NAMED);
    let ranges = found.filter_map(|start| folded.source_range(start..start + needle.len()));
    ranges.map(|range| with_outer_blanks(content, range, wanted, alike)).collect()
}

/// If whitespace at the ends of the wanted text was ignored, extends the range by that of the file.
fn with_outer_blanks(
    content: &[u8],
    range: Range<usize>,
    wanted: &str,
    alike: Alike,
) -> Range<usize> {
    let mut range = range;
    if !alike.whitespace {
        return range;
    }
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    if wanted.starts_with([' ', '\t']) {
        range.start -= content[..range.start].iter().rev().take_while(is_blank).count();
    }
    if wanted.ends_with(['\n', '\r', ' ', '\t']) {
        range.end += content[range.end..].iter().take_while(is_blank).count();
    }
    if wanted.ends_with(['\n', '\r']) {
        let rest = &content[range.end..];
        range.end += usize::from(rest.first() == Some(&b'\r'));
        range.end += usize::from(content.get(range.end) == Some(&b'\n'));
    }
    range
}

/// Returns a range of as many lines as the wanted text, placed so that its longest line is at the most similar line of
/// the file. Lines below are added while the text is in several places, as an edit of it would be refused.
fn similar(content: &[u8], wanted: &str) -> Option<Range<usize>> {
    let lines: Vec<&str> = wanted.lines().collect();
    let (anchor_at, anchor) =
        lines.iter().enumerate().max_by_key(|(at, line)| (line.trim().len(), usize::MAX - at))?;
    let terminator = line_terminator(content);
    let starts = line_starts(content, terminator);
    let mut pairs = Pairs::of(anchor.trim().as_bytes());
    let mut best = (SIMILAR, None);
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(content.len());
        let score = pairs.shared(content[*start..end].trim_ascii());
        if score > best.0 {
            best = (score, Some(index));
        }
    }
    let first = best.1?.saturating_sub(anchor_at);
    let start = *starts.get(first)?;
    let lines_to = |end_line: usize| {
        let text = &content[start..starts.get(end_line).copied().unwrap_or(content.len())];
        let text = text.strip_suffix(&[terminator]).unwrap_or(text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        start..start + text.len()
    };
    let end_line = first + lines.len();
    let is_alone =
        |range: &Range<usize>| memmem::find_iter(content, &content[range.clone()]).nth(1).is_none();
    let longer = (end_line..=end_line + ADDED_LINES).map(lines_to).find(is_alone);
    Some(longer.unwrap_or_else(|| lines_to(end_line)))
}

/// Counts of the pairs of adjacent bytes of a line.
struct Pairs {
    counts: Vec<u16>,
    total: usize,
}

impl Pairs {
    fn of(line: &[u8]) -> Self {
        let mut counts = vec![0; 1 << 16];
        let line = &line[..line.len().min(LINE_BYTES)];
        line.windows(2).for_each(|pair| counts[index(pair)] += 1);
        Self { counts, total: line.len().saturating_sub(1) }
    }

    /// Returns Dice's coefficient of this line and another: 0 for nothing in common, 1 for the same pairs.
    fn shared(&mut self, line: &[u8]) -> f64 {
        let line = &line[..line.len().min(LINE_BYTES)];
        let total = self.total + line.len().saturating_sub(1);
        let mut taken = Vec::new();
        for pair in line.windows(2) {
            if self.counts[index(pair)] > 0 {
                self.counts[index(pair)] -= 1;
                taken.push(index(pair));
            }
        }
        taken.iter().for_each(|index| self.counts[*index] += 1);
        if total == 0 { 0.0 } else { 2.0 * taken.len() as f64 / total as f64 }
    }
}

fn index(pair: &[u8]) -> usize {
    usize::from(pair[0]) << 8 | usize::from(pair[1])
}

#[cfg(test)]
mod tests {
    use super::{Difference, nearest};

    type Case = (&'static str, &'static str, Difference, (usize, usize), &'static str);

    #[test]
    fn names_what_may_have_been_meant() {
        let cases: &[Case] = &[
            ("x\r\na\r\nb\r\n", "a\nb\n", Difference::LineEndings, (2, 3), "a\r\nb\r\n"),
            ("a\nb", "a\r\nb", Difference::LineEndings, (1, 2), "a\nb"),
            (
                "if x:\n\treturn 1\n",
                "if x:\n    return 1\n",
                Difference::Whitespace,
                (1, 2),
                "if x:\n\treturn 1\n",
            ),
            ("  f(a, b)  \n", "f(a,b)", Difference::Whitespace, (1, 1), "f(a, b)"),
            (
                "say \"hi\"\nnow",
                "say \\\"hi\\\"\\nnow",
                Difference::Escapes,
                (1, 2),
                "say \"hi\"\nnow",
            ),
            ("s = 'a\\nb'", "s = 'a\nb'", Difference::Escapes, (1, 1), "s = 'a\\nb'"),
            ("a < b", "a &lt; b", Difference::Escapes, (1, 1), "a < b"),
            ("it\u{2019}s", "it's", Difference::Typography, (1, 1), "it\u{2019}s"),
            (
                "f( \u{201C}a\u{201D} )",
                "f(\"a\")",
                Difference::Several,
                (1, 1),
                "f( \u{201C}a\u{201D} )",
            ),
            (
                "one\nlet total = sum(a, b);\nend\n",
                "let totals = sum(a, c);\nend",
                Difference::Words,
                (2, 3),
                "let total = sum(a, b);\nend",
            ),
        ];
        for (content, wanted, difference, lines, text) in cases {
            let found = nearest(content.as_bytes(), wanted);
            assert_eq!(found.len(), 1, "{content:?}");
            assert_eq!(found[0].difference, *difference, "{content:?}");
            assert_eq!((found[0].start_line, found[0].end_line), *lines, "{content:?}");
            assert_eq!(found[0].text, *text, "{content:?}");
        }
        // The line also stands within another, so that the next one belongs to the text.
        let content = b"let total = sum(a, b);\nend\nif x { let total = sum(a, b); }\n";
        let within = nearest(content, "let totals = sum(a, c);");
        assert_eq!(within.len(), 1);
        assert_eq!(within[0].text, "let total = sum(a, b);\nend");
        assert_eq!(nearest(b"abc", "xyz"), vec![]);
        assert_eq!(nearest(b"", "\n"), vec![]);
    }
}
