//! Texts without messages: truncated, and read for key facts.

use super::host::{Host, HostValue};
use super::{Session, to_js};
use crate::message::{BlockKind, Value, origin_of};
use crate::projection::{key_info as key_info_of, summary_text};
use crate::text::{TextSize, TruncateLimits};
use wasm_bindgen::prelude::*;

/// The text with its middle left out; `undefined` where it may stay as it is. `max_tokens` is at least 24, `max_lines`
/// at least 5.
#[wasm_bindgen(js_name = truncateText)]
pub fn truncate_text(
    host: &Host,
    text: JsValue,
    head: Option<u32>,
    tail: Option<u32>,
    max_tokens: Option<u32>,
    max_lines: Option<u32>,
) -> Option<String> {
    let text = HostValue::peeked(host, text);
    let mut size = TextSize::default();
    size.utf16 = text.read_text(&mut |chunk| size.add_chunk(chunk));
    let limits = TruncateLimits {
        head,
        tail,
        max_bytes: max_tokens.map(|tokens| u64::from(tokens) * 7 / 2),
        max_lines: max_lines.map(u64::from),
    };
    limits.truncate(size, |sink| {
        text.read_text(sink);
    })
}

/// The key facts of a tool's output.
#[wasm_bindgen(js_name = keyInfo)]
pub fn key_info(host: &Host, text: JsValue, tool: &str) -> JsValue {
    let text = HostValue::peeked(host, text);
    let read = |sink: &mut dyn FnMut(&[u8])| {
        text.read_text(sink);
    };
    to_js(&key_info_of(origin_of(tool, None), read))
}

#[wasm_bindgen]
impl Session {
    /// What each tool result of message `index` was, in a line each.
    pub fn summaries(&self, host: &Host, messages: &JsValue, index: usize) -> Vec<String> {
        let source = super::session::HostSource {
            host,
            messages,
            format: self.read.detection.format,
            history: &self.read.history,
        };
        let (first, blocks) = self.read.history.blocks_of(index);
        let results = blocks.iter().enumerate().filter(|(_, b)| b.kind == BlockKind::ToolResult);
        let summary = |(i, block): (usize, &crate::message::Block)| {
            let block_id = crate::message::BlockId(first + i);
            Some(summary_text(&self.read.history, block.tool_use?, block_id, &source))
        };
        results.filter_map(summary).collect()
    }
}
