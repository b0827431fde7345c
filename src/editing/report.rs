//! What crosses to the host of an edit beside the content.

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
    /// What changed, as a unified diff with three lines of context. Empty where the content is the same.
    pub diff: &'a str,
    /// How many places were changed.
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
    /// What is wrong, for programs.
    pub code: RefusalCode,
    /// What is wrong and what to do, for the model.
    pub message: String,
    /// The lines, from 1, of all places that the text or the heading stands in, where there are several.
    pub lines: &'a [usize],
    /// Where the text stands nowhere: the places that come nearest to it.
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
