//! Searching files. Contents cross whole; what was found crosses as one small object a file.

use super::{problem_value, to_js};
use crate::bytes::TextEncoding;
use crate::reading::{Search, SearchOptions};
use wasm_bindgen::prelude::*;

/// What is looked for, understood once for all files.
#[wasm_bindgen]
pub struct FileSearch(Search);

#[wasm_bindgen]
impl FileSearch {
    /// Understands a pattern.
    #[wasm_bindgen(constructor)]
    pub fn new(pattern: &str, is_expression: bool, ignores_case: bool) -> Result<Self, JsValue> {
        let options = SearchOptions { is_expression, ignores_case };
        Search::new(pattern, options).map(Self).map_err(|problem| problem_value(&problem))
    }

    /// A `Found`, with at most so many lines; `undefined` for a binary file. `encoding` is the one that
    /// the host told, or nothing.
    pub fn file(&self, bytes: &[u8], most: usize, encoding: &str) -> JsValue {
        self.0
            .file(bytes, most, TextEncoding::of(encoding))
            .map_or(JsValue::UNDEFINED, |found| to_js(&found))
    }
}
