//! How much a line says about its file.

use crate::lines::Lines;

/// Why a line is shown. What comes first is shown before all that follows, and is folded last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// The line with the name of something at the top level.
    Top,
    /// The line with the name of a public member.
    Member,
    /// The other lines of a signature.
    Signature,
    /// What the file uses of others.
    Import,
    /// The first line of a comment that documents what follows.
    Doc,
    /// What a type consists of.
    Field,
    /// Private members, and what stands deeper.
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

    /// Ranked lines, the most important ones first, in the order of the file among their like; and how many of them are
    /// the top level.
    pub fn ordered(&self) -> (Vec<usize>, usize) {
        let of = |wanted: Rank| {
            let ranked = self.0.iter().enumerate();
            ranked.filter(move |(_, rank)| **rank == Some(wanted)).map(|(line, _)| line)
        };
        let order = Rank::ALL.into_iter().flat_map(of).collect();
        (order, of(Rank::Top).count())
    }
}
