//! Request of a read of several files, and access to the files.

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
    /// The part to read of each file.
    #[serde(default)]
    pub options: ReadOptions,
    /// Whether the content should be removed from the conversation after the turn.
    #[serde(default)]
    pub ephemeral: bool,
    /// Token limits. Default: none.
    #[serde(default)]
    pub limits: Option<ReadLimits>,
    /// The tool's name in example calls. Default `read`, or `read_lines` for ranges.
    #[serde(default)]
    pub tool: Option<String>,
}

/// Bytes around a single line, without the path: header, notices, line number, position at which to continue.
const AROUND_A_LINE: u64 = 320;
/// Maximum bytes of a character.
const CHAR_BYTES: u64 = 4;

impl FilesRequest {
    /// Returns the number of characters of a line that a read of this line alone may show, if it may show any. Thus a
    /// read can show part of a line and say where to continue. The estimate by bytes is tried first: it is the answer
    /// unless the host's counter counts more, or a path or a notice takes the room.
    pub(super) fn widest_line(
        &self,
        max_tokens: u64,
        mut fits: impl FnMut(u64) -> bool,
    ) -> Option<u64> {
        let path = self.files.iter().map(|file| file.path.len()).max().unwrap_or(0) as u64;
        let bytes = (max_tokens as f64 * BYTES_PER_TOKEN) as u64;
        let room = bytes.saturating_sub(AROUND_A_LINE + path) / CHAR_BYTES;
        let estimated = self.options.width().min(room.max(1));
        if fits(estimated) {
            return Some(estimated);
        }
        Some(longest(0, estimated - 1, fits)).filter(|width| *width > 0)
    }
}

/// One file of the request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FileRequest {
    /// Its path, as the model knows it.
    pub path: String,
    /// Why it could not be opened.
    #[serde(default)]
    pub error: Option<String>,
    /// The encoding named by the host, for files that do not declare one.
    #[serde(default)]
    pub encoding: Option<TextEncoding>,
}

/// Access to the files of a read, and their token counter.
pub trait Files {
    /// Returns the `index`-th file. Not called for files that could not be opened.
    fn source(&mut self, index: usize) -> impl Source;
    /// Returns the tokens of a text to be shown.
    fn count_tokens(&mut self, text: &str) -> f64;
}

/// Returns the most lines or characters that fit, of `least`, which need not, to `most`: more never fit where fewer do not.
pub(super) fn longest(mut least: u64, mut most: u64, mut fits: impl FnMut(u64) -> bool) -> u64 {
    while least < most {
        let middle = (least + most).div_ceil(2);
        if fits(middle) { least = middle } else { most = middle - 1 }
    }
    least
}
