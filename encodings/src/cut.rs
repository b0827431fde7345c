//! Where a text can be cut so that its parts, encoded one by one, give the tokens of the whole.
//!
//! The engine looks at all of the rest of a text again after some runs of white space, which makes it quadratic;
//! in parts of a few thousand bytes it is linear. The rules follow from two facts about every pattern of `named`:
//!
//! 1. White space other than CR and LF stands in a match only as its first character or after white space. So a match
//!    ends wherever such white space follows something else. CR and LF may also follow punctuation, but not a letter
//!    or digit.
//! 2. A run of white space before other text gives its last character away: `\s+(?!\S)` does not take it, and
//!    `\s*[\r\n]+` ends in a line break. So a match ends before the last one of several, if that is no line break, and
//!    there is no difference between the text's end and more white space.
//!
//! Nothing looks back, and what looks ahead does so at the end of white space only.

/// How an encoding's pattern treats white space before a number or a Chinese or Japanese character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ahead {
    /// As before all other text: the last white space of a run goes with what follows.
    GivesLast,
    /// DeepSeek isolates numbers and these characters first, so a run before them is at the end of its part and whole.
    WholeBeforeIsolated,
}

/// The first byte offset after `from` where `text` can be cut, or its length.
///
/// `from` must be less than the length; it need not be the start of a character.
pub fn next_cut(text: &str, from: usize, ahead: Ahead) -> usize {
    let start = (0..=from.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let Some(rest) = text.get(start..) else { return text.len() };
    let mut chars = rest.char_indices().map(|(at, c)| (start + at, c)).peekable();
    let Some((_, mut before)) = chars.next() else { return text.len() };
    while let Some((at, here)) = chars.next() {
        if here.is_whitespace() {
            if !before.is_whitespace() {
                if !is_line_break(here) || before.is_ascii_alphanumeric() {
                    return at;
                }
            } else if !is_line_break(here)
                && let Some(&(next_at, next)) = chars.peek()
                && !next.is_whitespace()
            {
                let is_whole = ahead == Ahead::WholeBeforeIsolated && is_isolated(next);
                return if is_whole { next_at } else { at };
            }
        }
        before = here;
    }
    text.len()
}

/// Parts that begin where a run of DeepSeek's isolated Chinese and Japanese characters does: the engine's one pattern
/// lets a letter before the run take it along, where DeepSeek has split before.
pub fn before_isolated(text: &str) -> impl Iterator<Item = &str> {
    let is_plain = text.is_ascii();
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = if is_plain { None } else { isolated_start(rest) };
        let (part, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        rest = after;
        Some(part)
    })
}

/// Where, behind its first character, a text has the first character of such a run.
fn isolated_start(text: &str) -> Option<usize> {
    let mut was_isolated = true;
    text.char_indices().find_map(|(at, c)| {
        let is_start = is_chinese_or_japanese(c) && !was_isolated;
        was_isolated = is_chinese_or_japanese(c);
        is_start.then_some(at)
    })
}

pub(crate) fn is_line_break(c: char) -> bool {
    matches!(c, '\r' | '\n')
}

/// The first two stages of DeepSeek's split: `\p{N}{1,3}`, then `[一-龥぀-ゟ゠-ヿ]+`.
fn is_isolated(c: char) -> bool {
    c.is_numeric() || is_chinese_or_japanese(c)
}

fn is_chinese_or_japanese(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FA5}' | '\u{3040}'..='\u{30FF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_where_a_match_ends() {
        let cases = [
            ("one two", 0, 3),
            ("one\ntwo", 0, 3),
            ("one;\ntwo x", 0, 8),
            ("one;\ttwo", 1, 4),
            // The last of the white space goes with the word.
            ("\n   two", 0, 3),
            ("\n two", 0, 1),
            ("a\u{3000}\u{3000}b", 1, 4),
            ("日本語。", 1, 12),
            ("   ", 0, 3),
        ];
        for (text, from, cut) in cases {
            assert_eq!(next_cut(text, from, Ahead::GivesLast), cut, "{text:?} from {from}");
        }
    }

    #[test]
    fn finds_where_isolated_characters_begin() {
        let parts = |text| before_isolated(text).collect::<Vec<_>>();
        assert_eq!(parts("日本 aバא日"), ["日本 a", "バא", "日"]);
        assert_eq!(parts("plain"), ["plain"]);
        assert!(parts("").is_empty());
    }

    #[test]
    fn keeps_white_space_whole_where_what_follows_is_isolated() {
        assert_eq!(next_cut("  1", 0, Ahead::WholeBeforeIsolated), 2);
        assert_eq!(next_cut("  1", 0, Ahead::GivesLast), 1);
        assert_eq!(next_cut("  a", 0, Ahead::WholeBeforeIsolated), 1);
    }
}
