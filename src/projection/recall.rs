//! Finds the original that a stub's reference names: the first digits of the SHA-256 of its text, or of
//! the JSON of all that it holds where it is not text alone.

use super::content::reader::ContentReader;
use super::view::cache::Cache;
use crate::message::{BlockId, History, Problem, UseId};
use crate::text::Digest;

/// How many digits a reference has.
const REFERENCE_DIGITS: usize = 8;

/// The tool use, and its result, whose text has this reference.
///
/// Every result is digested until it is found, once for as long as the history is known. Ephemeral content is never
/// given back.
pub fn find_result(
    history: &History,
    reference: &str,
    reader: &dyn ContentReader,
    cache: &mut Cache,
) -> Result<(UseId, BlockId), Problem> {
    let refuse = |reason: &'static str| {
        Err(Problem::NotRecallable { reference: reference.chars().take(40).collect(), reason })
    };
    if reference.len() != REFERENCE_DIGITS || !reference.bytes().all(|b| b.is_ascii_hexdigit()) {
        return refuse("a reference is the 8 hexadecimal digits after `recall` in a stub");
    }
    let wanted = reference.to_ascii_lowercase();
    cache.fit(history);
    let mut found: Option<(UseId, BlockId, Digest)> = None;
    let mut is_gone = false;
    for (i, one) in history.uses().iter().enumerate() {
        let Some(block) = one.result.filter(|_| !one.is_stub) else { continue };
        let digest = cache.texts.digest(history, UseId(i), block, reader);
        if digest.short() != wanted {
            continue;
        }
        // The same text can be that of another result, which stays.
        if one.ephemeral {
            is_gone = true;
            continue;
        }
        if found.is_some_and(|(_, _, other)| other != digest) {
            return refuse("two results share it: run the tool again");
        }
        found = Some((UseId(i), block, digest));
    }
    match found {
        Some((id, block, _)) => Ok((id, block)),
        None if is_gone => {
            refuse("the result was ephemeral and was removed after its turn: run the tool again")
        }
        None => refuse(
            "no result of this history has it: it was changed, or has left the history. Run the tool again",
        ),
    }
}
