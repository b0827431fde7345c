//! Originals by the references that stubs carry.

use super::host::Host;
use super::session::numbers_of;
use super::{Session, problem_value, to_js};
use crate::message::Problem;
use crate::projection::Original;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// A result's original content.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Recalled {
    message: usize,
    block: usize,
    tool: String,
    path: Option<String>,
    text: String,
    /// Whether the text is all that there is.
    is_text: bool,
}

#[wasm_bindgen]
impl Session {
    /// The original of the result that a reference names, its digest verified.
    pub fn recall(
        &mut self,
        host: &Host,
        messages: &JsValue,
        reference: &str,
    ) -> Result<JsValue, JsValue> {
        self.recalled(host, messages, reference).map_err(|problem| problem_value(&problem))
    }

    /// The way from a message to all that a result in it holds, as [`Session::path`] has ways.
    #[wasm_bindgen(js_name = contentPath)]
    pub fn content_path(&self, message: usize, block: usize) -> Vec<i32> {
        let place = self.read.history.blocks_of(message).1.get(block).map(|block| block.place);
        place.map(|place| numbers_of(&self.places().content_path(place))).unwrap_or_default()
    }
}

impl Session {
    fn recalled(
        &mut self,
        host: &Host,
        messages: &JsValue,
        reference: &str,
    ) -> Result<JsValue, Problem> {
        let (reader, history) = (self.reader(host, messages), &self.read.history);
        let Original { id, block, text } = self.engine.recall(history, reference, &reader)?;
        let tool_use = &history[id];
        let path = tool_use.files.first().map(|(path, _)| history.names().text(*path).to_owned());
        Ok(to_js(&Recalled {
            message: history[block].message,
            block: history.position(block),
            tool: history.names().text(tool_use.tool).to_owned(),
            path,
            text,
            is_text: tool_use.text_only,
        }))
    }
}
