//! Text of a formatted read other than the file's own lines. Taken from the document "ReadTool Improvements" if it has
//! one.

use super::lines::Line;
use super::options::{LineArguments, Part};
use crate::bytes::TextEncoding;

pub(super) fn header(path: &str) -> String {
    format!("=== {path} ===")
}

pub(super) fn slice(first: u64, last: u64, total: u64) -> String {
    format!("[Showing lines {first}-{last} of {total} total lines]")
}

/// Notice of an offset after the end. The hints give arguments that read the first and the last lines; `page` is the
/// number of lines that they read, if those asked for do not fit into a read. If it is 0, there is nothing to propose.
pub(super) fn out_of_bounds(
    part: Part,
    total: u64,
    arguments: LineArguments,
    page: Option<u64>,
) -> String {
    let Part { offset, limit, .. } = part;
    let (what, first) = match arguments {
        LineArguments::OffsetLimit => ("offset", "offset"),
        LineArguments::StartEnd => ("line", "start"),
    };
    let plural = if total == 1 { "" } else { "s" };
    let start = format!("[Cannot read from {what} {offset}: file only has {total} line{plural}.");
    if total == 0 {
        return format!("{start} It is empty.]");
    }
    if page == Some(0) {
        return format!("{start}]");
    }
    let beginning = page.map_or(format!("{first}=1"), |page| arguments.of(1, page));
    let hint = format!("Use {beginning} to start from the beginning");
    if limit == 0 {
        return format!("{start} {hint}.]");
    }
    let count = limit.min(total).min(page.unwrap_or(u64::MAX));
    let last_page = total - count + 1;
    let last = match arguments {
        // The limit is the one that was asked for.
        LineArguments::OffsetLimit if page.is_none() => format!("offset={last_page}"),
        _ => arguments.of(last_page, count),
    };
    format!("{start} {hint}, or {last} to read the last {count} lines.]")
}

/// Notice of an empty file.
pub const EMPTY_FILE: &str = "[File is empty: it has 0 lines.]";

pub(super) fn binary(kind: &str, bytes: u64) -> String {
    let plural = if bytes == 1 { "" } else { "s" };
    format!("[Binary file: {kind}, {bytes} byte{plural}. Its content is not shown.]")
}

/// Returns whether a read can begin at a column of a line of so many characters.
pub(super) fn has_column(chars: u64, column: u64) -> bool {
    column <= chars.max(1)
}

pub(super) fn from_column(line: u64, column: u64, chars: u64) -> String {
    if !has_column(chars, column) {
        let plural = if chars == 1 { "" } else { "s" };
        return format!(
            "[Cannot read from column {column}: line {line} only has {chars} char{plural}. Use column=1 to start from its beginning.]"
        );
    }
    format!("[Line {line} is shown from column {column} of {chars}]")
}

pub(super) fn malformed(encoding: TextEncoding) -> String {
    let name = if encoding == TextEncoding::Utf8 { "UTF-8" } else { "UTF-16" };
    format!("[Bytes that are not valid {name} are shown as U+FFFD]")
}

/// Formats a line like `cat -n`, with the position at which to continue if it was cut.
pub(super) fn numbered(line: &Line, arguments: LineArguments) -> String {
    let Line { number, text, chars, .. } = line;
    match line.rest {
        None => format!("{number:>6}\t{text}"),
        Some(column) => format!(
            "{number:>6}\t{text} ... [line of {chars} chars: read on with {}, column={column}]",
            arguments.of(*number, 1)
        ),
    }
}
