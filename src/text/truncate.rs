//! Truncates a long text to its head and tail. Source: document "Smart Tool History", truncated format.

use super::{HeadTail, Measure, TextSize};

/// Without limits: the maximum length of a text that stays whole, and the length of each end of a longer one, in UTF-16
/// units. Source: document "Smart Tool History".
const WHOLE: u64 = 10_000;
const END: u32 = 2000;
/// The blank line before the mark, the mark, and the blank line after it.
const MARK_LINES: u64 = 3;

/// Limits for a truncated text.
#[derive(Debug, Clone, Copy, Default)]
pub struct TruncateLimits {
    /// Maximum UTF-16 units of the head.
    pub head: Option<u32>,
    /// Maximum UTF-16 units of the tail.
    pub tail: Option<u32>,
    /// Maximum UTF-8 bytes of the whole, including the mark; at least 84.
    pub max_bytes: Option<u64>,
    /// Maximum lines of the whole, including the mark, and thousands of UTF-8 bytes; at least 5.
    pub max_lines: Option<u64>,
}

/// One limit for both ends.
#[derive(Clone, Copy)]
struct Stage {
    measure: Measure,
    head: usize,
    tail: usize,
}

impl TruncateLimits {
    /// Returns the truncated text; `None` if the text fits as it is. `read` provides the UTF-8 of the text in chunks.
    pub fn truncate(
        self,
        size: TextSize,
        read: impl FnOnce(&mut dyn FnMut(&[u8])),
    ) -> Option<String> {
        let mark = format!("\n\n{}\n\n", truncation_mark(size, ""));
        let over_lines = self.max_lines.is_some_and(|max| size.limited_lines() > max);
        let over_bytes = self.max_bytes.is_some_and(|max| size.bytes > max);
        let is_plain = self.max_lines.is_none() && self.max_bytes.is_none();
        let units = Stage {
            measure: Measure::Units,
            head: self.head.unwrap_or(if is_plain { END } else { u32::MAX }) as usize,
            tail: self.tail.unwrap_or(if is_plain { END } else { u32::MAX }) as usize,
        };
        // The mark must not make the text longer.
        let marked = units.head as u64 + units.tail as u64 + mark.len() as u64;
        let whole = if self.head.or(self.tail).is_none() { WHOLE } else { marked };
        let lines = self.max_lines.map(|max| half(Measure::Lines, max.saturating_sub(MARK_LINES)));
        let bytes =
            self.max_bytes.map(|max| half(Measure::Bytes, max.saturating_sub(mark.len() as u64)));
        // The text exceeds the limit of the first stage, so its ends do not overlap.
        let stages = match (over_lines, over_bytes) {
            (true, _) => [lines, bytes, Some(units)],
            (false, true) => [bytes, lines, Some(units)],
            (false, false) if is_plain && size.utf16 > whole => [Some(units), None, None],
            (false, false) => return None,
        };
        let mut stages = stages.into_iter().flatten();
        let first = stages.next()?;
        let mut reader = HeadTail::new(first.measure, first.head, first.tail);
        read(&mut |chunk| reader.add_chunk(chunk));
        let (mut head, mut tail) = stages.fold(reader.finish(), |ends, stage| stage.cut(ends));
        if self.max_lines.is_some() {
            head.truncate(head.trim_end_matches(['\n', '\r']).len());
            tail.drain(..tail.len() - tail.trim_start_matches(['\n', '\r']).len());
        }
        Some(format!("{head}{mark}{tail}"))
    }
}

fn half(measure: Measure, room: u64) -> Stage {
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    Stage { measure, head: room - room / 2, tail: room / 2 }
}

impl Stage {
    /// Cuts both ends further if they exceed this limit too.
    fn cut(self, (head, tail): (String, String)) -> (String, String) {
        let length = |text: &str| match self.measure {
            Measure::Lines => TextSize::of(text).limited_lines() as usize,
            Measure::Bytes => text.len(),
            Measure::Units => text.encode_utf16().count(),
        };
        let (head_length, tail_length) = (length(&head), length(&tail));
        let together = self.head.saturating_add(self.tail);
        let is_shared = self.measure != Measure::Units;
        if is_shared && head_length + tail_length <= together {
            return (head, tail);
        }
        let end = |text: &str, head, tail| {
            let mut reader = HeadTail::new(self.measure, head, tail);
            reader.add_chunk(text.as_bytes());
            reader.finish()
        };
        let head = if head_length > self.head { end(&head, self.head, 0).0 } else { head };
        let tail = if tail_length > self.tail { end(&tail, 0, self.tail).1 } else { tail };
        (head, tail)
    }
}

/// The mark between the two ends: `... [truncated: 45,231 chars total, 342 lines] ...`. `more` is inserted before the
/// closing bracket.
pub fn truncation_mark(size: TextSize, more: &str) -> String {
    let (chars, lines) = (grouped(size.utf16), grouped(size.lines()));
    let lines = if size.lines() == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
    format!("... [truncated: {chars} chars total, {lines}{more}] ...")
}

/// Formats a number with thousands separators: `45,231`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{TruncateLimits, grouped};
    use crate::text::TextSize;

    fn truncate(text: &str, limits: TruncateLimits) -> Option<String> {
        limits.truncate(TextSize::of(text), |sink| text.as_bytes().chunks(7).for_each(sink))
    }

    #[test]
    fn digits_in_threes() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (45_231, "45,231"), (1_234_567, "1,234,567")]
        {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn the_documents_rule_without_limits() {
        let text = "x".repeat(10_001);
        let cut = truncate(&text, TruncateLimits::default());
        let end = "x".repeat(2000);
        let mark = "\n\n... [truncated: 10,001 chars total, 1 line] ...\n\n";
        assert_eq!(cut, Some(format!("{end}{mark}{end}")));
        assert_eq!(truncate(&text[1..], TruncateLimits::default()), None);
    }

    #[test]
    fn every_limit_holds_for_the_whole() {
        let long: String = (0..400).map(|i| format!("line {i} of é\r\n")).collect();
        let texts = [long.as_str(), &"wide 👨‍👩‍👧 ".repeat(900), &"\n".repeat(700), "short"];
        let maximums = [None, Some(84), Some(90), Some(400), Some(100_000)];
        let lines = [None, Some(5), Some(6), Some(40), Some(2000)];
        let ends = [None, Some(0), Some(9), Some(5000)];
        for text in texts {
            for (max_bytes, max_lines) in maximums.iter().flat_map(|m| lines.map(|l| (*m, l))) {
                for (head, tail) in ends.iter().flat_map(|h| ends.map(|t| (*h, t))) {
                    let limits = TruncateLimits { head, tail, max_bytes, max_lines };
                    let size = TextSize::of(text);
                    let fits = |size: TextSize| {
                        max_bytes.is_none_or(|max| size.bytes <= max)
                            && max_lines.is_none_or(|max| size.limited_lines() <= max)
                    };
                    let cut = truncate(text, limits);
                    let shown = TextSize::of(cut.as_deref().unwrap_or(text));
                    assert!(fits(shown), "{limits:?} of {size:?}: {shown:?}");
                    assert!(max_bytes.or(max_lines).is_none() || cut.is_none() == fits(size));
                    let (first, last) = cut
                        .as_deref()
                        .and_then(|cut| cut.split_once("... [truncated"))
                        .unwrap_or((text, ""));
                    let last = last.split_once("] ...").map_or("", |(_, last)| last);
                    assert!(
                        text.starts_with(first.trim_end_matches('\n')),
                        "{limits:?}: {first:?}"
                    );
                    assert!(text.trim_end().ends_with(last.trim()), "{limits:?}: {last:?}");
                    let units = |end: &str| end.trim_matches('\n').encode_utf16().count();
                    assert!(cut.is_none() || units(first) <= head.unwrap_or(u32::MAX) as usize);
                    assert!(cut.is_none() || units(last) <= tail.unwrap_or(u32::MAX) as usize);
                }
            }
        }
    }
}
