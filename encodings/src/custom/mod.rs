//! Encodings from a vocabulary, a pattern and special tokens that the user provides.

mod vocabulary;

use crate::bpe::Bpe;
use crate::encoding::Encoding;
use crate::problem::Problem;
use crate::special::Table;
use crate::splitter::Splitter;
use rustc_hash::FxHashMap;

struct Custom {
    splitter: Splitter,
    tokens: FxHashMap<u32, Vec<u8>>,
    special: Table,
}

/// Creates an encoding from a vocabulary in the format of `.tiktoken` files: each line is a token in base64, a space
/// and its rank. Text that the pattern does not match is skipped, as in tiktoken.
///
/// # Errors
/// [`Problem::Vocabulary`], [`Problem::MissingByte`], [`Problem::Pattern`], [`Problem::Special`].
pub fn custom(vocabulary: &str, pattern: &str, special: Table) -> Result<Encoding, Problem> {
    let ranks = vocabulary::read(vocabulary)?;
    let mut tokens: FxHashMap<_, _> =
        ranks.iter().map(|(token, &id)| (id, token.clone())).collect();
    for (name, id) in &special {
        if name.is_empty() {
            return Err(Problem::Special(
                "a special token needs a name of at least one character".into(),
            ));
        }
        if tokens.insert(*id, name.clone().into_bytes()).is_some() {
            return Err(Problem::Special(format!(
                "{name:?} has the id {id}, which another token has"
            )));
        }
    }
    let splitter = Splitter::new(pattern, ranks)?;
    Ok(Encoding::of("the custom encoding", Box::new(Custom { splitter, tokens, special })))
}

impl Bpe for Custom {
    fn count(&self, text: &str) -> Result<usize, Problem> {
        let mut tokens = Vec::new();
        self.encode(text, &mut tokens)?;
        Ok(tokens.len())
    }

    fn encode(&self, text: &str, tokens: &mut Vec<u32>) -> Result<(), Problem> {
        self.splitter.encode(text, tokens)
    }

    fn decode(&self, id: u32, bytes: &mut Vec<u8>) -> bool {
        let token = self.tokens.get(&id);
        bytes.extend(token.into_iter().flatten());
        token.is_some()
    }

    fn special(&self) -> Table {
        self.special.clone()
    }
}
