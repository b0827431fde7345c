//! Validity of a history for a provider, and the repairs that make it valid.
//!
//! The checks name no provider: they read the [`rules::Rules`] of a [`Format`], and call it for the few rules that are not
//! data. They work on the facts of a [`History`] and read the messages only for what the facts lack (is a text blank, is
//! there an empty list of calls). Problems and repairs are found in the same pass, so they cannot disagree.

pub mod call_reasoning;
mod check;
pub mod edits;
mod findings;
mod instructions;
mod items;
mod joined;
mod missing_reasoning;
mod nested;
mod pairing;
pub mod problem;
pub mod rules;
mod separate;
mod served;

pub use edits::{NewValue, RepairEdit, RepairEntry, RepairItem, RepairStep};
pub use findings::Findings;
pub use missing_reasoning::missing_reasoning;
pub use problem::{Repair, ValidityProblem, ValidityRule};

use super::registry::Format;
use crate::message::{History, Value};
use check::Check;
use rules::Layout;

/// Checks a history in `format`; `message` returns the messages that its facts were read from.
pub fn check<V: Value>(
    format: Format,
    history: &History,
    message: impl Fn(usize) -> V,
) -> Findings {
    let check = Check::new(format, history, &message);
    let findings = match check.rules.layout {
        Layout::Joined => joined::lay_out(check),
        Layout::Nested => nested::lay_out(check),
        Layout::Separate => separate::lay_out(check),
    };
    findings.told()
}

#[cfg(test)]
mod tests;
