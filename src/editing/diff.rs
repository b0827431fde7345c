//! Unified diffs of changes at known positions: only the changed lines are compared.

use crate::text::line_starts;
use similar::{Algorithm, DiffOp, capture_diff, group_diff_ops};
use std::fmt::Write;
use std::ops::Range;

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;
/// Ranges of more lines than this are shown as removed and added without comparison, whose time is the product of both
/// lengths.
const COMPARED_LINES: usize = 2000;

/// Byte range of a change before and after it.
pub(super) type Span = (Range<usize>, Range<usize>);

/// Returns the diff of two contents that differ only in `spans`; `old_path` is absent for a new file. Bytes that are
/// not UTF-8 are shown as U+FFFD.
pub(super) fn unified_diff(
    old_path: Option<&str>,
    new_path: &str,
    old: &[u8],
    new: &[u8],
    spans: &[Span],
) -> String {
    let (old_lines, new_lines) = (lines(old), lines(new));
    let mut ops = Vec::new();
    let mut done = (0, 0);
    for (before, after) in regions(old, new, spans) {
        push_equal(&mut ops, done, before.start);
        push_compared(&mut ops, &old_lines, before.clone(), &new_lines, after.clone());
        done = (before.end, after.end);
    }
    push_equal(&mut ops, done, old_lines.len());
    let mut text = String::new();
    for hunk in group_diff_ops(ops, CONTEXT) {
        if text.is_empty() {
            let old_path = old_path.map_or_else(|| "/dev/null".to_owned(), one_line);
            text = format!("--- {old_path}\n+++ {}\n", one_line(new_path));
        }
        write_hunk(&mut text, &hunk, &old_lines, &new_lines);
    }
    text
}

/// Makes a path fit into a header line.
fn one_line(path: &str) -> String {
    path.replace(['\n', '\r', '\t'], "?")
}

/// Splits content into lines with their line feeds, as diffs count them.
fn lines(content: &[u8]) -> Vec<&[u8]> {
    content.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Expands the changes to whole lines, before and after. Changes that share a line on either side are merged.
fn regions(old: &[u8], new: &[u8], spans: &[Span]) -> Vec<Span> {
    let (old_starts, new_starts) = (line_starts(old, b'\n'), line_starts(new, b'\n'));
    let mut regions: Vec<Span> = Vec::new();
    for (before, after) in spans {
        let before = line_range(old, &old_starts, before);
        let after = line_range(new, &new_starts, after);
        match regions.last_mut() {
            Some(last) if before.start < last.0.end || after.start < last.1.end => {
                last.0.end = last.0.end.max(before.end);
                last.1.end = last.1.end.max(after.end);
            }
            _ => regions.push((before, after)),
        }
    }
    regions
}

fn line_range(content: &[u8], starts: &[usize], span: &Range<usize>) -> Range<usize> {
    let line = |position: usize| {
        let at_end = position == content.len() && content.last().is_none_or(|byte| *byte == b'\n');
        if at_end {
            return starts.len();
        }
        starts.partition_point(|start| *start <= position).saturating_sub(1)
    };
    line(span.start)..(line(span.end) + 1).min(starts.len())
}

/// Adds the equal lines from `done` (before, after) to line `until` of the content before.
fn push_equal(ops: &mut Vec<DiffOp>, done: (usize, usize), until: usize) {
    let len = until.saturating_sub(done.0);
    push(ops, DiffOp::Equal { old_index: done.0, new_index: done.1, len });
}

fn push_compared(
    ops: &mut Vec<DiffOp>,
    old: &[&[u8]],
    before: Range<usize>,
    new: &[&[u8]],
    after: Range<usize>,
) {
    if before.len().max(after.len()) > COMPARED_LINES {
        let (old_index, old_len) = (before.start, before.len());
        let (new_index, new_len) = (after.start, after.len());
        return push(ops, DiffOp::Replace { old_index, old_len, new_index, new_len });
    }
    for op in capture_diff(Algorithm::Myers, old, before, new, after) {
        push(ops, op);
    }
}

/// Adds an operation. Adjacent equal ranges are merged, because context is counted per range.
fn push(ops: &mut Vec<DiffOp>, op: DiffOp) {
    if let (Some(DiffOp::Equal { len: sum, .. }), DiffOp::Equal { len, .. }) = (ops.last_mut(), &op)
    {
        *sum += len;
    } else if !op.old_range().is_empty() || !op.new_range().is_empty() {
        ops.push(op);
    }
}

fn write_hunk(text: &mut String, hunk: &[DiffOp], old: &[&[u8]], new: &[&[u8]]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let before = first.old_range().start..last.old_range().end;
    let after = first.new_range().start..last.new_range().end;
    // Writing to a String cannot fail.
    let _ = writeln!(text, "@@ -{} +{} @@", hunk_range(&before), hunk_range(&after));
    for op in hunk {
        if let DiffOp::Equal { .. } = op {
            write_lines(text, ' ', &old[op.old_range()]);
        } else {
            write_lines(text, '-', &old[op.old_range()]);
            write_lines(text, '+', &new[op.new_range()]);
        }
    }
}

/// Formats `start,count` of a hunk: an empty range names the line before it.
fn hunk_range(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn write_lines(text: &mut String, sign: char, lines: &[&[u8]]) {
    for line in lines {
        text.push(sign);
        text.push_str(&String::from_utf8_lossy(line));
        if line.last() != Some(&b'\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}
