//! What is planned for a tool use.

/// What is planned for a tool use, a bit each.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks(pub u8);

impl Marks {
    /// Its result is edited.
    pub const EDITED: u8 = 1;
    /// Its result must stay as earlier projections left it.
    pub const HELD: u8 = 2;
    /// One of both.
    pub const TAKEN: u8 = Self::EDITED | Self::HELD;
    /// Its call is edited, or is not to be.
    pub const CALL_TAKEN: u8 = 4;
    /// A pointer names its result, which stays in full.
    pub const REFERRED: u8 = 8;
    /// Of its result nothing is left to see, not even that it failed.
    pub const OUTCOME_HIDDEN: u8 = 16;
    /// It is taken out.
    pub const GONE: u8 = 32;

    /// Whether any of these is planned.
    pub fn has(self, any: u8) -> bool {
        self.0 & any != 0
    }
}
