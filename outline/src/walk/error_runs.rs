//! Runs of errors with nothing but comments between them. At each error the parser walks over the whole run, so its time
//! grows with the square of the run's length, and no count of its work shows that. A text with many comments is
//! therefore parsed part by part before it is parsed as a whole: a run is found when it is a part long.

use tree_sitter::Node;

/// Number of comments in a part. 2,000 errors with a comment after each take up to half a second.
const COMMENTS_PER_PART: usize = 2000;
/// Maximum number of errors in a run.
const MAX_ERRORS: usize = 250;
/// What begins a comment up to the end of the line in some language.
const TO_THE_LINE_END: [&[u8]; 2] = [b"//", b"#"];
/// What begins a comment that has an end of its own.
const TO_ITS_END: [&[u8]; 2] = [b"/*", b"<!--"];

/// Returns the ends of the parts of a text but the last, from `start` on. Line comments that follow each other, with
/// nothing between them, count as one.
pub(super) fn ends_of_parts(text: &str, start: usize) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let mut line_end = None;
    memchr::memchr3_iter(b'/', b'#', b'<', bytes.get(start..).unwrap_or_default())
        .map(move |at| start + at)
        .filter(move |at| {
            let rest = bytes.get(*at..).unwrap_or_default();
            if !TO_THE_LINE_END.iter().any(|opening| rest.starts_with(opening)) {
                return TO_ITS_END.iter().any(|opening| rest.starts_with(opening));
            }
            let follows = line_end.is_some_and(|end| is_blank(bytes, end, *at));
            line_end = Some(*at + memchr::memchr(b'\n', rest).unwrap_or(rest.len()));
            !follows
        })
        .skip(COMMENTS_PER_PART)
        .step_by(COMMENTS_PER_PART)
}

/// Returns whether there is only white space from `end` to `at`.
fn is_blank(bytes: &[u8], end: usize, at: usize) -> bool {
    bytes.get(end..at).is_some_and(|between| between.trim_ascii().is_empty())
}

/// Returns whether a tree has a run of too many errors.
pub(super) fn has_long_run(root: Node) -> bool {
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let mut errors = 0;
        let mut cursor = node.walk();
        for child in
            node.children(&mut cursor).filter(|child| child.has_error() || !child.is_extra())
        {
            errors = if child.is_error() { errors + 1 } else { 0 };
            if errors > MAX_ERRORS {
                return true;
            }
            if child.has_error() {
                open.push(child);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{COMMENTS_PER_PART, ends_of_parts};

    #[test]
    fn a_part_ends_before_a_comment() {
        let count = 2 * COMMENTS_PER_PART + 1;
        for (line, offset) in
            [("a // b\n", 2), ("a /* b */ ", 2), ("a\n# b\n# c\n", 2), ("<!-- a --> b\n", 0)]
        {
            let text = format!("# {}", line.repeat(count));
            let start = 2;
            let ends: Vec<usize> = ends_of_parts(&text, start).collect();
            let expected =
                [1, 2].map(|part| start + part * COMMENTS_PER_PART * line.len() + offset);
            assert_eq!(ends, expected, "{line}");
        }
    }

    #[test]
    fn a_text_with_few_comments_is_one_part() {
        for text in [
            "// a\n".repeat(10_000),
            "a // b\n".repeat(COMMENTS_PER_PART),
            "a / b < c\n".repeat(10_000),
        ] {
            assert_eq!(
                ends_of_parts(&text, 0).next(),
                None,
                "{}",
                text.get(..10).unwrap_or_default()
            );
        }
    }
}
