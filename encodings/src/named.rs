//! The published encodings: the `tiktoken` crate's engine, given texts in parts.

use crate::cut::{Ahead, next_cut};
use crate::encoding::Bpe;
use crate::problem::Problem;
use crate::special::Table;
use tiktoken::CoreBpe;

/// Bytes of a part at least: long enough that cutting costs nothing, short enough that looking ahead costs little.
const PART: usize = 2048;

/// A special token has one of the ids behind the vocabulary, or one of the few before it.
const IDS_BEHIND: u32 = 4096;
const IDS_BEFORE: u32 = 16;

/// An encoding that the crate has by name.
pub struct Named {
    engine: &'static CoreBpe,
}

impl Named {
    /// # Errors
    /// [`Problem::UnknownEncoding`].
    pub fn new(name: &str) -> Result<Self, Problem> {
        let engine = tiktoken::get_encoding(name);
        let engine = engine.ok_or_else(|| Problem::UnknownEncoding(name.to_owned()))?;
        Ok(Self { engine })
    }

    /// A text in parts that can be encoded one by one.
    pub fn parts<'t>(&self, text: &'t str, ahead: Ahead) -> impl Iterator<Item = &'t str> {
        let mut rest = text;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let end = if rest.len() <= PART { rest.len() } else { next_cut(rest, PART, ahead) };
            let (part, after) = rest.split_at_checked(end)?;
            rest = after;
            Some(part)
        })
    }

    /// The tokens of a part.
    pub fn count_part(&self, part: &str) -> usize {
        self.engine.count(part)
    }

    /// Adds the ids of a part.
    pub fn encode_part(&self, part: &str, tokens: &mut Vec<u32>) {
        tokens.extend_from_slice(&self.engine.encode(part));
    }

    /// The vocabulary, without special tokens.
    #[cfg(any(feature = "deepseek_v3", feature = "o200k_base"))]
    pub fn ranks(&self) -> crate::merge::Ranks {
        let special = self.special();
        let is_special = |id: u32| special.iter().any(|&(_, special)| special == id);
        let ids = 0..self.behind().saturating_add(IDS_BEFORE);
        let token =
            |id| Some((self.engine.decode(&[id]), id)).filter(|(token, _)| !token.is_empty());
        ids.filter(|&id| !is_special(id)).filter_map(token).collect()
    }

    fn behind(&self) -> u32 {
        u32::try_from(self.engine.vocab_size()).unwrap_or(u32::MAX)
    }

    /// Only a special token's name is one token with special tokens allowed, and something else without.
    fn special_name(&self, id: u32) -> Option<String> {
        let name = String::from_utf8(self.engine.decode(&[id])).ok()?;
        let is_special = self.engine.encode_with_special_tokens(&name) == [id]
            && self.engine.encode(&name) != [id];
        is_special.then_some(name)
    }
}

impl Bpe for Named {
    fn count(&self, text: &str) -> Result<usize, Problem> {
        Ok(self.parts(text, Ahead::GivesLast).map(|part| self.count_part(part)).sum())
    }

    fn encode(&self, text: &str, tokens: &mut Vec<u32>) -> Result<(), Problem> {
        self.parts(text, Ahead::GivesLast).for_each(|part| self.encode_part(part, tokens));
        Ok(())
    }

    fn decode(&self, id: u32, bytes: &mut Vec<u8>) -> bool {
        let token = self.engine.decode(&[id]);
        bytes.extend_from_slice(&token);
        !token.is_empty()
    }

    fn special(&self) -> Table {
        let behind = self.behind();
        let candidates = (0..IDS_BEFORE).chain(behind..behind.saturating_add(IDS_BEHIND));
        candidates
            .filter_map(|id| Some((self.special_name(id)?, id)))
            .take(self.engine.num_special_tokens())
            .collect()
    }
}
