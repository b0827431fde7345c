//! Sentences of reports. They are here, and not in TypeScript, because the core is compressed better than scripts are.

use super::parse_json;
use wasm_bindgen::prelude::*;

/// Returns the sentences by name: `Sentences` in `js/src/history/sentences.ts`.
#[wasm_bindgen]
pub fn sentences() -> JsValue {
    parse_json(include_str!("sentences.json"))
}
