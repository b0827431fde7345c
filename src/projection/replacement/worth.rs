//! Whether a result is worth replacing.

/// No stub is longer, in bytes: a longer one would cost more than it tells, and could itself be taken for a result that
/// repeats.
pub const STUB_LIMIT: usize = 160;

/// Whether what takes so much of a request (`Block::shown_bytes`) is worth replacing by a stub of so many bytes.
///
/// A replacement must at least halve it. That keeps the law of contraction with room to spare, and makes stubs
/// of stubs impossible: no stub is twice as long as another.
pub fn is_worth(shown_bytes: u64, stub_bytes: usize) -> bool {
    shown_bytes >= 2 * stub_bytes as u64
}
