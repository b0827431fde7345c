//! Repaired history for formats in which each result is a message.

use super::check::Check;
use super::edits::{RepairEdit, RepairEntry, RepairStep, path_to};
use super::findings::{Findings, Position};
use super::items::settle_items;
use super::problem::ValidityRule;
use super::rules::Reach;
use crate::formats::places::Step;
use crate::message::{BlockPath, Key, Kind, Role, Value};

/// Builds the repaired history. Results that are where the provider looks for them stay. The others, and results added
/// for calls without one, are placed right after the answer with the calls. All other messages stay.
pub fn lay_out<V: Value>(mut check: Check<'_, V>) -> Findings {
    check.ids();
    check.results();
    let mut separate = Separate { check };
    let mut start = 0;
    for index in 0..separate.check.history.messages().len() {
        if !separate.check.is_result(index) {
            separate.place_other(index);
        } else if separate.keeps_its_place(index) {
            separate.place_result(index);
        }
        if !separate.answer_goes_on(index) {
            (start..=index).for_each(|caller| separate.place_answers(caller));
            start = index + 1;
        }
    }
    if separate.check.rules.items {
        settle_items(&mut separate.check);
    }
    separate.check.findings
}

struct Separate<'a, V> {
    check: Check<'a, V>,
}

impl<V: Value> Separate<'_, V> {
    /// Returns whether an answer continues after `index`. If results may be anywhere after their call, an answer is a
    /// run of items that must not be split.
    fn answer_goes_on(&self, index: usize) -> bool {
        let is_models = |index| self.check.role(index) == Role::Assistant;
        self.check.rules.reach == Reach::Later && is_models(index) && is_models(index + 1)
    }

    /// Returns whether a result message stays. It does only if results may be anywhere after their call; else results
    /// are placed with the call.
    fn keeps_its_place(&self, index: usize) -> bool {
        let pairs = &self.check.pairs;
        let result = pairs.result_at(index, 0);
        let call = result.and_then(|result| pairs.call_of(result).map(|call| (call, result)));
        self.check.rules.reach == Reach::Later
            && call.is_some_and(|(call, result)| self.check.follows(call, result))
    }

    /// Adds a message that is not a result, with edits of its ids, its list of calls and its content.
    fn place_other(&mut self, index: usize) {
        let check = &self.check;
        let mut edits = Vec::new();
        for call in check.pairs.calls_of(index) {
            let Some(id) = &call.new_id else { continue };
            let way = self.way_to(call.half.path);
            edits.push(RepairEdit::set(check.rules.call_id, id.as_str()).within(&way));
        }
        edits.extend(self.list_edit(index));
        edits.extend(self.content_edit(index));
        self.check.findings.entries.push(RepairEntry::of(index, edits));
    }

    fn way_to(&self, path: BlockPath) -> Vec<RepairStep> {
        let step = |step: &Step| match step {
            Step::Field(key) => RepairStep::Field(key.text()),
            Step::Item(index) => RepairStep::Item(*index),
        };
        self.check.format.places().block_path(path).iter().map(step).collect()
    }

    /// Returns the path to the object with the message's own fields.
    fn way_into(&self, index: usize) -> Vec<RepairStep> {
        path_to(self.holder(index).as_slice(), None)
    }

    fn holder(&self, index: usize) -> Option<Key> {
        self.check.format.holder(&(self.check.message)(index))
    }

    fn list_edit(&mut self, index: usize) -> Option<RepairEdit> {
        let calls = (self.check.message)(index).field(Key::ToolCalls);
        if !self.check.rules.no_empty_calls || calls.kind() != Kind::List || !calls.is_empty() {
            return None;
        }
        let (rule, problem) = (ValidityRule::EmptyToolCalls, "tool_calls is empty");
        let remedy = "took out the empty tool_calls";
        self.check.findings.repaired(Position::message(index), rule, problem, remedy);
        Some(RepairEdit::delete(Key::ToolCalls))
    }

    /// Returns the edit for `empty-content`, as defined by the format.
    fn content_edit(&mut self, index: usize) -> Option<RepairEdit> {
        let message = (self.check.message)(index);
        let held = self.holder(index).map(|key| message.field(key));
        let body = held.as_ref().unwrap_or(&message);
        let edit = self.check.format.content_edit(body, self.check.role(index))?;
        let (rule, problem) = (ValidityRule::EmptyContent, "there is no content");
        let at = Position::message(index);
        self.check.findings.repaired(at, rule, problem, "put content there");
        Some(edit.within(&self.way_into(index)))
    }

    /// Adds the results of a message's calls that do not stay, and results for calls without one.
    fn place_answers(&mut self, caller: usize) {
        for result in self.check.pairs.results_for(caller) {
            let message = self.check.pairs.results[result].message;
            if !self.keeps_its_place(message) {
                self.place_result(message);
            }
        }
        let made = self.check.missing(caller).into_iter();
        let entries = made.map(|value| RepairEntry::New { value, edits: Vec::new() });
        self.check.findings.entries.extend(entries);
    }

    fn place_result(&mut self, index: usize) {
        let Some(result) = self.check.pairs.result_at(index, 0) else { return };
        let call = self.check.pairs.call_of(result);
        let given = call.filter(|call| call.new_id.is_some() || result.id.is_none());
        let way = self.check.format.result_id(&(self.check.message)(index));
        let edit = |id| RepairEdit::set(way, id).within(&self.way_into(index));
        let mut edits: Vec<RepairEdit> =
            given.and_then(|call| call.final_id()).map(edit).into_iter().collect();
        edits.extend(self.content_edit(index));
        self.check.findings.entries.push(RepairEntry::of(index, edits));
    }
}
