//! What a read of several files asks for, and what it asks.

use super::limits::ReadLimits;
use super::options::ReadOptions;
use crate::bytes::{Source, TextEncoding};
use crate::tokens::BYTES_PER_TOKEN;
use serde::Deserialize;

/// A read of several files.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FilesRequest {
    /// The files, in order.
    pub files: Vec<FileRequest>,
    /// Which part of each.
    #[serde(default)]
    pub options: ReadOptions,
    /// Whether the content is to leave the conversation after the turn.
    #[serde(default)]
    pub ephemeral: bool,
    /// How much may be read. Default: any.
    #[serde(default)]
    pub limits: Option<ReadLimits>,
    /// The tool's name in examples. Default `read`, and `read_lines` for ranges.
    #[serde(default)]
    pub tool: Option<String>,
}

/// Bytes of what stands around the one line of a read, beside the path: header, notices, its number, where to read on.
const AROUND_A_LINE: u64 = 320;
/// The most bytes of a character.
const CHAR_BYTES: u64 = 4;

impl FilesRequest {
    /// The most characters of a line that a read of this line alone may show: so there is a read that shows something of
    /// any line, and says where to read on.
    pub(super) fn widest_line(&self, max_tokens: u64) -> u64 {
        let path = self.files.iter().map(|file| file.path.len()).max().unwrap_or(0) as u64;
        let bytes = (max_tokens as f64 * BYTES_PER_TOKEN) as u64;
        let room = bytes.saturating_sub(AROUND_A_LINE + path) / CHAR_BYTES;
        self.options.width().min(room.max(1))
    }
}

/// One of several files.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileRequest {
    /// Its path, as the model knows it.
    pub path: String,
    /// Why it could not be opened.
    #[serde(default)]
    pub error: Option<String>,
    /// Its encoding, where it does not say it itself.
    #[serde(default)]
    pub encoding: Option<TextEncoding>,
}

/// The files of a read, and how their tokens are counted.
pub trait Files {
    /// The `index`-th file. Not asked for those that could not be opened.
    fn source(&mut self, index: usize) -> impl Source;
    /// The tokens of a text that is about to be shown.
    fn count_tokens(&mut self, text: &str) -> f64;
}
