//! The argument names in the tools of existing agents.

use crate::message::value::access::MAX_NAME_BYTES;
use crate::message::value::words::Key;
use crate::text::json::{Json, field, text};

/// Keys of one path, most common first.
pub const PATH_KEYS: &[Key] = &[
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

/// Keys of several paths, or of a text that names files.
pub const FILES_KEYS: &[Key] =
    &[Key::FilePaths, Key::Paths, Key::Files, Key::Input, Key::Patch, Key::Diff];

/// Keys of a command or a search pattern.
pub const COMMAND_KEYS: &[Key] = &[Key::Command, Key::Cmd, Key::Commands, Key::Pattern, Key::Query];

/// Ends of the names of arguments that do not change what a call does, such as `sandbox_permissions`, `security_risk`, and
/// of a read `show_line_numbers`. So do names that begin with `timeout`.
pub const ASIDE: &[&str] = &[
    "description",
    "entire_file",
    "ephemeral",
    "explanation",
    "intent",
    "justification",
    "numbers",
    "permissions",
    "progress",
    "reason",
    "risk",
    "summary",
    "thought",
    "timeout",
];

/// Arguments that say how a file is read, and their values for its lines as they are.
pub const WAYS: &[&str] = &["action", "command", "encoding", "mode", "operation"];
/// These values.
pub const PLAIN_WAYS: &[&str] = &["auto", "full", "read", "slice", "utf-8", "utf8", "view"];

/// Whether an argument does not change what a call does.
pub fn is_aside(key: &str) -> bool {
    key.starts_with("timeout") || ASIDE.iter().any(|aside| key.ends_with(aside))
}

/// Whether an argument does not change which lines a read shows. An unknown one may ask for a part, a page, or the file
/// of another version or host.
pub fn shows_the_same(key: &str, value: &Json<'_>) -> bool {
    match value {
        Json::Null | Json::Bool(false) | Json::Number("0") => true,
        Json::String(text)
            if text.is_empty() || PLAIN_WAYS.contains(&&**text) && WAYS.contains(&key) =>
        {
            true
        }
        _ => is_aside(key),
    }
}

/// Whether arguments under this key name files.
pub fn is_file_key(key: &str) -> bool {
    PATH_KEYS.iter().chain(FILES_KEYS).any(|known| known.text() == key)
}

/// Whether the argument under this key is a command or a search pattern.
pub fn is_command_key(key: &str) -> bool {
    COMMAND_KEYS.iter().any(|known| known.text() == key)
}

/// The text of an argument that is an id, a name or a path; `None` for one that is too long to be any.
pub fn name<'j>(json: &'j Json<'_>) -> Option<&'j str> {
    text(json).filter(|text| text.len() <= MAX_NAME_BYTES)
}

/// The [`name`] under a key.
pub fn name_at<'j>(json: &'j Json<'_>, key: Key) -> Option<&'j str> {
    name(field(json, key.text())?)
}
