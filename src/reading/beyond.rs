//! Reads beyond the end of a file: the notice proposes only lines that a read may show.

use super::examples::{LINES, Page, Start};
use super::format::{FileRead, Scanned, scan};
use super::notice;
use super::options::{Part, ReadOptions};
use super::request::{Files, FilesRequest, longest};
use crate::bytes::Source;
use crate::tokens::BYTES_PER_TOKEN;

/// Rewrites the notices of a read that shows no line of the file, if the lines that they propose would be refused.
pub(super) fn propose_what_fits(
    read: &mut FileRead,
    request: &FilesRequest,
    index: usize,
    files: &mut impl Files,
    max_tokens: u64,
) {
    let is_beyond = read.binary.is_none() && read.shown.is_empty() && read.total_lines > 0;
    if !is_beyond {
        return;
    }
    let told = request.files.get(index).and_then(|file| file.encoding);
    let Some(scanned) = scan(&mut files.source(index), told) else { return };
    let parts = request.options.parts();
    let mut pages = Pages { read, scanned, index, files, max_tokens };
    if parts.iter().all(|part| pages.fit_as_asked(part.limit)) {
        return;
    }
    let most = parts.iter().map(|part| part.limit).filter(|limit| *limit > 0).min();
    let most = most.unwrap_or(LINES).min(LINES).min(read.total_lines);
    let page = longest(1, most, |lines| pages.fit(lines));
    let page = if page == 1 && !pages.fit_if_shortened(request) { 0 } else { page };
    let beyond = |part: &Part| {
        notice::out_of_bounds(*part, read.total_lines, request.options.line_arguments(), Some(page))
    };
    let notices = parts.iter().map(beyond);
    read.text =
        [notice::header(&read.path)].into_iter().chain(notices).collect::<Vec<_>>().join("\n");
}

/// The first and the last lines of a file.
struct Pages<'a, F> {
    read: &'a FileRead,
    scanned: Scanned,
    index: usize,
    files: &'a mut F,
    max_tokens: u64,
}

impl<F: Files> Pages<'_, F> {
    /// Whether as many lines as were asked for fit at either end of the file; 0 for all.
    fn fit_as_asked(&mut self, limit: u64) -> bool {
        let total = self.read.total_lines;
        let is_whole = limit == 0 || limit >= total;
        // Whole files are refused by their size, before they are read.
        let is_small = || self.read.bytes as f64 / BYTES_PER_TOKEN <= self.max_tokens as f64;
        (!is_whole || is_small()) && self.fit(if is_whole { total } else { limit })
    }

    /// Whether the first and the last line fit, which a read may shorten.
    fn fit_if_shortened(&mut self, request: &FilesRequest) -> bool {
        let Self { read, scanned, index, files, max_tokens } = self;
        [1, read.total_lines as i64].iter().all(|line| {
            let start = Start { offset: *line, column: None };
            Page::that_fits(request, *index, scanned, start, *files, *max_tokens).is_some()
        })
    }

    /// Whether so many lines fit at either end of the file.
    fn fit(&mut self, lines: u64) -> bool {
        [1, self.read.total_lines - lines + 1].iter().all(|first| {
            let options = ReadOptions {
                offset: i64::try_from(*first).ok(),
                limit: Some(lines),
                ..ReadOptions::default()
            };
            let text = self
                .scanned
                .read(
                    &self.read.path,
                    &mut self.files.source(self.index) as &mut dyn Source,
                    &options,
                )
                .text;
            self.files.count_tokens(&text) <= self.max_tokens as f64
        })
    }
}
