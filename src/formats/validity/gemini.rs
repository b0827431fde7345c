//! What Gemini refuses of contents (API reference, "Generating content" and "Function calling"; the errors quoted are
//! those that the API answers with).
//!
//! - `unanswered-call`, `orphan-result`, `duplicate-result`: "Please ensure that the number of function response parts
//!   is equal to the number of function call parts of the function call turn."
//! - `result-order`: "Please ensure that function response turn comes immediately after a function call turn."
//! - `result-name`: "`function_response.name` should match `function_call.name`"; some hosts answer INVALID_ARGUMENT
//!   without a word.
//! - `call-role`, `result-role`: calls are the model's, responses the user's (or of the older role `function`).
//! - `empty-content`: "GenerateContentRequest.contents[1].parts: contents.parts must not be empty."
//! - `duplicate-id`: an id tells one call from another. Ids can be left out: name and order tell then.
//!
//! "Thought signatures" must come back in the part that they came in: beside them nothing is moved or renamed.

use super::check::Check;
use super::rules::{Ids, Reach, Rules};
use super::{NO_PROMPT, NO_RESULT, NO_START, New, Position, RepairEdit, ValidityRule};
use crate::formats::slot::Slot;
use crate::message::{BlockPath, Key, Kind, Role, Value, read_string};

pub const RULES: Rules = Rules {
    ids: Ids { unique_in_history: false, plain: false, optional: true },
    reach: Reach::Next,
    call_id: &[Key::FunctionCallCamel, Key::Id],
    result_id: &[Key::FunctionResponse, Key::Id],
};

/// The tool that a call or a response names.
pub fn tool<V: Value>(content: &V, place: BlockPath) -> Option<String> {
    let (BlockPath::Item(index) | BlockPath::Part(index, _)) = place else { return None };
    let part = content.field(Key::Parts).item(index as usize);
    let name = |key| read_string(&part.field(key).field(Key::Name));
    name(Key::FunctionCallCamel).or_else(|| name(Key::FunctionResponse)).or(Some(String::new()))
}

/// `empty-text`: "it has an empty text parameter. Add a value to the parameter and try again", and "contents[1].parts[0]
/// .data: required oneof field 'data' must have one initialized field". An empty text can carry a signature.
pub fn is_empty_part<V: Value>(part: &V) -> bool {
    let text = part.field(Key::Text);
    let is_empty = text.kind() == Kind::Text && text.read_text(&mut |_| {}) == 0;
    let signed = part.field(Key::ThoughtSignature).kind() != Kind::Absent;
    (is_empty && !signed) || (part.kind() == Kind::Object && part.field_count() == 0)
}

/// `result-shape`: "Invalid value at 'contents[2].parts[0].function_response.response' (Struct)": it is an object.
pub fn result_fault<V: Value>(
    part: &V,
) -> Option<(ValidityRule, &'static str, &'static str, RepairEdit)> {
    let response = part.field(Key::FunctionResponse).field(Key::Response);
    if response.kind() == Kind::Object {
        return None;
    }
    let mut bytes = Vec::new();
    Slot::FunctionResponse.read_text(&response, &mut |chunk| bytes.extend_from_slice(chunk));
    let text = String::from_utf8(bytes).ok()?;
    let edit = RepairEdit::set(
        &[Key::FunctionResponse, Key::Response],
        New::Object(vec![(Key::Output, text.into())]),
    );
    let problem = "the response is not an object";
    Some((ValidityRule::ResultShape, problem, "put the response into an object", edit))
}

/// What answers a call that was interrupted.
pub fn no_result(id: &str, tool: &str) -> New {
    let mut response = Vec::new();
    if !id.is_empty() {
        response.push((Key::Id, id.into()));
    }
    response.push((Key::Name, tool.into()));
    response.push((Key::Response, New::Object(vec![(Key::Error, NO_RESULT.into())])));
    New::Object(vec![(Key::FunctionResponse, New::Object(response))])
}

impl<V: Value, F: Fn(usize) -> V> Check<'_, F> {
    /// `call-order`: "Please ensure that function call turn comes immediately after a user turn or after a function
    /// response turn."
    pub fn call_order(&mut self) {
        let mut before = None;
        for entry in std::mem::take(&mut self.findings.entries) {
            let (role, message) = self.said_by(&entry);
            let message = message.filter(|index| !self.pairs.calls_of(*index).is_empty());
            if let Some(index) = message.filter(|_| before.unwrap_or(role) == Role::Assistant) {
                let said = if before.is_none() { NO_START } else { NO_PROMPT };
                let first = self.user_before(said);
                self.findings.entries.push(first);
                let remedy = "put a message of the user before it";
                if index == 0 || self.role(index - 1) == Role::Assistant {
                    let problem = "the calls do not follow a message of the user";
                    let at = Position::message(index);
                    self.findings.repaired(at, ValidityRule::CallOrder, problem, remedy);
                } else {
                    self.findings.also(index, ValidityRule::CallOrder, remedy);
                }
            }
            before = Some(role);
            self.findings.entries.push(entry);
        }
    }
}
