//! The engine takes `'s` along with a word, but not `'ſ`, the long s, which is an s to a pattern that ignores case.
//! Parts that have it, if ever a text has, are split by the pattern itself.

use crate::cut::Ahead;
use crate::encoding::Bpe;
use crate::named::Named;
use crate::problem::Problem;
use crate::special::Table;
use crate::splitter::Splitter;
use std::cell::OnceCell;

/// openai/tiktoken, `tiktoken_ext/openai_public.py`.
const PATTERN: &str = concat!(
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
);

/// `o200k_base` and `o200k_harmony`.
pub struct O200k {
    named: Named,
    splitter: OnceCell<Splitter>,
}

impl O200k {
    /// # Errors
    /// [`Problem::UnknownEncoding`].
    pub fn new(name: &str) -> Result<Self, Problem> {
        Ok(Self { named: Named::new(name)?, splitter: OnceCell::new() })
    }

    fn split(&self, part: &str, tokens: &mut Vec<u32>) -> Result<(), Problem> {
        let splitter = match self.splitter.get() {
            Some(splitter) => splitter,
            None => {
                let made = Splitter::new(PATTERN, self.named.ranks())?;
                self.splitter.get_or_init(|| made)
            }
        };
        splitter.encode(part, tokens)
    }
}

fn has_long_s(part: &str) -> bool {
    !part.is_ascii() && part.contains("'ſ")
}

impl Bpe for O200k {
    fn count(&self, text: &str) -> Result<usize, Problem> {
        let mut tokens = Vec::new();
        let mut count = 0;
        for part in self.named.parts(text, Ahead::GivesLast) {
            if has_long_s(part) {
                self.split(part, &mut tokens)?;
            } else {
                count += self.named.count_part(part);
            }
        }
        Ok(count + tokens.len())
    }

    fn encode(&self, text: &str, tokens: &mut Vec<u32>) -> Result<(), Problem> {
        for part in self.named.parts(text, Ahead::GivesLast) {
            if has_long_s(part) {
                self.split(part, tokens)?;
            } else {
                self.named.encode_part(part, tokens);
            }
        }
        Ok(())
    }

    fn decode(&self, id: u32, bytes: &mut Vec<u8>) -> bool {
        self.named.decode(id, bytes)
    }

    fn special(&self) -> Table {
        self.named.special()
    }
}
