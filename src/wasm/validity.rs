//! What a provider would refuse of a session's history, and how to have it accepted.

use super::host::{Host, HostValue};
use super::{Session, to_js};
use crate::formats::validity::{Entry, Findings, Repair, check};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// A repaired history, for the host to make of its own objects.
#[derive(Serialize)]
struct Repaired {
    entries: Vec<Entry>,
    repairs: Vec<Repair>,
}

#[wasm_bindgen]
impl Session {
    /// What the provider would refuse.
    pub fn validate(&self, host: &Host, messages: &JsValue) -> JsValue {
        to_js(&self.findings(host, messages).problems)
    }

    /// The repaired history, described.
    pub fn repair(&self, host: &Host, messages: &JsValue) -> JsValue {
        let Findings { entries, repairs, .. } = self.findings(host, messages);
        to_js(&Repaired { entries, repairs })
    }
}

impl Session {
    fn findings(&self, host: &Host, messages: &JsValue) -> Findings {
        let message = |index: usize| HostValue::peeked(host, host.peek(messages, index as u32));
        check(self.detection.format, &self.history, message)
    }
}
