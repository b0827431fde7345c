//! What the AI SDK refuses of `UIMessage`s (package `ai` 5 and 6: `validateUIMessages`, and `convertToModelMessages` with
//! what is sent after it).
//!
//! Call and result are one part, so nothing is ever moved. Only what the assistant says is sent with its tools.

use super::layout::path_to;
use super::pairing::{Counted, Pairs};
use super::rules::Ids;
use super::{
    Findings, NO_CONTENT, NO_RESULT, New, Position, RepairEdit, RepairEntry, RepairItem,
    ValidityRule,
};
use crate::message::{BlockKind, History, Key, Kind, Role, Value, Word};

const IDS: Ids = Ids { unique_in_history: false, plain: false, optional: false };

/// Checks a history and lays out the repaired one.
pub fn check<V: Value>(history: &History, message: impl Fn(usize) -> V) -> Findings {
    let count = history.messages().len();
    let is_models = |index: usize| history.messages()[index].role == Role::Assistant;
    let mut pairs = Pairs::read(history, |block| {
        let counts = block.kind == BlockKind::ToolCall && is_models(block.message);
        counts.then_some(Counted { kind: ' ', tool: None })
    });
    pairs.settle_ids(IDS, &vec![false; count]);
    let mut findings = Findings::default();
    for index in 0..count {
        let parts = message(index).field(Key::Parts);
        let mut edits = Vec::new();
        for call in pairs.calls_of(index) {
            let part = parts.item(call.half.index as usize);
            let way = path_to(&[Key::Parts], Some(call.half.index));
            let at = Position::block(index, call.half.block);
            let mut own = Vec::new();
            if let (Some(rule), Some(id)) = (call.fault, &call.new_id) {
                let problem = match &call.half.id {
                    Some(id) => format!("another call has the id {id}"),
                    None => "a call without id".to_owned(),
                };
                findings.repaired(at, rule, problem, format!("got the id {id}"));
                own.push(RepairEdit::set(&[Key::ToolCallIdCamel], id.as_str()));
            }
            let faults = faults(&part, index + 1 == count);
            if let Some((rule, problem, remedy)) = faults.told {
                let id = call.final_id().unwrap_or("");
                findings.repaired(at, rule, format!("{problem} ({id})"), remedy);
            }
            own.extend(faults.edits);
            edits.extend(own.into_iter().map(|edit| edit.within(&way)));
        }
        if parts.is_empty() && !is_models(index) {
            edits.push(fill());
            let problem = "the message has no parts";
            let rule = ValidityRule::EmptyContent;
            findings.repaired(Position::message(index), rule, problem, "put a text there");
        }
        findings.entries.push(RepairEntry::of(index, edits));
    }
    findings
}

/// `empty-content`: "Message must contain at least one part", unless it is the assistant's.
fn fill() -> RepairEdit {
    let text = New::Object(vec![(Key::Type, "text".into()), (Key::Text, NO_CONTENT.into())]);
    RepairEdit::arrange(Key::Parts, vec![RepairItem::New { value: text }])
}

#[derive(Default)]
struct Faults {
    told: Option<(ValidityRule, &'static str, &'static str)>,
    edits: Vec<RepairEdit>,
}

/// What is wrong with the answer that a part holds.
///
/// - `unanswered-call`: "Tool result is missing for tool call …": the call is sent in the states `input-available` and
///   `approval-requested`, and is lost in `input-streaming`. A tool that the provider executes answers later, and one
///   that was approved in the last message is executed before anything is sent.
/// - `result-shape`: "Type validation failed": `output-available` has an `output` and no `errorText`, `output-error` an
///   `errorText` and no `output`.
fn faults<V: Value>(part: &V, is_last: bool) -> Faults {
    let has = |key| part.field(key).kind() != Kind::Absent;
    let mut edits = Vec::new();
    let shape = (ValidityRule::ResultShape, "the result has not the fields that its state wants");
    let told = match part.field(Key::State).word() {
        Some(Word::OutputAvailable) => {
            // `null` is an output.
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
        Some(Word::OutputDenied) => return Faults::default(),
        Some(Word::ApprovalResponded) if is_last => return Faults::default(),
        _ if part.field(Key::ProviderExecuted).is_true() => return Faults::default(),
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
    let remedy = match told.0 {
        ValidityRule::UnansweredCall => "made it a failure that says it has no result",
        _ => "gave it the fields that its state wants",
    };
    let told = (!edits.is_empty()).then_some((told.0, told.1, remedy));
    Faults { told, edits }
}
