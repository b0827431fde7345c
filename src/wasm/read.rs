//! Gives the reader of a history access to the host's messages.

use super::host::{Host, HostValue};
use crate::formats::Messages;
use wasm_bindgen::JsValue;

/// The messages that the host passed in.
pub struct HostMessages<'h> {
    pub host: &'h Host,
    pub messages: &'h JsValue,
}

impl<'h> Messages for HostMessages<'h> {
    type Value = HostValue<'h>;

    fn watched(&self, index: usize) -> HostValue<'h> {
        HostValue::watched(self.host, self.host.message(self.messages, index as u32))
    }

    fn peeked(&self, index: usize) -> HostValue<'h> {
        HostValue::peeked(self.host, self.host.peek(self.messages, index as u32))
    }

    fn forget(&self, kept: usize) {
        self.host.forget(kept as u32);
    }
}
