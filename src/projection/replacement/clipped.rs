//! Head and tail of a long output.

use crate::output::ERROR_HEAD_BYTES;
use crate::projection::settings::{settings, words};
use crate::text::{HeadTail, Measure, ReadText, TextSize, truncation_mark};
use crate::tokens::estimate_tokens;
use serde::Serialize;

/// How much of an output stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClipLimits {
    /// What the others count. Default `chars`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClipUnit>"))]
    pub unit: ClipUnit,
    /// The longest output that stays whole. Default 10,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max: Option<u32>,
    /// How much is kept from its beginning. Default a fifth of `max`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub head: Option<u32>,
    /// How much is kept from its end. Default a fifth of `max`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub tail: Option<u32>,
}

settings!(ClipLimits { unit as "unit", max as "max", head as "head", tail as "tail" });

/// What a limit counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum ClipUnit {
    /// UTF-16 units.
    #[default]
    Chars,
    /// Lines.
    Lines,
    /// Estimated tokens.
    Tokens,
}

words!(ClipUnit { Chars = "chars", Lines = "lines", Tokens = "tokens" });

/// What a clipped output keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipEnds {
    unit: ClipUnit,
    head: u32,
    tail: u32,
}

impl ClipLimits {
    fn max(self) -> u32 {
        self.max.unwrap_or(10_000)
    }

    /// What stays of an output that is too long.
    pub fn ends(self) -> ClipEnds {
        let fifth = self.max() / 5;
        let (head, tail) = (self.head.unwrap_or(fifth), self.tail.unwrap_or(fifth));
        ClipEnds { unit: self.unit, head, tail }
    }

    /// Whether what stays is at most half of the limit, so that it is never long enough to be clipped again.
    pub fn is_sound(self) -> bool {
        let ClipEnds { head, tail, .. } = self.ends();
        u64::from(head) + u64::from(tail) <= u64::from(self.max()) / 2
    }

    /// Whether an output of this size is too long.
    pub fn is_exceeded(self, size: TextSize) -> bool {
        let length = match self.unit {
            ClipUnit::Chars => size.utf16,
            ClipUnit::Lines => size.lines(),
            ClipUnit::Tokens => estimate_tokens(size.bytes),
        };
        length > u64::from(self.max())
    }
}

impl ClipEnds {
    /// Whether a failure is still known as one by the words that stay.
    pub fn keep_error_head(self) -> bool {
        match self.unit {
            ClipUnit::Chars => self.head as usize >= ERROR_HEAD_BYTES,
            ClipUnit::Lines => self.head >= 1,
            ClipUnit::Tokens => self.head as usize * 3 >= ERROR_HEAD_BYTES,
        }
    }

    fn reader(self) -> HeadTail {
        let bytes = |tokens: u32| tokens as usize * 7 / 2;
        match self.unit {
            ClipUnit::Chars => {
                HeadTail::new(Measure::Units, self.head as usize, self.tail as usize)
            }
            ClipUnit::Lines => {
                HeadTail::new(Measure::Lines, self.head as usize, self.tail as usize)
            }
            ClipUnit::Tokens => HeadTail::new(Measure::Bytes, bytes(self.head), bytes(self.tail)),
        }
    }
}

/// Head and tail of a content that `read` gives, and what is left out between them. `reference` is asked when the content
/// was read.
pub fn clipped_text(
    size: TextSize,
    ends: ClipEnds,
    reference: &dyn Fn() -> Option<String>,
    read: ReadText<'_>,
) -> String {
    let mut reader = ends.reader();
    read(&mut |chunk| reader.add_chunk(chunk));
    let (head, tail) = reader.finish();
    let back = reference().map(|text| format!("; recall {text}")).unwrap_or_default();
    format!("{head}\n\n{}\n\n{tail}", truncation_mark(size, &back))
}
