//! What is worth keeping of a cleared result: read from its content, without a model.

use super::Source;
use crate::message::BlockId;
use crate::text::KeyInfo;

/// The key facts of a result in one line; empty where there are none.
pub fn key_facts(block: BlockId, source: &dyn Source) -> String {
    let mut info = KeyInfo::default();
    source.read_result(block, &mut |chunk| info.add_chunk(chunk));
    info.finish()
}
