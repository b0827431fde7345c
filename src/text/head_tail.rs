//! The beginning and the end of a long text, read chunk by chunk in bounded memory.

use super::graphemes::{boundary_after, boundary_before};

/// No character takes more UTF-8 bytes for each of its UTF-16 units.
const BYTES_PER_UNIT: usize = 3;

/// What the length of an end is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// UTF-16 units.
    Units,
    /// UTF-8 bytes.
    Bytes,
    /// Lines. The line end of the last line that is kept goes.
    Lines,
}

/// Keeps the beginning and the end of a text.
#[derive(Debug)]
pub struct HeadTail {
    measure: Measure,
    head_length: usize,
    tail_length: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
    head_lines: usize,
}

impl HeadTail {
    /// Keeps at most so much of either end.
    pub fn new(measure: Measure, head: usize, tail: usize) -> Self {
        let (head_length, tail_length) = (head, tail);
        Self {
            measure,
            head_length,
            tail_length,
            head: Vec::new(),
            tail: Vec::new(),
            head_lines: 0,
        }
    }

    /// Reads the next chunk of UTF-8. Chunks may split characters.
    pub fn add_chunk(&mut self, chunk: &[u8]) {
        let per_length = match self.measure {
            Measure::Units => BYTES_PER_UNIT,
            Measure::Bytes => 1,
            Measure::Lines => return self.add_lines(chunk),
        };
        let limit = self.head_length.saturating_mul(per_length);
        let room = limit.saturating_sub(self.head.len()).min(chunk.len());
        self.head.extend_from_slice(&chunk[..room]);
        // Room for the piece of a character at its beginning.
        let limit = self.tail_length.saturating_mul(per_length);
        let from = chunk.len().saturating_sub(limit);
        self.tail.extend_from_slice(&chunk[from..]);
        let surplus = self.tail.len().saturating_sub(limit);
        self.tail.drain(..surplus);
    }

    fn add_lines(&mut self, chunk: &[u8]) {
        let mut rest = chunk;
        while self.head_lines < self.head_length {
            let Some(end) = memchr::memchr(b'\n', rest) else {
                self.head.extend_from_slice(rest);
                break;
            };
            self.head.extend_from_slice(&rest[..=end]);
            self.head_lines += 1;
            rest = &rest[end + 1..];
        }
        self.tail.extend_from_slice(chunk);
        let start = last_lines(&self.tail, self.tail_length);
        // Draining moves what stays: only when there is much to drop.
        if start > self.tail.len() / 2 {
            self.tail.drain(..start);
        }
    }

    /// Both ends, cut at grapheme boundaries.
    pub fn finish(self) -> (String, String) {
        if self.measure == Measure::Lines {
            let start = last_lines(&self.tail, self.tail_length);
            let text =
                |bytes: &[u8]| whole_characters(bytes).trim_end_matches(['\n', '\r']).to_owned();
            return (text(&self.head), text(&self.tail[start..]));
        }
        let head = whole_characters(&self.head);
        let tail = whole_characters(&self.tail);
        let end = self.reach(head.chars(), self.head_length);
        let start = tail.len() - self.reach(tail.chars().rev(), self.tail_length);
        (
            head[..boundary_before(head, end)].to_owned(),
            tail[boundary_after(tail, start)..].to_owned(),
        )
    }

    /// How many bytes of these characters are within a length.
    fn reach(&self, characters: impl Iterator<Item = char>, length: usize) -> usize {
        let (mut used, mut bytes) = (0, 0);
        for character in characters {
            used += match self.measure {
                Measure::Bytes => character.len_utf8(),
                _ => character.len_utf16(),
            };
            if used > length {
                break;
            }
            bytes += character.len_utf8();
        }
        bytes
    }
}

/// Where the last so many lines begin. A line end at the end of the text begins no line.
fn last_lines(text: &[u8], count: usize) -> usize {
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    match count {
        0 => text.len(),
        _ => memchr::memrchr_iter(b'\n', body).nth(count - 1).map_or(0, |end| end + 1),
    }
}

/// The text without the pieces of characters at its two ends.
fn whole_characters(bytes: &[u8]) -> &str {
    let is_continuation = |byte: &&u8| (**byte & 0b1100_0000) == 0b1000_0000;
    let start = bytes.iter().take_while(is_continuation).count();
    let rest = &bytes[start..];
    match std::str::from_utf8(rest) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or(""),
    }
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
}
