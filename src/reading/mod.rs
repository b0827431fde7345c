//! Reads of files for the model: numbered lines, the requested slice, and notices with exact hints.
//!
//! A file's bytes are read in chunks ([`Source`](crate::bytes::Source)) and not kept: a slice near the end of a large file
//! costs one scan and the lines that are shown. Lines end at line feeds (including the preceding carriage return in a CRLF
//! file), or at carriage returns if the file has no line feed: line numbers match those of compilers, grep and git. Columns
//! and lengths are in Unicode characters.

mod beyond;
mod examples;
mod files;
mod format;
mod limits;
mod lines;
mod notice;
mod options;
mod request;
mod search;
mod survey;

pub use files::{
    EPHEMERAL_READ_WARNING, ReadErrorType, ReadFailure, ReadResult, ReadSuccess, read_files,
};
pub use format::{ClippedLine, FileRead, ShownLines, format_read};
pub use limits::{MAX_TOKENS, ReadLimits, ReadPurpose, TOO_LARGE_SUGGESTION};
pub use notice::EMPTY_FILE;
pub use options::{LineRange, MAX_LINE_LENGTH, ReadOptions};
pub use request::{FileRequest, Files, FilesRequest};
pub use search::{Found, FoundLine, Search, SearchOptions};
pub use survey::LineEnding;
