//! Fast check for a few words in a line: most lines hold none.

/// First four letters of the words. Words of compilers and other tools are included only with their rules.
#[cfg(feature = "files")]
const WORDS: [&[u8; 4]; 22] = [
    b"exit", b"matc", b"erro", b"exce", b"pani", b"fata", b"asse", b"fail", b"st.g", b"run:",
    b"unde", b"comm", b"crea", b"conf", b"unch", b"dele", b"dige", b" -> ", b"dump", b"kill",
    b"term", b"ltip",
];
#[cfg(not(feature = "files"))]
const WORDS: [&[u8; 4]; 10] =
    [b"exit", b"matc", b"erro", b"exce", b"pani", b"fata", b"asse", b"fail", b"st.g", b"run:"];
/// Exit status.
pub const EXIT: u32 = 1;
/// Matches of a search.
pub const MATCH: u32 = 1 << 1;
/// The words of errors.
pub const ERRORS: u32 = 0b111_1100;
/// Words of lines that a rule in `runners` matches, but that begin with any text or like many other lines.
pub const ANYWHERE: u32 = !(EXIT | MATCH);

/// A mark: a dot.
const DOT: u32 = 1 << 24;
/// A mark: a slash.
const SLASH: u32 = 1 << 25;
/// A mark: a colon.
const COLON: u32 = 1 << 26;
/// A mark: a byte that hides or replaces text on a terminal.
const CONTROL: u32 = 1 << 27;

/// For each byte: the words in which it is the second, the third or the fourth letter, with eight bits for each of these
/// letters, and its mark. Some words share a bit, which only makes more lines be compared with the words.
static SIGNS: [u32; 256] = signs();

const fn signs() -> [u32; 256] {
    let mut signs = [0; 256];
    let mut at = 0;
    while at < 3 * WORDS.len() {
        let (word, letter) = (at / 3, at % 3);
        let byte = WORDS[word][letter + 1];
        let bit = 1 << (8 * letter + word % 8);
        signs[byte as usize] |= bit;
        signs[byte.to_ascii_uppercase() as usize] |= bit;
        at += 1;
    }
    signs[b'.' as usize] |= DOT;
    signs[b'/' as usize] |= SLASH;
    signs[b':' as usize] |= COLON;
    signs[b'\r' as usize] |= CONTROL;
    signs[0x1b] |= CONTROL;
    signs
}

/// What a line holds, found by looking at each byte once.
#[derive(Debug, Clone, Copy)]
pub struct LineSigns {
    /// The bits of the words that begin in the line, ignoring case.
    pub words: u32,
    marks: u32,
}

impl LineSigns {
    /// Looks through a line.
    pub fn of(line: &[u8]) -> Self {
        let (mut first, mut second, mut ends, mut marks) = (0, 0, 0, 0);
        for byte in line {
            let signs = SIGNS[usize::from(*byte)];
            marks |= signs;
            ends |= second & signs >> 16;
            second = first & signs >> 8;
            first = signs;
        }
        let words = if ends & 0xff == 0 { 0 } else { words_in(line) };
        Self { words, marks }
    }

    /// Whether the line has the characters that a path needs: a dot, and a slash or a colon.
    pub fn may_name_path(self) -> bool {
        self.marks & DOT != 0 && self.marks & (SLASH | COLON) != 0
    }

    /// Whether the line may begin with a position in a file, which ends in a colon.
    pub fn may_be_placed(self) -> bool {
        self.marks & COLON != 0
    }

    /// Whether colours or overwritten text may hide what the line says.
    pub fn has_control(self) -> bool {
        self.marks & CONTROL != 0
    }
}

/// Returns the bits of the words in a line in which one may end.
fn words_in(line: &[u8]) -> u32 {
    let (mut words, mut letters) = (0, 0);
    for byte in line {
        letters = letters << 8 | u32::from(byte.to_ascii_lowercase());
        let word = WORDS.iter().position(|word| u32::from_be_bytes(**word) == letters);
        words |= word.map_or(0, |number| 1 << number);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{LineSigns, WORDS};

    #[test]
    fn finds_every_word_wherever_it_stands() {
        let naive = |line: &[u8]| {
            let lower = line.to_ascii_lowercase();
            let has = |word: &[u8; 4]| lower.windows(4).any(|part| part == word);
            (0..WORDS.len()).filter(|at| has(WORDS[*at])).fold(0, |found, at| found | 1 << at)
        };
        let pieces: [&[u8]; 8] = [b"", b"e", b"exi", b"FA", b"pas", b"\xc3\xa4 ", b"err", b"as"];
        for (number, word) in WORDS.iter().enumerate() {
            for before in pieces {
                for after in pieces {
                    let lines =
                        [[before, word.as_slice(), after].concat(), [before, after].concat()];
                    for line in lines {
                        assert_eq!(LineSigns::of(&line).words, naive(&line), "{line:?}");
                    }
                    let upper = [before, &word.to_ascii_uppercase(), after].concat();
                    assert_ne!(LineSigns::of(&upper).words & 1 << number, 0, "{upper:?}");
                }
            }
        }
    }

    #[test]
    fn marks_are_those_of_the_characters() {
        let cases: [(&str, bool, bool, bool); 6] = [
            ("", false, false, false),
            ("a.b", false, false, false),
            ("src/a.ts", true, false, false),
            ("a.ts:12", true, true, false),
            ("a/b", false, false, false),
            ("\u{1b}[31mred\r", false, false, true),
        ];
        for (line, path, placed, control) in cases {
            let signs = LineSigns::of(line.as_bytes());
            let found = (signs.may_name_path(), signs.may_be_placed(), signs.has_control());
            assert_eq!(found, (path, placed, control), "{line:?}");
        }
    }
}
