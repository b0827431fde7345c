//! The argument names in the tools of existing agents.

use crate::message::value::words::Key;

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

/// Whether arguments under this key name files.
pub fn is_file_key(key: &str) -> bool {
    PATH_KEYS.iter().chain(FILES_KEYS).any(|known| known.text() == key)
}

/// Whether the argument under this key is a command or a search pattern.
pub fn is_command_key(key: &str) -> bool {
    COMMAND_KEYS.iter().any(|known| known.text() == key)
}
