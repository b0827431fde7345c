//! DeepSeek splits a text three times: numbers first, then Chinese and Japanese characters, then the rest; and what no
//! pattern matches stays one piece. The engine has one pattern for all three, which is right inside of the parts that
//! are made here, with the exception of the unmatched, which are merged here.

use crate::cut::{Ahead, before_isolated, is_line_break};
use crate::encoding::Bpe;
use crate::merge::{Ranks, merge};
use crate::named::Named;
use crate::problem::Problem;
use crate::special::Table;
use regex::Regex;
use std::cell::OnceCell;

/// Control characters and the like, of which DeepSeek's patterns match none but the one before a letter or mark.
const UNMATCHED: &str = r"[^\p{L}\p{M}\p{P}\p{S}\p{N}\s]{2,}";
/// What takes the last of them along.
const TAKES_ONE: &str = r"^[\p{L}\p{M}&&[^一-龥぀-ゟ゠-ヿ]]";

/// `deepseek_v3` and later.
pub struct DeepSeek {
    named: Named,
    unmatched: Regex,
    takes_one: Regex,
    /// Few texts need it.
    ranks: OnceCell<Ranks>,
}

impl DeepSeek {
    /// # Errors
    /// [`Problem::UnknownEncoding`].
    pub fn new(name: &str) -> Result<Self, Problem> {
        let regex =
            |pattern| Regex::new(pattern).map_err(|error| Problem::Pattern(error.to_string()));
        Ok(Self {
            named: Named::new(name)?,
            unmatched: regex(UNMATCHED)?,
            takes_one: regex(TAKES_ONE)?,
            ranks: OnceCell::new(),
        })
    }

    /// Gives each part to `ordinary`, or to `unmatched` where it is one piece that the engine would split.
    fn each<'t>(
        &self,
        text: &'t str,
        mut ordinary: impl FnMut(&'t str),
        mut unmatched: impl FnMut(&'t str),
    ) {
        for part in self.named.parts(text, Ahead::WholeBeforeIsolated).flat_map(before_isolated) {
            let mut rest = part;
            while let Some((before, piece, after)) = self.next_unmatched(rest) {
                let (before, last) =
                    before.split_at_checked(given_away(before)).unwrap_or((before, ""));
                ordinary(before);
                ordinary(last);
                unmatched(piece);
                rest = after;
            }
            ordinary(rest);
        }
    }

    fn next_unmatched<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str, &'t str)> {
        if text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')) {
            return None;
        }
        for found in self.unmatched.find_iter(text) {
            let (before, rest) = text.split_at_checked(found.start())?;
            let (run, after) = rest.split_at_checked(found.len())?;
            let last = run.chars().next_back().map_or(0, char::len_utf8);
            let kept = if self.takes_one.is_match(after) { run.len() - last } else { run.len() };
            let (piece, after) = rest.split_at_checked(kept)?;
            if piece.chars().nth(1).is_some() {
                return Some((before, piece, after));
            }
        }
        None
    }

    fn merge(&self, piece: &str, tokens: &mut Vec<u32>) {
        merge(piece.as_bytes(), self.ranks.get_or_init(|| self.named.ranks()), tokens);
    }
}

/// Where the last white space of a run at the end begins, which is a piece of its own before other text: here the engine
/// does not see that other text comes.
fn given_away(text: &str) -> usize {
    let mut chars = text.char_indices().rev();
    match (chars.next(), chars.next()) {
        (Some((at, last)), Some((_, before)))
            if last.is_whitespace() && !is_line_break(last) && before.is_whitespace() =>
        {
            at
        }
        _ => text.len(),
    }
}

impl Bpe for DeepSeek {
    fn count(&self, text: &str) -> Result<usize, Problem> {
        let mut count = 0;
        let mut unmatched = Vec::new();
        self.each(
            text,
            |part| count += self.named.count_part(part),
            |piece| self.merge(piece, &mut unmatched),
        );
        Ok(count + unmatched.len())
    }

    fn encode(&self, text: &str, tokens: &mut Vec<u32>) -> Result<(), Problem> {
        let tokens = std::cell::RefCell::new(tokens);
        self.each(
            text,
            |part| self.named.encode_part(part, &mut tokens.borrow_mut()),
            |piece| self.merge(piece, &mut tokens.borrow_mut()),
        );
        Ok(())
    }

    fn decode(&self, id: u32, bytes: &mut Vec<u8>) -> bool {
        self.named.decode(id, bytes)
    }

    fn special(&self) -> Table {
        self.named.special()
    }
}
