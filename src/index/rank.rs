//! PageRank over passages: a passage that uses a name refers to those that define it. Mass starts where the text was
//! found, follows references, and starts again with a fixed probability, so that what is needed to understand the passages
//! found comes to the fore, and what is merely used by everybody does not.
//!
//! The graph is never built. The mass is pushed along the references of those passages alone that hold enough of it
//! (Andersen, Chung and Lang, "Local Graph Partitioning using PageRank Vectors", 2006), all of them in rounds; in whole
//! numbers, so that no order of adding changes a sum.

use super::files::{FileIndex, Place};
use super::vocabulary::TermId;
use std::collections::BTreeMap;

/// All mass there is.
const ALL: u64 = 1 << 40;
/// Of the mass at a passage, one part in so many stays there, and the others follow its references.
const STAYS: u64 = 5;
/// Less mass than this is not pushed on: what it would reach is out of the question.
const LEAST: u64 = ALL >> 8;
/// A name that is defined in more places tells nothing about any of them.
const MOST_DEFINITIONS: usize = 8;
/// After so many rounds less than 1 % of the mass is still on its way.
const ROUNDS: usize = 24;

/// How much of the mass each passage holds, as parts of 1.
pub(crate) type Ranks = BTreeMap<Place, f64>;

/// Spreads the mass from `seeds`, each with its share.
pub(crate) fn ranks(index: &FileIndex, seeds: &[(Place, f64)]) -> Ranks {
    let mut held: BTreeMap<Place, u64> = BTreeMap::new();
    let mut moving = start(seeds);
    for _ in 0..ROUNDS {
        let mut next = BTreeMap::new();
        for (place, mass) in std::mem::take(&mut moving) {
            let targets = if mass < LEAST { Vec::new() } else { references(index, place) };
            let all: u64 = targets.iter().map(|(_, weight)| weight).sum();
            // A passage without references keeps what it has.
            let moves = if all == 0 { 0 } else { mass - mass / STAYS };
            let mut left = mass;
            for (target, weight) in targets {
                let share =
                    (u128::from(moves) * u128::from(weight) / u128::from(all.max(1))) as u64;
                left -= share;
                *next.entry(target).or_insert(0) += share;
            }
            *held.entry(place).or_insert(0) += left;
        }
        moving = next;
        if moving.is_empty() {
            break;
        }
    }
    for (place, mass) in moving {
        *held.entry(place).or_insert(0) += mass;
    }
    held.into_iter().map(|(place, mass)| (place, mass as f64 / ALL as f64)).collect()
}

fn start(seeds: &[(Place, f64)]) -> BTreeMap<Place, u64> {
    let sum: f64 = seeds.iter().map(|(_, share)| share).sum();
    let mut moving = BTreeMap::new();
    for (place, share) in seeds.iter().filter(|_| sum > 0.0) {
        *moving.entry(*place).or_insert(0) += (share / sum * ALL as f64) as u64;
    }
    moving
}

/// What a passage refers to, and how strongly.
fn references(index: &FileIndex, from: Place) -> Vec<(Place, u64)> {
    let mut found = Vec::new();
    let postings = index.file(from.file).map_or(&[][..], |file| &file.postings);
    for posting in postings.iter().filter(|posting| posting.passage() == from.passage) {
        let term = posting.term();
        let count = index.vocabulary().entry(term).definitions as usize;
        if count == 0 || count > MOST_DEFINITIONS {
            continue;
        }
        let weight = weight(index, term, count);
        let others = index.definitions_of(term).iter().filter(|place| **place != from);
        found.extend(others.map(|place| (*place, weight)));
    }
    found
}

/// A rare name says more, and one that is defined in several places says less about each.
fn weight(index: &FileIndex, term: TermId, definitions: usize) -> u64 {
    let all = index.passages() as f64;
    let with = f64::from(index.vocabulary().entry(term).passages.max(1));
    1 + ((1.0 + all / with).ln() * 1024.0 / definitions as f64) as u64
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{FileIndex, Place, ranks, references};
    use proptest::prelude::*;

    /// A file for each list of numbers: it defines `name_<its own>` and uses those of the others.
    fn index_of(files: &[Vec<usize>]) -> FileIndex {
        let mut index = FileIndex::default();
        for (at, uses) in files.iter().enumerate() {
            let calls: String = uses.iter().map(|other| format!("  name_{other}()\n")).collect();
            index.add(&format!("f{at}"), &format!("fn name_{at}() {{\n{calls}}}\n"), &[]);
        }
        index
    }

    const fn place(file: u32) -> Place {
        Place { file, passage: 0 }
    }

    /// PageRank by its definition: the whole graph, in floating point, until it stands.
    fn by_definition(index: &FileIndex, count: usize, seed: usize) -> Vec<f64> {
        let mut held = vec![0.0; count];
        let mut moving = vec![0.0; count];
        moving[seed] = 1.0;
        for _ in 0..400 {
            let mut next = vec![0.0; count];
            for (from, mass) in moving.iter().enumerate() {
                let references = references(index, place(from as u32));
                let all: u64 = references.iter().map(|(_, weight)| weight).sum();
                let moves = if all == 0 { 0.0 } else { mass * 0.8 };
                held[from] += mass - moves;
                for (target, weight) in references {
                    next[target.file as usize] += moves * weight as f64 / all as f64;
                }
            }
            moving = next;
        }
        held
    }

    #[test]
    fn mass_goes_to_what_is_referred_to() {
        let index = index_of(&[vec![1], vec![2], vec![], vec![0, 1, 2]]);
        let ranks = ranks(&index, &[(place(0), 1.0)]);
        let rank = |file| ranks.get(&place(file)).copied().unwrap_or(0.0);
        assert!((rank(0) - 0.2).abs() < 1e-6 && (rank(1) - 0.16).abs() < 1e-6);
        assert!((rank(2) - 0.64).abs() < 1e-6);
        assert_eq!(rank(3), 0.0);
    }

    #[test]
    fn what_is_defined_everywhere_is_no_reference() {
        let mut index = FileIndex::default();
        for at in 0..9 {
            index.add(&format!("f{at}"), "fn common() {}\n", &[]);
        }
        index.add("user", "common()\n", &[]);
        assert_eq!(references(&index, place(9)), []);
    }

    #[test]
    fn without_seeds_there_is_no_mass() {
        let index = index_of(&[vec![1], vec![]]);
        assert!(ranks(&index, &[]).is_empty());
    }

    proptest! {
        #[test]
        fn pushing_comes_near_the_definition(
            files in prop::collection::vec(prop::collection::vec(0_usize..8, 0..5), 1..8),
            seed in 0_usize..8,
        ) {
            let seed = seed % files.len();
            let index = index_of(&files);
            let ranks = ranks(&index, &[(place(seed as u32), 1.0)]);
            let expected = by_definition(&index, files.len(), seed);
            let all: f64 = ranks.values().sum();
            prop_assert!((all - 1.0).abs() < 1e-6, "{all}");
            for (file, expected) in expected.iter().enumerate() {
                let rank = ranks.get(&place(file as u32)).copied().unwrap_or(0.0);
                // At each of 8 passages less than one part in 256 stays where it is.
                prop_assert!((rank - expected).abs() < 8.0 / 256.0, "{file}: {rank} {expected}");
            }
        }
    }
}
