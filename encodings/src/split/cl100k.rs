//! `cl100k_base` (openai/tiktoken, `tiktoken_ext/openai_public.py`), and encodings that use the same pattern:
//!
//! ```text
//! (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//! ```

use super::{Split, contraction, is_line_break, numbers, signs, white_space};
use crate::kind::{Kind, char_at, run};

/// Splits like `cl100k_base`; a piece has at most `NUMBERS` digits.
pub struct Cl100k<const NUMBERS: usize>;

impl<const NUMBERS: usize> Split for Cl100k<NUMBERS> {
    #[inline]
    fn piece(&mut self, text: &[u8], start: usize) -> usize {
        let Some(first) = char_at(text, start) else { return text.len() };
        if first.kind.is_letter() {
            return run(text, first.end, Kind::is_letter);
        }
        if first.kind == Kind::Number {
            return numbers(text, start, NUMBERS);
        }
        if let Some(end) = contraction(text, start) {
            return end;
        }
        if !text.get(start).is_some_and(|&byte| is_line_break(byte)) {
            let end = run(text, first.end, Kind::is_letter);
            if end > first.end {
                return end;
            }
        }
        signs(text, start, Kind::is_neither, is_line_break)
            .unwrap_or_else(|| white_space(text, start, text.len()))
    }
}
