//! Splits a text into the pieces that are merged separately. The publishers' regular expressions are implemented as
//! code. The time is proportional to the length of any text.

pub mod cl100k;
#[cfg(feature = "deepseek_v3")]
pub mod deepseek;
#[cfg(feature = "o200k_base")]
pub mod o200k;
mod runs;

use crate::kind::{Kind, char_at, run};
use runs::run_of;

/// Determines where pieces end.
pub trait Split {
    /// Returns the end of the piece that begins at `start`, which must be at a character, before the end of the text.
    fn piece(&mut self, text: &[u8], start: usize) -> usize;
}

/// Passes the start and end of every piece of a text to `take`.
#[inline(always)]
pub fn each_piece(text: &str, mut split: impl Split, mut take: impl FnMut(usize, usize)) {
    let text = text.as_bytes();
    let mut start = 0;
    while start < text.len() {
        // A piece has at least one byte, so the loop ends.
        let end = split.piece(text, start).clamp(start + 1, text.len());
        take(start, end);
        start = end;
    }
}

#[inline(always)]
fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// Returns the end of `(?i:'s|'t|'re|'ve|'m|'ll|'d)`; `None` if it does not match. The long s (ſ) equals s without
/// case.
#[inline]
fn contraction(text: &[u8], at: usize) -> Option<usize> {
    if text.get(at) != Some(&b'\'') {
        return None;
    }
    let byte = |offset: usize| text.get(at + offset).map(u8::to_ascii_lowercase);
    match (byte(1)?, byte(2)) {
        (b's' | b't' | b'm' | b'd', _) => Some(at + 2),
        (b'r' | b'v', Some(b'e')) | (b'l', Some(b'l')) => Some(at + 3),
        // ſ
        (0xc5, Some(0xbf)) => Some(at + 3),
        _ => None,
    }
}

/// Returns the end of `\p{N}{1,most}`.
#[inline]
fn numbers(text: &[u8], mut at: usize, most: usize) -> usize {
    for _ in 0..most {
        match char_at(text, at) {
            Some(char) if char.kind == Kind::Number => at = char.end,
            _ => break,
        }
    }
    at
}

/// Returns the end of ` ?[^\s\p{L}\p{N}]+` and the following bytes for which `is_tail` is true; `None` if it does not
/// match.
#[inline]
fn signs(
    text: &[u8],
    start: usize,
    is: impl Fn(Kind) -> bool,
    is_tail: impl Fn(u8) -> bool,
) -> Option<usize> {
    let first = start + usize::from(text.get(start) == Some(&b' '));
    let mut end = run(text, first, is);
    if end == first {
        return None;
    }
    while text.get(end).is_some_and(|&byte| is_tail(byte)) {
        end += 1;
    }
    Some(end)
}

/// Returns the end of `\s*[\r\n]+|\s+(?!\S)|\s+` in a text that ends at `limit`: the last line break of a run; without
/// one, the end of the run, but before other text without its last character.
#[inline]
fn white_space(text: &[u8], start: usize, limit: usize) -> usize {
    let mut at = start;
    let mut last = start;
    let mut behind_break = start;
    let part = text.get(..limit).unwrap_or(text);
    loop {
        // Most white space is indentation.
        let spaces = run_of::<b' ', b' '>(part, at);
        if spaces > at {
            (last, at) = (spaces - 1, spaces);
        }
        let Some(char) = char_at(part, at).filter(|char| char.kind == Kind::Space) else { break };
        last = at;
        if text.get(at).is_some_and(|&byte| is_line_break(byte)) {
            behind_break = char.end;
        }
        at = char.end;
    }
    if behind_break > start {
        behind_break
    } else if at < limit && last > start {
        last
    } else {
        at
    }
}
