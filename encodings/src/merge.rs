//! Byte pair encoding: merges adjacent pairs into tokens, lowest rank first; of equal ranks the leftmost.

use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Tokens by their bytes. A rank is also the token's id. Every single byte must have one.
pub trait Ranks {
    /// Returns the rank of the token with these bytes.
    fn rank(&self, token: &[u8]) -> Option<u32>;
}

impl Ranks for HashMap<Vec<u8>, u32, FxBuildHasher> {
    fn rank(&self, token: &[u8]) -> Option<u32> {
        self.get(token).copied()
    }
}

/// Pieces of up to this many bytes are merged without a heap, because scanning all pairs is faster.
const SHORT: usize = 32;

/// Passes the tokens of one piece of text to `take`, as bytes. Takes O(n log n) steps for n bytes, whatever the bytes
/// are.
#[inline]
pub fn merge<'p>(piece: &'p [u8], ranks: &impl Ranks, take: impl FnMut(&'p [u8])) {
    if piece.len() <= SHORT {
        merge_short(piece, ranks, take);
    } else {
        merge_long(piece, ranks, take);
    }
}

fn merge_short<'p>(piece: &'p [u8], ranks: &impl Ranks, mut take: impl FnMut(&'p [u8])) {
    // The start of each part and the rank of its pair with the next one; one more entry for the end.
    let mut parts = [(0_u8, NONE); SHORT + 1];
    let mut count = piece.len().min(SHORT);
    let rank = |parts: &[(u8, u32)], at: usize| match (parts.get(at), parts.get(at + 2)) {
        (Some(&(start, _)), Some(&(end, _))) => piece
            .get(start as usize..end as usize)
            .and_then(|pair| ranks.rank(pair))
            .unwrap_or(NONE),
        _ => NONE,
    };
    for (at, part) in parts.iter_mut().enumerate() {
        part.0 = at as u8;
    }
    for at in 0..count {
        parts[at].1 = rank(&parts[..=count], at);
    }
    loop {
        let mut lowest = (NONE, 0);
        for (at, &(_, rank)) in parts[..count].iter().enumerate() {
            if rank < lowest.0 {
                lowest = (rank, at);
            }
        }
        let (found, at) = lowest;
        if found == NONE {
            break;
        }
        parts.copy_within(at + 2..=count, at + 1);
        count -= 1;
        parts[at].1 = rank(&parts[..=count], at);
        if at > 0 {
            parts[at - 1].1 = rank(&parts[..=count], at - 1);
        }
    }
    for ends in parts[..=count].windows(2) {
        if let &[(start, _), (end, _)] = ends {
            take(piece.get(start as usize..end as usize).unwrap_or_default());
        }
    }
}

const NONE: u32 = u32::MAX;

fn merge_long<'p>(piece: &'p [u8], ranks: &impl Ranks, mut take: impl FnMut(&'p [u8])) {
    let Ok(length) = u32::try_from(piece.len()) else { return };
    let mut parts = Parts::new(length);
    let rank = |pair: Option<(u32, u32)>| {
        let (start, end) = pair?;
        ranks.rank(piece.get(start as usize..end as usize)?)
    };
    for start in 0..length {
        parts.set_rank(start, rank(parts.pair(start)));
    }
    let first = (0..length).filter_map(|start| parts.entry(start));
    let mut pairs = BinaryHeap::from(first.collect::<Vec<_>>());
    while let Some(Reverse(entry)) = pairs.pop() {
        let start = entry as u32;
        // The pair may have changed by merges on either side.
        if parts.entry(start) != Some(Reverse(entry)) {
            continue;
        }
        parts.join(start);
        for changed in [Some(start), parts.before(start)].into_iter().flatten() {
            parts.set_rank(changed, rank(parts.pair(changed)));
            pairs.extend(parts.entry(changed));
        }
    }
    let mut start = 0;
    while let Some(end) = parts.end(start) {
        take(piece.get(start as usize..end as usize).unwrap_or_default());
        start = end;
    }
}

/// The parts of a piece, indexed by their first byte.
struct Parts(Vec<Part>);

#[derive(Clone, Copy)]
struct Part {
    /// Its end; 0 once it was merged into the part before it.
    end: u32,
    /// The start of the part before it.
    before: u32,
    /// The rank of its pair with the next part.
    rank: u32,
}

impl Parts {
    fn new(length: u32) -> Self {
        let part = |start: u32| Part { end: start + 1, before: start.wrapping_sub(1), rank: NONE };
        Self((0..length).map(part).collect())
    }

    #[inline]
    fn part(&self, start: u32) -> Option<Part> {
        self.0.get(start as usize).copied()
    }

    #[inline]
    fn end(&self, start: u32) -> Option<u32> {
        self.part(start).map(|part| part.end)
    }

    /// Returns the range of a part and the next one.
    #[inline]
    fn pair(&self, start: u32) -> Option<(u32, u32)> {
        Some((start, self.end(self.end(start)?)?))
    }

    fn before(&self, start: u32) -> Option<u32> {
        self.part(start).map(|part| part.before).filter(|&before| before < start)
    }

    fn set_rank(&mut self, start: u32, rank: Option<u32>) {
        if let Some(part) = self.0.get_mut(start as usize) {
            part.rank = rank.unwrap_or(NONE);
        }
    }

    /// Returns the heap entry of a pair: its rank, then its start, so that the lowest rank comes first, and of equal
    /// ones the leftmost.
    #[inline]
    fn entry(&self, start: u32) -> Option<Reverse<u64>> {
        let rank = self.part(start)?.rank;
        (rank != NONE).then_some(Reverse((u64::from(rank) << 32) | u64::from(start)))
    }

    fn join(&mut self, start: u32) {
        let Some((_, end)) = self.pair(start) else { return };
        let middle = self.end(start).unwrap_or(end);
        if let Some(part) = self.0.get_mut(start as usize) {
            part.end = end;
        }
        if let Some(part) = self.0.get_mut(middle as usize) {
            *part = Part { end: 0, before: 0, rank: NONE };
        }
        if let Some(part) = self.0.get_mut(end as usize) {
            part.before = start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Map = HashMap<Vec<u8>, u32, FxBuildHasher>;

    fn merged(piece: &str, ranks: &Map) -> Vec<String> {
        let mut tokens = Vec::new();
        merge(piece.as_bytes(), ranks, |token| {
            tokens.push(String::from_utf8_lossy(token).into_owned());
        });
        tokens
    }

    #[test]
    fn merges_the_lowest_rank_first() {
        let words = ["a", "b", "c", "bc", "ab", "abc", "aa"];
        let ranks: Map = (0..).zip(words).map(|(id, word)| (word.into(), id)).collect();
        assert_eq!(merged("abc", &ranks), ["abc"]);
        assert_eq!(merged("abab", &ranks), ["ab", "ab"]);
        // `bc` is merged before `ab`, which makes `abc` possible.
        assert_eq!(merged("aabcab", &ranks), ["a", "abc", "ab"]);
        assert_eq!(merged("aaaaa", &ranks), ["aa", "aa", "a"]);
        assert!(merged("", &ranks).is_empty());
    }

    #[test]
    fn long_pieces_are_merged_as_short_ones() {
        let words = ["a", "b", "c", "bc", "ab", "abc", "aa", "cab", "bca", "aaaa"];
        let ranks: Map = (0..).zip(words).map(|(id, word)| (word.into(), id)).collect();
        for seed in 0_usize..500 {
            let letters =
                (0..SHORT).map(|at| ["a", "b", "c"][(seed * (at + 7) * 31 / 5 + seed) % 3]);
            let piece: String = letters.take(1 + seed % SHORT).collect();
            let mut long = Vec::new();
            merge_long(piece.as_bytes(), &ranks, |token| {
                long.push(String::from_utf8_lossy(token).into_owned());
            });
            assert_eq!(merged(&piece, &ranks), long, "{piece}");
        }
    }
}
