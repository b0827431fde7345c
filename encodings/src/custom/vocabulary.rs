use crate::problem::Problem;
use crate::splitter::Vocabulary;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::HashSet;

/// Parses a `.tiktoken` file. Empty lines are ignored.
pub fn read(text: &str) -> Result<Vocabulary, Problem> {
    let mut ranks = Vocabulary::default();
    let mut taken = HashSet::new();
    for (line, entry) in (1..).zip(text.lines()).filter(|(_, entry)| !entry.trim().is_empty()) {
        let fail = |reason: String| Problem::Vocabulary { line, reason };
        let (token, rank) = parse(entry).map_err(fail)?;
        if !taken.insert(rank) {
            return Err(fail(format!("the rank {rank} is there already")));
        }
        if ranks.insert(token, rank).is_some() {
            return Err(fail("the token is there already".into()));
        }
    }
    match (0..=u8::MAX).find(|&byte| !ranks.contains_key([byte].as_slice())) {
        Some(byte) => Err(Problem::MissingByte(byte)),
        None => Ok(ranks),
    }
}

fn parse(entry: &str) -> Result<(Vec<u8>, u32), String> {
    let form = "a line is a token in base64, a space and its rank";
    let (token, rank) = entry.trim().split_once(' ').ok_or(form)?;
    let token = STANDARD.decode(token).map_err(|error| format!("{form}; {error}"))?;
    if token.is_empty() {
        return Err(format!("{form}; the token is empty"));
    }
    let rank = rank.trim().parse().map_err(|error| format!("{form}; the rank: {error}"))?;
    Ok((token, rank))
}
