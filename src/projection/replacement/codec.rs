//! Lossless encoding of a replacement as numbers, for the boundary and for saved states.

use super::kind::{ArgumentTrim, Kind, LEAST_TRIM_CHARS, Replacement, StubStyle};
use crate::message::UseId;

/// A replacement as numbers, encoded by [`Code::of`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// The kind.
    pub kind: Kind,
    /// Its switches, one bit each.
    pub flags: u8,
    /// The tool use that it depends on, or its limit (UTF-16 units or tokens), or 0.
    pub value: u32,
}

impl Kind {
    const ALL: [Kind; 10] = [
        Kind::Cleared,
        Kind::FirstRead,
        Kind::LatestRead,
        Kind::Clipped,
        Kind::Placeholder,
        Kind::Duplicate,
        Kind::Trimmed,
        Kind::Noted,
        Kind::Ephemeral,
        Kind::Removed,
    ];

    /// The kind with this number.
    pub fn of_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }
}

impl Code {
    /// Encodes a replacement.
    pub fn of(replacement: Replacement) -> Self {
        let (flags, value) = match replacement {
            Replacement::Cleared(style) => {
                let StubStyle { summary, outdated, brief, max_tokens } = style;
                let flags = u8::from(summary) + 2 * u8::from(outdated) + 4 * u8::from(brief);
                (flags, max_tokens)
            }
            Replacement::Trimmed(trim) => (u8::from(trim.old_only), trim.max_chars),
            other => (0, other.rests_on().map_or(0, |id| id.0 as u32)),
        };
        Self { kind: replacement.kind(), flags, value }
    }

    /// Decodes the replacement; `None` if the numbers are not valid.
    pub fn replacement(self) -> Option<Replacement> {
        let Self { kind, flags, value } = self;
        let has = |bit: u8| flags & 1 << bit != 0;
        let id = UseId(value as usize);
        let replacement = match kind {
            Kind::Cleared => Replacement::Cleared(StubStyle {
                max_tokens: value,
                summary: has(0),
                outdated: has(1),
                brief: has(2),
            }),
            Kind::FirstRead => Replacement::Reread { of: id, latest: false },
            Kind::LatestRead => Replacement::Reread { of: id, latest: true },
            Kind::Duplicate => Replacement::Duplicate { of: id },
            Kind::Noted => Replacement::Noted { from: id },
            Kind::Trimmed if value < LEAST_TRIM_CHARS => return None,
            Kind::Trimmed => {
                Replacement::Trimmed(ArgumentTrim { max_chars: value, old_only: has(0) })
            }
            Kind::Clipped => Replacement::Clipped,
            Kind::Placeholder => Replacement::Placeholder,
            Kind::Ephemeral => Replacement::Ephemeral,
            Kind::Removed => Replacement::Removed,
        };
        Some(replacement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_back() {
        for number in 0..=Kind::ALL.len() as u32 {
            let kind = Kind::of_number(number);
            assert_eq!(kind.map(|kind| kind as u32), kind.and(Some(number)));
        }
        let trim = |max_chars, old_only| Replacement::Trimmed(ArgumentTrim { max_chars, old_only });
        let styled = |bits: u32| {
            Replacement::Cleared(StubStyle {
                max_tokens: 7 + bits,
                summary: bits & 1 != 0,
                outdated: bits & 2 != 0,
                brief: bits & 4 != 0,
            })
        };
        let of = UseId(70_000);
        let mut all: Vec<Replacement> = (0..8).map(styled).collect();
        all.extend([
            Replacement::Reread { of, latest: false },
            Replacement::Reread { of, latest: true },
            Replacement::Duplicate { of },
            Replacement::Noted { from: of },
            trim(64, false),
            trim(64, true),
            trim(700, false),
            Replacement::Clipped,
            Replacement::Placeholder,
            Replacement::Ephemeral,
            Replacement::Removed,
        ]);
        for replacement in &all {
            assert_eq!(Code::of(*replacement).replacement(), Some(*replacement));
        }
        assert_eq!(Code::of(trim(63, false)).replacement(), None);
        // Different replacements never have the same numbers.
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| Code::of(*other) != Code::of(*one)), "{one:?}");
        }
    }
}
