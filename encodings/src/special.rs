//! Special tokens: names such as `<|endoftext|>` that are encoded as one token if the caller allows it.

use aho_corasick::{AhoCorasick, BuildError, MatchKind};

/// Names of special tokens and their ids.
pub type Table = Vec<(String, u32)>;

/// Finds the names of a table in texts: leftmost first; at the same position the longest.
pub struct Finder {
    automaton: AhoCorasick,
    ids: Vec<u32>,
}

impl Finder {
    /// # Errors
    /// If there are more names than the automaton can number.
    pub fn new<'a>(table: impl Iterator<Item = &'a (String, u32)>) -> Result<Self, BuildError> {
        let (names, ids): (Vec<_>, Vec<_>) = table.map(|(name, id)| (name, *id)).unzip();
        let automaton =
            AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(names)?;
        Ok(Self { automaton, ids })
    }

    /// Splits a text at special tokens. Each part has the id of the token that ends it; the last part has none.
    pub fn split<'t>(&self, text: &'t str) -> Vec<(&'t str, Option<u32>)> {
        let mut parts = Vec::new();
        let mut done = 0;
        for found in self.automaton.find_iter(text) {
            let id = self.ids.get(found.pattern().as_usize()).copied();
            parts.push((text.get(done..found.start()).unwrap_or_default(), id));
            done = found.end();
        }
        parts.push((text.get(done..).unwrap_or_default(), None));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_and_of_several_the_longest() {
        let table: Table =
            [("<a>", 1), ("<a><b>", 2), ("b>", 3)].map(|(n, i)| (n.into(), i)).into();
        let Ok(finder) = Finder::new(table.iter()) else { unreachable!("three names") };
        let parts = finder.split("x<a><b><a>y b>");
        assert_eq!(parts, [("x", Some(2)), ("", Some(1)), ("y ", Some(3)), ("", None)]);
        assert_eq!(finder.split(""), [("", None)]);
    }
}
