//! DeepSeek (deepseek-ai/DeepSeek-V3, `tokenizer.json`) splits a text by three patterns in turn; text that none
//! matches stays a piece:
//!
//! ```text
//! \p{N}{1,3}
//! [一-龥぀-ゟ゠-ヿ]+
//! [!-/:-@\[-`{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//! ```

use super::{Split, is_line_break, numbers, signs, white_space};
use crate::kind::{Kind, char_at, code_point};

/// Splits like `deepseek_v3` and later encodings.
#[derive(Default)]
pub struct DeepSeek {
    /// The end of the part to which the third pattern applies: a number, or a Chinese or Japanese character.
    part_end: usize,
}

impl Split for DeepSeek {
    #[inline]
    fn piece(&mut self, text: &[u8], start: usize) -> usize {
        let end = numbers(text, start, 3);
        if end > start {
            return end;
        }
        let end = isolated(text, start);
        if end > start {
            return end;
        }
        if self.part_end <= start {
            self.part_end = part_end(text, start);
        }
        let part = text.get(..self.part_end).unwrap_or(text);
        let mut unmatched = start;
        while let Some(char) = char_at(part, unmatched) {
            match matched(part, unmatched) {
                Some(end) if unmatched == start => return end,
                Some(_) => break,
                None => unmatched = char.end,
            }
        }
        unmatched
    }
}

/// Returns the end of a match of the third pattern.
#[inline]
fn matched(part: &[u8], start: usize) -> Option<usize> {
    let first = char_at(part, start)?;
    let byte = part.get(start).copied()?;
    if byte.is_ascii_punctuation() && part.get(start + 1).is_some_and(u8::is_ascii_alphabetic) {
        let letters = part.get(start + 1..)?.iter().take_while(|byte| byte.is_ascii_alphabetic());
        return Some(start + 1 + letters.count());
    }
    if !is_line_break(byte) && first.kind != Kind::Sign {
        let is_word = |kind: Kind| kind.is_letter() || kind == Kind::Mark;
        let end = crate::kind::run(part, first.end, is_word);
        if end > first.end || is_word(first.kind) {
            return Some(end);
        }
    }
    if let Some(end) = signs(part, start, |kind| kind == Kind::Sign, is_line_break) {
        return Some(end);
    }
    (first.kind == Kind::Space).then(|| white_space(part, start, part.len()))
}

fn part_end(text: &[u8], mut at: usize) -> usize {
    while let Some(char) = char_at(text, at)
        && char.kind != Kind::Number
        && isolated(text, at) == at
    {
        at = char.end;
    }
    at
}

/// Returns the end of `[一-龥぀-ゟ゠-ヿ]+`.
#[inline]
fn isolated(text: &[u8], mut at: usize) -> usize {
    // All of them have three bytes and one of these first bytes.
    while matches!(text.get(at), Some(0xe3..=0xe9)) {
        let (code, end) = code_point(text, at);
        if !matches!(code, 0x4e00..=0x9fa5 | 0x3040..=0x30ff) {
            break;
        }
        at = end;
    }
    at
}
