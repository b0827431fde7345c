//! Formats one file for the model.

use super::lines::{Line, Wanted, collect};
use super::notice;
use super::options::{LineArguments, Part, ReadOptions};
use super::survey::{LineEnding, Survey};
use crate::bytes::{Sniffed, Source, TextEncoding, byte_count, sniff};
use crate::message::Problem;
use serde::Serialize;

/// A file that was read: its text for the model, and facts about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct FileRead {
    /// The path as given in the request.
    pub path: String,
    /// The text for the model: header, notices, numbered lines.
    pub text: String,
    /// Size of the whole file in bytes.
    pub bytes: u64,
    /// Lines of the whole file; a final line end does not start another line. 0 for a binary file.
    pub total_lines: u64,
    /// The lines that `text` shows.
    pub shown: Vec<ShownLines>,
    /// Lines that are shown in part, with the column at which to continue.
    pub clipped: Vec<ClippedLine>,
    /// Its encoding; `null` for a binary file.
    pub encoding: Option<TextEncoding>,
    /// Whether it begins with a byte order mark, which is not shown.
    pub byte_order_mark: bool,
    /// Its line endings.
    pub line_ending: LineEnding,
    /// Whether its last line has a line end.
    pub final_line_end: bool,
    /// Whether the shown lines have invalid bytes, shown as U+FFFD.
    pub malformed: bool,
    /// The type of a binary file, as far as known. Its content is not shown.
    pub binary: Option<&'static str>,
}

/// A range of shown lines, inclusive, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct ShownLines {
    /// The first line.
    pub start: u64,
    /// The last line.
    pub end: u64,
}

/// A line that is shown in part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct ClippedLine {
    /// The line, from 1.
    pub line: u64,
    /// Length of the line in characters.
    pub chars: u64,
    /// The column at which to continue.
    pub next_column: u64,
}

/// Formats a file for the model. Reads the whole file once to count its lines, then the shown lines again. Holds one
/// chunk, a state for each chunk, and the shown lines. `told` is the encoding that the host named, for files that do
/// not declare one.
pub fn format_read(
    path: &str,
    source: &mut dyn Source,
    told: Option<TextEncoding>,
    options: &ReadOptions,
) -> Result<FileRead, Problem> {
    options.check()?;
    Ok(match sniff(source, told) {
        Sniffed::Binary(kind) => read_binary(path, source, kind),
        Sniffed::Text(encoding, mark) => {
            Scanned::of(source, encoding, mark).read(path, source, options)
        }
    })
}

/// A text that was scanned once, so that parts of it can be read.
pub(super) struct Scanned {
    survey: Survey,
    encoding: TextEncoding,
    byte_order_mark: bool,
}

/// Scans a file; `None` for a binary file.
pub(super) fn scan(source: &mut dyn Source, told: Option<TextEncoding>) -> Option<Scanned> {
    let (encoding, mark) = sniff(source, told).text()?;
    Some(Scanned::of(source, encoding, mark))
}

impl Scanned {
    fn of(source: &mut dyn Source, encoding: TextEncoding, mark: usize) -> Self {
        let survey = Survey::of(source, encoding, mark);
        Self { survey, encoding, byte_order_mark: mark > 0 }
    }

    pub fn lines(&self) -> u64 {
        self.survey.lines
    }

    /// Returns whether a read can begin at this column, from 1, of a line.
    pub fn has_column(&self, source: &mut dyn Source, line: i64, column: u64) -> bool {
        let part = Part { offset: line, limit: 1, end: None };
        let Some((line, _)) = resolve(part, self.survey.lines) else { return false };
        let wanted = Wanted { first: line - 1, end: line, column: 0, width: 1 };
        let found = collect(source, &self.survey, wanted);
        found.first().is_some_and(|line| notice::has_column(line.chars, column))
    }

    /// Formats the requested part.
    pub fn read(&self, path: &str, source: &mut dyn Source, options: &ReadOptions) -> FileRead {
        let Self { survey, encoding, byte_order_mark } = self;
        read_text(path, source, options, survey, *encoding, *byte_order_mark)
    }
}

fn read_binary(path: &str, source: &mut dyn Source, kind: &'static str) -> FileRead {
    let bytes = byte_count(source);
    FileRead {
        path: path.to_owned(),
        text: format!("{}\n{}", notice::header(path), notice::binary(kind, bytes)),
        bytes,
        total_lines: 0,
        shown: Vec::new(),
        clipped: Vec::new(),
        encoding: None,
        byte_order_mark: false,
        line_ending: LineEnding::None,
        final_line_end: false,
        malformed: false,
        binary: Some(kind),
    }
}

fn read_text(
    path: &str,
    source: &mut dyn Source,
    options: &ReadOptions,
    survey: &Survey,
    encoding: TextEncoding,
    byte_order_mark: bool,
) -> FileRead {
    let mut text = Writer::new(path, encoding);
    for part in options.parts() {
        text.write_part(source, survey, options, part);
    }
    FileRead {
        path: path.to_owned(),
        text: text.pieces.join("\n"),
        bytes: survey.bytes,
        total_lines: survey.lines,
        shown: text.shown,
        clipped: text.clipped,
        encoding: Some(encoding),
        byte_order_mark,
        line_ending: survey.ending,
        final_line_end: survey.final_line_end,
        malformed: text.malformed,
        binary: None,
    }
}

/// Collects the text and the facts about the lines in it.
struct Writer {
    pieces: Vec<String>,
    shown: Vec<ShownLines>,
    clipped: Vec<ClippedLine>,
    malformed: bool,
    encoding: TextEncoding,
}

impl Writer {
    fn new(path: &str, encoding: TextEncoding) -> Self {
        Self {
            encoding,
            pieces: vec![notice::header(path)],
            shown: Vec::new(),
            clipped: Vec::new(),
            malformed: false,
        }
    }

    fn write_part(
        &mut self,
        source: &mut dyn Source,
        survey: &Survey,
        options: &ReadOptions,
        part: Part,
    ) {
        let total = survey.lines;
        let Some((first, last)) = resolve(part, total) else {
            let is_asked = options.offset.unwrap_or(0) != 0 || options.ranges.is_some();
            let text = if total == 0 && !is_asked {
                notice::EMPTY_FILE.to_owned()
            } else {
                notice::out_of_bounds(part, total, options.line_arguments(), None)
            };
            return self.pieces.push(text);
        };
        if first > 1 || last < total {
            self.pieces.push(notice::slice(first, last, total));
        }
        let column = options.column.unwrap_or(1).saturating_sub(1);
        let wanted = Wanted { first: first - 1, end: last, column, width: options.width() };
        self.write_lines(&collect(source, survey, wanted), column, options.line_arguments());
        self.shown.push(ShownLines { start: first, end: last });
    }

    fn write_lines(&mut self, lines: &[Line], column: u64, arguments: LineArguments) {
        if let (Some(first), true) = (lines.first(), column > 0) {
            self.pieces.push(notice::from_column(first.number, column + 1, first.chars));
        }
        if !self.malformed && lines.iter().any(|line| line.is_malformed) {
            self.malformed = true;
            self.pieces.push(notice::malformed(self.encoding));
        }
        for line in lines {
            self.pieces.push(notice::numbered(line, arguments));
            self.clipped.extend(line.rest.map(|next_column| ClippedLine {
                line: line.number,
                chars: line.chars,
                next_column,
            }));
        }
    }
}

/// Returns the first and last line of a part, from 1; `None` if it has no line of the file.
fn resolve(part: Part, total: u64) -> Option<(u64, u64)> {
    let from_end = |line: i64| (total + 1).saturating_sub(line.unsigned_abs());
    let first = if part.offset < 0 { from_end(part.offset) } else { part.offset.unsigned_abs() };
    let first = first.max(1);
    let last = match (part.end, part.limit) {
        (Some(end), _) => from_end(end),
        (None, 0) => total,
        (None, limit) => first.saturating_add(limit - 1).min(total),
    };
    (first <= last).then_some((first, last))
}
