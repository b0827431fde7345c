//! The words of an index and the files that have them. Words are numbered to keep the lists of each file short. A
//! number becomes free when the last file with its word is removed.

use super::sorted::Sorted;
use super::terms::Term;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of a word, valid while a file has the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TermId(pub u32);

/// The number of a file in an index, valid while the file is in it.
pub(crate) type Slot = u32;

/// A file that has a word, and the position of the word's postings in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Holder {
    pub file: Slot,
    pub at: u32,
}

/// The data of a word.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// The files that have it, by number.
    pub files: Sorted<Holder>,
    /// Number of passages that have it.
    pub passages: u32,
    /// Number of passages that define it as a name.
    pub definitions: u32,
    term: u64,
}

/// Hashes integers; those of words are hashes already. No result depends on the order of a map.
#[derive(Default)]
pub(crate) struct NumberHasher(u64);

/// A map with integer keys.
pub(crate) type NumberMap<V, K = u32> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = self.0.rotate_left(23) ^ value ^ (value >> 32);
    }
}

/// All words of an index.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    ids: NumberMap<TermId, u64>,
    entries: Vec<Entry>,
    free: Vec<TermId>,
}

impl Vocabulary {
    /// Returns the number of a word that some file has.
    pub fn find(&self, term: Term) -> Option<TermId> {
        self.ids.get(&term.0).copied()
    }

    /// Returns the number of a word, allocating one if needed. The caller must add a file, or the number is never
    /// freed.
    pub fn number(&mut self, term: Term) -> TermId {
        if let Some(id) = self.find(term) {
            return id;
        }
        let fresh = TermId(self.entries.len() as u32);
        let id = self.free.pop().unwrap_or(fresh);
        if id == fresh {
            self.entries.push(Entry::default());
        }
        self.entries[id.0 as usize].term = term.0;
        self.ids.insert(term.0, id);
        id
    }

    pub fn entry(&self, id: TermId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    /// Sets the number of passages that define the word.
    pub fn set_definitions(&mut self, id: TermId, passages: usize) {
        self.entries[id.0 as usize].definitions = passages as u32;
    }

    /// Records that a file has the word in this many passages. The file must not be recorded yet.
    pub fn add(&mut self, id: TermId, holder: Holder, passages: u32) {
        let entry = &mut self.entries[id.0 as usize];
        entry.passages += passages;
        entry.files.insert(holder);
    }

    /// Reverts [`Vocabulary::add`].
    pub fn remove(&mut self, id: TermId, holder: Holder, passages: u32) {
        let entry = &mut self.entries[id.0 as usize];
        entry.passages -= passages.min(entry.passages);
        entry.files.remove(holder);
        if entry.files.is_empty() {
            self.ids.remove(&entry.term);
            *entry = Entry::default();
            self.free.push(id);
        }
    }
}
