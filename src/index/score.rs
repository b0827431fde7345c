//! BM25 scores of passages for the words of a text (Robertson and Zaragoza, "The Probabilistic Relevance Framework:
//! BM25 and Beyond", 2009).

use super::counts::Counts;
use super::file::IndexedFile;
use super::files::{FileIndex, Place};
use super::terms::{Term, each_term};
use super::vocabulary::{NumberMap, Slot};
use std::collections::BTreeSet;

/// How soon further occurrences of a word count less.
const K1: f64 = 1.2;
/// Influence of a passage's length.
const B: f64 = 0.75;
/// Maximum number of words of a text; the rarest are used. A conversation has hundreds, most of which occur everywhere.
const MOST_TERMS: usize = 64;

/// Words that weigh less than the rarest one divided by this are ignored: they occur nearly everywhere and decide
/// nothing.
const LIGHTEST: f64 = 8.0;

/// A word of the searched text, and its weight.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sought {
    pub term: Term,
    pub weight: f64,
}

/// Returns the words of a text that count, in an order that depends only on the words: sums are made in it.
pub(crate) fn sought(index: &FileIndex, text: &str) -> Vec<Sought> {
    rarest(index.passages(), text, |term| index.passages_with(term))
}

/// The same, if the index also contained this other text: words that only the other text has are the rarest.
pub(crate) fn sought_beside(index: &FileIndex, other: &Counts, text: &str) -> Vec<Sought> {
    let all = index.passages() + other.passages.len() as u64;
    rarest(all, text, |term| index.passages_with(term) + other.of_term(term).len() as u32)
}

/// Returns the rarest words of a text, by the number of passages that have a word, of `all`. A word that none has is
/// left out.
fn rarest(all: u64, text: &str, passages_with: impl Fn(Term) -> u32) -> Vec<Sought> {
    let mut terms = BTreeSet::new();
    each_term(text, &mut |term| {
        terms.insert(term);
    });
    let known = terms.into_iter().filter_map(|term| {
        let with = passages_with(term);
        (with > 0).then(|| Sought { term, weight: rarity(all, with) })
    });
    let mut sought: Vec<Sought> = known.collect();
    // Stable: of equally rare words those with the smaller hash stay.
    sought.sort_by(|one, other| other.weight.total_cmp(&one.weight));
    sought.truncate(MOST_TERMS);
    let least = sought.first().map_or(0.0, |rarest| rarest.weight / LIGHTEST);
    sought.retain(|one| one.weight >= least);
    sought
}

/// Returns the inverse document frequency of a word that is in `with` of all passages.
fn rarity(all: u64, with: u32) -> f64 {
    let (all, with) = (all as f64, f64::from(with));
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}

fn gain(sought: &Sought, count: u32, words: u32, average: f64) -> f64 {
    let count = f64::from(count.min(255));
    let length = 1.0 - B + B * f64::from(words) / average.max(1.0);
    sought.weight * count * (K1 + 1.0) / (count + K1 * length)
}

/// Scores of the passages of an index. Only files that have one of the words are in it, so that a search takes as long as
/// the lists of its words, not as the index.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    /// By file: the position of its first passage in `values`.
    starts: NumberMap<usize>,
    values: Vec<f64>,
}

impl Scores {
    /// Scores every passage that has one of the words.
    pub fn of(index: &FileIndex, sought: &[Sought]) -> Self {
        let mut scores = Self::default();
        let average = index.average_words();
        for one in sought {
            let Some(id) = index.vocabulary().find(one.term) else { continue };
            for holder in index.vocabulary().entry(id).files.iter() {
                let Some(file) = index.file(holder.file) else { continue };
                let start = scores.start_of(holder.file, file);
                for posting in file.postings_from(holder.at) {
                    let at = posting.passage() as usize;
                    let words = file.passages[at].words;
                    scores.values[start + at] += gain(one, posting.count(), words, average);
                }
            }
        }
        scores
    }

    /// Returns the position of a file's first passage in `values`; adds the file if it is new.
    fn start_of(&mut self, slot: Slot, file: &IndexedFile) -> usize {
        let end = self.values.len();
        let start = *self.starts.entry(slot).or_insert(end);
        if start == end {
            self.values.resize(end + file.passages.len(), 0.0);
        }
        start
    }

    /// The score of a passage; 0 if it has none of the words.
    pub fn at(&self, place: Place) -> f64 {
        let start = self.starts.get(&place.file);
        let value = start.and_then(|start| self.values.get(start + place.passage as usize));
        value.copied().unwrap_or(0.0)
    }

    /// Adds to the score of a passage of an index.
    pub fn add(&mut self, index: &FileIndex, place: Place, value: f64) {
        let Some(file) = index.file(place.file) else { return };
        let start = self.start_of(place.file, file);
        if let Some(score) = self.values.get_mut(start + place.passage as usize) {
            *score += value;
        }
    }

    /// Returns the passages of an index with a score above 0, in any order.
    pub fn positive(&self, index: &FileIndex) -> impl Iterator<Item = (Place, f64)> {
        self.starts.iter().flat_map(move |(slot, start)| {
            let count = index.file(*slot).map_or(0, |file| file.passages.len());
            let values = self.values[*start..start + count].iter().enumerate();
            values.filter(|(_, value)| **value > 0.0).map(move |(passage, value)| {
                (Place { file: *slot, passage: passage as u32 }, *value)
            })
        })
    }
}

/// Returns the scores of the passages of a text as if it were in the index.
pub(crate) fn scores_of_text(index: &FileIndex, sought: &[Sought], text: &Counts) -> Vec<f64> {
    let mut scores = vec![0.0; text.passages.len()];
    for one in sought {
        for count in text.of_term(one.term) {
            let at = count.passage as usize;
            let words = text.passages[at].words;
            scores[at] += gain(one, count.count, words, index.average_words());
        }
    }
    scores
}
