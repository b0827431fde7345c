//! Where a walk is, and what counts there.

use crate::section::SectionKind;

/// Where a node stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// In how many sections.
    pub depth: usize,
    /// How many nodes were entered on the way.
    pub nesting: usize,
    /// Whether what is around it is private, or deeper than a member.
    pub is_inner: bool,
    /// Whether only namespaces are around it.
    pub is_top: bool,
    /// What of it counts.
    pub inside: Inside,
}

/// What counts where a node stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    /// Everything.
    Declarations,
    /// Functions, classes and tests.
    Code,
    /// Tests.
    Test,
}

impl Inside {
    pub fn counts(self, kind: SectionKind) -> bool {
        match self {
            Self::Declarations => true,
            Self::Code => matches!(kind, SectionKind::Function) || kind.holds_members(),
            Self::Test => false,
        }
    }
}

impl Place {
    pub const TOP: Self =
        Self { depth: 0, nesting: 0, is_inner: false, is_top: true, inside: Inside::Declarations };
}
