//! Keeps the head and tail of a long text, read chunk by chunk in bounded memory.

use super::chunks::valid_start;
use super::graphemes::{graphemes_after, graphemes_before};
use super::size::BYTES_PER_LINE;

/// Maximum UTF-8 bytes of a character per UTF-16 unit.
const BYTES_PER_UNIT: usize = 3;

/// Bytes that are kept beyond an end, to detect whether its last grapheme continues there.
const BYTES_BESIDE: usize = 32;

/// The unit of the length of an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// UTF-16 units.
    Units,
    /// UTF-8 bytes.
    Bytes,
    /// Lines, of at most 1,000 UTF-8 bytes on average; a longer end is cut within a line. The line end of the last line
    /// is dropped.
    Lines,
}

impl Measure {
    /// Maximum bytes of an end of this length.
    fn bytes(self, length: usize) -> usize {
        length.saturating_mul(match self {
            Measure::Units => BYTES_PER_UNIT,
            Measure::Bytes => 1,
            Measure::Lines => BYTES_PER_LINE as usize,
        })
    }
}

/// Keeps the head and tail of a text.
#[derive(Debug)]
pub struct HeadTail {
    measure: Measure,
    head_length: usize,
    tail_length: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl HeadTail {
    /// Keeps at most `head` units of the beginning and `tail` units of the end.
    pub fn new(measure: Measure, head: usize, tail: usize) -> Self {
        let (head_length, tail_length) = (head, tail);
        Self { measure, head_length, tail_length, head: Vec::new(), tail: Vec::new() }
    }

    /// Reads the next chunk of UTF-8. Chunks may split characters.
    pub fn add_chunk(&mut self, chunk: &[u8]) {
        let most = |length| self.measure.bytes(length).saturating_add(BYTES_BESIDE);
        let room = most(self.head_length).saturating_sub(self.head.len()).min(chunk.len());
        self.head.extend_from_slice(&chunk[..room]);
        let limit = most(self.tail_length);
        let from = chunk.len().saturating_sub(limit);
        self.tail.extend_from_slice(&chunk[from..]);
        // Draining moves the rest, so it is done only when there is much to drop.
        if self.tail.len() / 2 > limit {
            self.tail.drain(..self.tail.len() - limit);
        }
    }

    /// Returns head and tail, cut at grapheme boundaries.
    pub fn finish(self) -> (String, String) {
        let is_lines = self.measure == Measure::Lines;
        let head = whole_characters(&self.head);
        let tail = whole_characters(&self.tail);
        // A line end at the end of the text begins no line.
        let tail = tail.strip_suffix('\n').filter(|_| is_lines).unwrap_or(tail);
        let end = self.reach(head.chars(), self.head_length);
        let start = tail.len() - self.reach(tail.chars().rev(), self.tail_length);
        let line_ends: &[char] = if is_lines { &['\n', '\r'] } else { &[] };
        let text = |text: &str| text.trim_end_matches(line_ends).to_owned();
        (text(graphemes_before(head, end)), text(graphemes_after(tail, start)))
    }

    /// Number of bytes of these characters that fit into a length.
    fn reach(&self, characters: impl Iterator<Item = char>, length: usize) -> usize {
        let limit = self.measure.bytes(length);
        // There is one more line than line ends.
        let mut used = usize::from(self.measure == Measure::Lines);
        let mut bytes = 0;
        for character in characters {
            let more = bytes + character.len_utf8();
            used += match self.measure {
                Measure::Bytes => 0,
                Measure::Units => character.len_utf16(),
                Measure::Lines => usize::from(character == '\n'),
            };
            if used > length || more > limit {
                break;
            }
            bytes = more;
        }
        bytes
    }
}

/// The text without partial characters at both ends.
fn whole_characters(bytes: &[u8]) -> &str {
    let is_continuation = |byte: &&u8| (**byte & 0b1100_0000) == 0b1000_0000;
    let start = bytes.iter().take_while(is_continuation).count();
    valid_start(&bytes[start..])
}

#[cfg(test)]
mod tests {
    use super::{HeadTail, Measure};

    fn ends(text: &str, head: usize, tail: usize, piece: usize) -> (String, String) {
        let mut ends = HeadTail::new(Measure::Units, head, tail);
        for chunk in text.as_bytes().chunks(piece) {
            ends.add_chunk(chunk);
        }
        ends.finish()
    }

    #[test]
    fn keeps_both_ends_whatever_the_chunks() {
        let cases = [
            ("abcdefgh", 3, 2, "abc", "gh"),
            ("abc", 9, 9, "abc", "abc"),
            ("", 3, 3, "", ""),
            ("aé\u{4e16}\u{1F600}z", 3, 3, "aé\u{4e16}", "\u{1F600}z"),
            ("\u{1F600}\u{1F600}", 3, 3, "\u{1F600}", "\u{1F600}"),
            ("e\u{301}e\u{301}", 3, 3, "e\u{301}", "e\u{301}"),
            ("x", 0, 0, "", ""),
        ];
        for (text, head, tail, first, last) in cases {
            for piece in 1..12 {
                assert_eq!(
                    ends(text, head, tail, piece),
                    (first.to_owned(), last.to_owned()),
                    "{text:?} by {piece}"
                );
            }
        }
    }

    #[test]
    fn keeps_lines_and_bytes() {
        let text = "one\ntwo\r\nthree\nfour\n";
        let cases = [
            (Measure::Lines, 1, 1, "one", "four"),
            (Measure::Lines, 2, 2, "one\ntwo", "three\nfour"),
            (Measure::Lines, 9, 9, "one\ntwo\r\nthree\nfour", "one\ntwo\r\nthree\nfour"),
            (Measure::Lines, 0, 0, "", ""),
            (Measure::Bytes, 5, 3, "one\nt", "ur\n"),
        ];
        for (measure, head, tail, first, last) in cases {
            for piece in 1..30 {
                let mut ends = HeadTail::new(measure, head, tail);
                text.as_bytes().chunks(piece).for_each(|chunk| ends.add_chunk(chunk));
                assert_eq!(
                    ends.finish(),
                    (first.to_owned(), last.to_owned()),
                    "{measure:?} by {piece}"
                );
            }
        }
        let mut ends = HeadTail::new(Measure::Bytes, 4, 4);
        ends.add_chunk("héé".as_bytes());
        assert_eq!(ends.finish(), ("hé".to_owned(), "éé".to_owned()));
    }

    #[test]
    fn one_long_line_has_a_bound() {
        let one = "é".repeat(3_000_000);
        let few = format!("a\nb\n{one}\ny\nz\n");
        let cut = "é".repeat(500);
        let cases = [
            (&one, 1, 1, cut.clone(), cut.clone()),
            (&one, 2, 0, "é".repeat(1000), String::new()),
            (&few, 2, 2, "a\nb".to_owned(), "y\nz".to_owned()),
            (
                &few,
                3,
                3,
                format!("a\nb\n{}", "é".repeat(1498)),
                format!("{}\ny\nz", "é".repeat(1498)),
            ),
        ];
        for (text, head, tail, first, last) in cases {
            let mut ends = HeadTail::new(Measure::Lines, head, tail);
            for chunk in text.as_bytes().chunks(4099) {
                ends.add_chunk(chunk);
                assert!(ends.head.len() + ends.tail.len() < 20_000);
            }
            assert_eq!(ends.finish(), (first, last), "{head}, {tail}");
        }
    }

    #[test]
    fn what_belongs_to_the_last_character_is_seen() {
        let text = format!("x{}", "abe\u{301}".repeat(900));
        for (measure, head) in [(Measure::Bytes, 4), (Measure::Units, 4), (Measure::Lines, 3)] {
            let mut ends = HeadTail::new(measure, head, 1);
            ends.add_chunk(text.as_bytes());
            assert!(ends.finish().0.ends_with("ab"), "{measure:?}");
        }
    }
}
