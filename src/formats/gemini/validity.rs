//! Rules that Gemini enforces on contents (API reference, "Generating content" and "Function calling"; quotations are
//! the API's error messages).
//!
//! - `unanswered-call`, `orphan-result`, `duplicate-result`: "Please ensure that the number of function response parts
//!   is equal to the number of function call parts of the function call turn."
//! - `result-order`: "Please ensure that function response turn comes immediately after a function call turn."
//! - `result-name`: "`function_response.name` should match `function_call.name`"; some hosts return INVALID_ARGUMENT
//!   without details.
//! - `call-order`: "Please ensure that function call turn comes immediately after a user turn or after a function
//!   response turn."
//! - `call-role`, `result-role`: calls have the role `model`, responses `user` (or the older `function`).
//! - `empty-content`: "GenerateContentRequest.contents[1].parts: contents.parts must not be empty."
//! - `duplicate-id`: ids distinguish calls. They are optional: without them, name and order do.
//!
//! "Thought signatures" must be sent back in the part they came in: no part beside them is moved or renamed.

use crate::formats::repair::call_reasoning::CallReasoning;
use crate::formats::repair::edits::{NewValue, RepairEdit};
use crate::formats::repair::problem::ValidityRule;
use crate::formats::repair::rules::{Fault, Ids, Layout, NO_RESULT, Reach, Rules};
use crate::formats::slot::Slot;
use crate::message::{BlockKind, BlockPath, Key, Kind, Value, read_string};

pub const RULES: Rules = Rules {
    layout: Layout::Nested,
    ids: Ids { unique_in_history: false, plain: false, optional: true },
    reach: Reach::Next,
    call_id: &[Key::FunctionCallCamel, Key::Id],
    result_id: &[Key::FunctionResponse, Key::Id],
    result_name: &[Key::FunctionResponse, Key::Name],
    locked_by: &[BlockKind::Reasoning],
    calls_follow_user: true,
    ..Rules::USUAL
};

/// Returns the name of the tool in a call or a response; empty if neither names one.
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

/// `reasoning-missing`: the first of several parallel calls must be signed.
pub fn lacks_reasoning<V: Value>(content: &V, asked: CallReasoning) -> bool {
    let parts = content.field(Key::Parts);
    let first = (0..parts.len())
        .map(|i| parts.item(i))
        .find(|part| part.field(Key::FunctionCallCamel).kind() != Kind::Absent);
    let is_signed = |part: V| part.field(Key::ThoughtSignature).kind() != Kind::Absent;
    asked == CallReasoning::Signature && first.is_some_and(|part| !is_signed(part))
}

/// `result-shape`: "Invalid value at 'contents[2].parts[0].function_response.response' (Struct)": it must be an object.
pub fn result_fault<V: Value>(part: &V) -> Option<Fault> {
    let response = part.field(Key::FunctionResponse).field(Key::Response);
    if response.kind() == Kind::Object {
        return None;
    }
    let mut bytes = Vec::new();
    Slot::RawOutput.read_text(&response, &mut |chunk| bytes.extend_from_slice(chunk));
    let text = String::from_utf8(bytes).ok()?;
    let edit = RepairEdit::set(
        &[Key::FunctionResponse, Key::Response],
        NewValue::Object(vec![(Key::Output, text.into())]),
    );
    Some(Fault {
        rule: ValidityRule::ResultShape,
        problem: "the response is not an object",
        remedy: "put the response into an object",
        edits: vec![edit],
    })
}

/// Returns message content that consists of one text.
pub fn content_of(text: &str) -> NewValue {
    NewValue::List(vec![NewValue::Object(vec![(Key::Text, text.into())])])
}

/// Returns the result that repair adds for an interrupted call.
pub fn missing_result(id: &str, tool: &str) -> NewValue {
    let mut response = Vec::new();
    if !id.is_empty() {
        response.push((Key::Id, id.into()));
    }
    response.push((Key::Name, tool.into()));
    response.push((Key::Response, NewValue::Object(vec![(Key::Error, NO_RESULT.into())])));
    NewValue::Object(vec![(Key::FunctionResponse, NewValue::Object(response))])
}
