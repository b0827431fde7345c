//! First pass over a file: counts lines, detects line endings, and records states to resume from.

use crate::bytes::{Decoder, Source, TextEncoding, chars};
use serde::Serialize;

/// The line endings of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum LineEnding {
    /// No line end.
    None,
    /// Line feed.
    Lf,
    /// Carriage return and line feed. Neither is shown.
    Crlf,
    /// Carriage return alone; the file has no line feed.
    Cr,
    /// Both LF and CRLF. Lines end at the line feed and are shown with their carriage returns.
    Mixed,
}

/// The state at the beginning of a chunk, from which reading can resume.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor {
    pub decoder: Decoder,
    /// Number of lines that ended before.
    pub line: u64,
    /// Characters of the current line before; counts the bytes that begin a character.
    pub column: u64,
    /// The preceding byte, if it is in the same line.
    pub last: Option<u8>,
}

/// The results of the first pass.
#[derive(Debug)]
pub(super) struct Survey {
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Number of lines; a final line end does not start another line.
    pub lines: u64,
    pub ending: LineEnding,
    /// Whether the last line has a line end.
    pub final_line_end: bool,
    /// The state at the beginning of each chunk.
    pub cursors: Vec<Cursor>,
}

impl Survey {
    /// Scans a text once.
    pub fn of(source: &mut dyn Source, encoding: TextEncoding, mark: usize) -> Self {
        let decoder = Decoder::new(encoding, mark);
        let counts = Counts::of(source, decoder, b'\n');
        if counts.terminators == 0 && counts.returns > 0 {
            // Classic Mac OS. Such files are rare, and are scanned a second time.
            return Counts::of(source, decoder, b'\r').survey(LineEnding::Cr);
        }
        let ending = match (counts.terminators, counts.crlf) {
            (0, _) => LineEnding::None,
            (_, 0) => LineEnding::Lf,
            (all, crlf) if all == crlf => LineEnding::Crlf,
            _ => LineEnding::Mixed,
        };
        counts.survey(ending)
    }

    /// Returns the byte that ends lines.
    pub fn terminator(&self) -> u8 {
        if self.ending == LineEnding::Cr { b'\r' } else { b'\n' }
    }

    /// Returns the last chunk that begins before this character (from 0) of this line (from 0). A chunk that begins
    /// exactly there will not do: continuation or stray bytes may be in the chunk before it.
    pub fn chunk_at(&self, line: u64, column: u64) -> usize {
        let place = |cursor: &Cursor| (cursor.line, cursor.column);
        self.cursors.partition_point(|cursor| place(cursor) < (line, column)).saturating_sub(1)
    }
}

struct Counts {
    bytes: u64,
    terminators: u64,
    returns: u64,
    crlf: u64,
    last: Option<u8>,
    terminator: u8,
    cursor: Cursor,
    cursors: Vec<Cursor>,
}

impl Counts {
    fn of(source: &mut dyn Source, decoder: Decoder, terminator: u8) -> Self {
        let cursor = Cursor { decoder, line: 0, column: 0, last: None };
        let mut counts = Self {
            bytes: 0,
            terminators: 0,
            returns: 0,
            crlf: 0,
            last: None,
            terminator,
            cursor,
            cursors: Vec::new(),
        };
        while source.chunk(counts.cursors.len(), &mut |chunk| counts.add_chunk(chunk)) {}
        let rest = counts.cursor.decoder.finish();
        counts.add_text(rest);
        counts
    }

    fn add_chunk(&mut self, chunk: &[u8]) {
        self.bytes += chunk.len() as u64;
        self.cursors.push(self.cursor);
        let text = self.cursor.decoder.skim(chunk);
        self.add_text(&text);
    }

    fn add_text(&mut self, text: &[u8]) {
        let Some(last) = text.last() else { return };
        let found = memchr::memchr_iter(self.terminator, text).count() as u64;
        self.terminators += found;
        self.cursor.line += found;
        self.cursor.column = match memchr::memrchr(self.terminator, text) {
            Some(end) => chars(&text[end + 1..]),
            None => self.cursor.column + chars(text),
        };
        if self.terminator == b'\n' {
            self.add_returns(text);
        }
        self.last = Some(*last);
        self.cursor.last = self.last.filter(|last| *last != self.terminator);
    }

    fn add_returns(&mut self, text: &[u8]) {
        self.crlf += u64::from(self.last == Some(b'\r') && text.first() == Some(&b'\n'));
        for at in memchr::memchr_iter(b'\r', text) {
            self.returns += 1;
            self.crlf += u64::from(text.get(at + 1) == Some(&b'\n'));
        }
    }

    fn survey(self, ending: LineEnding) -> Survey {
        let final_line_end = self.last == Some(self.terminator);
        let open = u64::from(self.last.is_some() && !final_line_end);
        Survey {
            bytes: self.bytes,
            lines: self.terminators + open,
            ending,
            final_line_end,
            cursors: self.cursors,
        }
    }
}
