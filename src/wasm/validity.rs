//! What a provider would refuse of a history, and how to have it accepted.

use super::host::Host;
use super::read::HostMessages;
use super::{problem_value, to_js};
use crate::formats::repair::{Findings, Repair, RepairEntry, check};
use crate::formats::{Messages, ReadHistory};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// A repaired history, for the host to make of its own objects.
#[derive(Serialize)]
struct Repaired {
    entries: Vec<RepairEntry>,
    repairs: Vec<Repair>,
}

/// What the provider would refuse.
#[wasm_bindgen]
pub fn validate(
    host: &Host,
    messages: &JsValue,
    len: u32,
    format: Option<String>,
) -> Result<JsValue, JsValue> {
    Ok(to_js(&findings(host, messages, len, format)?.problems))
}

/// The repaired history, described.
#[wasm_bindgen]
pub fn repair(
    host: &Host,
    messages: &JsValue,
    len: u32,
    format: Option<String>,
) -> Result<JsValue, JsValue> {
    let Findings { entries, repairs, .. } = findings(host, messages, len, format)?;
    Ok(to_js(&Repaired { entries, repairs }))
}

fn findings(
    host: &Host,
    messages: &JsValue,
    len: u32,
    format: Option<String>,
) -> Result<Findings, JsValue> {
    let messages = HostMessages { host, messages };
    let read = ReadHistory::new(format.as_deref()).and_then(|mut read| {
        read.extend(&messages, len as usize)?;
        Ok(read)
    });
    let read = read.map_err(|problem| problem_value(&problem))?;
    Ok(check(read.detection.format, &read.history, |index| messages.peeked(index)))
}
