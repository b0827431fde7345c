//! Finds the read of a file that shows the lines of an older one.

use super::history::UseId;

/// First and last line, from 1; `None` is the whole file.
pub type Lines = Option<(u32, u32)>;

/// Number of reads that are looked through one by one. Most files have no more at a step, and a tree of a few reads takes
/// longer to build than it saves.
const FEW: usize = 4;

/// Reads of one file, added from newest to oldest.
///
/// The newest are in a list, all others in a Fenwick tree over the first lines. A node contains the reads that begin in
/// its range of lines and end later than all newer reads of the node. So the ends in a node increase, and the newest
/// read that reaches a line is found by bisection.
#[derive(Debug)]
pub struct NewerReads<'l> {
    by_lines: &'l [(u64, usize)],
    newest: Vec<Read>,
    /// Empty until there are more than a few reads.
    nodes: Vec<Vec<Read>>,
    count: usize,
}

#[derive(Debug, Clone, Copy)]
struct Read {
    first: u32,
    last: u64,
    /// Number of newer reads.
    newer: usize,
    id: UseId,
}

impl<'l> NewerReads<'l> {
    /// Creates an empty collection. `by_lines` are the sorted keys ([`lines_key`]) of all reads that may be added.
    pub fn of(by_lines: &'l [(u64, usize)]) -> Self {
        Self { by_lines, newest: Vec::new(), nodes: Vec::new(), count: 0 }
    }

    /// Whether there are no reads.
    pub fn is_empty(&self) -> bool {
        self.newest.is_empty()
    }

    /// Adds a read that is older than all reads added before.
    pub fn add(&mut self, lines: Lines, id: UseId) {
        let (first, last) = ends(lines);
        let read = Read { first, last, newer: self.count, id };
        self.count += 1;
        if self.newest.len() < FEW {
            self.newest.push(read);
        } else {
            self.add_to_tree(read);
        }
    }

    /// Returns the newest read that shows all of these lines.
    pub fn showing(&self, lines: Lines) -> Option<UseId> {
        let (first, last) = ends(lines);
        let shows = |read: &&Read| read.first <= first && last <= read.last;
        let found = self.newest.iter().find(shows);
        found.or_else(|| self.showing_in_tree(first, last)).map(|read| read.id)
    }

    /// Number of reads that begin before a line.
    fn before(&self, line: u64) -> usize {
        self.by_lines.partition_point(|(key, _)| *key >> 32 < line)
    }

    #[inline(never)]
    fn add_to_tree(&mut self, read: Read) {
        if self.nodes.is_empty() {
            self.nodes = vec![Vec::new(); self.by_lines.len()];
        }
        let mut at = self.before(read.first.into()) + 1;
        while let Some(node) = self.nodes.get_mut(at - 1) {
            if node.last().is_none_or(|newer| newer.last < read.last) {
                node.push(read);
            }
            at += at & at.wrapping_neg();
        }
    }

    #[inline(never)]
    fn showing_in_tree(&self, first: u32, last: u64) -> Option<&Read> {
        if self.nodes.is_empty() {
            return None;
        }
        let mut at = self.before(u64::from(first) + 1);
        let mut newest: Option<&Read> = None;
        while let Some(node) = at.checked_sub(1).and_then(|last| self.nodes.get(last)) {
            if let Some(read) = node.get(node.partition_point(|read| read.last < last))
                && newest.is_none_or(|newest| read.newer < newest.newer)
            {
                newest = Some(read);
            }
            at &= at - 1;
        }
        newest
    }
}

/// First and last line. The whole file begins at 0 and ends after any line.
fn ends(lines: Lines) -> (u32, u64) {
    lines.map_or((0, u64::MAX), |(first, last)| (first, last.into()))
}

/// The lines as a number: sorted by it, reads are sorted by their first lines.
pub fn lines_key(lines: Lines) -> u64 {
    lines.map_or(0, |(first, last)| (u64::from(first) << 32) + u64::from(last))
}

#[cfg(test)]
mod tests {
    use super::{Lines, NewerReads, UseId, lines_key};
    use crate::message::in_order;
    use proptest::prelude::*;

    /// Whether `outer` contains all lines of `inner`.
    fn contains(outer: Lines, inner: Lines) -> bool {
        match (outer, inner) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some((first, last)), Some((from, to))) => first <= from && to <= last,
        }
    }

    fn lines() -> impl Strategy<Value = Lines> {
        prop::option::weighted(0.9, (0..12u32, 0..12u32))
    }

    proptest! {
        #[test]
        fn the_newest_read_that_shows_the_lines(reads in prop::collection::vec(lines(), 0..30)) {
            let by_lines = in_order(reads.iter().map(|lines| lines_key(*lines)));
            let mut newer = NewerReads::of(&by_lines);
            for (i, lines) in reads.iter().enumerate() {
                let expected = reads[..i].iter().position(|other| contains(*other, *lines)).map(UseId);
                prop_assert_eq!(newer.showing(*lines), expected);
                prop_assert_eq!(newer.is_empty(), i == 0);
                newer.add(*lines, UseId(i));
            }
        }
    }
}
