//! What OpenAI refuses of Chat Completions messages (API reference, "Create chat completion", `messages`; the errors
//! quoted are those that the API answers with).

use super::pairing::{Call, Half, IdScope, Pairs};
use super::{Edit, Entry, Findings, NO_RESULT, PathStep, Place, ValidityRule, says_something};
use crate::message::{Block, BlockKind, History, Key, Kind, Role, Value, Word};
use serde_json::json;

/// Checks a history and lays out the repaired one.
///
/// Results are messages of their own, in the run of tool messages right after the message that called, in any order.
/// Every other message keeps its place.
pub fn check<V: Value>(history: &History, message: impl Fn(usize) -> V) -> Findings {
    let mut pairs = Pairs::read(
        history,
        |block: &Block| {
            block.kind == BlockKind::ToolCall || is_tool_message(&message(block.message))
        },
        |_| false,
    );
    pairs.settle_ids(IdScope::Message, |_| true);
    let mut check = Check { history, message, pairs, findings: Findings::default() };
    check.results();
    for index in 0..history.messages().len() {
        if check.is_result(index) {
            continue;
        }
        check.message(index);
        check.answers(index);
    }
    check.findings
}

/// A message of the deprecated role `function` answers by name; it is let through as it is.
fn is_tool_message<V: Value>(message: &V) -> bool {
    message.field(Key::Role).word() == Some(Word::Tool)
}

struct Check<'a, F> {
    history: &'a History,
    message: F,
    pairs: Pairs,
    findings: Findings,
}

impl<V: Value, F: Fn(usize) -> V> Check<'_, F> {
    fn is_result(&self, index: usize) -> bool {
        self.history.messages()[index].role == Role::Tool && is_tool_message(&(self.message)(index))
    }

    /// - `orphan-result`: "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'".
    /// - `result-order`: the same, and "An assistant message with 'tool_calls' must be followed by tool messages
    ///   responding to each 'tool_call_id'".
    /// - `duplicate-result`: "Duplicate value for 'tool_call_id' of '…', in messages[7] and messages[8]".
    /// - `missing-id`: `tool_call_id` is required.
    fn results(&mut self) {
        for result in &self.pairs.results {
            let at = Place::block(result.message, result.block);
            let (rule, message, remedy) = match self.pairs.call_of(result) {
                Some(call) if result.id.is_none() => (
                    ValidityRule::MissingId,
                    "a result without tool_call_id".to_owned(),
                    format!("got the id of its call in message {}", call.half.message),
                ),
                Some(call) if self.follows(call, result) => continue,
                Some(call) => (
                    ValidityRule::ResultOrder,
                    format!(
                        "the result does not follow message {}, which calls",
                        call.half.message
                    ),
                    format!("moved behind message {}, which calls", call.half.message),
                ),
                None => unanswering(result, &self.pairs),
            };
            self.findings.repaired(at, rule, message, remedy);
        }
    }

    /// Whether only tool messages stand between a call and its result.
    fn follows(&self, call: &Call, result: &Half) -> bool {
        let between = call.half.message + 1..result.message;
        call.half.message < result.message && between.into_iter().all(|i| self.is_result(i))
    }

    /// A message that is no result: its ids, its list of calls and its content.
    fn message(&mut self, index: usize) {
        let mut edits = self.id_edits(index);
        edits.extend(self.list_edit(index));
        edits.extend(self.content_edit(index));
        self.findings.entries.push(Entry::of(index, edits));
    }

    /// - `duplicate-id`: "Duplicate value for 'tool_call_id'": the calls of one message need ids of their own. An id
    ///   that comes again in a later message, after it was answered, is accepted.
    /// - `missing-id`: `tool_calls[].id` is required.
    fn id_edits(&mut self, index: usize) -> Vec<Edit> {
        let mut edits = Vec::new();
        for (_, call) in self.pairs.calls_of(index) {
            let (Some(rule), Some(id)) = (call.fault, &call.new_id) else { continue };
            let message = match &call.half.id {
                Some(id) => format!("another call of the message has the id {id}"),
                None => "a call without id".to_owned(),
            };
            let at = Place::block(index, call.half.block);
            self.findings.repaired(at, rule, message, format!("got the id {id}, its result too"));
            let path = vec![
                PathStep::Field(Key::ToolCalls.text()),
                PathStep::Item(call.half.index),
                PathStep::Field(Key::Id.text()),
            ];
            edits.push(Edit::Set { path, value: id.clone() });
        }
        edits
    }

    /// `empty-tool-calls`: "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum length 1".
    fn list_edit(&mut self, index: usize) -> Option<Edit> {
        let calls = (self.message)(index).field(Key::ToolCalls);
        if calls.kind() != Kind::List || !calls.is_empty() {
            return None;
        }
        let (message, remedy) = ("tool_calls is empty", "took out the empty tool_calls");
        self.findings.repaired(
            Place::message(index),
            ValidityRule::EmptyToolCalls,
            message.to_owned(),
            remedy.to_owned(),
        );
        Some(Edit::Delete { path: vec![PathStep::Field(Key::ToolCalls.text())] })
    }

    /// `empty-content`: "Invalid value for 'content': expected a string, got null". Only an assistant that calls,
    /// refuses or speaks aloud may leave it out. A list of parts has at least one.
    fn content_edit(&mut self, index: usize) -> Option<Edit> {
        let message = (self.message)(index);
        let content = message.field(Key::Content);
        let found = match content.kind() {
            Kind::List if content.is_empty() => "content is an empty list",
            Kind::Absent if !self.may_be_silent(index, &message) => "there is no content",
            _ => return None,
        };
        self.findings.repaired(
            Place::message(index),
            ValidityRule::EmptyContent,
            found.to_owned(),
            "set content to an empty text".to_owned(),
        );
        Some(Edit::Set { path: vec![PathStep::Field(Key::Content.text())], value: String::new() })
    }

    fn may_be_silent(&self, index: usize, message: &V) -> bool {
        self.history.messages()[index].role == Role::Assistant
            && (!message.field(Key::ToolCalls).is_empty()
                || says_something(&message.field(Key::Refusal))
                || message.field(Key::Audio).kind() == Kind::Object
                || message.field(Key::FunctionCall).kind() == Kind::Object)
    }

    /// The results of a message's calls, right after it.
    ///
    /// `unanswered-call`: "An assistant message with 'tool_calls' must be followed by tool messages responding to each
    /// 'tool_call_id'. The following tool_call_ids did not have response messages: …".
    fn answers(&mut self, index: usize) {
        for result in self.pairs.results_for(index) {
            let result = &self.pairs.results[result];
            let call = self.pairs.call_of(result);
            let id = call.and_then(|call| call.new_id.as_ref());
            let path = || vec![PathStep::Field(Key::ToolCallId.text())];
            let message = result.message;
            let mut edits: Vec<Edit> =
                id.map(|id| Edit::Set { path: path(), value: id.clone() }).into_iter().collect();
            edits.extend(self.content_edit(message));
            self.findings.entries.push(Entry::of(message, edits));
        }
        for (_, call) in self.pairs.calls_of(index).filter(|(_, call)| call.half.other.is_none()) {
            let Some(id) = call.final_id() else { continue };
            let at = Place::block(index, call.half.block);
            let value = json!({"role": "tool", "tool_call_id": id, "content": NO_RESULT});
            self.findings.entries.push(Entry::New { value, edits: Vec::new() });
            self.findings.repaired(
                at,
                ValidityRule::UnansweredCall,
                format!("the call {id} has no result"),
                format!("gave the call {id} a result that says it has none"),
            );
        }
    }
}

fn unanswering(result: &Half, pairs: &Pairs) -> (ValidityRule, String, String) {
    let remedy = "took the result out".to_owned();
    match &result.id {
        None => (ValidityRule::MissingId, "a result without tool_call_id".to_owned(), remedy),
        Some(id) if pairs.is_called(Some(id)) => {
            (ValidityRule::DuplicateResult, format!("the call {id} has a result already"), remedy)
        }
        Some(id) => (ValidityRule::OrphanResult, format!("there is no call {id}"), remedy),
    }
}
