//! What a provider refuses of a history, and what has to change for it to be accepted.
//!
//! The engine names no provider: it asks a [`Format`] for its [`rules::Rules`], and for the few answers that are no data.
//! It works on the facts of a [`History`] and looks at the messages themselves only for what facts do not hold (is a
//! text blank, is there an empty list of calls). What a repair would do is worked out together with the problems, so
//! that the two cannot disagree.

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

pub use edits::{NewValue, RepairEdit, RepairEntry, RepairItem, RepairStep};
pub use findings::Findings;
pub use missing_reasoning::missing_reasoning;
pub use problem::{Repair, ValidityProblem, ValidityRule};

use super::registry::Format;
use crate::message::{History, Value};
use check::Check;
use rules::Layout;

/// Checks a history in `format`; `message` gives the messages that its facts were read from.
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
