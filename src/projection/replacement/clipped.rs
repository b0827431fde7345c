//! Clips a long output to its head and tail.

use crate::output::ERROR_HEAD_BYTES;
use crate::text::{HeadTail, Measure, ReadText, TextSize, truncation_mark};
use crate::tokens::estimate_bytes;
use serde::Serialize;

/// The unit of a limit.
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
    /// Lines, or thousands of UTF-8 bytes if that is more. Head and tail each keep at most 1,000 bytes per line.
    Lines,
    /// Estimated tokens.
    Tokens,
}

/// What a clipped output keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipEnds {
    unit: ClipUnit,
    head: u32,
    tail: u32,
}

impl ClipEnds {
    /// Keeps `head` units of the beginning and `tail` units of the end.
    pub fn new(unit: ClipUnit, head: u32, tail: u32) -> Self {
        Self { unit, head, tail }
    }

    /// Whether the head is long enough to recognise a failure by its first words.
    pub fn keep_error_head(self) -> bool {
        match self.unit {
            ClipUnit::Chars => self.head as usize >= ERROR_HEAD_BYTES,
            ClipUnit::Lines => self.head >= 1,
            ClipUnit::Tokens => self.head as usize * 3 >= ERROR_HEAD_BYTES,
        }
    }

    fn reader(self) -> HeadTail {
        let bytes =
            |tokens: u32| usize::try_from(estimate_bytes(tokens.into())).unwrap_or(usize::MAX);
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

/// Returns the head and the tail of the content that `read` provides, with a mark between them that says how much was
/// left out. `reference` is called after the content was read.
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
