//! Options for the part of a file to read.

use crate::message::Problem;
use serde::Deserialize;

/// Default maximum number of characters shown of a line.
pub const MAX_LINE_LENGTH: u64 = 2000;

/// The part of a file to read. Lines and columns count from 1; negative lines count from the end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReadOptions {
    /// The first line; `-50` starts at the 50th line from the end. 0 is treated as 1. Default 1.
    pub offset: Option<i64>,
    /// Maximum number of lines; 0 for all. Default 0.
    pub limit: Option<u64>,
    /// Several parts, instead of `offset` and `limit`.
    pub ranges: Option<Vec<LineRange>>,
    /// The column, in characters, at which the first line of the part begins; used to continue in a long line. Default
    /// 1.
    pub column: Option<u64>,
    /// Maximum number of characters shown of a line. Default 2000.
    pub max_line_length: Option<u64>,
}

/// A range of lines, inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LineRange {
    /// The first line, from 1; negative values count from the end.
    pub start: i64,
    /// The last line, not before `start`. Default: the last line of the file.
    pub end: Option<i64>,
}

/// One part, as given by `offset` and `limit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub offset: i64,
    /// 0 for all.
    pub limit: u64,
    /// The last line, counted from the end like `offset`, instead of `limit`. Always negative.
    pub end: Option<i64>,
}

/// The arguments by which a read asks for lines. Hints use the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineArguments {
    /// `offset` and `limit`.
    OffsetLimit,
    /// `start` and `end`.
    StartEnd,
}

impl LineArguments {
    /// The arguments for `count` lines from `first` on.
    pub fn of(self, first: u64, count: u64) -> String {
        match self {
            Self::OffsetLimit => format!("offset={first}, limit={count}"),
            Self::StartEnd => format!("start={first}, end={}", first + count - 1),
        }
    }
}

impl ReadOptions {
    pub(super) fn line_arguments(&self) -> LineArguments {
        if self.ranges.is_some() { LineArguments::StartEnd } else { LineArguments::OffsetLimit }
    }

    /// Returns whether only part of the file is requested.
    pub fn is_slice(&self) -> bool {
        let is_whole = |part: &Part| part.limit == 0 && matches!(part.offset, 0 | 1);
        !self.parts().iter().all(is_whole)
    }

    /// Returns an error if options contradict each other or are out of range.
    pub fn check(&self) -> Result<(), Problem> {
        let refuse = |option, reason: String| Err(Problem::InvalidOption { option, reason });
        if self.ranges.is_some() && (self.offset.is_some() || self.limit.is_some()) {
            return refuse(
                "ranges",
                "ranges replaces offset and limit: leave those out".to_owned(),
            );
        }
        if self.column == Some(0) {
            return refuse("column", "column counts from 1, found 0".to_owned());
        }
        if self.max_line_length == Some(0) {
            return refuse("maxLineLength", "maxLineLength must be at least 1, found 0".to_owned());
        }
        for range in self.ranges.iter().flatten() {
            let ordered =
                range.end.is_none_or(|end| end >= range.start && (end < 0) == (range.start < 0));
            if range.start == 0 || !ordered {
                let end = range.end.map_or("the end".to_owned(), |end| end.to_string());
                let reason = format!(
                    "a range goes from a line to the same or a later one, both from 1 on or both negative; found {} to {end}",
                    range.start
                );
                return refuse("ranges", reason);
            }
        }
        Ok(())
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let part = |range: &LineRange| {
            let limit = range.end.map_or(0, |end| end.abs_diff(range.start).saturating_add(1));
            Part { offset: range.start, limit, end: range.end.filter(|end| *end < 0) }
        };
        match &self.ranges {
            Some(ranges) => ranges.iter().map(part).collect(),
            None => {
                let (offset, limit) = (self.offset.unwrap_or(1), self.limit.unwrap_or(0));
                vec![Part { offset, limit, end: None }]
            }
        }
    }

    /// Returns the first line of the first part, in a file of `total` lines.
    pub(super) fn first_line(&self, total: u64) -> i64 {
        let offset = self.parts().first().map_or(1, |part| part.offset);
        let from_end = || (total + 1).saturating_sub(offset.unsigned_abs()).max(1) as i64;
        if offset < 0 { from_end() } else { offset.max(1) }
    }

    pub(super) fn width(&self) -> u64 {
        self.max_line_length.unwrap_or(MAX_LINE_LENGTH)
    }
}
