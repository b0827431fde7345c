//! The kinds of replacements.

use crate::message::UseId;

/// The replacement of a block's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// A stub that describes a result.
    Cleared(StubStyle),
    /// A pointer to another read of the same lines.
    Reread {
        /// The read that is shown in full.
        of: UseId,
        /// Whether it is the latest read; if not, it is the first.
        latest: bool,
    },
    /// Head and tail of the content, of the lengths in the policy's clip pass.
    Clipped,
    /// The placeholder of the policy's clear pass.
    Placeholder,
    /// A pointer to an earlier result with the same content.
    Duplicate {
        /// The tool use whose result is shown in full.
        of: UseId,
    },
    /// A call's arguments with their long texts cut.
    Trimmed(ArgumentTrim),
    /// A call's arguments with their long texts cut, and the largest text replaced with a note of several edits of the
    /// file.
    Noted {
        /// The first of these edits; the last is this call.
        from: UseId,
    },
    /// The stub of ephemeral content.
    Ephemeral,
    /// Nothing: the block is removed.
    Removed,
}

/// The style of a cleared result's stub.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StubStyle {
    /// Maximum size in estimated tokens.
    pub max_tokens: u32,
    /// Whether it contains key facts of the content.
    pub summary: bool,
    /// Whether it says that the file was changed since it was read.
    pub outdated: bool,
    /// Whether it contains only the size, and the reference for recall if there is one.
    pub brief: bool,
}

impl StubStyle {
    /// Only what it was and how to get it back.
    pub const PLAIN: StubStyle =
        StubStyle { max_tokens: 80, summary: false, outdated: false, brief: false };
    /// The shortest stub.
    pub const BRIEF: StubStyle = StubStyle { brief: true, ..Self::PLAIN };
}

/// Minimum of [`ArgumentTrim::max_chars`]. A cut text has at most half of the limit, so a lower one would leave no room
/// for the true size.
pub const LEAST_TRIM_CHARS: u32 = 64;

/// Which texts of a call's arguments are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArgumentTrim {
    /// Texts of up to this many UTF-16 units are kept; a longer text is cut to at most half of it, except a command,
    /// which keeps its first line. At least [`LEAST_TRIM_CHARS`].
    pub max_chars: u32,
    /// Whether only texts that an edit replaced are cut.
    pub old_only: bool,
}

impl ArgumentTrim {
    /// Cuts every text that is long by the default of the inputs pass.
    pub const LONG: ArgumentTrim = ArgumentTrim { max_chars: 200, old_only: false };
    /// Cuts every text to the minimum.
    pub const SHORTEST: ArgumentTrim =
        ArgumentTrim { max_chars: LEAST_TRIM_CHARS, old_only: false };
}

/// The kind of a replacement, without its details. Saved states contain the numbers, so they never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // The variants of `Replacement`.
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

/// The part of a message that a replacement replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The content of a result.
    Content,
    /// The arguments of a call.
    Arguments,
    /// The whole block.
    Block,
}

impl Replacement {
    /// Its kind.
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

    /// Whether it may show a part of a result, or a reference to it.
    pub fn shows_result(self) -> bool {
        matches!(self, Replacement::Cleared(_) | Replacement::Clipped | Replacement::Placeholder)
    }

    /// Whether the block is removed.
    pub fn is_removed(self) -> bool {
        matches!(self, Replacement::Removed)
    }

    /// The tool use whose result it points to, if it is a pointer.
    pub fn names(self) -> Option<UseId> {
        match self {
            Replacement::Reread { of, .. } | Replacement::Duplicate { of } => Some(of),
            _ => None,
        }
    }

    /// The tool use on which it depends: the target of a pointer, or the first edit of a note.
    pub fn rests_on(self) -> Option<UseId> {
        match self {
            Replacement::Noted { from } => Some(from),
            other => other.names(),
        }
    }
}

impl Kind {
    /// The part of a message that it replaces.
    pub fn part(self) -> Part {
        match self {
            Kind::Trimmed | Kind::Noted => Part::Arguments,
            Kind::Removed => Part::Block,
            _ => Part::Content,
        }
    }

    /// Whether it depends on another tool use.
    pub fn rests_on_another(self) -> bool {
        matches!(self, Kind::FirstRead | Kind::LatestRead | Kind::Duplicate | Kind::Noted)
    }
}
