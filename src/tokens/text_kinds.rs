//! The estimate by kinds of characters.
//!
//! Byte pair encoders split a text at the borders between words, digits, signs and blanks before they merge anything,
//! so these borders say more about the number of tokens than the length does. Prose, code, paths, logs and base64 need
//! not be distinguished: they are different mixtures.

/// Counts of the kinds of characters in a text, accumulated over its UTF-8 chunks in order. Chunks may split
/// characters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextKinds {
    words: u64,
    /// Letters of words after the first [`WORD_LETTERS`].
    further_letters: u64,
    digits: u64,
    signs: u64,
    newlines: u64,
    /// Runs of two or more blanks: indentation and columns.
    blank_runs: u64,
    /// Non-ASCII characters of two or four bytes (accents, emoji), and of three (CJK, box drawing).
    short_others: u64,
    long_others: u64,
    last: Last,
    letters: u32,
}

/// The kind of the previous byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Other,
    Lower,
    Upper,
    Blank,
    Blanks,
}

/// Words of up to this many letters are mostly one token.
const WORD_LETTERS: u32 = 6;

/// Tokens of each kind, in hundredths: round figures between those of the encodings. A word is sometimes two tokens, a
/// long one more; some encodings merge digits and signs, others do not.
mod cost {
    pub const WORD: u64 = 110;
    pub const FURTHER_LETTER: u64 = 20;
    pub const DIGIT: u64 = 120;
    pub const SIGN: u64 = 50;
    pub const NEWLINE: u64 = 120;
    pub const BLANK_RUN: u64 = 110;
    pub const SHORT_OTHER: u64 = 70;
    pub const LONG_OTHER: u64 = 100;
}

impl TextKinds {
    /// Counts the kinds of a whole text.
    pub fn of(text: &str) -> Self {
        let mut kinds = Self::default();
        kinds.add_chunk(text.as_bytes());
        kinds
    }

    /// Counts the next chunk.
    pub fn add_chunk(&mut self, chunk: &[u8]) {
        for byte in chunk {
            self.add(*byte);
        }
    }

    /// Estimated tokens, rounded up.
    pub fn tokens(&self) -> u64 {
        let hundredths = self.words * cost::WORD
            + self.further_letters * cost::FURTHER_LETTER
            + self.digits * cost::DIGIT
            + self.signs * cost::SIGN
            + self.newlines * cost::NEWLINE
            + self.blank_runs * cost::BLANK_RUN
            + self.short_others * cost::SHORT_OTHER
            + self.long_others * cost::LONG_OTHER;
        hundredths.div_ceil(100)
    }

    fn add(&mut self, byte: u8) {
        let last = std::mem::replace(&mut self.last, Last::Other);
        match byte {
            b'a'..=b'z' => self.letter(Last::Lower, matches!(last, Last::Lower | Last::Upper)),
            // An upper-case letter after a lower-case one begins a word: `camelCase`.
            b'A'..=b'Z' => self.letter(Last::Upper, last == Last::Upper),
            b'0'..=b'9' => self.digits += 1,
            b'\n' => self.newlines += 1,
            b' ' | b'\t' => self.blank(last),
            0..=0x7f => self.signs += 1,
            // The continuation bytes of a character.
            0x80..=0xbf => {}
            0xe0..=0xef => self.long_others += 1,
            _ => self.short_others += 1,
        }
    }

    fn letter(&mut self, kind: Last, continues: bool) {
        self.last = kind;
        self.letters = if continues { self.letters.saturating_add(1) } else { 1 };
        if !continues {
            self.words += 1;
        } else if self.letters > WORD_LETTERS {
            self.further_letters += 1;
        }
    }

    fn blank(&mut self, last: Last) {
        self.last = match last {
            Last::Blank | Last::Blanks => Last::Blanks,
            _ => Last::Blank,
        };
        self.blank_runs += u64::from(last == Last::Blank);
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))] // proptest is not available for wasm.
mod tests {
    use super::TextKinds;
    use proptest::prelude::*;

    #[test]
    fn kinds_of_text() {
        let cases: &[(&str, u64)] = &[
            ("", 0),
            ("word", 2),
            ("ten words of prose that are neither long nor short", 12),
            ("camelCaseName", 4),
            ("HTTP", 2),
            ("12345", 6),
            ("src/tokens/mod.rs", 6),
            ("        indented", 3),
            ("a b", 3),
            ("\n\n\n\n\n", 6),
            ("{}();", 3),
            ("日本語", 3),
            ("é", 1),
            ("\u{1F600}", 1),
            ("internationalization", 4),
        ];
        for (text, tokens) in cases {
            assert_eq!(TextKinds::of(text).tokens(), *tokens, "{text:?}");
        }
    }

    #[test]
    fn no_kind_is_free() {
        for text in ["a", "A", "1", ".", "\n", "  ", "é", "語", "\u{1F600}", "\u{0}"] {
            let tokens = TextKinds::of(&text.repeat(1000)).tokens();
            let least = if text == "  " { 2 } else { text.repeat(1000).len() as u64 / 10 };
            assert!(tokens >= least, "{text:?}: {tokens}");
        }
    }

    proptest! {
        #[test]
        fn chunks_add_up_to_the_whole(text in "\\PC{0,80}", cut in 0usize..200) {
            let cut = cut.min(text.len());
            let mut kinds = TextKinds::default();
            kinds.add_chunk(&text.as_bytes()[..cut]);
            kinds.add_chunk(&text.as_bytes()[cut..]);
            prop_assert_eq!(kinds, TextKinds::of(&text));
        }

        #[test]
        fn more_text_is_not_fewer_tokens(text in "\\PC{0,80}", more in "\\PC{0,20}") {
            let whole = TextKinds::of(&format!("{text}{more}")).tokens();
            prop_assert!(whole >= TextKinds::of(&text).tokens());
        }
    }
}
