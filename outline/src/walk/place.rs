//! The position of a walk, and the sections that count there.

use crate::section::SectionKind;

/// Maximum number of blocks of macros in each other.
const MAX_BLOCKS: usize = 3;

/// The position of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Number of sections around it.
    pub depth: usize,
    /// Number of nodes entered on the way.
    pub nesting: usize,
    /// Whether the section around it is private, or deeper than a member.
    pub is_inner: bool,
    /// Whether only namespaces are around it.
    pub is_top: bool,
    /// The sections that count there.
    pub inside: Inside,
    /// Number of blocks of macros in each other that are looked into: each is parsed again.
    pub blocks_left: usize,
}

/// The kinds of sections that count at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    /// All.
    Declarations,
    /// Functions, classes and tests.
    Code,
    /// Types with their members, and tests.
    Local,
    /// Tests.
    Test,
}

impl Inside {
    pub fn counts(self, kind: SectionKind) -> bool {
        match self {
            Self::Declarations => true,
            Self::Code => matches!(kind, SectionKind::Function) || kind.holds_members(),
            Self::Local => kind.holds_members(),
            Self::Test => false,
        }
    }
}

impl Place {
    pub const TOP: Self = Self {
        depth: 0,
        nesting: 0,
        is_inner: false,
        is_top: true,
        inside: Inside::Declarations,
        blocks_left: MAX_BLOCKS,
    };

    /// Returns the position in a section at this one.
    pub fn deeper(self) -> Self {
        Self { depth: self.depth + 1, nesting: self.nesting + 1, is_top: false, ..self }
    }
}
