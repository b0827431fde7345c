//! Repaired history for formats in which results are blocks of the message after the calls.

use super::check::Check;
use super::edits::{NewValue, RepairEdit, RepairEntry, RepairItem, RepairStep, path_to};
use super::findings::{Findings, Position};
use super::instructions::{is_directive, place_instructions};
use super::pairing::PairedHalf;
use super::problem::ValidityRule;
use super::rules::{NO_CONTENT, Reach, is_providers};
use super::served;
use crate::message::{Block, BlockKind, BlockPath, Key, Kind, Role, Value};
use std::ops::Range;

/// Text added to an answer that ends in its reasoning.
const NO_ANSWER: &str = "[No answer: the response was interrupted.]";
/// Text of the user message added before a conversation without its start.
const NO_START: &str = "[The start of the conversation is missing.]";
/// Text of the user message added between two answers if the provider requires one.
const NO_PROMPT: &str = "[Continue.]";

/// Builds the repaired history. The results of a message's calls are placed in the message that follows. If that
/// message has none of them, it stays as it is and they are placed in a new message before it.
pub fn lay_out<V: Value>(mut check: Check<'_, V>) -> Findings {
    check.ids();
    check.results();
    let list = check.format.places().list;
    if check.rules.served_results {
        check.served_orphans = served::orphans(&mut check, list);
    }
    let mut nested = Nested { list, check };
    let mut index = nested.skip_compacted();
    while index < nested.check.history.messages().len() {
        nested.place_message(index);
        let run = nested.run_behind(index);
        let next = run.end;
        nested.place_results(index, run);
        index = next;
    }
    nested.results_of_the_assistant();
    if nested.check.rules.user_first {
        nested.first_role();
    }
    if nested.check.rules.calls_follow_user {
        nested.call_order();
    }
    nested.check.findings
}

struct Nested<'a, V> {
    check: Check<'a, V>,
    /// The field with the list of blocks.
    list: Key,
}

impl<V: Value> Nested<'_, V> {
    /// Skips messages before a compaction, which are not checked. `compaction-first`: a signed compaction must be the
    /// first block.
    fn skip_compacted(&mut self) -> usize {
        if !self.check.history.is_compacted() {
            return 0;
        }
        let start = self.check.history.start();
        let message = self.check.first_message();
        let at = Position::block(message, self.check.history.position(start));
        let block = &self.check.history[start];
        let is_signed = item_of(block).is_some_and(|item| {
            let block = self.content(message).item(item as usize);
            block.field(Key::Signature).kind() == Kind::Text
        });
        if start.0 == 0 || !is_signed {
            let before = (0..message).map(|message| RepairEntry::Keep { message });
            self.check.findings.entries.extend(before);
            return message;
        }
        let rule = ValidityRule::CompactionFirst;
        let problem = "a signed compaction is not the first block of the conversation";
        let remedy = (at.block == Some(0)).then(|| "took out the messages before it".to_owned());
        self.check.findings.push(at, rule, Some(problem.to_owned()), remedy);
        message
    }

    fn content(&self, index: usize) -> V {
        (self.check.message)(index).field(self.list)
    }

    /// Returns the messages after `caller` that hold its results.
    fn run_behind(&self, caller: usize) -> Range<usize> {
        let check = &self.check;
        let start = caller + 1;
        let is_mine = |result: &usize| check.pairs.results[*result].message == start;
        let end = match check.rules.reach {
            Reach::Run if check.pairs.calls_of(caller).is_empty() => start,
            Reach::Run => start + (start..).take_while(|i| check.is_result(*i)).count(),
            _ => {
                let results = check.pairs.results_for(caller);
                let answers =
                    results.iter().any(is_mine) && check.may_say_results(check.role(start));
                start + usize::from(answers)
            }
        };
        start..end
    }

    /// Adds a message, without the results in it: they are placed with their calls.
    fn place_message(&mut self, index: usize) {
        let content = self.content(index);
        if self.says_nothing(index, &content) {
            let at = Position::message(index);
            let problem = "the message has no content";
            let rule = ValidityRule::EmptyContent;
            if self.check.role(index) == Role::Tool {
                self.check.findings.repaired(at, rule, problem, "took the message out");
                return;
            }
            self.check.findings.repaired(at, rule, problem, filled());
            self.fill(index);
        } else if content.kind() == Kind::List && !content.is_empty() {
            let items = self.items(index, None);
            self.place_items(index, items);
        } else {
            self.check.findings.entries.push(RepairEntry::Keep { message: index });
        }
    }

    fn says_nothing(&self, index: usize, content: &V) -> bool {
        let is_last = index + 1 == self.check.history.messages().len();
        let is_final_answer = is_last && self.check.role(index) == Role::Assistant;
        self.check.format.says_nothing(content, is_final_answer)
            && !is_directive(&self.check, index)
    }

    /// Adds the message with a text that says that it was empty.
    fn fill(&mut self, index: usize) {
        let edit = RepairEdit::set(&[self.list], self.check.format.content_of(NO_CONTENT));
        self.check.findings.entries.push(RepairEntry::of(index, vec![edit]));
    }

    fn place_items(&mut self, index: usize, items: Vec<RepairItem>) {
        let is_half = |(position, block): (usize, &Block)| {
            matches!(block.kind, BlockKind::ToolCall | BlockKind::ToolResult)
                || self.check.is_orphan(index, position)
        };
        if !items.is_empty() {
            let entry = self.arranged(index, items);
            self.check.findings.entries.push(entry);
        } else if !self.check.history.blocks_of(index).1.iter().enumerate().any(is_half) {
            self.check.findings.also(index, ValidityRule::EmptyContent, filled());
            self.fill(index);
        }
    }

    /// Returns the message itself if its blocks are unchanged, else a copy with the new list.
    fn arranged(&self, index: usize, items: Vec<RepairItem>) -> RepairEntry {
        let is_same = |(position, item): (usize, &RepairItem)| match item {
            RepairItem::Keep { message, from, edits } => {
                *message == index && *from == self.way(position as u32) && edits.is_empty()
            }
            RepairItem::New { .. } => false,
        };
        let same =
            items.len() == self.content(index).len() && items.iter().enumerate().all(is_same);
        if same {
            RepairEntry::Keep { message: index }
        } else {
            RepairEntry::of(index, vec![RepairEdit::arrange(self.list, items)])
        }
    }

    fn way(&self, index: u32) -> Vec<RepairStep> {
        path_to(&[self.list], Some(index))
    }

    /// Returns the blocks that a message keeps. Of its results only those that answer `caller` stay.
    fn items(&mut self, index: usize, caller: Option<usize>) -> Vec<RepairItem> {
        let (first, blocks) = self.check.history.blocks_of(index);
        let list = self.content(index);
        let mut kept = Vec::with_capacity(blocks.len());
        for (position, block) in blocks.iter().enumerate() {
            let Some(item) = item_of(block) else { continue };
            if self.keeps(index, position, &list.item(item as usize), caller) {
                kept.push(first + position);
            }
        }
        if self.check.rules.ordered_blocks {
            self.order_blocks(index, &mut kept);
        }
        let mut items: Vec<RepairItem> =
            kept.iter().filter_map(|block| self.item(index, block - first)).collect();
        if self.check.rules.ordered_blocks {
            self.end_reasoning(index, &kept, &mut items);
        }
        items
    }

    /// Returns whether a block is kept. Reports the blocks that are removed:
    ///
    /// - `call-role`: only the assistant may call.
    /// - `empty-text`: a text block must have text.
    fn keeps(&mut self, index: usize, position: usize, item: &V, caller: Option<usize>) -> bool {
        let at = Position::block(index, position);
        let block = &self.check.history.blocks_of(index).1[position];
        match self.check.kind(block) {
            BlockKind::ToolResult => {
                let result = self.check.pairs.result_at(index, position);
                let call = result.and_then(|result| self.check.pairs.call_of(result));
                // A result outside the pairing belongs to the provider or is beside signed reasoning.
                result.is_none() || call.is_some_and(|call| Some(call.half.message) == caller)
            }
            BlockKind::ToolCall if self.check.role(index) != Role::Assistant => {
                let (rule, problem) =
                    (ValidityRule::CallRole, "a call in a message that is not the model's");
                self.check.findings.repaired(at, rule, problem, "took the call out");
                false
            }
            _ if self.check.is_orphan(index, position) => false,
            _ => {
                let is_empty = self.check.format.is_empty_text(item);
                if is_empty {
                    let (rule, problem) = (ValidityRule::EmptyText, "a text block without text");
                    let remedy = "took the empty text block out";
                    self.check.findings.repaired(at, rule, problem, remedy);
                }
                !is_empty
            }
        }
    }

    /// Returns a block of the repaired history, with the edits of its ids, its tool name and its content.
    fn item(&mut self, index: usize, position: usize) -> Option<RepairItem> {
        let check = &self.check;
        let block = &check.history.blocks_of(index).1[position];
        let way = self.way(item_of(block)?);
        let rules = check.rules;
        let call = check.pairs.call_at(index, position).and_then(|call| call.new_id.clone());
        let mut edits: Vec<RepairEdit> =
            call.map(|id| RepairEdit::set(rules.call_id, id)).into_iter().collect();
        if let Some(result) = check.pairs.result_at(index, position) {
            let call = check.pairs.call_of(result);
            if let Some(id) = call.and_then(|call| call.new_id.clone()) {
                edits.push(RepairEdit::set(rules.result_id, id));
            } else if let Some(id) = call.and_then(|call| call.half.id.clone())
                && result.id.is_none()
                && !rules.ids.optional
            {
                edits.push(RepairEdit::set(rules.result_id, id));
            }
            if let Some(call) = call.filter(|call| result.is_misnamed(call)) {
                edits.push(RepairEdit::set(rules.result_name, call.half.tool()));
            }
            edits.extend(self.result_content(index, position, &way));
        }
        Some(RepairItem::Keep { message: index, from: way, edits })
    }

    /// Returns the edits that repair a result's content.
    fn result_content(
        &mut self,
        index: usize,
        position: usize,
        way: &[RepairStep],
    ) -> Vec<RepairEdit> {
        let Some(RepairStep::Item(item)) = way.last() else { return Vec::new() };
        let result = self.content(index).item(*item as usize);
        let Some(fault) = self.check.format.result_fault(&result, index, way) else {
            return Vec::new();
        };
        let at = Position::block(index, position);
        self.check.findings.repaired(at, fault.rule, fault.problem, fault.remedy);
        fault.edits
    }

    /// Places the results of the calls of message `caller`: in the messages after it that hold some of them, else in a
    /// new message.
    fn place_results(&mut self, caller: usize, run: Range<usize>) {
        let pairs = &self.check.pairs;
        let message_of = |result: &usize| pairs.results[*result].message;
        let (here, moved): (Vec<usize>, Vec<usize>) = pairs
            .results_for(caller)
            .into_iter()
            .partition(|result| run.contains(&message_of(result)));
        let host = here.first().map_or(run.start, message_of);
        let source = moved.first().map(message_of);
        let mut more = Vec::new();
        for result in moved {
            let PairedHalf { message, block, .. } = self.check.pairs.results[result];
            more.extend(self.item(message, block));
        }
        let missing = self.check.missing(caller).into_iter();
        more.extend(missing.map(|value| RepairItem::New { value }));
        if run.is_empty() && !more.is_empty() {
            let entry = self.message_of_results(source, more);
            self.check.findings.entries.push(entry);
            return;
        }
        for index in run {
            let takes_more = index == host && !more.is_empty();
            if self.says_nothing(index, &self.content(index)) && !takes_more {
                self.place_message(index);
                continue;
            }
            let mut items = self.items(index, Some(caller));
            if takes_more {
                let at = self.end_of_results(index, &items);
                items.splice(at..at, more.drain(..));
            }
            self.place_items(index, items);
        }
    }

    /// Returns the position for additional results: after the existing ones if the provider requires results first,
    /// else at the end.
    fn end_of_results(&self, index: usize, items: &[RepairItem]) -> usize {
        if !self.check.rules.ordered_blocks {
            return items.len();
        }
        let blocks = self.check.history.blocks_of(index).1;
        let mut is_result = vec![false; self.content(index).len()];
        for item in blocks
            .iter()
            .filter(|block| self.check.kind(block) == BlockKind::ToolResult)
            .filter_map(item_of)
        {
            if let Some(is) = is_result.get_mut(item as usize) {
                *is = true;
            }
        }
        let is_kept_result = |item: &&RepairItem| match item {
            RepairItem::Keep { from, .. } => match from.last() {
                Some(RepairStep::Item(item)) => is_result.get(*item as usize) == Some(&true),
                _ => false,
            },
            RepairItem::New { .. } => false,
        };
        items.iter().take_while(is_kept_result).count()
    }

    /// Returns a message that holds only results: an existing one if its role may hold results, else a new one.
    fn message_of_results(&self, source: Option<usize>, items: Vec<RepairItem>) -> RepairEntry {
        let may_say = |source: &usize| self.check.may_say_results(self.check.role(*source));
        if let Some(source) = source.filter(may_say) {
            return self.arranged(source, items);
        }
        let role = if self.check.rules.tool_role { "tool" } else { "user" };
        RepairEntry::New {
            value: said_by_role(role, self.list, NewValue::List(Vec::new())),
            edits: vec![RepairEdit::arrange(self.list, items)],
        }
    }

    /// Reports results in locked assistant messages, which stay.
    fn results_of_the_assistant(&mut self) {
        let check = &mut self.check;
        let history = check.history;
        let is_hosts =
            |block: &Block| block.kind == BlockKind::ToolResult && !is_providers(history, block);
        for index in
            (check.first_message()..check.locked.len()).filter(|index| check.locked[*index])
        {
            for (block, _) in
                (history.blocks_of(index).1.iter().enumerate()).filter(|(_, block)| is_hosts(block))
            {
                let item = (check.message)(index).field(self.list).item(block);
                let (rule, problem) = if served::is_servers(&item) {
                    (ValidityRule::OrphanResult, "there is no call of the result before it")
                } else {
                    (ValidityRule::ResultRole, "a result in a message of the assistant")
                };
                check.findings.left(Position::block(index, block), rule, problem);
            }
        }
    }

    /// Orders blocks: results before all others, and text before calls.
    fn order_blocks(&mut self, index: usize, kept: &mut Vec<usize>) {
        let check = &self.check;
        let history = check.history;
        let is_locked = check.locked[index];
        let kind = |block: &usize| check.kind(&history.blocks()[*block]);
        if !is_locked {
            let (mut results, others): (Vec<usize>, Vec<usize>) =
                kept.drain(..).partition(|block| kind(block) == BlockKind::ToolResult);
            results.extend(others);
            *kept = results;
        }
        let Some(call) = kept.iter().position(|block| kind(block) == BlockKind::ToolCall) else {
            return;
        };
        let (late, others): (Vec<usize>, Vec<usize>) =
            kept[call..].iter().partition(|block| kind(block) == BlockKind::Text);
        let Some(block) = late.first() else { return };
        let at = Position::block(index, block - history.blocks_of(index).0);
        let (rule, problem) = (ValidityRule::CallsNotLast, "text after a call");
        if is_locked {
            self.check.findings.left(at, rule, problem);
            return;
        }
        kept.truncate(call);
        kept.extend(late);
        kept.extend(others);
        self.check.findings.repaired(at, rule, problem, "moved the text before the calls");
    }

    /// `reasoning-last`: adds a text to an answer that ends in its reasoning.
    fn end_reasoning(&mut self, index: usize, kept: &[usize], items: &mut Vec<RepairItem>) {
        let blocks = self.check.history.blocks();
        let Some(last) = kept.last().filter(|block| blocks[**block].kind == BlockKind::Reasoning)
        else {
            return;
        };
        if self.check.role(index) != Role::Assistant {
            return;
        }
        let (first, own) = self.check.history.blocks_of(index);
        let position = last - first;
        let at = Position::block(index, position);
        let (rule, problem) = (ValidityRule::ReasoningLast, "the message ends in its reasoning");
        // A text after a call would be between the call and its result.
        if kept.iter().any(|block| self.check.kind(&blocks[*block]) == BlockKind::ToolCall) {
            self.check.findings.left(at, rule, problem);
            return;
        }
        let text = vec![(Key::Type, "text".into()), (Key::Text, NO_ANSWER.into())];
        items.push(RepairItem::New { value: NewValue::Object(text) });
        let remedy = format!("added the text {NO_ANSWER}");
        if position + 1 == own.len() {
            self.check.findings.repaired(at, rule, problem, remedy);
        } else {
            self.check.findings.also(index, rule, remedy);
        }
    }

    /// Returns a new user message.
    fn user_says(&self, text: &str) -> RepairEntry {
        let value = said_by_role("user", self.list, self.check.format.content_of(text));
        RepairEntry::New { value, edits: Vec::new() }
    }

    /// `first-role`: the first message must be the user's.
    fn first_role(&mut self) {
        if self.check.history.is_compacted() {
            return;
        }
        place_instructions(&mut self.check, self.list);
        let starts = self.check.findings.entries.first().map(|entry| self.check.said_by(entry).0);
        if starts != Some(Role::Assistant) {
            return;
        }
        let entry = self.user_says(NO_START);
        self.check.findings.entries.insert(0, entry);
        let (rule, remedy) = (ValidityRule::FirstRole, PUT_USER_BEFORE);
        if self.check.role(0) == Role::Assistant {
            let problem = "the first message is the assistant's";
            self.check.findings.repaired(Position::message(0), rule, problem, remedy);
        } else {
            self.check.findings.also(0, rule, remedy);
        }
    }

    /// `call-order`: calls must follow a message that is not the model's.
    fn call_order(&mut self) {
        let mut before = None;
        for entry in std::mem::take(&mut self.check.findings.entries) {
            let (role, message) = self.check.said_by(&entry);
            let message = message.filter(|index| !self.check.pairs.calls_of(*index).is_empty());
            if let Some(index) = message.filter(|_| before.unwrap_or(role) == Role::Assistant) {
                let said = if before.is_none() { NO_START } else { NO_PROMPT };
                let first = self.user_says(said);
                self.check.findings.entries.push(first);
                let (rule, remedy) = (ValidityRule::CallOrder, PUT_USER_BEFORE);
                if index == 0 || self.check.role(index - 1) == Role::Assistant {
                    let problem = "the calls do not follow a message of the user";
                    self.check.findings.repaired(Position::message(index), rule, problem, remedy);
                } else {
                    self.check.findings.also(index, rule, remedy);
                }
            }
            before = Some(role);
            self.check.findings.entries.push(entry);
        }
    }
}

const PUT_USER_BEFORE: &str = "put a message of the user before it";

fn said_by_role(role: &str, list: Key, content: NewValue) -> NewValue {
    NewValue::Object(vec![(Key::Role, role.into()), (list, content)])
}

fn filled() -> String {
    format!("set the content to {NO_CONTENT}")
}

/// Returns a block's index in the list of its message; `None` for blocks that are not entries of it.
fn item_of(block: &Block) -> Option<u32> {
    match block.place {
        BlockPath::Item(i) | BlockPath::Part(i, _) => Some(i),
        _ => None,
    }
}
