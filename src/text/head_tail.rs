//! The beginning and the end of a long text, read chunk by chunk in bounded memory.

use unicode_segmentation::UnicodeSegmentation;

/// No character takes more UTF-8 bytes for each of its UTF-16 units.
const BYTES_PER_UNIT: usize = 3;

/// Keeps the first and the last UTF-16 units of a text.
#[derive(Debug)]
pub struct HeadTail {
    head_units: usize,
    tail_units: usize,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl HeadTail {
    /// Keeps at most so many UTF-16 units of either end.
    pub fn new(head_units: usize, tail_units: usize) -> Self {
        Self { head_units, tail_units, head: Vec::new(), tail: Vec::new() }
    }

    /// Reads the next chunk of UTF-8. Chunks may split characters.
    pub fn add_chunk(&mut self, chunk: &[u8]) {
        let room = self
            .head_units
            .saturating_mul(BYTES_PER_UNIT)
            .saturating_sub(self.head.len())
            .min(chunk.len());
        self.head.extend_from_slice(&chunk[..room]);
        let limit = self.tail_units.saturating_mul(BYTES_PER_UNIT);
        let from = chunk.len().saturating_sub(limit);
        self.tail.extend_from_slice(&chunk[from..]);
        let surplus = self.tail.len().saturating_sub(limit);
        self.tail.drain(..surplus);
    }

    /// Both ends, cut at grapheme boundaries.
    pub fn finish(self) -> (String, String) {
        let head = whole_characters(&self.head);
        let tail = whole_characters(&self.tail);
        let head = keep(head.graphemes(true), self.head_units).concat();
        let mut end = keep(tail.graphemes(true).rev(), self.tail_units);
        end.reverse();
        (head, end.concat())
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

fn keep<'a>(graphemes: impl Iterator<Item = &'a str>, units: usize) -> Vec<&'a str> {
    let mut used = 0;
    let fits = |grapheme: &&str| {
        used += grapheme.encode_utf16().count();
        used <= units
    };
    graphemes.take_while(fits).collect()
}

#[cfg(test)]
mod tests {
    use super::HeadTail;

    fn ends(text: &str, head: usize, tail: usize, piece: usize) -> (String, String) {
        let mut ends = HeadTail::new(head, tail);
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
}
