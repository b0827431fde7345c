//! The kind of a tool, from well-known names.

use crate::text::split_at_last;
use serde::Serialize;

/// The kind of tool from which a result comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// Shows the content of files.
    Read,
    /// Changes a part of a file.
    Edit,
    /// Writes a whole file.
    Write,
    /// Runs a command.
    Shell,
    /// Searches, and shows matches.
    Search,
    /// Lists files.
    List,
    /// Any other tool.
    Other,
}

/// Tool names of existing agents, in lower case and without `_`, `-` and `.`.
const TOOLS: &[(Origin, &[&str])] = &[
    (
        Origin::Read,
        &[
            "read",
            "readfile",
            "readfiles",
            "readlines",
            "readfilecurated",
            "readmanyfiles",
            "readmultiplefiles",
            "readtextfile",
            "fsread",
            "fileread",
            "view",
            "viewfile",
            "viewrange",
            "open",
            "openfile",
            "cat",
            "getfilecontents",
            "notebookread",
        ],
    ),
    (
        Origin::Edit,
        &[
            "edit",
            "editfile",
            "multiedit",
            "strreplace",
            "strreplaceeditor",
            "strreplacebasededittool",
            "replace",
            "replaceinfile",
            "searchreplace",
            "searchandreplace",
            "editor",
            "applypatch",
            "applydiff",
            "patch",
            "insert",
            "insertcontent",
            "insertline",
            "appendfile",
            "appendtofile",
            "prependtofile",
            "updatesection",
            "notebookedit",
            "replacestringinfile",
            "inserteditintofile",
            "deletefile",
            "movefile",
        ],
    ),
    (
        Origin::Write,
        &[
            "write",
            "writefile",
            "writetofile",
            "create",
            "createfile",
            "savefile",
            "fswrite",
            "filewrite",
        ],
    ),
    (
        Origin::Shell,
        &[
            "bash",
            "bashtool",
            "runbash",
            "shell",
            "shelltool",
            "shellexec",
            "runshell",
            "sh",
            "zsh",
            "exec",
            "execcommand",
            "executecommand",
            "executebash",
            "runcommand",
            "runcommands",
            "runshellcommand",
            "executeshellcommand",
            "runterminalcmd",
            "runterminalcommand",
            "runinterminal",
            "terminal",
            "unifiedexec",
            "launchprocess",
            "startprocess",
            "localshell",
            "localshellcall",
            "shellcommand",
            "containerexec",
            "powershell",
            "writestdin",
        ],
    ),
    (
        Origin::Search,
        &[
            "grep",
            "greptool",
            "rg",
            "ripgrep",
            "search",
            "searchfile",
            "searchfiles",
            "searchdir",
            "searchcodebase",
            "searchfilecontent",
            "searchtext",
            "grepsearch",
            "codebasesearch",
            "findinfiles",
            "websearch",
        ],
    ),
    (
        Origin::List,
        &[
            "ls",
            "glob",
            "list",
            "listfiles",
            "listdir",
            "listdirectory",
            "find",
            "findfile",
            "findfiles",
            "findbyname",
            "filesearch",
            "tree",
        ],
    ),
];

/// The kind of a tool. `command` is the argument of that name, which selects the action of some edit tools
/// (`str_replace_based_edit_tool`: `view`, `create`, `str_replace`, `insert`).
pub fn origin_of(tool: &str, command: Option<&str>) -> Origin {
    let folded = fold(tool);
    // Servers prefix their tools: mcp__files__read_file, functions.shell.
    let last = fold(behind_underscores(split_at_last(b".:/", tool).map_or(tool, |(_, name)| name)));
    let found = [folded, last].iter().find_map(|name| {
        TOOLS.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(origin, _)| *origin)
    });
    match (found, command) {
        (Some(Origin::Edit), Some("view")) => Origin::Read,
        (Some(Origin::Edit), Some("create")) => Origin::Write,
        (found, _) => found.unwrap_or(Origin::Other),
    }
}

/// The part of a name after the last `__`. A substring search would link that of the standard library, a kilobyte that
/// nothing else here needs.
fn behind_underscores(name: &str) -> &str {
    let at = name.as_bytes().windows(2).rposition(|pair| pair == b"__");
    at.and_then(|at| name.get(at + 2..)).unwrap_or(name)
}

fn fold(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | '.' | ' '))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

/// Whether a result begins like a view of `trimtab/reading` that shows a part of its file. Source: document "Unified
/// read_file". The view may be in a field of an object that a tool returns.
pub fn looks_like_partial_result(text: &[u8]) -> bool {
    let head = &text[..text.len().min(512)];
    let has = |head: &[u8], part: &[u8]| head.windows(part.len()).any(|piece| piece == part);
    has(&head[..head.len().min(64)], b"File: ")
        && (has(head, b" (curated)") || has(head, b" (structure)"))
}

#[cfg(test)]
mod tests {
    use super::{Origin, looks_like_partial_result, origin_of};

    #[test]
    fn well_known_tools() {
        let cases: &[(&str, Option<&str>, Origin)] = &[
            ("Read", None, Origin::Read),
            ("read_file", None, Origin::Read),
            ("mcp__files__read_file", None, Origin::Read),
            ("mcp__filesystem__read_multiple_files", None, Origin::Read),
            ("read_file_curated", None, Origin::Read),
            ("functions.shell", None, Origin::Shell),
            ("str_replace_based_edit_tool", Some("view"), Origin::Read),
            ("str_replace_based_edit_tool", Some("create"), Origin::Write),
            ("str_replace_based_edit_tool", Some("str_replace"), Origin::Edit),
            ("apply_patch", None, Origin::Edit),
            ("bash", Some("view"), Origin::Shell),
            ("container.exec", None, Origin::Shell),
            ("Grep", None, Origin::Search),
            ("LS", None, Origin::List),
            ("submit", None, Origin::Other),
            ("", None, Origin::Other),
        ];
        for (tool, command, origin) in cases {
            assert_eq!(origin_of(tool, *command), *origin, "{tool} {command:?}");
        }
    }

    #[test]
    fn views_by_their_headers() {
        for text in [
            "File: a.ts (structure)\nTotal lines: 1200 | Preserved: 140 (11.7%)\n",
            "File: src/a b.ts (curated)\nTotal lines: 300",
            r#"{"content":"File: a.ts (curated)\nTotal lines: 300"}"#,
            r#"{"isError":false,"content":"File: a.ts (curated)\nTotal lines: 300"}"#,
        ] {
            assert!(looks_like_partial_result(text.as_bytes()), "{text}");
        }
        for text in [
            "",
            "File: ",
            "File: a.ts (full)\nTotal lines: 30 | Preserved: 30 (100.0%)\n",
            "A header that stands in the middle of a text is none, or this one would be: File: a (structure)",
        ] {
            assert!(!looks_like_partial_result(text.as_bytes()), "{text}");
        }
    }
}
