//! Rules that OpenAI enforces on Responses items (API reference, "Create a model response", `input`; quotations are the
//! API's error messages).
//!
//! - `unanswered-call`: "No tool output found for function call call_…."
//! - `orphan-result`: "No tool call found for function call output with call_id call_…." An output must be of its call's
//!   kind.
//! - `result-order`: the same error, if the call comes later. Other items may be between a call and its output.
//! - `duplicate-result`, `duplicate-id`: a `call_id` belongs to one call and one output: "Duplicate 'call_id'".
//! - `duplicate-item`: "Duplicate item found with id rs_…. Remove duplicate items from your input and try again."
//! - `reasoning-last`: "Item 'rs_…' of type 'reasoning' was provided without its required following item."
//! - `missing-id`: "Invalid 'input[4].call_id': empty string. Expected a string with minimum length 1".

use crate::formats::repair::edits::{NewValue, RepairEdit, RepairItem};
use crate::formats::repair::rules::{Ids, NO_RESULT, Reach, Rules};
use crate::message::{Key, Kind, Value, Word};

pub const RULES: Rules = Rules {
    ids: Ids { unique_in_history: true, plain: false, optional: false },
    reach: Reach::Later,
    call_id: &[Key::CallId],
    result_id: &[Key::CallId],
    items: true,
    ..Rules::USUAL
};

const FUNCTION: char = 'f';
const CUSTOM: char = 'c';
const SHELL: char = 's';
const PATCH: char = 'p';
const COMPUTER: char = 'd';

/// Returns the kind of a call or an output. A local shell call is answered by an output of its own type or a function
/// output.
pub fn kind<V: Value>(item: &V) -> char {
    match item.field(Key::Type).word() {
        Some(Word::CustomToolCall | Word::CustomToolCallOutput) => CUSTOM,
        Some(Word::ShellCall | Word::ShellCallOutput) => SHELL,
        Some(Word::ApplyPatchCall | Word::ApplyPatchCallOutput) => PATCH,
        Some(Word::ComputerCall | Word::ComputerCallOutput) => COMPUTER,
        _ => FUNCTION,
    }
}

/// `empty-content`: functions, custom tools and shells require an `output`, and a list needs an entry. A missing
/// screenshot of a computer cannot be repaired.
pub fn output_edit<V: Value>(item: &V) -> Option<RepairEdit> {
    let is_output = matches!(
        item.field(Key::Type).word(),
        Some(
            Word::FunctionCallOutput
                | Word::CustomToolCallOutput
                | Word::LocalShellCallOutput
                | Word::ShellCallOutput
        )
    );
    let output = item.field(Key::Output);
    if !is_output || !(output.kind() == Kind::Absent || is_empty_list(&output)) {
        return None;
    }
    Some(match kind(item) {
        SHELL => RepairEdit::arrange(Key::Output, vec![RepairItem::New { value: printed("") }]),
        _ => RepairEdit::set(&[Key::Output], ""),
    })
}

fn is_empty_list<V: Value>(value: &V) -> bool {
    value.kind() == Kind::List && value.is_empty()
}

/// Returns the output of a failed shell call that printed `text`.
fn printed(text: &str) -> NewValue {
    let outcome = vec![(Key::Type, "exit".into()), (Key::ExitCode, NewValue::Number(1))];
    NewValue::Object(vec![
        (Key::Stdout, text.into()),
        (Key::Stderr, "".into()),
        (Key::Outcome, NewValue::Object(outcome)),
    ])
}

/// Returns the path to a result's id. In the reference, the output of a local shell has the call's id in `id`.
pub fn result_id<V: Value>(item: &V) -> &'static [Key] {
    let has = |key| item.field(key).kind() == Kind::Text;
    if !has(Key::CallId) && has(Key::Id) { &[Key::Id] } else { RULES.result_id }
}

/// Returns the result that repair adds for an interrupted call; `None` for calls whose result cannot be made up.
pub fn missing_result(kind: char, id: &str) -> Option<NewValue> {
    let (name, output) = match kind {
        FUNCTION => ("function_call_output", NO_RESULT.into()),
        CUSTOM => ("custom_tool_call_output", NO_RESULT.into()),
        SHELL => ("shell_call_output", NewValue::List(vec![printed(NO_RESULT)])),
        PATCH => ("apply_patch_call_output", NO_RESULT.into()),
        _ => return None,
    };
    let mut fields =
        vec![(Key::Type, name.into()), (Key::CallId, id.into()), (Key::Output, output)];
    if kind == PATCH {
        fields.push((Key::Status, "failed".into()));
    }
    Some(NewValue::Object(fields))
}
