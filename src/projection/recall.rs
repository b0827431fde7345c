//! Finds the original that a stub's reference names: the first 8 hexadecimal digits of the SHA-256 of its text, or of
//! the JSON of its content if it is not only text.

use super::content::reader::ContentReader;
use super::view::cache::Cache;
use crate::message::{BlockId, History, Problem, UseId};
use crate::text::Digest;

/// Number of digits in a reference.
const REFERENCE_DIGITS: usize = 8;

/// Returns the tool use whose result has this reference, and the result.
///
/// All results are digested, each at most once while the history is loaded. Ephemeral content is never returned.
///
/// # Errors
///
/// [`Problem::NotRecallable`] if the reference is not 8 hexadecimal digits, if no result has it, if two different
/// results share it, or if the result was ephemeral.
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
        // Another result that is not ephemeral can have the same text.
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
            refuse("the result was ephemeral, and is not given again: run the tool again")
        }
        None => refuse(
            "no result of this history has it: it was changed, or has left the history. Run the tool again",
        ),
    }
}
