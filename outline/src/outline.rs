//! Creates the outline of a file's text.

use crate::fit::{Budget, fit};
use crate::lines::Lines;
use crate::rank::Ranks;
use crate::reading::Reading;
use crate::render::render;
use crate::section::Section;
use crate::{Problem, indentation};
use serde::Serialize;

/// A file's outline, with its sections and the lines it shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "outline.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct Outline {
    /// Numbered lines, and notices of the lines folded between them.
    pub text: String,
    /// All sections, shown or not, in the order of the file.
    pub sections: Vec<Section>,
    /// Number of lines in the file.
    pub total_lines: usize,
    /// Number of lines shown.
    pub shown_lines: usize,
    /// Ranges of the lines shown, in the order of the file.
    pub shown: Vec<LineRange>,
    /// Whether the whole top level is shown; false if the budget was too small.
    pub complete: bool,
    /// How the file was read: the language, or `text` if it could not be read in that language.
    pub language: &'static str,
    /// Whether parts of the file are not valid in its language: sections there may be missing.
    pub malformed: bool,
}

/// A range of consecutive lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "outline.ts")
)]
pub struct LineRange {
    /// The first line, from 1.
    pub start: usize,
    /// The last.
    pub end: usize,
}

/// Returns the languages of this build.
#[must_use]
pub fn languages() -> Vec<&'static str> {
    #[cfg(feature = "grammar")]
    let mut names: Vec<&str> = crate::grammars::all().iter().map(|grammar| grammar.name).collect();
    #[cfg(not(feature = "grammar"))]
    let mut names = Vec::new();
    let others: &[&str] = if cfg!(feature = "text") { &["markdown", "text"] } else { &["text"] };
    names.extend(others);
    names
}

/// Outlines a file. A file without sections in its language is outlined by its indentation.
pub fn outline(language: &str, content: &str, budget: Budget) -> Result<Outline, Problem> {
    let lines = Lines::of(content);
    let mut ranks = Ranks::of(&lines);
    let reading = read(language, content, &lines, &mut ranks)?;
    let (shown, complete) = fit(&lines, &ranks, budget, content.len());
    Ok(Outline {
        text: render(&lines, &shown),
        total_lines: lines.len(),
        shown_lines: shown.len(),
        shown: runs(&shown),
        sections: reading.sections,
        complete,
        language: reading.language,
        malformed: reading.malformed,
    })
}

/// Groups consecutive lines into ranges. `lines` are in order, from 0.
fn runs(lines: &[usize]) -> Vec<LineRange> {
    let mut runs: Vec<LineRange> = Vec::new();
    for number in lines.iter().map(|line| line + 1) {
        match runs.last_mut() {
            Some(run) if run.end + 1 == number => run.end = number,
            _ => runs.push(LineRange { start: number, end: number }),
        }
    }
    runs
}

fn read(
    language: &str,
    content: &str,
    lines: &Lines,
    ranks: &mut Ranks,
) -> Result<Reading, Problem> {
    let found = match language {
        "text" => None,
        #[cfg(feature = "text")]
        "markdown" => {
            let sections = crate::markdown::read(content, lines, ranks);
            Some(Reading { language: "markdown", sections, malformed: false })
        }
        #[cfg(feature = "grammar")]
        _ => crate::walk::read(crate::grammars::named(language)?, content, lines, ranks),
        #[cfg(not(feature = "grammar"))]
        _ => return Err(Problem::UnknownLanguage(language.to_owned())),
    };
    Ok(match found {
        Some(reading) if !reading.sections.is_empty() => reading,
        other => Reading {
            language: "text",
            sections: indentation::read(lines, ranks),
            malformed: other.is_some_and(|reading| reading.malformed),
        },
    })
}
