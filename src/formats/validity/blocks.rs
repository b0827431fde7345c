//! The repaired history where results are blocks of the message that follows the calls: Anthropic, the AI SDK's
//! `ModelMessage`, Gemini.

use super::check::Check;
use super::layout::path_to;
use super::pairing::Half;
use super::rules::Reach;
use super::{
    NO_CONTENT, NO_START, New, Position, RepairEdit, RepairEntry, RepairItem, RepairStep,
    ValidityRule,
};
use super::{ai_sdk, anthropic, gemini};
use crate::formats::Format;
use crate::message::{Block, BlockKind, BlockPath, Key, Kind, Role, Value};
use std::ops::Range;

impl<V: Value, F: Fn(usize) -> V> Check<'_, F> {
    /// The results of a message's calls stand in the message that follows. Where that one has none of them, they get a
    /// message of their own before it, so that it stays as it is.
    pub fn lay_out_blocks(&mut self) {
        let mut index = 0;
        while index < self.history.messages().len() {
            self.place_message(index);
            let run = self.run_behind(index);
            let next = run.end;
            self.place_results(index, run);
            index = next;
        }
        self.results_of_the_assistant();
        match self.format {
            Format::Anthropic => self.first_role(),
            Format::Gemini => self.call_order(),
            _ => {}
        }
    }

    /// The list that holds the blocks.
    pub fn list(&self) -> Key {
        if self.format == Format::Gemini { Key::Parts } else { Key::Content }
    }

    /// The messages behind `caller` that hold its results.
    fn run_behind(&self, caller: usize) -> Range<usize> {
        let start = caller + 1;
        let is_mine = |result: &usize| self.pairs.results[*result].message == start;
        let end = match self.rules.reach {
            Reach::Run if self.pairs.calls_of(caller).is_empty() => start,
            Reach::Run => start + (start..).take_while(|i| self.is_result(*i)).count(),
            _ => {
                let results = self.pairs.results_for(caller);
                let answers = results.iter().any(is_mine) && self.may_say_results(self.role(start));
                start + usize::from(answers)
            }
        };
        start..end
    }

    /// A message that answers nothing: without the results in it, which stand where their calls are.
    fn place_message(&mut self, index: usize) {
        let content = (self.message)(index).field(self.list());
        if self.says_nothing(index, &content) {
            let at = Position::message(index);
            let problem = "the message has no content";
            if self.role(index) == Role::Tool {
                let remedy = "took the message out";
                self.findings.repaired(at, ValidityRule::EmptyContent, problem, remedy);
                return;
            }
            self.findings.repaired(at, ValidityRule::EmptyContent, problem, filled());
            let entry = RepairEntry::of(index, vec![self.fill()]);
            self.findings.entries.push(entry);
        } else if content.kind() == Kind::List && !content.is_empty() {
            let items = self.items(index, None);
            self.place_items(index, items);
        } else {
            self.findings.entries.push(RepairEntry::Keep { message: index });
        }
    }

    /// `empty-content`, as each provider says it.
    fn says_nothing(&self, index: usize, content: &V) -> bool {
        match self.format {
            Format::AiSdk => ai_sdk::says_nothing(content),
            Format::Anthropic => {
                let is_last = index + 1 == self.history.messages().len();
                anthropic::says_nothing(content, is_last && self.role(index) == Role::Assistant)
            }
            _ => content.is_empty(),
        }
    }

    /// What is put into a message that must say something.
    fn fill(&self) -> RepairEdit {
        match self.format {
            Format::Gemini => {
                RepairEdit::arrange(Key::Parts, vec![RepairItem::New { value: text(NO_CONTENT) }])
            }
            _ => RepairEdit::set(&[Key::Content], NO_CONTENT),
        }
    }

    fn place_items(&mut self, index: usize, items: Vec<RepairItem>) {
        let is_half =
            |block: &Block| matches!(block.kind, BlockKind::ToolCall | BlockKind::ToolResult);
        if !items.is_empty() {
            self.findings.entries.push(self.arranged(index, items));
        } else if !self.history.blocks_of(index).1.iter().any(is_half) {
            self.findings.also(index, ValidityRule::EmptyContent, filled());
            let entry = RepairEntry::of(index, vec![self.fill()]);
            self.findings.entries.push(entry);
        }
    }

    /// The message itself, where its blocks are what they were.
    fn arranged(&self, index: usize, items: Vec<RepairItem>) -> RepairEntry {
        let is_same = |(position, item): (usize, &RepairItem)| match item {
            RepairItem::Keep { message, from, edits } => {
                *message == index && *from == self.way(position as u32) && edits.is_empty()
            }
            RepairItem::New { .. } => false,
        };
        let same = items.len() == (self.message)(index).field(self.list()).len()
            && items.iter().enumerate().all(is_same);
        if same {
            RepairEntry::Keep { message: index }
        } else {
            RepairEntry::of(index, vec![RepairEdit::arrange(self.list(), items)])
        }
    }

    fn way(&self, index: u32) -> Vec<RepairStep> {
        path_to(&[self.list()], Some(index))
    }

    /// What a message keeps of its blocks: of results those that answer `caller`.
    fn items(&mut self, index: usize, caller: Option<usize>) -> Vec<RepairItem> {
        let (first, blocks) = self.history.blocks_of(index);
        let list = (self.message)(index).field(self.list());
        let mut kept = Vec::with_capacity(blocks.len());
        for (position, block) in blocks.iter().enumerate() {
            let Some(item) = item_of(block) else { continue };
            if self.keeps(index, position, &list.item(item as usize), caller) {
                kept.push(first + position);
            }
        }
        if self.format == Format::Anthropic {
            self.order_blocks(index, &mut kept);
        }
        let mut items: Vec<RepairItem> =
            kept.iter().filter_map(|block| self.item(index, block - first)).collect();
        if self.format == Format::Anthropic {
            self.end_reasoning(index, &kept, &mut items);
        }
        items
    }

    /// - `call-role`: only the model calls.
    /// - `empty-text`: a text block has text.
    fn keeps(&mut self, index: usize, position: usize, item: &V, caller: Option<usize>) -> bool {
        let at = Position::block(index, position);
        let block = &self.history.blocks_of(index).1[position];
        match block.kind {
            BlockKind::ToolResult => {
                let result = self.pairs.result_at(index, position);
                let call = result.and_then(|result| self.pairs.call_of(result));
                // One that does not count is the provider's own, or stands beside signed reasoning.
                result.is_none() || call.is_some_and(|call| Some(call.half.message) == caller)
            }
            BlockKind::ToolCall if self.role(index) != Role::Assistant => {
                let problem = "a call in a message that is not the model's";
                self.findings.repaired(at, ValidityRule::CallRole, problem, "took the call out");
                false
            }
            _ => {
                let is_empty = match self.format {
                    Format::Anthropic => anthropic::is_empty_text(item),
                    Format::Gemini => gemini::is_empty_part(item),
                    _ => false,
                };
                if is_empty {
                    let problem = "a text block without text";
                    let remedy = "took the empty text block out";
                    self.findings.repaired(at, ValidityRule::EmptyText, problem, remedy);
                }
                !is_empty
            }
        }
    }

    /// A block as it stands in the repaired history.
    fn item(&mut self, index: usize, position: usize) -> Option<RepairItem> {
        let block = &self.history.blocks_of(index).1[position];
        let way = self.way(item_of(block)?);
        let is_it = |half: &Half| half.block == position;
        let call = self.pairs.calls_of(index).iter().find(|call| is_it(&call.half));
        let mut edits: Vec<RepairEdit> = call
            .and_then(|call| call.new_id.clone())
            .map(|id| RepairEdit::set(self.rules.call_id, id))
            .into_iter()
            .collect();
        if let Some(result) = self.pairs.result_at(index, position) {
            let call = self.pairs.call_of(result);
            if let Some(id) = call.and_then(|call| call.new_id.clone()) {
                edits.push(RepairEdit::set(self.rules.result_id, id));
            } else if let Some(id) = call.and_then(|call| call.half.id.clone())
                && result.id.is_none()
                && !self.rules.ids.optional
            {
                edits.push(RepairEdit::set(self.rules.result_id, id));
            }
            if let Some(call) = call.filter(|call| result.is_misnamed(call)) {
                edits.push(RepairEdit::set(&[Key::FunctionResponse, Key::Name], call.half.tool()));
            }
            edits.extend(self.result_content(index, position, &way));
        }
        Some(RepairItem::Keep { message: index, from: way, edits })
    }

    /// What is wrong with a result's content.
    fn result_content(
        &mut self,
        index: usize,
        position: usize,
        way: &[RepairStep],
    ) -> Option<RepairEdit> {
        let Some(RepairStep::Item(item)) = way.last() else { return None };
        let result = (self.message)(index).field(self.list()).item(*item as usize);
        let (rule, problem, remedy, edit) = match self.format {
            Format::Anthropic => anthropic::result_fault(&result, index, way)?,
            Format::AiSdk => ai_sdk::result_fault(&result)?,
            _ => gemini::result_fault(&result)?,
        };
        self.findings.repaired(Position::block(index, position), rule, problem, remedy);
        Some(edit)
    }

    /// The results of the calls of message `caller`: in the messages behind it that have some of them, else in a
    /// message of their own.
    fn place_results(&mut self, caller: usize, run: Range<usize>) {
        let (here, moved): (Vec<usize>, Vec<usize>) = self
            .pairs
            .results_for(caller)
            .into_iter()
            .partition(|result| run.contains(&self.pairs.results[*result].message));
        let message_of = |result: &usize| self.pairs.results[*result].message;
        let host = here.first().map_or(run.start, message_of);
        let source = moved.first().map(message_of);
        let mut more = Vec::new();
        for result in moved {
            let Half { message, block, .. } = self.pairs.results[result];
            more.extend(self.item(message, block));
        }
        more.extend(self.missing(caller).into_iter().map(|value| RepairItem::New { value }));
        if run.is_empty() && !more.is_empty() {
            let entry = self.message_of_results(source, more);
            self.findings.entries.push(entry);
            return;
        }
        for index in run {
            let takes_more = index == host && !more.is_empty();
            let content = (self.message)(index).field(self.list());
            if self.says_nothing(index, &content) && !takes_more {
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

    /// Where further results stand: Anthropic wants them before other blocks.
    fn end_of_results(&self, index: usize, items: &[RepairItem]) -> usize {
        if self.format != Format::Anthropic {
            return items.len();
        }
        let results = self.pairs.results.iter().filter(|half| half.message == index);
        let ways: Vec<Vec<RepairStep>> = results.map(|half| self.way(half.index)).collect();
        let is_result = |item: &&RepairItem| matches!(item, RepairItem::Keep { from, .. } if ways.contains(from));
        items.iter().take_while(is_result).count()
    }

    /// A message of results alone: one that there is, where they are all it holds.
    fn message_of_results(&self, source: Option<usize>, items: Vec<RepairItem>) -> RepairEntry {
        if let Some(source) = source.filter(|source| self.may_say_results(self.role(*source))) {
            return self.arranged(source, items);
        }
        let role = if self.format == Format::AiSdk { "tool" } else { "user" };
        RepairEntry::New {
            value: New::Object(vec![
                (Key::Role, role.into()),
                (self.list(), New::List(Vec::new())),
            ]),
            edits: vec![RepairEdit::arrange(self.list(), items)],
        }
    }

    /// Results beside signed reasoning stay, and are told.
    fn results_of_the_assistant(&mut self) {
        for index in (0..self.locked.len()).filter(|index| self.locked[*index]) {
            for (block, _) in (self.history.blocks_of(index).1.iter().enumerate())
                .filter(|(_, block)| block.kind == BlockKind::ToolResult)
            {
                let problem = "a result in a message of the assistant";
                self.findings.left(
                    Position::block(index, block),
                    ValidityRule::ResultRole,
                    problem,
                );
            }
        }
    }

    /// Puts a word of the user's before an entry.
    pub fn user_before(&self, said: &str) -> RepairEntry {
        let content = match self.format {
            Format::Gemini => New::List(vec![text(said)]),
            _ => said.into(),
        };
        let value = New::Object(vec![(Key::Role, "user".into()), (self.list(), content)]);
        RepairEntry::New { value, edits: Vec::new() }
    }

    /// Who says an entry, and which message it is.
    pub fn said_by(&self, entry: &RepairEntry) -> (Role, Option<usize>) {
        match entry {
            RepairEntry::Keep { message } | RepairEntry::Copy { message, .. } => {
                (self.role(*message), Some(*message))
            }
            RepairEntry::New { .. } => (Role::User, None),
        }
    }

    /// `first-role`: "messages: first message must use the "user" role".
    fn first_role(&mut self) {
        let starts = self.findings.entries.first().map(|entry| self.said_by(entry).0);
        if starts != Some(Role::Assistant) {
            return;
        }
        let entry = self.user_before(NO_START);
        self.findings.entries.insert(0, entry);
        let remedy = "put a message of the user before it";
        if self.role(0) == Role::Assistant {
            let problem = "the first message is the assistant's";
            self.findings.repaired(Position::message(0), ValidityRule::FirstRole, problem, remedy);
        } else {
            self.findings.also(0, ValidityRule::FirstRole, remedy);
        }
    }
}

fn filled() -> String {
    format!("set the content to {NO_CONTENT}")
}

fn text(text: &str) -> New {
    New::Object(vec![(Key::Text, text.into())])
}

/// A block's entry in the list of its message; some stand for the message as a whole.
fn item_of(block: &Block) -> Option<u32> {
    match block.place {
        BlockPath::Item(i) | BlockPath::Part(i, _) => Some(i),
        _ => None,
    }
}
