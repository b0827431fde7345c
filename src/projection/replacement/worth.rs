//! The rule for when a replacement is worth it.

/// Maximum length of a stub in bytes. A longer one would cost more than it tells, and could be mistaken for a result
/// that repeats.
pub const STUB_LIMIT: usize = 160;

/// Whether a result of `shown_bytes` bytes (`Block::shown_bytes`) is worth replacing with a stub of `stub_bytes` bytes.
///
/// A replacement must at least halve the result. That keeps the law of contraction with a margin, and rules out stubs
/// of stubs: no stub is twice as long as another.
pub fn is_worth(shown_bytes: u64, stub_bytes: usize) -> bool {
    shown_bytes >= 2 * stub_bytes as u64
}
