//! Flags of a tool use in a plan.

/// What is planned for a tool use, one bit each.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks(pub u16);

impl Marks {
    /// The result is edited.
    pub const EDITED: u16 = 1;
    /// The result must stay as earlier projections left it.
    pub const HELD: u16 = 2;
    /// Either of [`Marks::EDITED`] and [`Marks::HELD`].
    pub const TAKEN: u16 = Self::EDITED | Self::HELD;
    /// The call is edited, or must not be.
    pub const CALL_TAKEN: u16 = 4;
    /// A pointer refers to the result, which must be shown in full.
    pub const REFERRED: u16 = 8;
    /// The view hides the result completely, even whether it failed.
    pub const OUTCOME_HIDDEN: u16 = 16;
    /// The call must stay as earlier projections left it.
    pub const CALL_HELD: u16 = 64;
    /// Call and result are removed.
    pub const GONE: u16 = 32;
    /// The call contains a note of several edits.
    pub const NOTED: u16 = 128;

    /// Of the call, only texts that an edit replaced are cut.
    pub const OLD_CUT: u16 = 256;

    /// Whether any of these bits is set.
    pub fn has(self, any: u16) -> bool {
        self.0 & any != 0
    }
}
