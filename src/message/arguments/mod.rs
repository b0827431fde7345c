//! The facts that the engine reads from a call's arguments: files, their lines, and the command.

pub mod files;
pub mod keys;

use super::value::access::{Kind, Value};
use super::value::words::Key;
use crate::text::json::{Json, entries, field, parsed, text, with_whole_characters};
use crate::text::{TextSize, joined, keep_start, valid_start};
use files::{FileRange, files_of, patched_files};
use keys::{COMMAND_KEYS, name, name_at};
use std::borrow::Cow;

/// The facts about a call's arguments that passes use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolArguments {
    /// The files that they name.
    pub files: Vec<FileRange>,
    /// The start of the shell command or the search pattern.
    pub command: Option<String>,
    /// The start of the stated purpose. Source: document "Smart Tool History", `intent`.
    pub intent: Option<String>,
}

/// Maximum bytes of arguments that are parsed. Longer ones are only measured: no path is worth parsing megabytes of a
/// written file.
const PARSE_LIMIT: usize = 8 << 20;

/// Bytes that are kept of a command or a purpose.
const COMMAND_LIMIT: usize = 120;

impl ToolArguments {
    /// Reads the arguments of a call, with the size of their text or JSON. They are read once, as a whole: asking the
    /// host for each possible name of a file takes longer.
    pub fn read<V: Value>(value: &V) -> (Self, TextSize) {
        let mut size = TextSize::default();
        let mut text = Vec::new();
        let mut sink = |chunk: &[u8]| {
            size.add_chunk(chunk);
            if text.len() <= PARSE_LIMIT {
                text.extend_from_slice(chunk);
            }
        };
        let utf16 = match value.kind() {
            Kind::Text => value.read_text(&mut sink),
            _ => value.read_json(&mut sink),
        };
        size.utf16 = utf16;
        (Self::from_text(&text), size)
    }

    /// Parses JSON text. Text that is not a JSON object (a freeform tool's input) is read as a patch.
    pub fn from_text(text: &[u8]) -> Self {
        if text.len() > PARSE_LIMIT {
            return Self::default();
        }
        Self::from_object(text)
            .unwrap_or_else(|| Self { files: patched_files(valid_start(text)), ..Self::default() })
    }

    /// Parses JSON text; `None` if it is not an object.
    pub fn from_object(text: &[u8]) -> Option<Self> {
        let read = |text: &[u8]| {
            let json = parsed(text)?;
            matches!(json, Json::Object(_)).then(|| Self::of(&json))
        };
        read(text).or_else(|| read(&with_whole_characters(text)?))
    }

    fn of(json: &Json<'_>) -> Self {
        let intent = name_at(json, Key::Intent).map(|text| keep_start(text.trim(), COMMAND_LIMIT));
        Self {
            files: files_of(json),
            command: command(json),
            intent: intent.filter(|text| !text.is_empty()),
        }
    }
}

fn command(json: &Json<'_>) -> Option<String> {
    let text = COMMAND_KEYS.iter().find_map(|key| command_text(field(json, key.text())?))?;
    Some(keep_start(text.trim().lines().next().unwrap_or(""), COMMAND_LIMIT))
}

fn command_text<'j>(json: &'j Json<'_>) -> Option<Cow<'j, str>> {
    // An argument vector, as in the tool `shell`.
    let Some(list) = entries(json) else { return text(json).map(Cow::Borrowed) };
    let words: Vec<&str> = list.iter().take(16).filter_map(name).collect();
    (!words.is_empty()).then(|| Cow::Owned(joined(&words, " ")))
}

#[cfg(test)]
mod tests {
    use super::{FileRange, ToolArguments};

    /// Paths with their lines.
    type Named = &'static [(&'static str, Option<(u32, u32)>)];

    fn files(json: &str) -> Vec<(String, Option<(u32, u32)>)> {
        let arguments = ToolArguments::from_text(json.as_bytes());
        arguments.files.into_iter().map(|FileRange { path, lines, .. }| (path, lines)).collect()
    }

    #[test]
    fn paths_and_lines() {
        const OPEN: u32 = u32::MAX;
        let cases: &[(&str, Named)] = &[
            (r#"{"path":"a.ts"}"#, &[("a.ts", None)]),
            (
                r#"{"file_path":"./src//a.ts","offset":10,"limit":5}"#,
                &[("src/a.ts", Some((10, 14)))],
            ),
            (r#"{"filePath":"a","offset":10}"#, &[("a", Some((10, OPEN)))]),
            (r#"{"path":"a","limit":100}"#, &[("a", Some((1, 100)))]),
            (r#"{"path":"a","limit":0}"#, &[("a", None)]),
            (r#"{"path":"a","offset":1}"#, &[("a", None)]),
            (r#"{"path":"a","offset":0,"limit":0}"#, &[("a", None)]),
            (r#"{"path":"a","offset":101.0,"limit":1e2}"#, &[("a", Some((101, 200)))]),
            (r#"{"path":"a","offset":"","limit":5}"#, &[("a", Some((1, 5)))]),
            (r#"{"path":"a","view_range":"[101, 103]"}"#, &[("a", Some((101, 103)))]),
            (r#"{"path":"a","line_range":"101-103"}"#, &[("a", Some((101, 103)))]),
            (r#"{"path":"a","view_range":"[5, -1]"}"#, &[("a", Some((5, OPEN)))]),
            (r#"{"path":"a","offset":10.5,"limit":5}"#, &[("a", None)]),
            (r#"{"path":"a","start_line":1}"#, &[("a", None)]),
            (r#"{"path":"a","view_range":[1,-1]}"#, &[("a", None)]),
            (r#"{"path":"a","offset":-20}"#, &[("a", None)]),
            (r#"{"path":"a","start_line":3,"end_line":"9"}"#, &[("a", Some((3, 9)))]),
            (r#"{"path":"a","view_range":[5,-1]}"#, &[("a", Some((5, OPEN)))]),
            (r#"{"path":"a","view_range":[9,5]}"#, &[("a", None)]),
            (
                r#"{"files":[{"path":"a","start_line":1,"end_line":2},{"path":"b"}]}"#,
                &[("a", Some((1, 2))), ("b", None)],
            ),
            (r#"{"file_paths":["a","b"],"limit":3}"#, &[("a", Some((1, 3))), ("b", Some((1, 3)))]),
            (
                r#"{"input":"*** Begin Patch\n*** Update File: src/a.rs\n@@\n*** Add File: b.rs\n"}"#,
                &[("src/a.rs", None), ("b.rs", None)],
            ),
            ("*** Update File: x.py\n", &[("x.py", None)]),
            (r#"{"path":"a","text":"\ud83d"}"#, &[("a", None)]),
            (r#"{"path":7}"#, &[]),
            ("[1]", &[]),
            ("", &[]),
        ];
        for (json, expected) in cases {
            let expected: Vec<_> =
                expected.iter().map(|(path, lines)| ((*path).to_owned(), *lines)).collect();
            assert_eq!(files(json), expected, "{json}");
        }
    }

    #[test]
    fn parts_of_the_lines_asked_for() {
        let partial_request =
            |json: &str| ToolArguments::from_text(json.as_bytes()).files[0].partial_request;
        for json in [
            r#"{"path":"a","offset":-20}"#,
            r#"{"file_paths":["a"],"offset":-20,"limit":5}"#,
            r#"{"path":"a","start":-9,"end":-1}"#,
            r#"{"path":"a","view_range":[9,5]}"#,
            r#"{"path":"a","view_range":"all"}"#,
            r#"{"path":"a","view_range":[1]}"#,
            r#"{"path":"a","offset":10.5,"limit":5}"#,
            r#"{"path":"a","offset":123456789012345678901234567890}"#,
            r#"{"path":"a","limit":"many"}"#,
            r#"{"path":"a","offset":3,"limit":1,"column":2001}"#,
        ] {
            assert!(partial_request(json), "{json}");
        }
        for json in [
            r#"{"path":"a"}"#,
            r#"{"path":"a","offset":3,"limit":1,"column":1}"#,
            r#"{"path":"a","view_range":[5,-1]}"#,
        ] {
            assert!(!partial_request(json), "{json}");
        }
    }

    #[test]
    fn commands() {
        let command = |json: &str| ToolArguments::from_text(json.as_bytes()).command;
        assert_eq!(command(r#"{"command":"npm test\nnpm run lint"}"#).as_deref(), Some("npm test"));
        assert_eq!(command(r#"{"command":["bash","-lc","ls"]}"#).as_deref(), Some("bash -lc ls"));
        assert_eq!(command(r#"{"pattern":"foo"}"#).as_deref(), Some("foo"));
        assert_eq!(command("{}"), None);
    }

    #[test]
    fn deep_nesting_is_refused_not_followed() {
        let deep = format!("{{\"path\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(files(&deep).is_empty());
    }
}
