//! `o200k_base` (openai/tiktoken, `tiktoken_ext/openai_public.py`). With U for `\p{Lu}\p{Lt}`, C for `\p{Lm}\p{Lo}\p{M}` and L for
//! `\p{Ll}` a word is one of
//!
//! ```text
//! [^\r\n\p{L}\p{N}]?[UC]*[LC]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! [^\r\n\p{L}\p{N}]?[UC]+[LC]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! ```
//!
//! and what is no word `\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`.

use super::runs::run_of;
use super::{Split, contraction, is_line_break, numbers, signs, white_space};
use crate::kind::{Kind, char_at, run};

/// Splits as `o200k_base` does.
pub struct O200k;

impl Split for O200k {
    #[inline]
    fn piece(&mut self, text: &[u8], start: usize) -> usize {
        let Some(first) = char_at(text, start) else { return text.len() };
        if first.kind == Kind::Number {
            return numbers(text, start, 3);
        }
        let is_break = text.get(start).is_some_and(|&byte| is_line_break(byte));
        if let (false, Some(end)) = (is_break, word(text, start, first.kind, first.end)) {
            return contraction(text, end).unwrap_or(end);
        }
        signs(text, start, Kind::is_neither, |byte| is_line_break(byte) || byte == b'/')
            .unwrap_or_else(|| white_space(text, start, text.len()))
    }
}

/// The end of a word, without its contraction. What is no letter may stand in front of it; a mark may as well be a part of it.
#[inline(always)]
fn word(text: &[u8], start: usize, first: Kind, first_end: usize) -> Option<usize> {
    if first.is_letter() {
        return match letters(text, start) {
            Letters::Word(end) | Letters::Capitals(end) => Some(end),
            Letters::None => None,
        };
    }
    match letters(text, first_end) {
        Letters::Word(end) => Some(end),
        // The first pattern, without a character in front, comes before the second with one.
        _ if first == Kind::Mark => Some(first_end),
        Letters::Capitals(end) => Some(end),
        Letters::None => None,
    }
}

/// What begins at a place.
enum Letters {
    /// `[UC]*[LC]+` to here.
    Word(usize),
    /// Capitals alone to here: `[UC]+[LC]*`.
    Capitals(usize),
    None,
}

#[inline(always)]
fn letters(text: &[u8], start: usize) -> Letters {
    // Nearly all words are of ASCII alone.
    let small = skip(text, start, u8::is_ascii_uppercase);
    let end = run_of::<b'a', b'z'>(text, small);
    if text.get(end).is_some_and(|byte| !byte.is_ascii()) {
        return letters_of_any_script(text, start);
    }
    match (end > small, small > start) {
        (true, _) => Letters::Word(end),
        (false, true) => Letters::Capitals(end),
        (false, false) => Letters::None,
    }
}

/// Where a run of bytes ends.
#[inline(always)]
fn skip(text: &[u8], start: usize, is: impl Fn(&u8) -> bool) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    start + rest.iter().position(|byte| !is(byte)).unwrap_or(rest.len())
}

#[inline(never)]
fn letters_of_any_script(text: &[u8], start: usize) -> Letters {
    let mut at = start;
    // Behind the last character that can be both: the first class has to give it back for the second.
    let mut behind_both = None;
    while let Some(char) = char_at(text, at) {
        match char.kind {
            Kind::Upper => {}
            Kind::Caseless | Kind::Mark => behind_both = Some(char.end),
            Kind::Lower => return Letters::Word(run(text, char.end, is_second)),
            _ => break,
        }
        at = char.end;
    }
    match behind_both {
        Some(end) => Letters::Word(end),
        None if at > start => Letters::Capitals(at),
        None => Letters::None,
    }
}

/// `[LC]`.
#[inline(always)]
fn is_second(kind: Kind) -> bool {
    matches!(kind, Kind::Lower | Kind::Caseless | Kind::Mark)
}
