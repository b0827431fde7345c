//! Index over files. Contents are passed whole and not kept; results are numbers.

use crate::bytes::{TextEncoding, sniff_bytes};
use crate::index::{DigestRequest, FileIndex, Query, Section};
use wasm_bindgen::prelude::*;

/// Numbers per matching passage in the array passed to JavaScript.
const HIT_NUMBERS: usize = 4;

/// An index over files.
#[wasm_bindgen]
#[derive(Default)]
pub struct Index(FileIndex);

#[wasm_bindgen]
impl Index {
    /// Creates an empty index.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Index {
        Index::default()
    }

    /// Adds a file, replacing the one with the same path, and returns its number. `names` has the names of the
    /// sections, each followed by a line feed and empty if a section defines nothing; `lines` has their first and last
    /// lines.
    pub fn add(&mut self, path: &str, content: &str, names: &str, lines: &[u32]) -> u32 {
        self.0.add(path, content, &sections(names, lines))
    }

    /// Returns the type of a binary file, by its beginning; `undefined` for text. `encoding` is empty if unknown.
    #[wasm_bindgen(js_name = binaryKind)]
    #[must_use]
    pub fn binary_kind(head: &[u8], encoding: &str) -> Option<String> {
        sniff_bytes(head, TextEncoding::of(encoding)).binary_kind().map(str::to_owned)
    }

    /// Removes a file; returns `false` if there is none with this path.
    pub fn remove(&mut self, path: &str) -> bool {
        self.0.remove(path)
    }

    /// Returns the best matching passages as four numbers each: the file's number, first line, last line, score.
    pub fn query(&self, text: &str, conversation: &str, symbols: bool, most: usize) -> Vec<f64> {
        let hits = self.0.query(Query { text, conversation, symbols }, most);
        let mut numbers = Vec::with_capacity(HIT_NUMBERS * hits.len());
        for hit in hits {
            let [start, end] = [hit.start_line, hit.end_line].map(|line| line as f64);
            numbers.extend([f64::from(hit.file), start, end, hit.score]);
        }
        numbers
    }

    /// Returns the first and last line of each passage of a file, in order; empty if the file is not in the index.
    pub fn passages(&self, path: &str) -> Vec<u32> {
        self.0.passages_of(path).into_iter().flat_map(|(start, end)| [start, end]).collect()
    }

    /// Returns the lines of a content that are most relevant to the conversation: first and last of each run.
    pub fn digest(
        &self,
        path: &str,
        content: &str,
        names: &str,
        lines: &[u32],
        conversation: &str,
        room: usize,
    ) -> Vec<u32> {
        let sections = sections(names, lines);
        let request =
            DigestRequest { path, text: content, sections: &sections, conversation, lines: room };
        let runs = self.0.digest(request);
        runs.into_iter().flat_map(|(start, end)| [start as u32, end as u32]).collect()
    }
}

fn sections(names: &str, lines: &[u32]) -> Vec<Section> {
    let section = |(name, lines): (&str, &[u32])| Section {
        name: (!name.is_empty()).then(|| name.to_owned()),
        start_line: lines[0] as usize,
        end_line: lines[1] as usize,
    };
    names.split_terminator('\n').zip(lines.chunks_exact(2)).map(section).collect()
}
