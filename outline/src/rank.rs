//! Ranks lines by importance.

use crate::lines::Lines;

/// Why a line is shown. Lines of an earlier variant are shown first and folded last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// The line with the name of a top-level section.
    Top,
    /// The line with the name of a public member.
    Member,
    /// The other lines of a signature.
    Signature,
    /// An import.
    Import,
    /// The first line of a documentation comment.
    Doc,
    /// A part of a type or of data.
    Field,
    /// Private members, and sections below members.
    Inner,
    /// Other statements at the top level.
    Statement,
}

/// The rank of each line that has one.
pub(crate) struct Ranks(Vec<Option<Rank>>);

impl Rank {
    const ALL: [Self; 8] = [
        Self::Top,
        Self::Member,
        Self::Signature,
        Self::Import,
        Self::Doc,
        Self::Field,
        Self::Inner,
        Self::Statement,
    ];
}

impl Ranks {
    pub fn of(lines: &Lines) -> Self {
        Self(vec![None; lines.len()])
    }

    /// Ranks a line, unless it ranks higher already.
    pub fn mark(&mut self, line: usize, rank: Rank) {
        if let Some(known) = self.0.get_mut(line) {
            *known = Some(known.map_or(rank, |known| known.min(rank)));
        }
    }

    /// Returns the ranked lines, most important first, in the order of the file within a rank; and the number of
    /// top-level lines.
    pub fn ordered(&self) -> (Vec<usize>, usize) {
        let of = |wanted: Rank| {
            let ranked = self.0.iter().enumerate();
            ranked.filter(move |(_, rank)| **rank == Some(wanted)).map(|(line, _)| line)
        };
        let order = Rank::ALL.into_iter().flat_map(of).collect();
        (order, of(Rank::Top).count())
    }
}
