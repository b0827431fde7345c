//! Search in files. Contents are passed whole; the matches of a file are one small object.

use super::{Returned, problem_value, to_js};
use crate::bytes::TextEncoding;
use crate::reading::{Search, SearchOptions};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Tells when a search has taken too long: the engine has no clock.
    #[wasm_bindgen(typescript_type = "{ isOver(): boolean }")]
    pub type Stop;

    #[wasm_bindgen(method, js_name = isOver)]
    fn is_over(this: &Stop) -> bool;
}

/// A search, compiled once for all files.
#[wasm_bindgen]
pub struct FileSearch(Search);

#[wasm_bindgen]
impl FileSearch {
    /// Compiles a pattern.
    #[wasm_bindgen(constructor)]
    pub fn new(pattern: &str, is_expression: bool, ignores_case: bool) -> Result<Self, JsValue> {
        let options = SearchOptions { is_expression, ignores_case };
        Search::new(pattern, options).map(Self).map_err(|problem| problem_value(&problem))
    }

    /// Returns a `Found` with at most `most` lines; `undefined` for a binary file. `encoding` is the one that the host
    /// named, or empty.
    pub fn file(&self, bytes: &[u8], most: usize, encoding: &str, stop: &Stop) -> Returned {
        let found = self.0.file(bytes, most, TextEncoding::of(encoding), || stop.is_over());
        Ok(found.map_or(JsValue::UNDEFINED, |found| to_js(&found)))
    }
}
