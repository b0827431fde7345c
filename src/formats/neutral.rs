//! The text of a block in any format. The facts of a block give its kind, tool and files; this module gives its text.
//! Hosts and tools use it instead of reading a wire format.

use super::places::Places;
use crate::message::{Block, BlockKind, Value};

/// Writes the text of a block to `sink`: the text of a text or reasoning block, the arguments of a call (JSON, or the
/// text input of a tool that takes one), or the content of a result with its parts joined by line breaks. Files,
/// unknown blocks and encrypted reasoning have no text. `message` is the message that holds the block.
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
