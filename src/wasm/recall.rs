//! Originals by the references that stubs carry.

use super::host::Host;
use super::{Session, problem_value, to_js};
use crate::message::Problem;
use crate::projection::{Source, find_result};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// A result's original content.
#[derive(Serialize)]
struct Recalled {
    message: usize,
    block: usize,
    tool: String,
    path: Option<String>,
    text: String,
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
}

impl Session {
    fn recalled(
        &mut self,
        host: &Host,
        messages: &JsValue,
        reference: &str,
    ) -> Result<JsValue, Problem> {
        let source = super::session::HostSource { host, messages, read: &self.read };
        let id = find_result(&self.read.history, reference, &source, &mut self.cache)?;
        let one = &self.read.history[id];
        let mut bytes = Vec::new();
        let mut message = 0;
        let mut position = 0;
        if let Some(block) = one.result {
            source.read_result(block, &mut |chunk| bytes.extend_from_slice(chunk));
            message = self.read.history[block].message;
            position = self.read.history.position(block);
        }
        let path =
            one.files.first().map(|(path, _)| self.read.history.names().text(*path).to_owned());
        Ok(to_js(&Recalled {
            message,
            block: position,
            tool: self.read.history.names().text(one.tool).to_owned(),
            path,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }))
    }
}
