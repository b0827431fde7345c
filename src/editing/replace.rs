//! Replaces a text that occurs once in a file, or everywhere.

use super::change::{Change, Edited, apply};
use super::chars;
use super::nearest::nearest;
use super::refusal::Refusal;
use crate::text::{line_starts, line_terminator};
use memchr::memmem;

/// A replacement. Both texts are literal: there are no patterns.
#[derive(Debug, Clone, Copy)]
pub struct Replacement<'a> {
    /// The text to find.
    pub old_string: &'a str,
    /// The text to insert.
    pub new_string: &'a str,
    /// Whether to replace every place, from the start and without overlap, instead of the only one.
    pub replace_all: bool,
}

/// Replaces a text of a file. Overlapping places count as several, because which one is meant would be a guess.
pub fn edit_file(content: &[u8], path: &str, edit: Replacement) -> Result<Edited, Refusal> {
    let path_name = || path.to_owned();
    let (old, new) = (edit.old_string.as_bytes(), edit.new_string.as_bytes());
    if old.is_empty() {
        return Err(Refusal::EmptyOldString { path: path_name() });
    }
    let places = places(content, old, edit.replace_all);
    if places.is_empty() {
        let candidates = nearest(content, edit.old_string);
        return Err(Refusal::NotFound { path: path_name(), candidates });
    }
    if places.len() > 1 && !edit.replace_all {
        return Err(Refusal::SeveralMatches { path: path_name(), lines: lines(content, &places) });
    }
    if old == new {
        return Err(Refusal::NoChange { path: path_name() });
    }
    let changes: Vec<Change> = places
        .iter()
        .map(|start| Change { before: *start..start + old.len(), text: new })
        .collect();
    let message = message(path, &edit, places.len());
    Ok(apply(path, content, &changes, message, false))
}

/// Returns the positions of the text, without overlap. A second one that overlaps a single one is included, to
/// distinguish them.
fn places(content: &[u8], old: &[u8], replace_all: bool) -> Vec<usize> {
    let finder = memmem::Finder::new(old);
    let mut places: Vec<usize> = finder.find_iter(content).collect();
    if let ([only], false) = (places.as_slice(), replace_all) {
        let next = only + 1;
        places.extend(finder.find(&content[next..]).map(|offset| next + offset));
    }
    places
}

fn lines(content: &[u8], places: &[usize]) -> Vec<usize> {
    let starts = line_starts(content, line_terminator(content));
    places.iter().map(|place| starts.partition_point(|start| start <= place)).collect()
}

fn message(path: &str, edit: &Replacement, places: usize) -> String {
    let (old, new) = (chars(edit.old_string), chars(edit.new_string));
    let everywhere = if places > 1 { format!(" in {places} places") } else { String::new() };
    format!("Edited {path}: replaced {old} chars with {new} chars{everywhere}")
}

#[cfg(test)]
mod tests {
    use super::{Replacement, edit_file};

    fn edit(content: &str, old: &str, new: &str, replace_all: bool) -> Result<String, String> {
        let edit = Replacement { old_string: old, new_string: new, replace_all };
        match edit_file(content.as_bytes(), "w.md", edit) {
            Ok(edited) => Ok(String::from_utf8_lossy(&edited.content).into_owned()),
            Err(refusal) => Err(refusal.to_string()),
        }
    }

    #[test]
    fn replaces_and_keeps_the_rest() {
        let cases = [
            ("Status: Initializing\n", "Initializing", "Phase 2", false, "Status: Phase 2\n"),
            ("\u{feff}a\r\nb\0c", "b", "$&\\1", false, "\u{feff}a\r\n$&\\1\0c"),
            ("aaa", "a", "aa", true, "aaaaaa"),
            ("aaa", "aa", "b", true, "ba"),
            ("x", "x", "", false, ""),
        ];
        for (content, old, new, all, expected) in cases {
            assert_eq!(edit(content, old, new, all).as_deref(), Ok(expected), "{content:?}");
        }
    }

    #[test]
    fn says_what_the_document_says() {
        let cases = [
            ("abc", "x", "Error: old_string not found in w.md"),
            (
                "a\nb\na",
                "a",
                "Error: old_string appears multiple times in w.md. Be more specific. It is on lines 1 and 3.",
            ),
            (
                "aaa",
                "aa",
                "Error: old_string appears multiple times in w.md. Be more specific. It is on line 1 (2 times).",
            ),
            (
                "abc",
                "",
                "Error: old_string is empty. To add to w.md, use append_to_file or prepend_to_file.",
            ),
            ("abc", "y", "Error: old_string not found in w.md"),
        ];
        for (content, old, expected) in cases {
            assert_eq!(edit(content, old, "y", false), Err(expected.to_owned()), "{content:?}");
        }
        let same = "Error: old_string and new_string are the same. w.md was not changed.";
        assert_eq!(edit("abc", "b", "b", false), Err(same.to_owned()));
    }

    #[test]
    fn messages_count_characters() {
        let edit = Replacement { old_string: "é", new_string: "\u{1F600}ab", replace_all: true };
        let one = edit_file("é".as_bytes(), "w.md", edit).map(|edited| edited.message);
        assert_eq!(one.as_deref(), Ok("Edited w.md: replaced 1 chars with 3 chars"));
        let two = edit_file("éé".as_bytes(), "w.md", edit).map(|edited| edited.message);
        assert_eq!(two.as_deref(), Ok("Edited w.md: replaced 1 chars with 3 chars in 2 places"));
    }
}
