//! Finds the read of a file that shows the lines of an older one.

use super::history::UseId;

/// First and last line, from 1; `None` is the whole file.
pub type Lines = Option<(u32, u32)>;

/// Reads of one file, added from newest to oldest.
///
/// A Fenwick tree over the first lines. A node contains the reads that begin in its range of lines and end later than
/// all newer reads of the node. So the ends in a node increase, and the newest read that reaches a line is found by
/// bisection.
#[derive(Debug)]
pub struct NewerReads {
    first_lines: Vec<u32>,
    nodes: Vec<Vec<Read>>,
    count: usize,
}

#[derive(Debug, Clone, Copy)]
struct Read {
    last: u64,
    /// Number of newer reads.
    newer: usize,
    id: UseId,
}

impl NewerReads {
    /// Creates an empty collection. `first_lines` are the sorted first lines of all reads that may be added; 0 is the
    /// whole file.
    pub fn from(first_lines: Vec<u32>) -> Self {
        let mut nodes = Vec::new();
        nodes.resize_with(first_lines.len(), Vec::new);
        Self { first_lines, nodes, count: 0 }
    }

    /// Whether there are no reads.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a read that is older than all reads added before.
    pub fn add(&mut self, lines: Lines, id: UseId) {
        let read = Read { last: last_line(lines), newer: self.count, id };
        let first = first_line(lines);
        let mut at = self.first_lines.partition_point(|line| *line < first) + 1;
        while let Some(node) = self.nodes.get_mut(at - 1) {
            if node.last().is_none_or(|newer| newer.last < read.last) {
                node.push(read);
            }
            at += at & at.wrapping_neg();
        }
        self.count += 1;
    }

    /// Returns the newest read that shows all of these lines.
    pub fn showing(&self, lines: Lines) -> Option<UseId> {
        let (first, last) = (first_line(lines), last_line(lines));
        let mut at = self.first_lines.partition_point(|line| *line <= first);
        let mut newest: Option<&Read> = None;
        while at > 0 {
            let node = &self.nodes[at - 1];
            if let Some(read) = node.get(node.partition_point(|read| read.last < last))
                && newest.is_none_or(|newest| read.newer < newest.newer)
            {
                newest = Some(read);
            }
            at &= at - 1;
        }
        newest.map(|read| read.id)
    }
}

/// The first line; 0 for the whole file.
pub fn first_line(lines: Lines) -> u32 {
    lines.map_or(0, |(first, _)| first)
}

/// The last line; `u64::MAX` for the whole file, after any line.
fn last_line(lines: Lines) -> u64 {
    lines.map_or(u64::MAX, |(_, last)| last.into())
}

#[cfg(test)]
mod tests {
    use super::{Lines, NewerReads, UseId, first_line};
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
            let mut first_lines: Vec<u32> = reads.iter().map(|lines| first_line(*lines)).collect();
            first_lines.sort_unstable();
            let mut newer = NewerReads::from(first_lines);
            for (i, lines) in reads.iter().enumerate() {
                let expected = reads[..i].iter().position(|other| contains(*other, *lines)).map(UseId);
                prop_assert_eq!(newer.showing(*lines), expected);
                prop_assert_eq!(newer.is_empty(), i == 0);
                newer.add(*lines, UseId(i));
            }
        }
    }
}
