//! The one reader of what was said, whatever the format: the facts of a block tell its kind, its tool and its files, and
//! this its text. Hosts and tools build on it, and read no wire format themselves.

use super::places::Places;
use crate::message::{Block, BlockKind, Value};

/// Gives the text of a block to `sink`: what a text or reasoning says, the arguments of a call (JSON, or the text of a
/// tool that takes one), what a result holds, its parts one below the other. Files and unknown blocks have none, and
/// neither has reasoning that the provider encrypted. `message` is the one that the block stands in.
pub fn read_block<V: Value>(
    places: &Places,
    block: &Block,
    message: &V,
    sink: &mut dyn FnMut(&[u8]),
) {
    match block.kind {
        BlockKind::Text | BlockKind::Reasoning => places.read_text(message, block.place, sink),
        BlockKind::ToolCall => places.read_arguments(message, block.place, sink),
        BlockKind::ToolResult => places.read_lines(message, block.place, sink),
        BlockKind::File | BlockKind::Unknown => {}
    }
}
