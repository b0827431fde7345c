//! Byte pair encoding: pairs of neighbours become one token, those of the lowest rank first, of equal ones the left.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Tokens by their bytes. A rank is also the token's id. Every single byte must be there.
pub type Ranks = FxHashMap<Vec<u8>, u32>;

/// Adds the ids of one piece of text. Takes n log n steps for n bytes, whatever the bytes are.
pub fn merge(piece: &[u8], ranks: &Ranks, tokens: &mut Vec<u32>) {
    if let Some(&id) = ranks.get(piece) {
        tokens.push(id);
        return;
    }
    let mut parts = Parts::new(piece.len());
    let mut pairs = BinaryHeap::new();
    let rank = |start: usize, end: usize| ranks.get(piece.get(start..end)?).copied();
    let offer = |pairs: &mut BinaryHeap<_>, pair: Option<(usize, usize)>| {
        let Some((start, end)) = pair else { return };
        pairs.extend(rank(start, end).map(|rank| Reverse((rank, start, end))));
    };
    for start in 0..piece.len() {
        offer(&mut pairs, parts.pair(start));
    }
    while let Some(Reverse((_, start, end))) = pairs.pop() {
        // Merges on either side may have made this pair another one.
        if parts.pair(start) == Some((start, end)) {
            parts.join(start);
            offer(&mut pairs, parts.pair(start));
            offer(&mut pairs, parts.before(start).and_then(|before| parts.pair(before)));
        }
    }
    tokens.extend(parts.iter().filter_map(|(start, end)| rank(start, end)));
}

/// The parts of a piece, each known by its first byte.
struct Parts {
    /// Where a part ends; 0 once it belongs to the part before it.
    ends: Vec<usize>,
    /// Where the part before it starts.
    before: Vec<usize>,
}

impl Parts {
    fn new(length: usize) -> Self {
        Self {
            ends: (1..=length).collect(),
            before: (0..length).map(|at| at.wrapping_sub(1)).collect(),
        }
    }

    fn end(&self, start: usize) -> Option<usize> {
        self.ends.get(start).copied().filter(|&end| end > start)
    }

    /// A part together with the next one.
    fn pair(&self, start: usize) -> Option<(usize, usize)> {
        Some((start, self.end(self.end(start)?)?))
    }

    fn before(&self, start: usize) -> Option<usize> {
        self.before.get(start).copied().filter(|&before| before < start)
    }

    fn join(&mut self, start: usize) {
        let Some((_, end)) = self.pair(start) else { return };
        let middle = self.end(start).unwrap_or(end);
        self.set_end(start, end);
        self.set_end(middle, 0);
        if let Some(before) = self.before.get_mut(end) {
            *before = start;
        }
    }

    fn set_end(&mut self, start: usize, end: usize) {
        if let Some(place) = self.ends.get_mut(start) {
            *place = end;
        }
    }

    fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        let next = |&(_, end): &(usize, usize)| Some((end, self.end(end)?));
        std::iter::successors(self.end(0).map(|end| (0, end)), next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_the_lowest_rank_first() {
        let words = ["a", "b", "c", "bc", "ab", "abc", "aa"];
        let ranks: Ranks = (0..).zip(words).map(|(id, word)| (word.into(), id)).collect();
        let ids = |piece: &str| {
            let mut tokens = Vec::new();
            merge(piece.as_bytes(), &ranks, &mut tokens);
            tokens.iter().map(|&id| words[id as usize]).collect::<Vec<_>>()
        };
        assert_eq!(ids("abc"), ["abc"]);
        assert_eq!(ids("abab"), ["ab", "ab"]);
        // bc comes before ab, and then abc is there.
        assert_eq!(ids("aabcab"), ["a", "abc", "ab"]);
        assert_eq!(ids("aaaaa"), ["aa", "aa", "a"]);
        assert!(ids("").is_empty());
    }
}
