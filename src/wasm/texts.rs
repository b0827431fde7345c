//! Functions on single texts: token estimate, truncation, key facts.

use super::{Returned, to_js};
use crate::message::origin_of;
use crate::projection::key_info as key_info_of;
use crate::text::{TextSize, TruncateLimits};
use crate::tokens::{TextKinds, estimate_bytes};
use wasm_bindgen::prelude::*;

/// Returns the estimated tokens of a text, by kinds of text.
#[wasm_bindgen(js_name = estimateText)]
pub fn estimate_text(text: &str) -> f64 {
    TextKinds::of(text).tokens() as f64
}

/// Truncates the middle of a text; returns `undefined` if the text is within the limits. `max_tokens` is at least 24,
/// `max_lines` at least 5.
#[wasm_bindgen(js_name = truncateText)]
pub fn truncate_text(
    text: &str,
    head: Option<u32>,
    tail: Option<u32>,
    max_tokens: Option<u32>,
    max_lines: Option<u32>,
) -> Option<String> {
    let limits = TruncateLimits {
        head,
        tail,
        max_bytes: max_tokens.map(|tokens| estimate_bytes(u64::from(tokens))),
        max_lines: max_lines.map(u64::from),
    };
    limits.truncate(TextSize::of(text), |sink| sink(text.as_bytes()))
}

/// Returns the key facts of a tool's output.
#[wasm_bindgen(js_name = keyInfo)]
pub fn key_info(text: &str, tool: &str) -> Returned {
    let read = |sink: &mut dyn FnMut(&[u8])| sink(text.as_bytes());
    Ok(to_js(&key_info_of(origin_of(tool, None), &read)))
}
