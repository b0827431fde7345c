//! Sentences of reports. They are here, and not in TypeScript, because the core is compressed better than scripts are.

use super::{Returned, parse_json};
use wasm_bindgen::prelude::*;

/// Returns the sentences by name. Their type is `Sentences` in `src/generated.rs`, which compares them.
#[wasm_bindgen]
pub fn sentences() -> Returned {
    Ok(parse_json(include_str!("sentences.json")))
}
