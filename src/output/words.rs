//! Fast check for a few words in a line: most lines hold none.

/// First four letters of the words. Words of compilers and other tools are included only with their rules: with fewer
/// words, more of a line can be skipped.
#[cfg(feature = "files")]
const WORDS: [&[u8; 4]; 18] = [
    b"exit", b"matc", b"erro", b"exce", b"pani", b"fata", b"asse", b"fail", b"st.g", b"run:",
    b"unde", b"comm", b"crea", b"conf", b"unch", b"dele", b"dige", b" -> ",
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

/// Distance in bytes to the next possible word, by the last two of the four letters at a position (Wu and Manber).
const SHIFTS: [u8; 1024] = shifts();

const fn shifts() -> [u8; 1024] {
    let mut shifts = [3; 1024];
    let mut word = 0;
    while word < WORDS.len() {
        let mut at = 0;
        while at < 3 {
            let shift = &mut shifts[pair(WORDS[word][at], WORDS[word][at + 1])];
            let left = 2 - at as u8;
            *shift = if left < *shift { left } else { *shift };
            at += 1;
        }
        word += 1;
    }
    shifts
}

/// Index of a pair of letters, ignoring case. Other characters share an index with some letter.
const fn pair(first: u8, second: u8) -> usize {
    ((first & 31) as usize) << 5 | (second & 31) as usize
}

/// Returns the bits of the words that may begin in a line, ignoring case.
pub fn words_in(line: &[u8]) -> u32 {
    let mut found = 0;
    let mut at = 3;
    while at < line.len() {
        let shift = SHIFTS[pair(line[at - 1], line[at])];
        if shift == 0 {
            let here = [line[at - 3] | 32, line[at - 2] | 32, line[at - 1] | 32, line[at] | 32];
            let word = WORDS.iter().position(|word| **word == here);
            found |= word.map_or(0, |number| 1 << number);
        }
        at += usize::from(shift.max(1));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{WORDS, words_in};

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
                        assert_eq!(words_in(&line), naive(&line), "{line:?}");
                    }
                    let upper = [before, &word.to_ascii_uppercase(), after].concat();
                    assert_ne!(words_in(&upper) & 1 << number, 0, "{upper:?}");
                }
            }
        }
    }
}
