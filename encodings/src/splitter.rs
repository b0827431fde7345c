//! Splits by a regular expression: slower than the implemented rules, but works with any pattern.

use crate::merge::{Ranks as _, merge};
use crate::problem::Problem;
use fancy_regex::{Regex, RegexBuilder};
use rustc_hash::FxHashMap;

/// Tokens by their bytes, as provided by the user. Every single byte must have one.
pub type Vocabulary = FxHashMap<Vec<u8>, u32>;

/// Maximum steps to find one piece. A run of a megabyte of white space takes one for each character.
const STEPS: usize = 50_000_000;

/// Splits by a pattern with look-around and merges each piece.
pub struct Splitter {
    pattern: Regex,
    ranks: Vocabulary,
}

impl Splitter {
    /// # Errors
    /// [`Problem::Pattern`].
    pub fn new(pattern: &str, ranks: Vocabulary) -> Result<Self, Problem> {
        let pattern = RegexBuilder::new(pattern).backtrack_limit(STEPS).build();
        Ok(Self { pattern: pattern.map_err(|error| Problem::Pattern(error.to_string()))?, ranks })
    }

    /// Appends the ids of a text. Text that the pattern does not match has none.
    ///
    /// # Errors
    /// [`Problem::Split`].
    pub fn encode(&self, text: &str, tokens: &mut Vec<u32>) -> Result<(), Problem> {
        for found in self.pattern.find_iter(text) {
            let piece = found.map_err(|error| Problem::Split(error.to_string()))?;
            let piece = piece.as_str().as_bytes();
            match self.ranks.rank(piece) {
                Some(id) => tokens.push(id),
                None => merge(piece, &self.ranks, |part| tokens.extend(self.ranks.rank(part))),
            }
        }
        Ok(())
    }
}
