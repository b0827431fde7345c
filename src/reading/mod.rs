//! Files as the model reads them: numbered lines, the slice that was asked for, and notices whose hints are exact.
//!
//! A file's bytes come chunk by chunk ([`Source`](crate::bytes::Source)) and are not kept: a slice near the end of a large file costs one scan
//! and the lines that are shown. Lines end at line feeds (with the carriage return before them in a CRLF file), or at
//! carriage returns where there is no line feed at all: line numbers are those of compilers, grep and git. Columns and
//! lengths count Unicode characters.

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
pub use limits::{ReadLimits, ReadPurpose, TOO_LARGE_SUGGESTION};
pub use options::{LineRange, MAX_LINE_LENGTH, ReadOptions};
pub use request::{FileRequest, Files, FilesRequest};
pub use search::{Found, FoundLine, Search, SearchOptions};
pub use survey::LineEnding;
