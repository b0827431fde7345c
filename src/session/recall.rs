//! Originals found by the references in stubs.

use crate::message::{BlockId, History, UseId};
use serde::Serialize;

/// A result's original content, described.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recalled {
    /// The position of its message in the history.
    pub message: usize,
    /// The result's position in its message.
    pub block: usize,
    /// The tool's name.
    pub tool: String,
    /// The first file that the call names.
    pub path: Option<String>,
    /// The text, with the parts of a list joined by line feeds.
    pub text: String,
    /// Whether the content is only text.
    pub is_text: bool,
}

impl Recalled {
    pub(super) fn of(history: &History, id: UseId, block: BlockId, text: String) -> Self {
        let tool_use = &history[id];
        let path = tool_use.files.first().map(|(path, _)| history.names().text(*path).to_owned());
        Self {
            message: history[block].message,
            block: history.position(block),
            tool: history.names().text(tool_use.tool).to_owned(),
            path,
            text,
            is_text: tool_use.text_only,
        }
    }
}
