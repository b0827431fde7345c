//! The repaired history where each result is a message of its own: OpenAI Chat Completions and Responses, LangChain.

use super::check::Check;
use super::layout::path_to;
use super::rules::Reach;
use super::{Position, RepairEdit, RepairEntry, ValidityRule};
use super::{langchain, openai_chat, openai_responses};
use crate::formats::Format;
use crate::message::{Key, Kind, Role, Value};

impl<V: Value, F: Fn(usize) -> V> Check<'_, F> {
    /// Results that stand where the provider looks for them keep their place; the others, and those that were missing,
    /// come right behind the answer that calls. Every other message keeps its place.
    pub fn lay_out_messages(&mut self) {
        let mut start = 0;
        for index in 0..self.history.messages().len() {
            if !self.is_result(index) {
                self.place_other(index);
            } else if self.keeps_its_place(index) {
                self.place_result(index);
            }
            // In Responses an answer is a run of items, which nothing comes between.
            let is_run = self.rules.reach == Reach::Later && self.role(index) == Role::Assistant;
            if !(is_run && self.role(index + 1) == Role::Assistant) {
                (start..=index).for_each(|caller| self.place_answers(caller));
                start = index + 1;
            }
        }
        if self.format == Format::OpenAiResponses {
            self.settle_items();
        }
    }

    /// Right behind the call results are placed with it.
    fn keeps_its_place(&self, index: usize) -> bool {
        let result = self.pairs.result_at(index, 0);
        let call = result.and_then(|result| self.pairs.call_of(result).map(|call| (call, result)));
        self.rules.reach == Reach::Later
            && call.is_some_and(|(call, result)| self.follows(call, result))
    }

    /// A message that is no result: its ids, its list of calls and its content.
    fn place_other(&mut self, index: usize) {
        let holder = self.holder(index);
        let mut edits = Vec::new();
        for call in self.pairs.calls_of(index) {
            let Some(id) = &call.new_id else { continue };
            let mut way = path_to(holder.as_slice(), None);
            if self.format != Format::OpenAiResponses {
                way.extend(path_to(&[Key::ToolCalls], Some(call.half.index)));
            }
            edits.push(RepairEdit::set(self.rules.call_id, id.as_str()).within(&way));
        }
        edits.extend(self.list_edit(index));
        edits.extend(self.content_edit(index));
        self.findings.entries.push(RepairEntry::of(index, edits));
    }

    /// The field that holds the message's own fields, in a serialised message of LangChain's.
    fn holder(&self, index: usize) -> Option<Key> {
        match self.format {
            Format::LangChain => langchain::holder(&(self.message)(index)),
            _ => None,
        }
    }

    fn list_edit(&mut self, index: usize) -> Option<RepairEdit> {
        let calls = (self.message)(index).field(Key::ToolCalls);
        if self.format != Format::OpenAiChat || calls.kind() != Kind::List || !calls.is_empty() {
            return None;
        }
        let (rule, problem) = (ValidityRule::EmptyToolCalls, "tool_calls is empty");
        let remedy = "took out the empty tool_calls";
        self.findings.repaired(Position::message(index), rule, problem, remedy);
        Some(RepairEdit::delete(Key::ToolCalls))
    }

    /// `empty-content`, as each provider says it.
    fn content_edit(&mut self, index: usize) -> Option<RepairEdit> {
        let message = (self.message)(index);
        let role = self.role(index);
        let holder = self.holder(index);
        let edit = match self.format {
            Format::OpenAiResponses => openai_responses::output_edit(&message)?,
            Format::LangChain => {
                let body = holder.map(|key| message.field(key));
                langchain::content_edit(body.as_ref().unwrap_or(&message), role)?
            }
            _ => openai_chat::content_edit(&message, role)?,
        };
        let (rule, problem) = (ValidityRule::EmptyContent, "there is no content");
        self.findings.repaired(Position::message(index), rule, problem, "put content there");
        Some(edit.within(&path_to(holder.as_slice(), None)))
    }

    /// The results of a message's calls that do not keep their place, and those that are missing.
    fn place_answers(&mut self, caller: usize) {
        for result in self.pairs.results_for(caller) {
            let message = self.pairs.results[result].message;
            if !self.keeps_its_place(message) {
                self.place_result(message);
            }
        }
        let made = self.missing(caller).into_iter();
        let entries = made.map(|value| RepairEntry::New { value, edits: Vec::new() });
        self.findings.entries.extend(entries);
    }

    fn place_result(&mut self, index: usize) {
        let Some(result) = self.pairs.result_at(index, 0) else { return };
        let call = self.pairs.call_of(result);
        let given = call.filter(|call| call.new_id.is_some() || result.id.is_none());
        let id = given.and_then(|call| call.final_id());
        let way = path_to(self.holder(index).as_slice(), None);
        let key = self.result_id(index);
        let mut edits: Vec<RepairEdit> =
            id.map(|id| RepairEdit::set(&key, id).within(&way)).into_iter().collect();
        edits.extend(self.content_edit(index));
        self.findings.entries.push(RepairEntry::of(index, edits));
    }

    /// The reference gives a local shell's output the call's id as `id`.
    fn result_id(&self, index: usize) -> Vec<Key> {
        let own = self.rules.result_id;
        let message = (self.message)(index);
        let has = |key| message.field(key).kind() == Kind::Text;
        match self.format {
            Format::OpenAiResponses if !has(Key::CallId) && has(Key::Id) => vec![Key::Id],
            _ => own.to_vec(),
        }
    }
}
