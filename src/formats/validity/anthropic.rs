//! What Anthropic refuses of Messages (API reference, "Create a Message", and the guides on tool use and extended
//! thinking; the errors quoted are those that the API answers with).

use super::pairing::{Half, IdScope, Pairs};
use super::{
    Edit, Entry, Findings, Item, NO_ANSWER, NO_CONTENT, NO_RESULT, NO_START, PathStep, Place,
    ValidityRule, says_something,
};
use crate::message::{Block, BlockKind, History, Key, Kind, Role, Value, Word};
use serde_json::json;

/// Checks a history and lays out the repaired one.
///
/// The results of a message's calls stand together at the start of the user message that follows. Where that message
/// has none of them, they get a message of their own before it, so that it stays as it is.
pub fn check<V: Value>(history: &History, message: impl Fn(usize) -> V) -> Findings {
    let signed: Vec<bool> = (0..history.messages().len()).map(|i| is_signed(history, i)).collect();
    let role = |index: usize| history.messages()[index].role;
    let mut pairs = Pairs::read(
        history,
        |block: &Block| match block.kind {
            BlockKind::ToolCall => role(block.message) == Role::Assistant,
            _ => !signed[block.message],
        },
        |index| signed[index],
    );
    pairs.settle_ids(IdScope::History, |c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    let mut check = Check { history, message, pairs, signed, findings: Findings::default() };
    check.ids();
    check.results();
    check.layout();
    check.findings
}

/// "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified": what stands beside
/// them keeps its place, its ids and its texts. Two changes leave them as they are and are made: a text block of
/// nothing is taken out, and an answer that ends in them gets an end.
fn is_signed(history: &History, index: usize) -> bool {
    history.messages()[index].role == Role::Assistant
        && history.blocks_of(index).1.iter().any(|block| block.kind == BlockKind::Reasoning)
}

struct Check<'a, F> {
    history: &'a History,
    message: F,
    pairs: Pairs,
    signed: Vec<bool>,
    findings: Findings,
}

impl<V: Value, F: Fn(usize) -> V> Check<'_, F> {
    fn role(&self, index: usize) -> Option<Role> {
        self.history.messages().get(index).map(|message| message.role)
    }

    /// - `duplicate-id`: "`tool_use` ids must be unique", in the whole history.
    /// - `invalid-id`: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'".
    /// - `missing-id`: "messages.1.content.0.tool_use.id: Field required".
    fn ids(&mut self) {
        for call in &self.pairs.calls {
            let Some(rule) = call.fault else { continue };
            let at = Place::block(call.half.message, call.half.block);
            let id = call.half.id.as_deref().unwrap_or("");
            let message = match rule {
                ValidityRule::DuplicateId => format!("another call has the id {id}"),
                ValidityRule::InvalidId => {
                    format!("the id {id} has more than letters, digits, _ and -")
                }
                _ => "a call without id".to_owned(),
            };
            match &call.new_id {
                Some(id) => self.findings.repaired(
                    at,
                    rule,
                    message,
                    format!("got the id {id}, its result too"),
                ),
                None => self.findings.left(at, rule, &message),
            }
        }
    }

    /// - `orphan-result`: "unexpected `tool_use_id` found in `tool_result` blocks: …. Each `tool_result` block must
    ///   have a corresponding `tool_use` block in the previous message."
    /// - `result-order`: the same, where the call stands elsewhere.
    /// - `results-not-first`: "`tool_use` ids were found without `tool_result` blocks immediately after", where
    ///   another block stands before the result; the guide: "tool result blocks must come first".
    /// - `duplicate-result`: "each tool_use must have a single result. Found multiple `tool_result` blocks with id".
    /// - `result-role`: "`tool_result` blocks can only be in `user` messages".
    /// - `missing-id`: `tool_use_id` is required.
    fn results(&mut self) {
        for result in &self.pairs.results {
            let at = Place::block(result.message, result.block);
            let Some((rule, message, remedy)) = self.fault_of(result) else { continue };
            if rule == ValidityRule::MissingId && self.is_locked_pair(result) {
                self.findings.left(at, rule, &message);
            } else {
                self.findings.repaired(at, rule, message, remedy);
            }
        }
        for index in (0..self.signed.len()).filter(|index| self.signed[*index]) {
            let blocks = self.history.blocks_of(index).1.iter().enumerate();
            for (block, _) in blocks.filter(|(_, block)| block.kind == BlockKind::ToolResult) {
                let message = "a result in a message of the assistant";
                self.findings.left(Place::block(index, block), ValidityRule::ResultRole, message);
            }
        }
    }

    fn fault_of(&self, result: &Half) -> Option<(ValidityRule, String, String)> {
        let Some(call) = self.pairs.call_of(result) else {
            let out = "took the result out".to_owned();
            return Some(match &result.id {
                None => (ValidityRule::MissingId, "a result without tool_use_id".to_owned(), out),
                Some(id) if self.pairs.is_called(Some(id)) => (
                    ValidityRule::DuplicateResult,
                    format!("the call {id} has a result already"),
                    out,
                ),
                Some(id) => (ValidityRule::OrphanResult, format!("there is no call {id}"), out),
            });
        };
        let caller = call.half.message;
        let moved = format!("moved right behind message {caller}, which calls");
        if self.role(result.message) != Some(Role::User) {
            let message = "a result in a message of the assistant".to_owned();
            return Some((ValidityRule::ResultRole, message, moved));
        }
        if result.message != caller + 1 {
            let message = format!("the result does not follow message {caller}, which calls");
            return Some((ValidityRule::ResultOrder, message, moved));
        }
        if self.stands_behind_others(result) {
            let message = "the result stands behind other blocks".to_owned();
            let remedy = "moved before the other blocks".to_owned();
            return Some((ValidityRule::ResultsNotFirst, message, remedy));
        }
        result.id.is_none().then(|| {
            let remedy = format!("got the id of its call in message {caller}");
            (ValidityRule::MissingId, "a result without tool_use_id".to_owned(), remedy)
        })
    }

    fn is_locked_pair(&self, result: &Half) -> bool {
        self.pairs.call_of(result).is_some_and(|call| call.final_id().is_none())
    }

    fn stands_behind_others(&self, result: &Half) -> bool {
        let blocks = self.history.blocks_of(result.message).1;
        blocks.iter().take(result.block).any(|block| block.kind != BlockKind::ToolResult)
    }

    fn layout(&mut self) {
        let mut index = 0;
        while index < self.history.messages().len() {
            self.place_message(index);
            index += 1;
            let results = self.pairs.results_for(index - 1);
            let is_next = |result: &usize| self.pairs.results[*result].message == index;
            if self.role(index) == Some(Role::User) && results.iter().any(is_next) {
                self.place_results(index - 1, results, Some(index));
                index += 1;
            } else {
                self.place_results(index - 1, results, None);
            }
        }
        self.first_role();
    }

    /// `first-role`: "messages: first message must use the "user" role".
    fn first_role(&mut self) {
        let at = Place::message(0);
        let message = "the first message is the assistant's".to_owned();
        let starts = |entry: &Entry| match entry {
            Entry::Keep { message } | Entry::Copy { message, .. } => self.role(*message),
            Entry::New { .. } => Some(Role::User),
        };
        if self.findings.entries.first().is_some_and(|entry| starts(entry) == Some(Role::Assistant))
        {
            let value = json!({"role": "user", "content": NO_START});
            self.findings.entries.insert(0, Entry::New { value, edits: Vec::new() });
            let remedy = "put a message of the user before it".to_owned();
            if self.role(0) == Some(Role::Assistant) {
                self.findings.repaired(at, ValidityRule::FirstRole, message, remedy);
            } else {
                self.findings.also(0, ValidityRule::FirstRole, remedy);
            }
        }
    }

    /// A message without the results in it, which stand where their calls are.
    fn place_message(&mut self, index: usize) {
        let content = (self.message)(index).field(Key::Content);
        if content.kind() == Kind::List && !content.is_empty() {
            let items = self.own_items(index);
            self.place_items(index, items);
        } else if is_empty(&content) && !self.may_be_empty(index, &content) {
            let (message, remedy) = ("the message has no content", filled());
            let at = Place::message(index);
            self.findings.repaired(at, ValidityRule::EmptyContent, message.to_owned(), remedy);
            self.findings.entries.push(Entry::of(index, vec![set_content(NO_CONTENT)]));
        } else {
            self.findings.entries.push(Entry::Keep { message: index });
        }
    }

    /// `empty-content`: "all messages must have non-empty content except for the optional final assistant message".
    fn may_be_empty(&self, index: usize, content: &V) -> bool {
        let is_last = index + 1 == self.history.messages().len();
        let white_space = content.read_text(&mut |_| {}) > 0;
        is_last && self.role(index) == Some(Role::Assistant) && !white_space
    }

    fn place_items(&mut self, index: usize, items: Vec<Item>) {
        let is_half =
            |block: &Block| matches!(block.kind, BlockKind::ToolCall | BlockKind::ToolResult);
        if !items.is_empty() {
            self.findings.entries.push(self.arranged(index, items));
        } else if !self.history.blocks_of(index).1.iter().any(is_half) {
            self.findings.also(index, ValidityRule::EmptyContent, filled());
            self.findings.entries.push(Entry::of(index, vec![set_content(NO_CONTENT)]));
        }
    }

    /// The message itself, where its blocks are what they were.
    fn arranged(&self, index: usize, items: Vec<Item>) -> Entry {
        let is_same = |(position, item): (usize, &Item)| match item {
            Item::Keep { message, from, edits } => {
                *message == index && *from == content_item(position as u32) && edits.is_empty()
            }
            Item::New { .. } => false,
        };
        let same = items.len() == self.history.blocks_of(index).1.len()
            && items.iter().enumerate().all(is_same);
        if same { Entry::Keep { message: index } } else { Entry::of(index, vec![arrange(items)]) }
    }

    /// What a message keeps of its blocks, beside the results.
    ///
    /// - `call-role`: "`tool_use` blocks can only be in `assistant` messages".
    /// - `empty-text`: "text content blocks must be non-empty", "text content blocks must contain non-whitespace text".
    fn own_items(&mut self, index: usize) -> Vec<Item> {
        let (first, blocks) = self.history.blocks_of(index);
        let content = (self.message)(index).field(Key::Content);
        let mut kept = Vec::with_capacity(blocks.len());
        for (position, block) in blocks.iter().enumerate() {
            let at = Place::block(index, position);
            match block.kind {
                BlockKind::ToolResult if !self.signed[index] => {}
                BlockKind::ToolCall if self.role(index) != Some(Role::Assistant) => {
                    let message = "a call in a message of the user".to_owned();
                    let remedy = "took the call out".to_owned();
                    self.findings.repaired(at, ValidityRule::CallRole, message, remedy);
                }
                BlockKind::Text if !says_something(&content.item(position).field(Key::Text)) => {
                    let message = "a text block without text".to_owned();
                    let remedy = "took the empty text block out".to_owned();
                    self.findings.repaired(at, ValidityRule::EmptyText, message, remedy);
                }
                _ => kept.push(first + position),
            }
        }
        self.order_calls(index, &mut kept);
        let mut items = kept.iter().map(|block| self.own_item(index, block - first)).collect();
        self.end_reasoning(index, &kept, &mut items);
        items
    }

    fn own_item(&self, index: usize, position: usize) -> Item {
        let call = self.pairs.calls_of(index).find(|(_, call)| call.half.block == position);
        let id = call.and_then(|(_, call)| call.new_id.clone());
        let edits = id.map(|id| set(Key::Id, id)).into_iter().collect();
        Item::Keep { message: index, from: content_item(position as u32), edits }
    }

    /// `calls-not-last`: text between a call and its result: "`tool_use` ids were found without `tool_result` blocks
    /// immediately after".
    fn order_calls(&mut self, index: usize, kept: &mut Vec<usize>) {
        let kind = |block: &usize| self.history.blocks()[*block].kind;
        let Some(call) = kept.iter().position(|block| kind(block) == BlockKind::ToolCall) else {
            return;
        };
        let (late, others): (Vec<usize>, Vec<usize>) =
            kept[call..].iter().partition(|block| kind(block) == BlockKind::Text);
        let Some(block) = late.first() else { return };
        let at = Place::block(index, block - self.history.blocks_of(index).0);
        let (rule, message) = (ValidityRule::CallsNotLast, "text stands behind a call");
        if self.signed[index] {
            self.findings.left(at, rule, message);
            return;
        }
        kept.truncate(call);
        kept.extend(late);
        kept.extend(others);
        let remedy = "moved the text before the calls".to_owned();
        self.findings.repaired(at, rule, message.to_owned(), remedy);
    }

    /// `reasoning-last`: "The final block in an assistant message cannot be `thinking`."
    fn end_reasoning(&mut self, index: usize, kept: &[usize], items: &mut Vec<Item>) {
        let blocks = self.history.blocks();
        let Some(last) = kept.last().filter(|block| blocks[**block].kind == BlockKind::Reasoning)
        else {
            return;
        };
        let (first, own) = self.history.blocks_of(index);
        let position = last - first;
        let at = Place::block(index, position);
        let (rule, message) = (ValidityRule::ReasoningLast, "the message ends in its reasoning");
        if self.role(index) != Some(Role::Assistant) {
            return;
        }
        // An end behind a call would stand between the call and its result.
        if kept.iter().any(|block| blocks[*block].kind == BlockKind::ToolCall) {
            self.findings.left(at, rule, message);
            return;
        }
        items.push(Item::New { value: json!({"type": "text", "text": NO_ANSWER}) });
        let remedy = format!("added the text {NO_ANSWER}");
        if position + 1 == own.len() {
            self.findings.repaired(at, rule, message.to_owned(), remedy);
        } else {
            self.findings.also(index, rule, remedy);
        }
    }

    /// The results of the calls of message `caller`: at the start of the next message where it has some of them, else
    /// in a message of their own.
    fn place_results(&mut self, caller: usize, results: Vec<usize>, next: Option<usize>) {
        let is_next = |result: &usize| Some(self.pairs.results[*result].message) == next;
        let (mut ordered, moved): (Vec<usize>, Vec<usize>) = results.into_iter().partition(is_next);
        ordered.extend(moved);
        let source = ordered.first().map(|result| self.pairs.results[*result].message);
        let mut items: Vec<Item> = ordered.into_iter().map(|i| self.result_item(i)).collect();
        items.extend(self.missing_results(caller));
        if let Some(next) = next {
            items.extend(self.own_items(next));
            self.findings.entries.push(self.arranged(next, items));
            return;
        }
        if items.is_empty() {
            return;
        }
        let entry = match source.filter(|source| self.role(*source) == Some(Role::User)) {
            Some(source) => self.arranged(source, items),
            None => Entry::New {
                value: json!({"role": "user", "content": []}),
                edits: vec![arrange(items)],
            },
        };
        self.findings.entries.push(entry);
    }

    fn result_item(&mut self, result: usize) -> Item {
        let Half { message, block, index, .. } = self.pairs.results[result];
        let call = self.pairs.call_of(&self.pairs.results[result]);
        let id = call.and_then(|call| call.new_id.clone());
        let mut edits: Vec<Edit> = id.map(|id| set(Key::ToolUseId, id)).into_iter().collect();
        edits.extend(self.result_content(message, block, index));
        Item::Keep { message, from: content_item(index), edits }
    }

    /// `empty-text` holds for the texts in a result too; a result may be without any.
    fn result_content(&mut self, message: usize, block: usize, index: u32) -> Option<Edit> {
        let content = (self.message)(message).field(Key::Content).item(index as usize);
        let parts = content.field(Key::Content);
        let is_empty = |part: &V| {
            part.field(Key::Type).word() == Some(Word::Text)
                && !says_something(&part.field(Key::Text))
        };
        let (empty, full): (Vec<usize>, Vec<usize>) =
            (0..parts.len()).partition(|i| is_empty(&parts.item(*i)));
        if empty.is_empty() {
            return None;
        }
        let (at, rule) = (Place::block(message, block), ValidityRule::EmptyText);
        let remedy = "took the empty text out of the result".to_owned();
        self.findings.repaired(at, rule, "a text without text in a result".to_owned(), remedy);
        let path = vec![PathStep::Field(Key::Content.text())];
        if full.is_empty() {
            return Some(Edit::Delete { path });
        }
        let item = |i: usize| {
            let mut from = content_item(index);
            from.extend(content_item(i as u32));
            Item::Keep { message, from, edits: Vec::new() }
        };
        Some(Edit::Arrange { path, items: full.into_iter().map(item).collect() })
    }

    /// `unanswered-call`: "`tool_use` ids were found without `tool_result` blocks immediately after: …. Each `tool_use`
    /// block must have a corresponding `tool_result` block in the next message."
    fn missing_results(&mut self, caller: usize) -> Vec<Item> {
        let mut items = Vec::new();
        for (_, call) in self.pairs.calls_of(caller).filter(|(_, call)| call.half.other.is_none()) {
            let (at, rule) = (Place::block(caller, call.half.block), ValidityRule::UnansweredCall);
            let Some(id) = call.final_id() else {
                self.findings.left(at, rule, "a call without id has no result");
                continue;
            };
            items.push(Item::New {
                value: json!({
                    "type": "tool_result", "tool_use_id": id, "content": NO_RESULT, "is_error": true
                }),
            });
            let message = format!("the call {id} has no result");
            let remedy = format!("gave the call {id} a result that says it has none");
            self.findings.repaired(at, rule, message, remedy);
        }
        items
    }
}

fn is_empty<V: Value>(content: &V) -> bool {
    match content.kind() {
        Kind::Absent => true,
        Kind::List => content.is_empty(),
        Kind::Text => content.is_blank(),
        Kind::Object | Kind::Scalar => false,
    }
}

fn filled() -> String {
    format!("set content to {NO_CONTENT}")
}

fn set(key: Key, value: String) -> Edit {
    Edit::Set { path: vec![PathStep::Field(key.text())], value }
}

fn set_content(text: &str) -> Edit {
    set(Key::Content, text.to_owned())
}

fn arrange(items: Vec<Item>) -> Edit {
    Edit::Arrange { path: vec![PathStep::Field(Key::Content.text())], items }
}

fn content_item(index: u32) -> Vec<PathStep> {
    vec![PathStep::Field(Key::Content.text()), PathStep::Item(index)]
}
