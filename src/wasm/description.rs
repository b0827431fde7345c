//! Description of a session: its messages, the effects of its last plan and their reasons, its originals.

use super::host::Host;
use super::read::HostMessages;
use super::session::path_of;
use super::{CompiledPolicy, Returned, Session, problem_value, to_js};
use crate::message::{TokensByKind, message_facts};
use crate::projection::should_truncate;
use crate::text::joined;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Session {
    /// Returns the number of the format, in the order of their names.
    pub fn format(&self) -> u32 {
        self.session.read.format as u32
    }

    /// Returns all messages with their blocks, in order.
    pub fn messages(&self) -> Returned {
        Ok(to_js(&message_facts(self.session.history())))
    }

    /// Returns the effect of each pass in the last plan, descriptions of its edits, and the result of [`unbound`].
    pub fn describe(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        knows_requests: bool,
    ) -> Returned {
        let unbound = unbound(self, knows_requests);
        let passes = self.session.engine.pass_reports(self.session.history());
        let edits = self.session.edit_reports(&HostMessages { host, messages }, policy.policy());
        Ok(to_js(&(passes, edits, unbound)))
    }

    /// Returns what the last plan did with the blocks of one message, and why.
    pub fn explain(
        &mut self,
        host: &Host,
        messages: &JsValue,
        policy: &CompiledPolicy,
        message: usize,
    ) -> Returned {
        let messages = HostMessages { host, messages };
        Ok(to_js(&self.session.explain(&messages, policy.policy(), message)))
    }

    /// Returns the path from a message to the whole content of a result.
    #[wasm_bindgen(js_name = contentPath)]
    pub fn content_path(&self, message: usize, block: usize) -> Returned {
        Ok(to_js(&path_of(&self.session.content_way(message, block))))
    }
}

/// Plans a view in which every tool result is cleared, whatever its age and size. Returns it like [`Session::plan`].
#[wasm_bindgen(js_name = planPlaceholders)]
pub fn plan_placeholders(
    session: &mut Session,
    host: &Host,
    messages: &JsValue,
    policy: &CompiledPolicy,
) -> Vec<u32> {
    session.session.plan_placeholders(&HostMessages { host, messages }, policy.policy())
}

/// Returns the number of assistant messages.
#[wasm_bindgen]
pub fn steps(session: &Session) -> u32 {
    session.session.history().steps()
}

/// Returns the tokens by kind of use.
#[wasm_bindgen]
pub fn usage(session: &Session) -> Returned {
    Ok(to_js(&TokensByKind::of(session.session.history())))
}

/// Returns the text of the `block`-th block of message `index` (`ReadHistory::block_text`); empty if it has none.
#[wasm_bindgen(js_name = blockText)]
pub fn block_text(
    session: &Session,
    host: &Host,
    messages: &JsValue,
    index: usize,
    block: usize,
) -> String {
    session.session.read.block_text(&HostMessages { host, messages }, index, block)
}

/// Returns the signed reasoning that no longer follows the content it was created with in the last plan: message and
/// block of each, as numbered in the view (`Engine::unbound`).
#[wasm_bindgen]
pub fn unbound(session: &Session, knows_requests: bool) -> Vec<u32> {
    let session = &session.session;
    let places = session.engine.unbound(session.history(), knows_requests);
    places.into_iter().flatten().map(|number| number as u32).collect()
}

/// Returns a one-line summary of each tool result of message `index`.
#[wasm_bindgen]
pub fn summaries(session: &Session, host: &Host, messages: &JsValue, index: usize) -> String {
    joined(&session.session.summaries(&HostMessages { host, messages }, index), "\n")
}

/// Returns the active files at a step (negative: the newest), three strings each: path, step of the last access, and
/// the digest of the newest content shown (empty if none).
#[wasm_bindgen(js_name = activeFiles)]
pub fn active_files(
    session: &mut Session,
    host: &Host,
    messages: &JsValue,
    policy: &CompiledPolicy,
    current_step: i32,
) -> Returned {
    let (messages, step) = (HostMessages { host, messages }, u32::try_from(current_step).ok());
    Ok(to_js(&session.session.active_files(&messages, policy.policy(), step).into_flattened()))
}

/// Returns whether a tool result of message `index` is cleared at this age.
#[wasm_bindgen(js_name = shouldTruncate)]
pub fn is_truncated(session: &Session, index: usize, age: u32, policy: &CompiledPolicy) -> bool {
    let settings = policy.policy().age.settings();
    settings
        .is_some_and(|settings| should_truncate(session.session.history(), index, age, settings))
}

/// Returns the original of the result that a reference names. Its digest is verified.
#[wasm_bindgen]
pub fn recall(session: &mut Session, host: &Host, messages: &JsValue, reference: &str) -> Returned {
    let found = session.session.recall(&HostMessages { host, messages }, reference);
    found.map(|found| to_js(&found)).map_err(|problem| problem_value(&problem))
}
