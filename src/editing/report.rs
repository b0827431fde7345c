//! The result of an edit that is passed to TypeScript in addition to the content.

use super::change::Edited;
use super::nearest::Candidate;
use super::refusal::{Refusal, RefusalCode};
use serde::Serialize;

/// An edit that was made.
#[derive(Debug, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct EditSummary<'a> {
    /// One sentence for the model.
    pub message: &'a str,
    /// A unified diff with three lines of context; empty if the content is unchanged.
    pub diff: &'a str,
    /// Number of places changed.
    pub replacements: usize,
}

/// An edit that was refused.
#[derive(Debug, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct EditRefusal<'a> {
    /// The reason, for programs.
    pub code: RefusalCode,
    /// The problem and how to fix it, for the model.
    pub message: String,
    /// If the text or heading occurs several times: the lines of all places, from 1.
    pub lines: &'a [usize],
    /// If the text was not found: the closest matches.
    pub candidates: &'a [Candidate],
}

impl<'a> From<&'a Edited> for EditSummary<'a> {
    fn from(edited: &'a Edited) -> Self {
        Self { message: &edited.message, diff: &edited.diff, replacements: edited.replacements }
    }
}

impl<'a> From<&'a Refusal> for EditRefusal<'a> {
    fn from(refusal: &'a Refusal) -> Self {
        Self {
            code: refusal.code(),
            message: refusal.to_string(),
            lines: refusal.lines(),
            candidates: refusal.candidates(),
        }
    }
}
