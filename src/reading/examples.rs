//! Example calls in the error of a refused read: smaller reads that are not refused.

use super::format::{ClippedLine, FileRead, Scanned, scan};
use super::lines::Line;
use super::notice;
use super::options::ReadOptions;
use super::request::{Files, FilesRequest, longest};
use crate::bytes::Source;
use crate::text::quoted;

/// Maximum lines of an example, and the first line of the second one; document "ReadTool Improvements".
pub(super) const LINES: u64 = 100;
const SECOND: i64 = 50;

/// Returns example calls that each take at most `max_tokens`. They read the first file that has such lines: one from
/// its beginning and one from further on, or one from the start of the refused read.
pub(super) fn examples(
    request: &FilesRequest,
    files: &mut impl Files,
    max_tokens: u64,
) -> Vec<String> {
    let mut pages = (0..request.files.len()).map(|file| pages(request, file, files, max_tokens));
    let first = pages.find(|pages| !pages.is_empty()).unwrap_or_default();
    let mut calls: Vec<String> = first.into_iter().map(|page| page.call(request)).collect();
    if request.files.len() > 1 {
        calls.push("read fewer files".to_owned());
    }
    calls
}

/// Returns pages of a file; empty if it has no text, or not the lines that the refused read asks for.
fn pages(
    request: &FilesRequest,
    file: usize,
    files: &mut impl Files,
    max_tokens: u64,
) -> Vec<Page> {
    let Some(scanned) = text(request, file, files) else { return Vec::new() };
    let column = request.options.column.filter(|column| *column > 1);
    let page =
        |start, files: &mut _| Page::that_fits(request, file, &scanned, start, files, max_tokens);
    if request.options.is_slice() || column.is_some() {
        let offset = request.options.first_line(scanned.lines());
        let has_column =
            |column: &u64| scanned.has_column(&mut files.source(file), offset, *column);
        let column = column.filter(has_column);
        return page(Start { offset, column }, files).into_iter().collect();
    }
    let first = page(Start { offset: 1, column }, files);
    let next = first.as_ref().map_or(1, |page| 1 + page.lines as i64);
    let offset = if scanned.lines() < SECOND as u64 { next } else { SECOND };
    let is_alone = request.files.len() == 1;
    let second = is_alone.then(|| page(Start { offset, column }, files)).flatten();
    first.into_iter().chain(second).collect()
}

fn text(request: &FilesRequest, file: usize, files: &mut impl Files) -> Option<Scanned> {
    let wanted = request.files.get(file).filter(|file| file.error.is_none())?;
    scan(&mut files.source(file), wanted.encoding)
}

/// Where a read begins.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub offset: i64,
    /// The column in the first line, if it is not the first one.
    pub column: Option<u64>,
}

/// A range of lines that fits into a read.
pub(super) struct Page {
    file: usize,
    start: Start,
    lines: u64,
}

impl Page {
    /// Returns as many lines as fit, beginning at `start`.
    pub fn that_fits(
        request: &FilesRequest,
        file: usize,
        scanned: &Scanned,
        start: Start,
        files: &mut impl Files,
        max_tokens: u64,
    ) -> Option<Self> {
        let Start { offset, column } = start;
        let left = (scanned.lines() + 1).checked_sub(offset.unsigned_abs())?;
        let path = &request.files.get(file)?.path;
        let mut count = |lines, max_line_length| {
            let (offset, limit) = (Some(offset), Some(lines));
            let options = ReadOptions { offset, limit, column, max_line_length, ranges: None };
            let read = scanned.read(path, &mut files.source(file) as &mut dyn Source, &options);
            let shown = match max_line_length {
                None => vec![read.text],
                Some(_) => and_the_rest(&read, &options),
            };
            shown.iter().all(|text| files.count_tokens(text) <= max_tokens as f64)
        };
        // A read of a single line shortens it if needed.
        let mut fits = |lines| {
            count(lines, None)
                || (lines == 1
                    && request.widest_line(max_tokens, |width| count(1, Some(width))).is_some())
        };
        let least = longest(0, LINES.min(left), &mut fits);
        // The document's number of lines, if the file ends before it.
        let lines = if least == left && fits(LINES) { LINES } else { least };
        (least > 0).then_some(Self { file, start, lines })
    }

    fn call(&self, request: &FilesRequest) -> String {
        let path = quoted(request.files.get(self.file).map_or("", |file| &file.path));
        let Self { start: Start { offset, column }, lines, .. } = self;
        let column = column.map_or(String::new(), |column| format!(", column={column}"));
        if request.options.ranges.is_some() {
            let tool = request.tool.as_deref().unwrap_or("read_lines");
            let end = offset + *lines as i64 - 1;
            return format!("{tool}(path={path}, start={offset}, end={end}{column})");
        }
        let tool = request.tool.as_deref().unwrap_or("read");
        let from = if *offset == 1 { String::new() } else { format!("offset={offset}, ") };
        format!("{tool}(file_paths=[{path}], {from}limit={lines}{column})")
    }
}

/// Returns the texts that must fit if a read may shorten a line: its own, and the longest of the reads of the rest. It is
/// the same for all of them, so that a line is begun only if the hints lead to its end.
pub(super) fn and_the_rest(read: &FileRead, options: &ReadOptions) -> Vec<String> {
    let mut texts = vec![read.text.clone()];
    if let Some(ClippedLine { line: number, chars, .. }) = read.clipped.first().copied() {
        let last = Line {
            number,
            text: char::MAX.to_string(),
            chars,
            rest: Some(chars),
            is_malformed: false,
        };
        let total = read.total_lines;
        let part = (total > 1).then(|| notice::slice(number, number, total));
        let pieces = [
            Some(notice::header(&read.path)),
            part,
            Some(notice::from_column(number, chars, chars)),
            Some(notice::numbered(&last, options.line_arguments())),
        ];
        texts.push(pieces.into_iter().flatten().collect::<Vec<_>>().join("\n"));
    }
    texts
}
