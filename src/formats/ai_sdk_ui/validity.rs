//! Rules that the AI SDK enforces on `UIMessage`s (package `ai` 5 and 6: `validateUIMessages`, and
//! `convertToModelMessages` with the checks of the messages it sends).
//!
//! A call and its result are one part, so nothing is moved. Only assistant messages are sent with their tool parts.
//!
//! - `empty-content`: "Message must contain at least one part"; assistant messages are exempt.

use crate::formats::repair::edits::{NewValue, RepairEdit};
use crate::formats::repair::problem::ValidityRule;
use crate::formats::repair::rules::{Fault, Layout, NO_RESULT, Rules};
use crate::message::{Key, Kind, Value, Word};

pub const RULES: Rules = Rules {
    layout: Layout::Joined,
    call_id: &[Key::ToolCallIdCamel],
    result_id: &[Key::ToolCallIdCamel],
    ..Rules::USUAL
};

/// Returns message content that consists of one text.
pub fn content_of(text: &str) -> NewValue {
    let part = vec![(Key::Type, "text".into()), (Key::Text, text.into())];
    NewValue::List(vec![NewValue::Object(part)])
}

/// Returns the problem with the result in a part, if any.
///
/// - `unanswered-call`: "Tool result is missing for tool call …": the call is sent in the states `input-available` and
///   `approval-requested`, and is lost in `input-streaming`. A tool that the provider executes answers later, and one
///   that was approved in the last message is executed before the request is sent.
/// - `result-shape`: "Type validation failed": `output-available` has an `output` and no `errorText`, `output-error` an
///   `errorText` and no `output`.
pub fn part_fault<V: Value>(part: &V, is_last: bool) -> Option<Fault> {
    let has = |key| part.field(key).kind() != Kind::Absent;
    let mut edits = Vec::new();
    let shape = (ValidityRule::ResultShape, "the result has not the fields that its state wants");
    let (rule, problem) = match part.field(Key::State).word() {
        Some(Word::OutputAvailable) => {
            // `null` counts as an output.
            let output = part.field(Key::Output);
            if output.kind() == Kind::Absent && output.read_json(&mut |_| {}) == 0 {
                edits.push(RepairEdit::set(&[Key::Output], ""));
            }
            if has(Key::ErrorText) {
                edits.push(RepairEdit::delete(Key::ErrorText));
            }
            shape
        }
        Some(Word::OutputError) => {
            if part.field(Key::ErrorText).kind() != Kind::Text {
                edits.push(RepairEdit::set(&[Key::ErrorText], NO_RESULT));
            }
            if has(Key::Output) {
                edits.push(RepairEdit::delete(Key::Output));
            }
            shape
        }
        Some(Word::OutputDenied) => return None,
        Some(Word::ApprovalResponded) if is_last => return None,
        _ if part.field(Key::ProviderExecuted).is_true() => return None,
        _ => {
            edits.push(RepairEdit::set(&[Key::State], "output-error"));
            edits.push(RepairEdit::set(&[Key::ErrorText], NO_RESULT));
            for key in [Key::Approval, Key::Output] {
                if has(key) {
                    edits.push(RepairEdit::delete(key));
                }
            }
            (ValidityRule::UnansweredCall, "the call has no result")
        }
    };
    let remedy = match rule {
        ValidityRule::UnansweredCall => "made it a failure that says it has no result",
        _ => "gave it the fields that its state wants",
    };
    (!edits.is_empty()).then_some(Fault { rule, problem, remedy, edits })
}
