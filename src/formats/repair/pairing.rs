//! Which result answers which call, and what ids they should have: the same for all providers.

use super::problem::ValidityRule;
use super::rules::{Counted, Ids};
use crate::message::{Block, BlockKind, BlockPath, History, NameId, Names};

/// A call, or a result.
#[derive(Debug)]
pub struct PairedHalf {
    /// The message it stands in.
    pub message: usize,
    /// Its position among the message's blocks.
    pub block: usize,
    /// Where it stands there.
    pub path: BlockPath,
    /// Its id; `None` where it is missing or empty.
    pub id: Option<String>,
    /// The number of its id among those of its kind.
    key: Option<NameId>,
    /// What kinds of calls and results belong together, where a format has several.
    pub kind: Option<char>,
    /// The tool, as this half names it; `None` where only ids count.
    tool: Option<String>,
    /// The other half, among the results or the calls.
    pub other: Option<usize>,
}

/// A call, and what is wrong with its id.
#[derive(Debug)]
pub struct Call {
    /// Where it stands.
    pub half: PairedHalf,
    /// What is wrong with its id.
    pub fault: Option<ValidityRule>,
    /// The id that it gets.
    pub new_id: Option<String>,
}

impl Call {
    /// Its id in the repaired history.
    pub fn final_id(&self) -> Option<&str> {
        self.new_id.as_deref().or(self.half.id.as_deref())
    }
}

/// The calls and results of a history, in order.
#[derive(Debug, Default)]
pub struct Pairs {
    /// The calls.
    pub calls: Vec<Call>,
    /// The results.
    pub results: Vec<PairedHalf>,
    ids: Names,
}

impl Pairs {
    /// Pairs those calls and results that `counted` lets through.
    pub fn read(history: &History, counted: impl Fn(&Block) -> Option<Counted>) -> Self {
        let mut pairs = Self::default();
        for message in 0..history.messages().len() {
            for (position, block) in history.blocks_of(message).1.iter().enumerate() {
                if block.tool_use.is_some()
                    && let Some(about) = counted(block)
                {
                    pairs.push(history, block, position, about);
                }
            }
        }
        pairs.pair_in_order();
        pairs.pair_leftovers();
        pairs.pair_without_ids();
        pairs
    }

    fn push(&mut self, history: &History, block: &Block, position: usize, about: Counted) {
        let id = id_of(history, block);
        let half = PairedHalf {
            message: block.message,
            block: position,
            path: block.place,
            key: id.as_deref().map(|id| self.ids.intern(&keyed(about.kind, id))),
            id,
            kind: about.kind,
            tool: about.tool,
            other: None,
        };
        if block.kind == BlockKind::ToolCall {
            self.calls.push(Call { half, fault: None, new_id: None });
        } else {
            self.results.push(half);
        }
    }

    /// A result answers an unanswered call before it that has its id: of the newest message that has one, the first.
    fn pair_in_order(&mut self) {
        let mut open: Vec<Vec<usize>> = vec![Vec::new(); self.ids.len()];
        let mut calls = 0;
        for result in 0..self.results.len() {
            let at = (self.results[result].message, self.results[result].block);
            while let Some(Call { half, .. }) = self.calls.get(calls) {
                if (half.message, half.block) > at {
                    break;
                }
                if let Some(key) = half.key {
                    open[key.index()].push(calls);
                }
                calls += 1;
            }
            let Some(key) = self.results[result].key else { continue };
            let candidates = &mut open[key.index()];
            let Some(newest) = candidates.last().map(|call| self.calls[*call].half.message) else {
                continue;
            };
            let is_older = |call: &usize| self.calls[*call].half.message < newest;
            let first = candidates.iter().take_while(|call| is_older(call)).count();
            let call = candidates.remove(first);
            self.join(call, result);
        }
    }

    /// A result that stands before its call is known by its id.
    fn pair_leftovers(&mut self) {
        let mut left: Vec<Vec<usize>> = vec![Vec::new(); self.ids.len()];
        for (i, result) in self.results.iter().enumerate().rev() {
            if let (Some(key), None) = (result.key, result.other) {
                left[key.index()].push(i);
            }
        }
        for call in 0..self.calls.len() {
            let half = &self.calls[call].half;
            if let (Some(key), None) = (half.key, half.other)
                && let Some(result) = left[key.index()].pop()
            {
                self.join(call, result);
            }
        }
    }

    /// Without ids the results before the next message that calls are the message's. By names each answers the first
    /// open call of its tool; by order alone only where there are as many as calls without id.
    fn pair_without_ids(&mut self) {
        let mut start = 0;
        while start < self.calls.len() {
            let message = self.calls[start].half.message;
            let is_mine = |call: &&Call| call.half.message == message;
            let end = start + self.calls[start..].iter().take_while(is_mine).count();
            let until = self.calls.get(end).map_or(usize::MAX, |call| call.half.message);
            let first = self.results.partition_point(|half| half.message <= message);
            let last = self.results.partition_point(|half| half.message < until);
            for result in first..last {
                let PairedHalf { tool: Some(tool), id: None, other: None, .. } =
                    &self.results[result]
                else {
                    continue;
                };
                let is_open = |i: &usize| {
                    let half = &self.calls[*i].half;
                    half.other.is_none() && half.tool.as_ref() == Some(tool)
                };
                if let Some(call) = (start..end).find(is_open) {
                    self.join(call, result);
                }
            }
            let is_left = |half: &PairedHalf| half.id.is_none() && half.other.is_none();
            let results: Vec<usize> =
                (first..last).filter(|i| is_left(&self.results[*i])).collect();
            let calls: Vec<usize> =
                (start..end).filter(|i| is_left(&self.calls[*i].half)).collect();
            let kinds = |(call, result): (&usize, &usize)| {
                self.calls[*call].half.kind == self.results[*result].kind
            };
            if calls.len() == results.len() && calls.iter().zip(&results).all(kinds) {
                for (call, result) in calls.into_iter().zip(results) {
                    self.join(call, result);
                }
            }
            start = end;
        }
    }

    fn join(&mut self, call: usize, result: usize) {
        self.calls[call].half.other = Some(result);
        self.results[result].other = Some(call);
    }

    /// Finds the ids that must change and chooses others, from what the ids are and where they stand. Calls that must
    /// not be changed keep theirs, so that it is the others that give way.
    pub fn settle_ids(&mut self, rules: Ids, locked: &[bool]) {
        // Where each id was last claimed: in which message, or in the history.
        let mut claimed: Vec<Option<usize>> = vec![None; self.ids.len()];
        for now in [true, false] {
            for call in self.calls.iter_mut().filter(|call| locked[call.half.message] == now) {
                let place = if rules.unique_in_history { 0 } else { call.half.message };
                call.fault = match (&call.half.id, call.half.key) {
                    (Some(id), _) if rules.plain && !id.chars().all(is_plain) => {
                        Some(ValidityRule::InvalidId)
                    }
                    (_, Some(key)) if claimed[key.index()] == Some(place) => {
                        Some(ValidityRule::DuplicateId)
                    }
                    (_, Some(key)) => {
                        claimed[key.index()] = Some(place);
                        None
                    }
                    _ if rules.optional => None,
                    _ => Some(ValidityRule::MissingId),
                };
                if call.fault.is_some() && !now {
                    call.new_id = Some(fresh_id(&call.half, rules.plain, &mut self.ids));
                }
            }
        }
    }

    /// The calls of one message.
    pub fn calls_of(&self, message: usize) -> &[Call] {
        let start = self.calls.partition_point(|call| call.half.message < message);
        let end = self.calls.partition_point(|call| call.half.message <= message);
        &self.calls[start..end]
    }

    /// The call that a block is.
    pub fn call_at(&self, message: usize, block: usize) -> Option<&Call> {
        let calls = self.calls_of(message);
        calls
            .get(calls.partition_point(|call| call.half.block < block))
            .filter(|c| c.half.block == block)
    }

    /// The results that answer the calls of one message, in the order in which they stand.
    pub fn results_for(&self, message: usize) -> Vec<usize> {
        let mine = || self.calls_of(message).iter().filter_map(|call| call.half.other);
        let (Some(first), Some(last)) = (mine().min(), mine().max()) else { return Vec::new() };
        let answers = |result: &usize| {
            let call = self.call_of(&self.results[*result]);
            call.is_some_and(|call| call.half.message == message)
        };
        (first..=last).filter(answers).collect()
    }

    /// The call that a result answers.
    pub fn call_of(&self, result: &PairedHalf) -> Option<&Call> {
        result.other.and_then(|call| self.calls.get(call))
    }

    /// The result at this place.
    pub fn result_at(&self, message: usize, block: usize) -> Option<&PairedHalf> {
        let is_before = |half: &PairedHalf| (half.message, half.block) < (message, block);
        let found = self.results.get(self.results.partition_point(is_before));
        found.filter(|half| (half.message, half.block) == (message, block))
    }

    /// Whether any call has this result's id.
    pub fn is_called(&self, result: &PairedHalf) -> bool {
        result.key.is_some() && self.calls.iter().any(|call| call.half.key == result.key)
    }
}

impl PairedHalf {
    /// Whether it names another tool than the call.
    pub fn is_misnamed(&self, call: &Call) -> bool {
        self.tool.is_some() && self.tool != call.half.tool
    }

    /// The tool, as it names it.
    pub fn tool(&self) -> &str {
        self.tool.as_deref().unwrap_or("")
    }

    /// The call, or that of the result, in words: `call` and the id that it has or gets, or else the tool.
    pub fn call_in_words(&self, id: &str) -> String {
        match (id, self.tool()) {
            ("", "") => "call without id".to_owned(),
            ("", tool) => format!("call of {tool}"),
            _ => format!("call {id}"),
        }
    }
}

/// Ids are told apart by kind: with the same id, a shell call and a function call are two calls.
fn keyed(kind: Option<char>, id: &str) -> String {
    let mut key = String::with_capacity(id.len() + 1);
    key.extend(kind);
    key.push_str(id);
    key
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

fn fresh_id(half: &PairedHalf, plain: bool, taken: &mut Names) -> String {
    let base: String = match &half.id {
        Some(id) => id.chars().map(|c| if plain && !is_plain(c) { '_' } else { c }).collect(),
        None => format!("call_{}_{}", half.message, half.block),
    };
    let mut id = base.clone();
    let mut number = 2_u32;
    while taken.find(&keyed(half.kind, &id)).is_some() {
        id = format!("{base}_{number}");
        number += 1;
    }
    taken.intern(&keyed(half.kind, &id));
    id
}

fn id_of(history: &History, block: &Block) -> Option<String> {
    let id = history.uses().get(block.tool_use?.0)?.id.clone();
    id.filter(|id| !id.is_empty())
}
