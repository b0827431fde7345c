//! The data of one file in an index.

use super::counts::{Counts, Passage};
use super::terms::Term;
use super::vocabulary::TermId;

/// Number of occurrences of a word in a passage, up to 255: `word << 32 | passage << 8 | count`, so that a list of them
/// is sorted by word and passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Posting(u64);

/// Highest passage index of a posting. Further passages count as the last one; it would take 600 million lines.
const MOST_PASSAGES: u32 = (1 << 24) - 1;

impl Posting {
    fn new(term: TermId, passage: u32, count: u32) -> Self {
        let passage = passage.min(MOST_PASSAGES);
        Self(u64::from(term.0) << 32 | u64::from(passage << 8 | count.min(255)))
    }

    pub fn term(self) -> TermId {
        TermId((self.0 >> 32) as u32)
    }

    pub fn passage(self) -> u32 {
        (self.0 >> 8) as u32 & MOST_PASSAGES
    }

    pub fn count(self) -> u32 {
        (self.0 & 255) as u32
    }
}

/// A file of an index.
#[derive(Debug)]
pub(crate) struct IndexedFile {
    pub path: Box<str>,
    pub passages: Box<[Passage]>,
    /// Sorted.
    pub postings: Box<[Posting]>,
    /// The names that the file defines, each with its passage.
    pub definitions: Box<[(TermId, u32)]>,
}

impl IndexedFile {
    pub fn new(path: &str, read: &Counts, mut number: impl FnMut(Term) -> TermId) -> Self {
        let mut postings = Vec::with_capacity(read.counts.len());
        for same in read.counts.chunk_by(|one, other| one.term == other.term) {
            let id = number(same[0].term);
            postings.extend(same.iter().map(|one| Posting::new(id, one.passage, one.count)));
        }
        postings.sort_unstable();
        let definitions = read.definitions.iter().map(|(term, passage)| (number(*term), *passage));
        Self {
            path: path.into(),
            passages: read.passages.as_slice().into(),
            postings: postings.into(),
            definitions: definitions.collect(),
        }
    }

    /// Returns the postings of the word whose postings begin at `at`.
    pub fn postings_from(&self, at: u32) -> impl Iterator<Item = &Posting> {
        let behind = self.postings.get(at as usize..).unwrap_or_default();
        let term = behind.first().map(|posting| posting.term());
        behind.iter().take_while(move |posting| Some(posting.term()) == term)
    }

    /// Returns each word of the file, the position of its first posting, and the number of passages it is in.
    pub fn terms(&self) -> impl Iterator<Item = (TermId, u32, u32)> {
        let mut next = 0;
        let same = self.postings.chunk_by(|one, other| one.term() == other.term());
        same.map(move |run| {
            let at = next;
            next += run.len() as u32;
            (run[0].term(), at, run.len() as u32)
        })
    }
}
