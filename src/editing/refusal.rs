//! Why an edit was not made. The content stays as it was.

use super::nearest::Candidate;
use crate::text::keep_start;
use serde::Serialize;
use thiserror::Error;

/// The most places that a message lists.
pub(super) const LISTED: usize = 20;
/// The most bytes of each candidate's text that a message shows.
const SHOWN_BYTES: usize = 1000;

/// An edit that was refused: what is wrong with it, in words for the model, beginning as the document words it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// There is nothing to look for.
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
    /// The text stands nowhere in the file.
    #[error("Error: old_string not found in {path}{}", nearest(candidates))]
    NotFound {
        /// The file.
        path: String,
        /// What comes nearest to it, best first.
        candidates: Vec<Candidate>,
    },
    /// The text holds what stands for bytes that are no character.
    #[error(
        "Error: old_string not found in {path}: U+FFFD stands for bytes that are not valid UTF-8. Leave it out."
    )]
    NoCharacter {
        /// The file.
        path: String,
    },
    /// The file is no text.
    #[error("Error: {path} is binary ({kind}) and was not changed.")]
    Binary {
        /// The file.
        path: String,
        /// What it is, as far as known.
        kind: &'static str,
    },
    /// The edit is not possible in the file's encoding.
    #[error("Error: {path} was not changed: {reason}")]
    Encoding {
        /// The file.
        path: String,
        /// What of it is in the way.
        reason: String,
    },
    /// The text stands in several places.
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
        /// The name that was asked for.
        header: String,
        /// The names of all sections there are.
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
        /// The name that was asked for.
        header: String,
        /// The line of each, from 1.
        lines: Vec<usize>,
        /// Paths that name one of them each: of the first twenty, without those that others share.
        paths: Vec<String>,
    },
    /// The new content would not stay inside its section.
    #[error("Error: section \"{header}\" of {path} was not changed: {reason}")]
    BreaksSection {
        /// The file.
        path: String,
        /// The section.
        header: String,
        /// What the new content does, and what to do about it.
        reason: &'static str,
    },
}

/// What went wrong, for programs.
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
    /// `oldString` stands nowhere.
    NotFound,
    /// `oldString` stands in several places.
    SeveralMatches,
    /// No heading has the name.
    SectionNotFound,
    /// Several headings have the name.
    SeveralSections,
    /// The file is binary.
    Binary,
    /// The edit is not possible in the file's encoding.
    Encoding,
    /// The new content would end the section early, or take in what follows it.
    BreaksSection,
}

impl Refusal {
    /// The literal code that hosts switch on.
    pub fn code(&self) -> RefusalCode {
        match self {
            Refusal::EmptyOldString { .. } => RefusalCode::EmptyOldString,
            Refusal::NoChange { .. } => RefusalCode::NoChange,
            Refusal::NotFound { .. } | Refusal::NoCharacter { .. } => RefusalCode::NotFound,
            Refusal::Binary { .. } => RefusalCode::Binary,
            Refusal::Encoding { .. } => RefusalCode::Encoding,
            Refusal::SeveralMatches { .. } => RefusalCode::SeveralMatches,
            Refusal::SectionNotFound { .. } => RefusalCode::SectionNotFound,
            Refusal::SeveralSections { .. } => RefusalCode::SeveralSections,
            Refusal::BreaksSection { .. } => RefusalCode::BreaksSection,
        }
    }

    /// The lines of the places that the text or name stands in.
    pub fn lines(&self) -> &[usize] {
        match self {
            Refusal::SeveralMatches { lines, .. } | Refusal::SeveralSections { lines, .. } => lines,
            _ => &[],
        }
    }

    /// What comes nearest to a text that stands nowhere.
    pub fn candidates(&self) -> &[Candidate] {
        match self {
            Refusal::NotFound { candidates, .. } => candidates,
            _ => &[],
        }
    }
}

/// `line 3`, `lines 3, 7 and 9`, `lines 1, 2 (3 times), 3 and 40 more`.
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

/// A line, as often as something stands on it.
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
