//! Reasons why an edit is refused. The content stays unchanged.

use super::nearest::Candidate;
use crate::text::keep_start;
use serde::Serialize;
use thiserror::Error;

/// Maximum number of places in a message.
pub(super) const LISTED: usize = 20;
/// Maximum number of bytes of a candidate's text in a message.
const SHOWN_BYTES: usize = 1000;

/// A refused edit. The message describes the problem for the model, beginning with the document's words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The text to find is empty.
    #[error("Error: old_string is empty. To add to {path}, use append_to_file or prepend_to_file.")]
    EmptyOldString {
        /// The file.
        path: String,
    },
    /// The edit would change nothing.
    #[error("Error: old_string and new_string are the same. {path} was not changed.")]
    NoChange {
        /// The file.
        path: String,
    },
    /// The text is not in the file.
    #[error("Error: old_string not found in {path}{}", nearest(candidates))]
    NotFound {
        /// The file.
        path: String,
        /// The closest matches, best first.
        candidates: Vec<Candidate>,
    },
    /// The text contains the replacement character for invalid bytes.
    #[error(
        "Error: old_string not found in {path}: U+FFFD stands for bytes that are not valid UTF-8. Leave it out."
    )]
    NoCharacter {
        /// The file.
        path: String,
    },
    /// The file is binary.
    #[error("Error: {path} is binary ({kind}) and was not changed.")]
    Binary {
        /// The file.
        path: String,
        /// Its type, as far as known.
        kind: &'static str,
    },
    /// The file is text, and would be binary.
    #[error(
        "Error: {path} was not written: it would be binary ({what}) and could not be read or edited again."
    )]
    BecomesBinary {
        /// The file.
        path: String,
        /// Its type then, or what makes it binary.
        what: &'static str,
    },
    /// The edit is not possible in the file's encoding.
    #[error("Error: {path} was not changed: {reason}")]
    Encoding {
        /// The file.
        path: String,
        /// What prevents the edit.
        reason: String,
    },
    /// The text is in several places.
    #[error(
        "Error: old_string appears multiple times in {path}. Be more specific. It is on {}.",
        places(lines)
    )]
    SeveralMatches {
        /// The file.
        path: String,
        /// The line of each place, from 1.
        lines: Vec<usize>,
    },
    /// No heading has the name.
    #[error("Error: section \"{header}\" not found in {path}{}", sections(known))]
    SectionNotFound {
        /// The file.
        path: String,
        /// The name that was requested.
        header: String,
        /// Names of all sections.
        known: Vec<String>,
    },
    /// Several headings have the name.
    #[error(
        "Error: section \"{header}\" appears multiple times in {path}. Be more specific. It is on {}.{}",
        places(lines),
        names(paths)
    )]
    SeveralSections {
        /// The file.
        path: String,
        /// The name that was requested.
        header: String,
        /// The line of each, from 1.
        lines: Vec<usize>,
        /// Paths that each name exactly one of them; only of the first twenty.
        paths: Vec<String>,
    },
    /// The new content would not stay within its section.
    #[error("Error: section \"{header}\" of {path} was not changed: {reason}")]
    BreaksSection {
        /// The file.
        path: String,
        /// The section.
        header: String,
        /// What the new content does, and how to fix it.
        reason: &'static str,
    },
}

/// The reason for a refusal, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "snake_case")]
pub enum RefusalCode {
    /// `oldString` is empty.
    EmptyOldString,
    /// `oldString` and `newString` are the same.
    NoChange,
    /// `oldString` is not in the file.
    NotFound,
    /// `oldString` is in several places.
    SeveralMatches,
    /// No heading has the name.
    SectionNotFound,
    /// Several headings have the name.
    SeveralSections,
    /// The file is binary, or would be.
    Binary,
    /// The edit is not possible in the file's encoding.
    Encoding,
    /// The new content would end the section early, or include what follows it.
    BreaksSection,
}

impl Refusal {
    /// Returns the literal code that hosts switch on.
    pub fn code(&self) -> RefusalCode {
        match self {
            Refusal::EmptyOldString { .. } => RefusalCode::EmptyOldString,
            Refusal::NoChange { .. } => RefusalCode::NoChange,
            Refusal::NotFound { .. } | Refusal::NoCharacter { .. } => RefusalCode::NotFound,
            Refusal::Binary { .. } | Refusal::BecomesBinary { .. } => RefusalCode::Binary,
            Refusal::Encoding { .. } => RefusalCode::Encoding,
            Refusal::SeveralMatches { .. } => RefusalCode::SeveralMatches,
            Refusal::SectionNotFound { .. } => RefusalCode::SectionNotFound,
            Refusal::SeveralSections { .. } => RefusalCode::SeveralSections,
            Refusal::BreaksSection { .. } => RefusalCode::BreaksSection,
        }
    }

    /// Returns the lines at which the text or heading occurs, if there are several.
    pub fn lines(&self) -> &[usize] {
        match self {
            Refusal::SeveralMatches { lines, .. } | Refusal::SeveralSections { lines, .. } => lines,
            _ => &[],
        }
    }

    /// Returns the closest matches of a text that was not found.
    pub fn candidates(&self) -> &[Candidate] {
        match self {
            Refusal::NotFound { candidates, .. } => candidates,
            _ => &[],
        }
    }
}

/// Formats lines: `line 3`, `lines 3, 7 and 9`, `lines 1, 2 (3 times), 3 and 40 more`.
fn places(lines: &[usize]) -> String {
    let lines: Vec<&[usize]> = lines.chunk_by(|a, b| a == b).collect();
    let rest = lines.len().saturating_sub(LISTED);
    let mut shown: Vec<String> =
        lines[..lines.len() - rest].iter().map(|same| of_line(same)).collect();
    let last = if rest > 0 { Some(format!("{rest} more")) } else { shown.pop() };
    let last = last.unwrap_or_default();
    if shown.is_empty() {
        format!("line {last}")
    } else {
        format!("lines {} and {last}", shown.join(", "))
    }
}

/// Formats a line and the number of places on it.
fn of_line(same: &[usize]) -> String {
    match same {
        [line] => line.to_string(),
        [line, ..] => format!("{line} ({} times)", same.len()),
        [] => String::new(),
    }
}

fn nearest(candidates: &[Candidate]) -> String {
    let describe = |candidate: &Candidate| {
        let shown = keep_start(&candidate.text, SHOWN_BYTES);
        format!("\n{}:\n{shown}", candidate.describe())
    };
    candidates.iter().map(describe).collect()
}

fn sections(known: &[String]) -> String {
    if known.is_empty() {
        return ": it has no headings.".to_owned();
    }
    let more = if known.len() > LISTED { ", ..." } else { "" };
    let shown = &known[..known.len().min(LISTED)];
    format!(". Its sections are: {}{more}.", quoted(shown))
}

fn names(paths: &[String]) -> String {
    if paths.is_empty() {
        return " Use edit_file.".to_owned();
    }
    format!(" Name it by its path: {}.", quoted(paths))
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}
