//! What can stand where a block's content was.

use crate::message::UseId;

/// What stands where a block's content was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// A stub that says what a result was.
    Cleared(StubStyle),
    /// A pointer to another read of the same lines.
    Reread {
        /// The read that stands in full.
        of: UseId,
        /// Whether it is the latest, or else the first.
        latest: bool,
    },
    /// Head and tail of the content, as the policy's clip pass has them.
    Clipped,
    /// The placeholder of the policy's clear pass.
    Placeholder,
    /// A pointer to an earlier result with the same content.
    Duplicate {
        /// The tool use whose result stands in full.
        of: UseId,
    },
    /// A call's arguments with their long texts cut.
    Trimmed(ArgumentTrim),
    /// The same, with a note of several edits of the file in the place of the largest text.
    Noted {
        /// The first of these edits; the call's own is the last.
        from: UseId,
    },
    /// The stub of ephemeral content.
    Ephemeral,
    /// Nothing: the block is taken out.
    Removed,
}

/// How the stub of a cleared result is worded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StubStyle {
    /// The most tokens it may take.
    pub max_tokens: u32,
    /// Whether it holds key facts of the content.
    pub summary: bool,
    /// Whether the file was changed since it was read.
    pub outdated: bool,
    /// Whether it says no more than the size, and how to get it back where there is a way.
    pub brief: bool,
}

impl StubStyle {
    /// What it was and how to get it back, no more.
    pub const PLAIN: StubStyle =
        StubStyle { max_tokens: 80, summary: false, outdated: false, brief: false };
    /// As little as there can be.
    pub const BRIEF: StubStyle = StubStyle { brief: true, ..Self::PLAIN };
}

/// No cut text is longer than half of the limit, so a lower one would leave no room for the true size.
pub const LEAST_TRIM_CHARS: u32 = 64;

/// Which texts of a call's arguments are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArgumentTrim {
    /// Texts of no more UTF-16 units stay; what is cut is no longer than half of that. At least [`LEAST_TRIM_CHARS`].
    pub max_chars: u32,
    /// Whether only texts are cut that an edit replaced.
    pub old_only: bool,
}

impl ArgumentTrim {
    /// Cuts every text that the default of the inputs pass calls long.
    pub const LONG: ArgumentTrim = ArgumentTrim { max_chars: 200, old_only: false };
    /// As little as there can be.
    pub const SHORTEST: ArgumentTrim =
        ArgumentTrim { max_chars: LEAST_TRIM_CHARS, old_only: false };
}

/// What a replacement is, without its details. The numbers stand in saved states and do not change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // They are those of `Replacement`.
pub enum Kind {
    Cleared = 0,
    FirstRead = 1,
    LatestRead = 2,
    Clipped = 3,
    Placeholder = 4,
    Duplicate = 5,
    Trimmed = 6,
    Noted = 7,
    Ephemeral = 8,
    Removed = 9,
}

/// Which piece of a message a replacement takes the place of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What a result holds.
    Content,
    /// What a call asks with.
    Arguments,
    /// The block as a whole.
    Block,
}

impl Replacement {
    /// What it is.
    pub fn kind(self) -> Kind {
        match self {
            Replacement::Cleared(_) => Kind::Cleared,
            Replacement::Reread { latest: false, .. } => Kind::FirstRead,
            Replacement::Reread { latest: true, .. } => Kind::LatestRead,
            Replacement::Clipped => Kind::Clipped,
            Replacement::Placeholder => Kind::Placeholder,
            Replacement::Duplicate { .. } => Kind::Duplicate,
            Replacement::Trimmed(_) => Kind::Trimmed,
            Replacement::Noted { .. } => Kind::Noted,
            Replacement::Ephemeral => Kind::Ephemeral,
            Replacement::Removed => Kind::Removed,
        }
    }

    /// The tool use whose result it points to.
    pub fn names(self) -> Option<UseId> {
        match self {
            Replacement::Reread { of, .. } | Replacement::Duplicate { of } => Some(of),
            _ => None,
        }
    }

    /// The tool use without which it means nothing.
    pub fn rests_on(self) -> Option<UseId> {
        match self {
            Replacement::Noted { from } => Some(from),
            other => other.names(),
        }
    }
}

impl Kind {
    /// Which piece of a message it takes the place of.
    pub fn part(self) -> Part {
        match self {
            Kind::Trimmed | Kind::Noted => Part::Arguments,
            Kind::Removed => Part::Block,
            _ => Part::Content,
        }
    }

    /// Whether it means nothing without another tool use.
    pub fn rests_on_another(self) -> bool {
        matches!(self, Kind::FirstRead | Kind::LatestRead | Kind::Duplicate | Kind::Noted)
    }
}
