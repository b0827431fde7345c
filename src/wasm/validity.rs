//! Validity of a history for a provider, and repairs.

use super::host::Host;
use super::read::HostMessages;
use super::{Returned, problem_value, to_js};
use crate::formats::repair::call_reasoning::CallReasoning;
use crate::formats::repair::{Findings, Repair, RepairEntry, check, missing_reasoning};
use crate::formats::{Messages, ReadHistory};
use crate::message::stable_merge_sort;
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// A repaired history, from which the host builds messages.
#[derive(Serialize)]
struct Repaired {
    entries: Vec<RepairEntry>,
    repairs: Vec<Repair>,
}

/// Returns the problems for which the provider would reject the history. `asked` is the reasoning that the model
/// requires with calls: a [`CallReasoning`].
#[wasm_bindgen]
pub fn validate(
    host: &Host,
    messages: &JsValue,
    len: u32,
    format: Option<String>,
    asked: Option<String>,
) -> Returned {
    let messages = HostMessages { host, messages };
    let read = read(&messages, len, format)?;
    let (format, message) = (read.format, |index| messages.peeked(index));
    let mut problems = check(format, &read.history, message).problems;
    if let Some(asked) = asked.as_deref().and_then(CallReasoning::from_name) {
        problems.extend(missing_reasoning(format, &read.history, asked, message));
        problems = stable_merge_sort(problems, |problem| problem.index as u64);
    }
    Ok(to_js(&problems))
}

/// Returns the description of the repaired history.
#[wasm_bindgen]
pub fn repair(host: &Host, messages: &JsValue, len: u32, format: Option<String>) -> Returned {
    let messages = HostMessages { host, messages };
    let read = read(&messages, len, format)?;
    let message = |index| messages.peeked(index);
    let Findings { entries, repairs, .. } = check(read.format, &read.history, message);
    Ok(to_js(&Repaired { entries, repairs }))
}

fn read(
    messages: &HostMessages<'_>,
    len: u32,
    format: Option<String>,
) -> Result<ReadHistory, JsValue> {
    let read = ReadHistory::new(format.as_deref()).and_then(|mut read| {
        read.extend(messages, len as usize)?;
        Ok(read)
    });
    read.map_err(|problem| problem_value(&problem))
}
