//! The files of an index.

use super::counts::Counts;
use super::file::IndexedFile;
use super::section::Section;
use super::sorted::Sorted;
use super::terms::Term;
use super::vocabulary::{Holder, NumberMap, Slot, TermId, Vocabulary};
use std::collections::HashMap;

/// A passage in an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub file: Slot,
    pub passage: u32,
}

/// An index over files, identified by path.
#[derive(Debug, Default)]
pub struct FileIndex {
    files: Vec<Option<IndexedFile>>,
    free: Vec<Slot>,
    slots: HashMap<Box<str>, Slot>,
    vocabulary: Vocabulary,
    /// The places where each name is defined.
    definitions: NumberMap<Sorted<Place>>,
    passages: u64,
    words: u64,
}

impl FileIndex {
    /// Adds a file, replacing the one with the same path. Returns its number, which is reused after the file is
    /// removed. Sections are optional; they make passages and definitions more accurate.
    pub fn add(&mut self, path: &str, text: &str, sections: &[Section]) -> u32 {
        self.remove(path);
        let slot = self.free.pop().unwrap_or(self.files.len() as Slot);
        let counts = Counts::of(path, text, sections);
        let vocabulary = &mut self.vocabulary;
        let file = IndexedFile::new(path, &counts, |term| vocabulary.number(term));
        for (term, at, passages) in file.terms() {
            vocabulary.add(term, Holder { file: slot, at }, passages);
        }
        for (term, passage) in &file.definitions {
            let places = self.definitions.entry(term.0).or_default();
            places.insert(Place { file: slot, passage: *passage });
            vocabulary.set_definitions(*term, places.len());
        }
        self.passages += file.passages.len() as u64;
        self.words += words_of(&file);
        self.slots.insert(path.into(), slot);
        if slot as usize == self.files.len() {
            self.files.push(None);
        }
        self.files[slot as usize] = Some(file);
        slot
    }

    /// Removes a file and all its data; returns `false` if there is none with this path.
    pub fn remove(&mut self, path: &str) -> bool {
        let Some(slot) = self.slots.remove(path) else { return false };
        let Some(file) = self.files[slot as usize].take() else { return false };
        self.passages -= file.passages.len() as u64;
        self.words -= words_of(&file);
        for (term, passage) in &file.definitions {
            if let Some(places) = self.definitions.get_mut(&term.0) {
                places.remove(Place { file: slot, passage: *passage });
                self.vocabulary.set_definitions(*term, places.len());
                if places.is_empty() {
                    self.definitions.remove(&term.0);
                }
            }
        }
        for (term, at, passages) in file.terms() {
            self.vocabulary.remove(term, Holder { file: slot, at }, passages);
        }
        self.free.push(slot);
        true
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the number of a file.
    pub fn slot(&self, path: &str) -> Option<u32> {
        self.slots.get(path).copied()
    }

    /// Returns the first and last line of each passage of a file, from 1, in order; empty if the file is not in the
    /// index.
    pub fn passages_of(&self, path: &str) -> Vec<(u32, u32)> {
        let file = self.slot(path).and_then(|slot| self.file(slot));
        let passages = file.map_or(&[][..], |file| &file.passages);
        passages.iter().map(|passage| (passage.start + 1, passage.end)).collect()
    }

    pub(crate) fn file(&self, slot: Slot) -> Option<&IndexedFile> {
        self.files.get(slot as usize)?.as_ref()
    }

    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    pub(crate) fn definitions_of(&self, term: TermId) -> impl Iterator<Item = &Place> {
        self.definitions.get(&term.0).into_iter().flat_map(Sorted::iter)
    }

    /// Number of passages.
    pub(crate) fn passages(&self) -> u64 {
        self.passages
    }

    /// Number of passages that have a word.
    pub(crate) fn passages_with(&self, term: Term) -> u32 {
        self.vocabulary.find(term).map_or(0, |id| self.vocabulary.entry(id).passages)
    }

    /// Average number of words in a passage.
    pub(crate) fn average_words(&self) -> f64 {
        self.words as f64 / self.passages.max(1) as f64
    }
}

fn words_of(file: &IndexedFile) -> u64 {
    file.passages.iter().map(|passage| u64::from(passage.words)).sum()
}
