//! Flags of a tool use in a plan.

/// What is planned for a tool use, one bit each.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks(pub u8);

impl Marks {
    /// The result is edited.
    pub const EDITED: u8 = 1;
    /// The result must stay as earlier projections left it.
    pub const HELD: u8 = 2;
    /// Either of [`Marks::EDITED`] and [`Marks::HELD`].
    pub const TAKEN: u8 = Self::EDITED | Self::HELD;
    /// The call is edited, or must not be.
    pub const CALL_TAKEN: u8 = 4;
    /// A pointer refers to the result, which must be shown in full.
    pub const REFERRED: u8 = 8;
    /// The view hides the result completely, even whether it failed.
    pub const OUTCOME_HIDDEN: u8 = 16;
    /// The call must stay as earlier projections left it.
    pub const CALL_HELD: u8 = 64;
    /// Call and result are removed.
    pub const GONE: u8 = 32;

    /// Whether any of these bits is set.
    pub fn has(self, any: u8) -> bool {
        self.0 & any != 0
    }
}
