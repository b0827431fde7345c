//! PageRank over passages. A passage that uses a name refers to the passages that define it. Mass starts at the passages
//! found and follows references, with a fixed probability of stopping at each. This ranks the passages needed to understand
//! those found, rather than those that are used everywhere.
//!
//! The graph is never built. Mass is pushed in rounds, along the references of only those passages that hold enough of it
//! (Andersen, Chung and Lang, "Local Graph Partitioning using PageRank Vectors", 2006). Mass is an integer, so that the
//! order of additions does not change a sum.

use super::files::{FileIndex, Place};
use super::vocabulary::TermId;
use std::collections::BTreeMap;

/// The total mass.
const ALL: u64 = 1 << 40;
/// One part in this many of a passage's mass stays there; the rest follows its references.
const STAYS: u64 = 5;
/// Smaller masses are not pushed on: what they would reach is irrelevant.
const LEAST: u64 = ALL >> 8;
/// A name with more definitions is not a useful reference to any of them.
const MOST_DEFINITIONS: usize = 8;
/// Number of rounds, after which less than 1 % of the mass is still moving.
const ROUNDS: usize = 24;

/// The share of the mass that each passage holds, from 0 to 1.
pub(crate) type Ranks = BTreeMap<Place, f64>;

/// Distributes the mass from `seeds`, each with its share.
pub(crate) fn ranks(index: &FileIndex, seeds: &[(Place, f64)]) -> Ranks {
    let mut held: BTreeMap<Place, u64> = BTreeMap::new();
    let mut moving = start(seeds);
    for _ in 0..ROUNDS {
        let mut next = BTreeMap::new();
        for (place, mass) in std::mem::take(&mut moving) {
            let targets = if mass < LEAST { Vec::new() } else { references(index, place) };
            let all: u64 = targets.iter().map(|(_, weight)| weight).sum();
            // A passage without references keeps its mass.
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

/// Returns the passages that a passage refers to, with the weight of each reference.
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
        let others = index.definitions_of(term).filter(|place| **place != from);
        found.extend(others.map(|place| (*place, weight)));
    }
    found
}

/// Returns the weight of a reference: higher for a rare name, lower for one with several definitions.
fn weight(index: &FileIndex, term: TermId, definitions: usize) -> u64 {
    let all = index.passages() as f64;
    let with = f64::from(index.vocabulary().entry(term).passages.max(1));
    1 + ((1.0 + all / with).ln() * 1024.0 / definitions as f64) as u64
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{FileIndex, Place, ranks, references};
    use proptest::prelude::*;

    /// Creates an index with a file for each list of numbers: it defines `name_<its own>` and uses those of the others.
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

    /// PageRank by its definition: the whole graph, in floating point, until convergence.
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
                // At each of 8 passages, less than 1/256 of the mass is not pushed on.
                prop_assert!((rank - expected).abs() < 8.0 / 256.0, "{file}: {rank} {expected}");
            }
        }
    }
}
