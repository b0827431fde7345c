//! From a file's text to its outline.

use crate::fit::{Budget, fit};
use crate::lines::Lines;
use crate::rank::Ranks;
use crate::reading::Reading;
use crate::render::render;
use crate::section::Section;
use crate::{Problem, indentation};
use serde::Serialize;

/// A file's outline, and what it shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "outline.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct Outline {
    /// Lines with their numbers, and between them how many were folded.
    pub text: String,
    /// Everything that was found, shown or not, in the order of the file.
    pub sections: Vec<Section>,
    /// Lines of the file.
    pub total_lines: usize,
    /// Lines of the file that are shown.
    pub shown_lines: usize,
    /// Which lines those are: first and last of each run, in the order of the file.
    pub shown: Vec<LineRange>,
    /// Whether everything at the top level is shown. A budget can be too small for that.
    pub complete: bool,
    /// How the file was read: the language, or `text` where it could not be read as that.
    pub language: &'static str,
    /// Whether parts of it are not valid in its language: the outline may miss what stands there.
    pub malformed: bool,
}

/// Lines that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "outline.ts")
)]
pub struct LineRange {
    /// The first, from 1.
    pub start: usize,
    /// The last.
    pub end: usize,
}

/// The languages that this build reads.
#[must_use]
pub fn languages() -> Vec<&'static str> {
    let mut names = Vec::new();
    #[cfg(feature = "grammar")]
    names.extend(crate::grammars::all().iter().map(|grammar| grammar.name));
    #[cfg(feature = "text")]
    names.push("markdown");
    names.push("text");
    names
}

/// Outlines a file. A file of which nothing can be said by its language is outlined by its indentation.
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

/// Lines that follow each other as ranges. `lines` are in order and from 0.
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
