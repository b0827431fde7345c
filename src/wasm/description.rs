//! Description of a session: its messages, the effects of its last plan and their reasons, its originals.

use super::host::Host;
use super::read::HostMessages;
use super::session::numbers_of;
use super::{CompiledPolicy, Session, problem_value, to_js};
use crate::message::{TokensByKind, message_facts};
use crate::projection::should_truncate;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Session {
    /// Returns the name of the format.
    pub fn format(&self) -> String {
        self.session.read.format.name().to_owned()
    }

    /// Returns the number of assistant messages.
    pub fn steps(&self) -> u32 {
        self.session.history().steps()
    }

    /// Returns the tokens by kind of use.
    pub fn usage(&self) -> JsValue {
        to_js(&TokensByKind::of(self.session.history()))
    }

    /// Returns all messages with their blocks, in order.
    pub fn messages(&self) -> JsValue {
        to_js(&message_facts(self.session.history()))
    }

    /// Returns the text of the `block`-th block of message `index` (`ReadHistory::block_text`); empty if it has none.
    #[wasm_bindgen(js_name = blockText)]
    pub fn block_text(
        &self,
        host: &Host,
        messages: &JsValue,
        index: usize,
        block: usize,
    ) -> String {
        self.session.read.block_text(&HostMessages { host, messages }, index, block)
    }

    /// Returns descriptions of the edits of the last plan.
    #[wasm_bindgen(js_name = editReports)]
    pub fn edit_reports(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
    ) -> JsValue {
        to_js(&self.session.edit_reports(&HostMessages { host, messages }, policy.policy()))
    }

    /// Returns what the last plan did with the blocks of one message, and why.
    pub fn explain(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        message: usize,
    ) -> JsValue {
        to_js(&self.session.explain(&HostMessages { host, messages }, policy.policy(), message))
    }

    /// Returns the effect of each pass in the last plan.
    #[wasm_bindgen(js_name = passReports)]
    pub fn pass_reports(&self) -> JsValue {
        to_js(&self.session.engine.pass_reports(self.session.history()))
    }

    /// Returns the signed reasoning that no longer follows the content it was created with in the last plan: message
    /// and block of each, as numbered in the view (`Engine::unbound`).
    pub fn unbound(&self, knows_requests: bool) -> Vec<u32> {
        let places = self.session.engine.unbound(self.session.history(), knows_requests);
        places.into_iter().flatten().map(|number| number as u32).collect()
    }

    /// Returns a one-line summary of each tool result of message `index`.
    pub fn summaries(&self, host: &Host, messages: &JsValue, index: usize) -> Vec<String> {
        self.session.summaries(&HostMessages { host, messages }, index)
    }

    /// Returns the active files at a step (negative: the newest), three strings each: path, step of the last access,
    /// and the digest of the newest content shown (empty if none).
    #[wasm_bindgen(js_name = activeFiles)]
    pub fn active_files(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        current_step: i32,
    ) -> Vec<String> {
        let (messages, step) = (HostMessages { host, messages }, u32::try_from(current_step).ok());
        self.session.active_files(&messages, policy.policy(), step).concat()
    }

    /// Returns whether a tool result of message `index` is cleared at this age.
    #[wasm_bindgen(js_name = shouldTruncate)]
    pub fn should_truncate(&self, index: usize, age: u32, policy: &CompiledPolicy) -> bool {
        let settings = policy.policy().age.settings();
        settings
            .is_some_and(|settings| should_truncate(self.session.history(), index, age, settings))
    }

    /// Returns the original of the result that a reference names. Its digest is verified.
    pub fn recall(
        &mut self,
        host: &Host,
        messages: &JsValue,
        reference: &str,
    ) -> Result<JsValue, JsValue> {
        let found = self.session.recall(&HostMessages { host, messages }, reference);
        found.map(|found| to_js(&found)).map_err(|problem| problem_value(&problem))
    }

    /// Returns the path from a message to the whole content of a result, encoded as by [`Session::path`].
    #[wasm_bindgen(js_name = contentPath)]
    pub fn content_path(&self, message: usize, block: usize) -> Vec<i32> {
        numbers_of(&self.session.content_way(message, block))
    }
}
