//! What the engine understands of a call's arguments: the files it names, their lines, and its command.

use super::{JsonValue, Key, Kind, Value, read_string};
use crate::text::keep_start;

/// A file that a call names, with the lines it asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRange {
    /// The path as it was written, less `./` in front and doubled slashes.
    pub path: String,
    /// First and last line, counted from 1; `None` for the whole file, an open end is `u32::MAX`.
    pub lines: Option<(u32, u32)>,
    /// Whether less than these lines is asked for: a part of a line, or lines whose place only the file tells.
    pub partial_request: bool,
}

/// The arguments of a call, as far as passes ask.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolArguments {
    /// The files named.
    pub files: Vec<FileRange>,
    /// The start of the shell command or the search pattern.
    pub command: Option<String>,
    /// The start of what it says that it is for: document "Smart Tool History", `intent`.
    pub intent: Option<String>,
}

/// Keys that hold one path, the most usual first.
const PATH_KEYS: &[Key] = &[
    Key::Path,
    Key::FilePath,
    Key::FilePathCamel,
    Key::FilePathLower,
    Key::File,
    Key::Filename,
    Key::FileName,
    Key::TargetFile,
    Key::AbsolutePath,
    Key::NotebookPath,
];

/// Keys that hold several paths, or a text that names files.
const FILES_KEYS: &[Key] =
    &[Key::FilePaths, Key::Paths, Key::Files, Key::Input, Key::Patch, Key::Diff];

/// Keys that hold a command, or what is searched for.
const COMMAND_KEYS: &[Key] = &[Key::Command, Key::Cmd, Key::Commands, Key::Pattern, Key::Query];

/// Whether arguments under this key name files.
pub fn is_file_key(key: &str) -> bool {
    PATH_KEYS.iter().chain(FILES_KEYS).any(|known| known.text() == key)
}

/// Whether the argument under this key is the command, or the pattern.
pub fn is_command_key(key: &str) -> bool {
    COMMAND_KEYS.iter().any(|known| known.text() == key)
}

/// Longer arguments are sized but not read: no path is worth parsing megabytes of written file for.
const PARSE_LIMIT: usize = 8 << 20;

/// A shell command is known by its start.
const COMMAND_LIMIT: usize = 120;

impl ToolArguments {
    /// Reads an object of arguments.
    pub fn from_value<V: Value>(value: &V) -> Self {
        if value.kind() == Kind::Text {
            let mut text = Vec::new();
            value.read_text(&mut |chunk| text.extend_from_slice(chunk));
            return Self::from_text(&text);
        }
        let files = one_file(value).map_or_else(|| listed_files(value), |file| vec![file]);
        let files = if files.is_empty() { patched_files_in(value) } else { files };
        let start = |text: String| keep_start(text.trim(), COMMAND_LIMIT);
        let intent = read_string(&value.field(Key::Intent)).map(start);
        Self { files, command: command(value), intent: intent.filter(|text| !text.is_empty()) }
    }

    /// Reads JSON text; text that is no JSON (a freeform tool's input) is read as a patch.
    pub fn from_text(text: &[u8]) -> Self {
        if text.len() > PARSE_LIMIT {
            return Self::default();
        }
        match serde_json::from_slice::<serde_json::Value>(text) {
            Ok(json) if json.is_object() => Self::from_value(&JsonValue::from(&json)),
            _ => Self { files: patched_files(&String::from_utf8_lossy(text)), ..Self::default() },
        }
    }
}

fn one_file<V: Value>(value: &V) -> Option<FileRange> {
    let path = PATH_KEYS.iter().find_map(|key| read_string(&value.field(*key)))?;
    let (lines, partial_request) = line_range(value);
    Some(FileRange { path: normal_path(&path), lines, partial_request })
}

fn listed_files<V: Value>(value: &V) -> Vec<FileRange> {
    let lists = [Key::FilePaths, Key::Paths, Key::Files];
    let Some(list) =
        lists.iter().map(|key| value.field(*key)).find(|list| list.kind() == Kind::List)
    else {
        return Vec::new();
    };
    let (lines, partial_request) = line_range(value);
    let file = |entry: V| match entry.kind() {
        Kind::Text => read_string(&entry).map(|path| FileRange {
            path: normal_path(&path),
            lines,
            partial_request,
        }),
        _ => one_file(&entry),
    };
    (0..list.len()).filter_map(|i| file(list.item(i))).collect()
}

/// The lines asked for, and whether less than them is.
fn line_range<V: Value>(value: &V) -> (Option<(u32, u32)>, bool) {
    let pair = [Key::ViewRange, Key::LineRange].iter().find_map(|key| {
        let list = value.field(*key);
        Some((list.item(0).integer()?, list.item(1).integer()?))
    });
    let number = |keys: &[Key]| keys.iter().find_map(|key| value.field(*key).integer());
    let start = number(&[Key::StartLine, Key::StartLineCamel, Key::Start]);
    let end = number(&[Key::EndLine, Key::EndLineCamel, Key::End]);
    let (offset, limit) =
        (number(&[Key::Offset]), number(&[Key::Limit]).filter(|limit| *limit > 0));
    let (first, last) = match (pair, start.or(end), offset.or(limit)) {
        (Some((first, last)), _, _) => (first, if last < 0 { i64::MAX } else { last }),
        (None, Some(_), _) => (start.unwrap_or(1), end.unwrap_or(i64::MAX)),
        (None, None, Some(_)) => {
            let first = offset.unwrap_or(1);
            (first, limit.map_or(i64::MAX, |limit| first.max(1).saturating_add(limit - 1)))
        }
        (None, None, None) => return (None, false),
    };
    // An offset from the end cannot be placed without the file.
    let lines = (first >= 0 && first <= last).then(|| (clamp(first.max(1)), clamp(last)));
    (lines, lines.is_none() || number(&[Key::Column]).is_some_and(|column| column > 1))
}

fn clamp(line: i64) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

fn patched_files_in<V: Value>(value: &V) -> Vec<FileRange> {
    let keys = [Key::Input, Key::Patch, Key::Diff];
    let Some(text) =
        keys.iter().map(|key| value.field(*key)).find(|text| text.kind() == Kind::Text)
    else {
        return Vec::new();
    };
    let mut bytes = Vec::new();
    text.read_text(&mut |chunk| bytes.extend_from_slice(chunk));
    patched_files(&String::from_utf8_lossy(&bytes))
}

/// The files of an `apply_patch` text (`*** Update File: PATH`; the format of the Codex agent).
fn patched_files(text: &str) -> Vec<FileRange> {
    const STARTS: &[&str] = &["*** Update File: ", "*** Add File: ", "*** Delete File: "];
    let path = |line: &str| {
        STARTS.iter().find_map(|start| line.strip_prefix(start)).map(str::trim).map(normal_path)
    };
    text.lines()
        .filter_map(path)
        .map(|path| FileRange { path, lines: None, partial_request: false })
        .collect()
}

fn command<V: Value>(value: &V) -> Option<String> {
    let text = COMMAND_KEYS.iter().find_map(|key| command_text(&value.field(*key)))?;
    Some(keep_start(text.trim().lines().next().unwrap_or(""), COMMAND_LIMIT))
}

fn command_text<V: Value>(value: &V) -> Option<String> {
    match value.kind() {
        Kind::Text => {
            let mut bytes = Vec::new();
            value.read_text(&mut |chunk| {
                let room = (4 * COMMAND_LIMIT).saturating_sub(bytes.len()).min(chunk.len());
                bytes.extend_from_slice(&chunk[..room]);
            });
            Some(String::from_utf8_lossy(&bytes).into_owned())
        }
        // An argument vector, as `shell` takes it.
        Kind::List => {
            let words: Vec<String> =
                (0..value.len().min(16)).filter_map(|i| read_string(&value.item(i))).collect();
            (!words.is_empty()).then(|| words.join(" "))
        }
        _ => None,
    }
}

fn normal_path(path: &str) -> String {
    let mut path = path.trim();
    while let Some(rest) = path.strip_prefix("./") {
        path = rest.trim_start_matches('/');
    }
    let mut normal = String::with_capacity(path.len());
    for c in path.chars() {
        if c != '/' || !normal.ends_with('/') {
            normal.push(c);
        }
    }
    normal
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
