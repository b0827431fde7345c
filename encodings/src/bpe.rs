//! What a vocabulary does with text.

use crate::problem::Problem;
use crate::special::Table;

/// Splits text and merges bytes: what a named and a brought vocabulary do each in their way.
pub(crate) trait Bpe {
    /// The tokens of a text, all of it ordinary.
    fn count(&self, text: &str) -> Result<usize, Problem>;
    /// Adds the ids of a text, all of it ordinary.
    fn encode(&self, text: &str, tokens: &mut Vec<u32>) -> Result<(), Problem>;
    /// Adds a token's bytes, special or not; `false` where there is no such token.
    fn decode(&self, id: u32, bytes: &mut Vec<u8>) -> bool;
    /// The special tokens.
    fn special(&self) -> Table;
}
