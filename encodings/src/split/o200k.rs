//! `o200k_base` (openai/tiktoken, `tiktoken_ext/openai_public.py`). With U for `\p{Lu}\p{Lt}`, C for
//! `\p{Lm}\p{Lo}\p{M}` and L for `\p{Ll}`, a word is one of
//!
//! ```text
//! [^\r\n\p{L}\p{N}]?[UC]*[LC]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! [^\r\n\p{L}\p{N}]?[UC]+[LC]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//! ```
//!
//! and other text is split by `\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`.

use super::runs::run_of;
use super::{Split, contraction, is_line_break, numbers, signs, white_space};
use crate::kind::{Kind, char_at, run};

/// Splits like `o200k_base`.
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

/// Returns the end of a word, without its contraction. One character that is not a letter may precede it; a mark may
/// also be part of it.
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
        // The first pattern, without a preceding character, is tried before the second one with it.
        _ if first == Kind::Mark => Some(first_end),
        Letters::Capitals(end) => Some(end),
        Letters::None => None,
    }
}

/// The match of letters at a position.
enum Letters {
    /// `[UC]*[LC]+` up to this end.
    Word(usize),
    /// Only capitals, up to this end: `[UC]+[LC]*`.
    Capitals(usize),
    None,
}

#[inline(always)]
fn letters(text: &[u8], start: usize) -> Letters {
    // Nearly all words are ASCII.
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

/// Returns the end of a run of bytes.
#[inline(always)]
fn skip(text: &[u8], start: usize, is: impl Fn(&u8) -> bool) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    start + rest.iter().position(|byte| !is(byte)).unwrap_or(rest.len())
}

#[inline(never)]
fn letters_of_any_script(text: &[u8], start: usize) -> Letters {
    let mut at = start;
    // The end of the last character that can be in both classes: the first class must leave it to the second.
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
