//! Splitting a text into the pieces that are merged one by one: what the publishers write as regular expressions, as code.
//! Each takes time in proportion to the text, whatever the text.

pub mod cl100k;
#[cfg(feature = "deepseek_v3")]
pub mod deepseek;
#[cfg(feature = "o200k_base")]
pub mod o200k;
mod runs;

use crate::kind::{Kind, char_at, run};
use runs::run_of;

/// Says where pieces end.
pub trait Split {
    /// The end of the piece that begins at `start`, which is before the end of the text and at a character.
    fn piece(&mut self, text: &[u8], start: usize) -> usize;
}

/// Gives every piece of a text to `take`: where it starts and ends.
#[inline(always)]
pub fn each_piece(text: &str, mut split: impl Split, mut take: impl FnMut(usize, usize)) {
    let text = text.as_bytes();
    let mut start = 0;
    while start < text.len() {
        // A piece has one byte at least, so that this ends.
        let end = split.piece(text, start).clamp(start + 1, text.len());
        take(start, end);
        start = end;
    }
}

#[inline(always)]
fn is_line_break(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`: its end, where it stands. The long s is an s without case.
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

/// `\p{N}{1,most}`: its end.
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

/// ` ?[^\s\p{L}\p{N}]+` and what `is_tail` says of the bytes behind it: its end, where it stands.
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

/// `\s*[\r\n]+|\s+(?!\S)|\s+` in a text that ends at `limit`: up to the last line break of a run; without one, all but the last
/// of it before other text.
#[inline]
fn white_space(text: &[u8], start: usize, limit: usize) -> usize {
    let mut at = start;
    let mut last = start;
    let mut behind_break = start;
    let part = text.get(..limit).unwrap_or(text);
    loop {
        // Most of it is indentation.
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
