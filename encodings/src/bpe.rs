//! The operations of a vocabulary on text.

use crate::problem::Problem;
use crate::special::Table;

/// Splits text and merges bytes. Implemented by named and by custom vocabularies.
pub(crate) trait Bpe {
    /// Counts the tokens of a text without special tokens.
    fn count(&self, text: &str) -> Result<usize, Problem>;
    /// Appends the token ids of a text without special tokens.
    fn encode(&self, text: &str, tokens: &mut Vec<u32>) -> Result<(), Problem>;
    /// Appends the bytes of a token, special or not; returns `false` if there is no such token.
    fn decode(&self, id: u32, bytes: &mut Vec<u8>) -> bool;
    /// Returns the special tokens.
    fn special(&self) -> Table;
}
