//! What OpenAI refuses of Responses items (API reference, "Create a model response", `input`; the errors quoted are
//! those that the API answers with).
//!
//! - `unanswered-call`: "No tool output found for function call call_…."
//! - `orphan-result`: "No tool call found for function call output with call_id call_…." An output is of its call's
//!   kind.
//! - `result-order`: the same, where the call comes later. Whatever stands between a call and its output is accepted.
//! - `duplicate-result`, `duplicate-id`: one call and one output have a `call_id`: "Duplicate 'call_id'".
//! - `missing-id`: "Invalid 'input[4].call_id': empty string. Expected a string with minimum length 1".

use super::check::Check;
use super::rules::{Ids, Reach, Rules};
use super::{NO_RESULT, New, Position, RepairEdit, RepairEntry, RepairItem, ValidityRule};
use crate::message::{BlockKind, Key, Kind, Names, Role, Value, Word, read_string};

pub const RULES: Rules = Rules {
    ids: Ids { unique_in_history: true, plain: false, optional: false },
    reach: Reach::Later,
    call_id: &[Key::CallId],
    result_id: &[Key::CallId],
};

const FUNCTION: char = 'f';
const CUSTOM: char = 'c';
const SHELL: char = 's';
const PATCH: char = 'p';
const COMPUTER: char = 'd';

/// What kind of call or output an item is. A local shell's call is answered by an output of its own or a function's.
pub fn kind<V: Value>(item: &V) -> char {
    match item.field(Key::Type).word() {
        Some(Word::CustomToolCall | Word::CustomToolCallOutput) => CUSTOM,
        Some(Word::ShellCall | Word::ShellCallOutput) => SHELL,
        Some(Word::ApplyPatchCall | Word::ApplyPatchCallOutput) => PATCH,
        Some(Word::ComputerCall | Word::ComputerCallOutput) => COMPUTER,
        _ => FUNCTION,
    }
}

/// `empty-content`: `output` is required of functions, custom tools and shells, and a list has an entry. The screenshot
/// of a computer cannot be made up.
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

/// What a shell call printed before it failed.
fn printed(text: &str) -> New {
    let outcome = vec![(Key::Type, "exit".into()), (Key::ExitCode, New::Number(1))];
    New::Object(vec![
        (Key::Stdout, text.into()),
        (Key::Stderr, "".into()),
        (Key::Outcome, New::Object(outcome)),
    ])
}

/// What answers a call that was interrupted.
pub fn no_result(kind: char, id: &str) -> Option<New> {
    let (name, output) = match kind {
        FUNCTION => ("function_call_output", NO_RESULT.into()),
        CUSTOM => ("custom_tool_call_output", NO_RESULT.into()),
        SHELL => ("shell_call_output", New::List(vec![printed(NO_RESULT)])),
        PATCH => ("apply_patch_call_output", NO_RESULT.into()),
        _ => return None,
    };
    let mut fields =
        vec![(Key::Type, name.into()), (Key::CallId, id.into()), (Key::Output, output)];
    if kind == PATCH {
        fields.push((Key::Status, "failed".into()));
    }
    Some(New::Object(fields))
}

impl<V: Value, F: Fn(usize) -> V> Check<'_, F> {
    /// What depends on the other items that are there.
    pub fn settle_items(&mut self) {
        let entries = std::mem::take(&mut self.findings.entries);
        let unique = self.without_duplicates(entries);
        self.findings.entries = self.without_lost_reasoning(unique);
    }

    /// `duplicate-item`: "Duplicate item found with id rs_…. Remove duplicate items from your input and try again."
    /// Calls and messages do without their id.
    fn without_duplicates(&mut self, entries: Vec<RepairEntry>) -> Vec<RepairEntry> {
        let mut seen = Names::default();
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries {
            let index = self.said_by(&entry).1.filter(|index| !self.is_result(*index));
            let Some((index, id)) = index.and_then(|index| Some((index, self.item_id(index)?)))
            else {
                kept.push(entry);
                continue;
            };
            if seen.find(&id).is_none() {
                seen.intern(&id);
                kept.push(entry);
                continue;
            }
            let at = Position::message(index);
            let (rule, problem) =
                (ValidityRule::DuplicateItem, format!("another item has the id {id}"));
            let is_opaque =
                self.is(index, BlockKind::Reasoning) || self.is(index, BlockKind::Unknown);
            if is_opaque {
                self.findings.repaired(at, rule, problem, "took the item out");
                continue;
            }
            self.findings.repaired(at, rule, problem, "took its id out");
            kept.push(entry.with(index, RepairEdit::delete(Key::Id)));
        }
        kept
    }

    fn item_id(&self, index: usize) -> Option<String> {
        read_string(&(self.message)(index).field(Key::Id)).filter(|id| !id.is_empty())
    }

    fn is(&self, index: usize, kind: BlockKind) -> bool {
        self.history.blocks_of(index).1.first().is_some_and(|block| block.kind == kind)
    }

    /// `reasoning-last`: "Item 'rs_…' of type 'reasoning' was provided without its required following item." It goes as
    /// a whole: what would be put behind it is not what it led to.
    fn without_lost_reasoning(&mut self, entries: Vec<RepairEntry>) -> Vec<RepairEntry> {
        let mut leads = false;
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries.into_iter().rev() {
            let index = self.said_by(&entry).1;
            let is_reasoning = index.filter(|index| self.is(*index, BlockKind::Reasoning));
            match is_reasoning {
                Some(index) if !leads => {
                    let (at, rule) = (Position::block(index, 0), ValidityRule::ReasoningLast);
                    let problem = "the reasoning leads to nothing";
                    self.findings.repaired(at, rule, problem, "took the reasoning out");
                }
                Some(_) => kept.push(entry),
                None => {
                    leads = index.is_some_and(|index| {
                        self.role(index) == Role::Assistant || self.is(index, BlockKind::Unknown)
                    });
                    kept.push(entry);
                }
            }
        }
        kept.reverse();
        kept
    }
}
