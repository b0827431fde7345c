//! Second pass over a file: collects the lines to show, starting at the nearest chunk.

use super::survey::{LineEnding, Survey};
use crate::bytes::{Source, begins_char, chars};
use crate::text::boundary_before;

/// The lines to collect, and how much of each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// The first line, from 0.
    pub first: u64,
    /// The line after the last one.
    pub end: u64,
    /// Number of characters to skip in the first line.
    pub column: u64,
    /// Maximum number of characters of a line.
    pub width: u64,
}

/// A line as shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// From 1.
    pub number: u64,
    /// Its characters from the wanted column on, without its line end.
    pub text: String,
    /// Length of the whole line in characters.
    pub chars: u64,
    /// The column, from 1, of the first character that is not shown.
    pub rest: Option<u64>,
    /// Whether some bytes are not UTF-8, and shown as U+FFFD.
    pub is_malformed: bool,
}

/// Reads the wanted lines.
pub(super) fn collect(source: &mut dyn Source, survey: &Survey, wanted: Wanted) -> Vec<Line> {
    let mut index = survey.chunk_at(wanted.first, wanted.column);
    let Some(cursor) = survey.cursors.get(index) else { return Vec::new() };
    let mut decoder = cursor.decoder;
    let mut collector = Collector {
        wanted,
        terminator: survey.terminator(),
        drops_return: survey.ending == LineEnding::Crlf,
        line: cursor.line,
        column: cursor.column,
        text: Vec::new(),
        last: cursor.last,
        lines: Vec::new(),
    };
    while collector.line < wanted.end {
        let more = source.chunk(index, &mut |chunk| collector.add(&decoder.decode(chunk)));
        if !more {
            collector.add(decoder.finish());
            if collector.line < survey.lines {
                collector.end_line(false);
            }
            break;
        }
        index += 1;
    }
    collector.lines
}

struct Collector {
    wanted: Wanted,
    terminator: u8,
    /// Whether a carriage return before the line feed is part of the line end.
    drops_return: bool,
    line: u64,
    column: u64,
    text: Vec<u8>,
    last: Option<u8>,
    lines: Vec<Line>,
}

impl Collector {
    fn add(&mut self, text: &[u8]) {
        let mut rest = text;
        while self.line < self.wanted.end {
            let Some(end) = memchr::memchr(self.terminator, rest) else { break };
            // Lines before the wanted ones are only counted.
            if self.line >= self.wanted.first {
                self.add_piece(&rest[..end]);
            }
            self.end_line(true);
            rest = &rest[end + 1..];
        }
        if self.line < self.wanted.end {
            self.add_piece(rest);
        }
    }

    /// Adds a piece of the current line. Keeps one character more than is shown, to find a position to cut at.
    fn add_piece(&mut self, piece: &[u8]) {
        if self.line >= self.wanted.first {
            let start = self.first_column();
            let end = start.saturating_add(self.wanted.width).saturating_add(1);
            // Continuation bytes of the previous piece's last character belong to it; at the start of a line there is
            // none.
            let is_inside = self.column > start || start == 0;
            let from = if is_inside { 0 } else { char_start(piece, start - self.column) };
            let to = if self.column > end { 0 } else { char_start(piece, end - self.column) };
            self.text.extend_from_slice(piece.get(from..to).unwrap_or_default());
        }
        self.column += chars(piece);
        self.last = piece.last().copied().or(self.last);
    }

    fn first_column(&self) -> u64 {
        if self.line == self.wanted.first { self.wanted.column } else { 0 }
    }

    fn end_line(&mut self, is_terminated: bool) {
        if self.line >= self.wanted.first {
            let line = self.take_line(is_terminated);
            self.lines.push(line);
        }
        self.line += 1;
        self.column = 0;
        self.last = None;
    }

    fn take_line(&mut self, is_terminated: bool) -> Line {
        let mut text = std::mem::take(&mut self.text);
        let mut total = self.column;
        let column = self.first_column();
        if is_terminated && self.drops_return && self.last == Some(b'\r') {
            total -= 1;
            let is_kept = column.saturating_add(chars(&text)) > total;
            if is_kept && text.last() == Some(&b'\r') {
                text.pop();
            }
        }
        let shown = chars(&text);
        let is_cut = shown > self.wanted.width;
        if is_cut {
            text.truncate(cut(&text, self.wanted.width));
        }
        let is_malformed = std::str::from_utf8(&text).is_err();
        Line {
            number: self.line + 1,
            rest: is_cut.then(|| column + chars(&text) + 1),
            text: String::from_utf8_lossy(&text).into_owned(),
            chars: total,
            is_malformed,
        }
    }
}

/// Bytes whose characters are counted at once, and looked at one by one only in the block that is searched for.
const COUNTED_BYTES: usize = 256;

/// Returns the position of the character at index `count` of a piece.
fn char_start(piece: &[u8], count: u64) -> usize {
    if count >= piece.len() as u64 {
        return piece.len();
    }
    let (mut left, mut from) = (count, 0);
    for block in piece.chunks(COUNTED_BYTES) {
        let found = chars(block);
        if found > left {
            let mut starts = block.iter().enumerate().filter(|(_, byte)| begins_char(**byte));
            return starts.nth(left as usize).map_or(piece.len(), |(at, _)| from + at);
        }
        left -= found;
        from += block.len();
    }
    piece.len()
}

/// Returns the length in bytes of at most `width` characters, ending at a grapheme boundary if there is one.
fn cut(text: &[u8], width: u64) -> usize {
    let limit = char_start(text, width);
    let Ok(valid) = std::str::from_utf8(text) else { return limit };
    match boundary_before(valid, limit) {
        0 => limit,
        end => end,
    }
}
