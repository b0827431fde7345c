//! An encoding: converts text and special tokens to ids, and back.

use crate::bpe::Bpe;
use crate::named::Named;
use crate::problem::Problem;
use crate::special::{Finder, Table};
use std::cell::OnceCell;

/// The special tokens that are recognised in a text. All others are treated as ordinary text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowed {
    /// None: the safe choice for text of users and tools.
    None,
    /// All special tokens of the encoding.
    All,
    /// The special tokens with these names.
    Some(Vec<String>),
}

/// A named encoding, or one from a vocabulary that the user provides.
pub struct Encoding {
    name: String,
    bpe: Box<dyn Bpe>,
    special: OnceCell<Table>,
    all: OnceCell<Finder>,
}

/// Maximum number of names in a message.
const NAMES_SHOWN: usize = 6;

impl Encoding {
    /// Creates a published encoding. Builds its tables once per process, in tens of milliseconds.
    ///
    /// # Errors
    /// [`Problem::UnknownEncoding`] if this build does not have it.
    pub fn named(name: &str) -> Result<Self, Problem> {
        Ok(Self::of(name, Box::new(Named::new(name)?)))
    }

    pub(crate) fn of(name: &str, bpe: Box<dyn Bpe>) -> Self {
        Self { name: name.to_owned(), bpe, special: OnceCell::new(), all: OnceCell::new() }
    }

    /// Counts the tokens of a text.
    ///
    /// # Errors
    /// [`Problem::UnknownSpecial`]; [`Problem::Split`] with a custom pattern.
    pub fn count(&self, text: &str, allowed: &Allowed) -> Result<usize, Problem> {
        if *allowed == Allowed::None {
            return self.bpe.count(text);
        }
        self.split(text, allowed)?.into_iter().try_fold(0, |sum, (part, special)| {
            Ok(sum + self.bpe.count(part)? + usize::from(special.is_some()))
        })
    }

    /// Returns the token ids of a text.
    ///
    /// # Errors
    /// Those of [`Encoding::count`].
    pub fn encode(&self, text: &str, allowed: &Allowed) -> Result<Vec<u32>, Problem> {
        let mut tokens = Vec::new();
        if *allowed == Allowed::None {
            self.bpe.encode(text, &mut tokens)?;
            return Ok(tokens);
        }
        for (part, special) in self.split(text, allowed)? {
            self.bpe.encode(part, &mut tokens)?;
            tokens.extend(special);
        }
        Ok(tokens)
    }

    /// Returns the bytes of tokens. The tokens of a whole text give UTF-8; a single token may hold part of a character.
    ///
    /// # Errors
    /// [`Problem::UnknownToken`].
    pub fn decode(&self, tokens: &[u32]) -> Result<Vec<u8>, Problem> {
        let mut bytes = Vec::with_capacity(tokens.len() * 4);
        for (index, &id) in tokens.iter().enumerate() {
            if !self.bpe.decode(id, &mut bytes) {
                return Err(Problem::UnknownToken { index, id, encoding: self.name.clone() });
            }
        }
        Ok(bytes)
    }

    /// Returns the names and ids of the special tokens.
    pub fn special(&self) -> &[(String, u32)] {
        self.special.get_or_init(|| self.bpe.special())
    }

    fn split<'t>(
        &self,
        text: &'t str,
        allowed: &Allowed,
    ) -> Result<Vec<(&'t str, Option<u32>)>, Problem> {
        match allowed {
            Allowed::None => Ok(vec![(text, None)]),
            Allowed::All => Ok(self.finder_of_all()?.split(text)),
            Allowed::Some(names) => Ok(self.finder_of(names)?.split(text)),
        }
    }

    fn finder_of_all(&self) -> Result<&Finder, Problem> {
        if let Some(finder) = self.all.get() {
            return Ok(finder);
        }
        let finder = Finder::new(self.special().iter()).map_err(too_many)?;
        Ok(self.all.get_or_init(|| finder))
    }

    fn finder_of(&self, names: &[String]) -> Result<Finder, Problem> {
        let entry = |name: &String| {
            let found = self.special().iter().find(|(known, _)| known == name);
            found.ok_or_else(|| self.unknown_special(name))
        };
        let entries = names.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
        Finder::new(entries.into_iter()).map_err(too_many)
    }

    fn unknown_special(&self, name: &str) -> Problem {
        let special = self.special();
        let shown = special.iter().take(NAMES_SHOWN).map(|(name, _)| name.as_str());
        let mut known = shown.collect::<Vec<_>>().join(" ");
        if special.is_empty() {
            known.push_str("none");
        } else if special.len() > NAMES_SHOWN {
            known.push_str(&format!(" and {} more", special.len() - NAMES_SHOWN));
        }
        Problem::UnknownSpecial { name: name.to_owned(), encoding: self.name.clone(), known }
    }
}

fn too_many(error: aho_corasick::BuildError) -> Problem {
    Problem::Special(error.to_string())
}
