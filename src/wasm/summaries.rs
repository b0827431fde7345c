//! Tool results in a line each.

use super::Session;
use super::host::Host;
use crate::message::{Block, BlockId, BlockKind};
use crate::projection::summary_text;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Session {
    /// What each tool result of message `index` was, in a line each.
    pub fn summaries(&self, host: &Host, messages: &JsValue, index: usize) -> Vec<String> {
        let source = super::session::HostSource { host, messages, read: &self.read };
        let (first, blocks) = self.read.history.blocks_of(index);
        let results = blocks.iter().enumerate().filter(|(_, b)| b.kind == BlockKind::ToolResult);
        let summary = |(i, block): (usize, &Block)| {
            let block_id = BlockId(first + i);
            Some(summary_text(&self.read.history, block.tool_use?, block_id, &source))
        };
        results.filter_map(summary).collect()
    }
}
