//! Finds the passages that match a text.

use super::files::{FileIndex, Place};
use super::rank::ranks;
use super::score::{Scores, sought};

/// Number of passages found by words at which rank mass starts.
const SEEDS: usize = 16;
/// Weight of the rank relative to the best score by words.
const RANK_WEIGHT: f64 = 0.5;

/// A search.
#[derive(Debug, Clone, Copy)]
pub struct Query<'q> {
    /// The text to search for.
    pub text: &'q str,
    /// The conversation's text: its matches also receive rank mass.
    pub conversation: &'q str,
    /// Whether the definitions that the matches refer to count.
    pub symbols: bool,
}

/// A matching passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The file's number.
    pub file: u32,
    /// Its first line, from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// How well it matches; comparable only within one result.
    pub score: f64,
}

impl FileIndex {
    /// Returns the best matches, at most `most`, best first.
    pub fn query(&self, query: Query, most: usize) -> Vec<Hit> {
        let found = self.best(&self.scores(query), most);
        let hit = |(place, score): (Place, f64)| {
            let passage = self.file(place.file)?.passages.get(place.passage as usize)?;
            let (start_line, end_line) = (passage.start as usize + 1, passage.end as usize);
            Some(Hit { file: place.file, start_line, end_line, score })
        };
        found.into_iter().filter_map(hit).collect()
    }

    /// Returns the score of each passage.
    pub(crate) fn scores(&self, query: Query) -> Scores {
        let mut scores = Scores::of(self, &sought(self, query.text));
        if !query.symbols {
            return scores;
        }
        let mut found = self.best(&scores, SEEDS);
        let best = found.first().map_or(0.0, |(_, score)| *score);
        let conversation = Scores::of(self, &sought(self, query.conversation));
        found.extend(self.best(&conversation, SEEDS));
        let ranks = ranks(self, &found);
        let highest = ranks.values().copied().fold(0.0, f64::max);
        let unit = if best > 0.0 { best } else { 1.0 };
        for (place, rank) in ranks {
            scores.add(self, place, RANK_WEIGHT * unit * rank / highest);
        }
        scores
    }

    /// Returns the passages with the highest scores above 0, best first; equal ones by path and line.
    fn best(&self, scores: &Scores, most: usize) -> Vec<(Place, f64)> {
        let path = |place: &Place| self.file(place.file).map(|file| &file.path);
        let order = |(one, score): &(Place, f64), (other, other_score): &(Place, f64)| {
            let by_place = || path(one).cmp(&path(other)).then(one.passage.cmp(&other.passage));
            other_score.total_cmp(score).then_with(by_place)
        };
        let mut found = Vec::with_capacity(2 * most);
        let mut least = 0.0;
        for (place, score) in scores.positive(self).filter(|_| most > 0) {
            if score < least {
                continue;
            }
            found.push((place, score));
            if found.len() == 2 * most {
                // In a large index only the first few are sorted.
                let (_, last, _) = found.select_nth_unstable_by(most - 1, order);
                least = last.1;
                found.truncate(most);
            }
        }
        found.sort_unstable_by(order);
        found.truncate(most);
        found
    }
}
