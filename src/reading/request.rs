//! What a read of several files asks for, and what it asks.

use super::limits::ReadLimits;
use super::options::ReadOptions;
use crate::bytes::{Source, TextEncoding};
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
