//! Which result answers which call, and what ids they should have: the same for all providers that pair by id.

use super::ValidityRule;
use crate::message::{Block, BlockKind, History, Place};
use std::collections::{HashMap, HashSet, VecDeque};

/// A call, or a result.
#[derive(Debug)]
pub struct Half {
    /// The message it stands in.
    pub message: usize,
    /// Its position among the message's blocks.
    pub block: usize,
    /// Its position in the list it stands in.
    pub index: u32,
    /// Its id; `None` where it is missing or empty.
    pub id: Option<String>,
    /// The other half, among the results or the calls.
    pub other: Option<usize>,
}

/// A call, and what is wrong with its id.
#[derive(Debug)]
pub struct Call {
    /// Where it stands.
    pub half: Half,
    /// Whether its message must not be changed.
    pub locked: bool,
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

/// Where an id must be the only one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdScope {
    /// Among the calls of one message.
    Message,
    /// In the whole history.
    History,
}

/// The calls and results of a history, in order.
#[derive(Debug, Default)]
pub struct Pairs {
    /// The calls.
    pub calls: Vec<Call>,
    /// The results.
    pub results: Vec<Half>,
    called: HashSet<String>,
}

impl Pairs {
    /// Pairs those calls and results that `counts` lets through.
    pub fn read(
        history: &History,
        counts: impl Fn(&Block) -> bool,
        locked: impl Fn(usize) -> bool,
    ) -> Self {
        let mut pairs = Self::default();
        for message in 0..history.messages().len() {
            let blocks = history.blocks_of(message).1;
            for (position, block) in blocks.iter().enumerate().filter(|(_, block)| counts(block)) {
                let half = Half {
                    message,
                    block: position,
                    index: index_of(block.place),
                    id: id_of(history, block),
                    other: None,
                };
                match block.kind {
                    BlockKind::ToolCall => pairs.calls.push(Call {
                        half,
                        locked: locked(message),
                        fault: None,
                        new_id: None,
                    }),
                    BlockKind::ToolResult => pairs.results.push(half),
                    _ => {}
                }
            }
        }
        pairs.called = pairs.calls.iter().filter_map(|call| call.half.id.clone()).collect();
        pairs.pair_in_order();
        pairs.pair_leftovers();
        pairs.pair_without_ids();
        pairs
    }

    /// A result answers an unanswered call before it that has its id: of the newest message that has one, the first.
    fn pair_in_order(&mut self) {
        let mut open: HashMap<String, Vec<usize>> = HashMap::new();
        let mut calls = 0;
        for result in 0..self.results.len() {
            let at = (self.results[result].message, self.results[result].block);
            while let Some(Call { half, .. }) = self.calls.get(calls) {
                if (half.message, half.block) > at {
                    break;
                }
                if let Some(id) = &half.id {
                    open.entry(id.clone()).or_default().push(calls);
                }
                calls += 1;
            }
            let Some(id) = &self.results[result].id else { continue };
            let Some(candidates) = open.get_mut(id) else { continue };
            let Some(newest) = candidates.last().map(|call| self.calls[*call].half.message) else {
                continue;
            };
            let first = candidates.partition_point(|call| self.calls[*call].half.message < newest);
            let call = candidates.remove(first);
            self.join(call, result);
        }
    }

    /// A result that stands before its call is known by its id.
    fn pair_leftovers(&mut self) {
        let mut left: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (i, result) in self.results.iter().enumerate().filter(|(_, half)| half.other.is_none())
        {
            if let Some(id) = &result.id {
                left.entry(id.clone()).or_default().push_back(i);
            }
        }
        for call in 0..self.calls.len() {
            let half = &self.calls[call].half;
            let Some(id) = half.id.as_ref().filter(|_| half.other.is_none()) else { continue };
            if let Some(result) = left.get_mut(id).and_then(VecDeque::pop_front) {
                self.join(call, result);
            }
        }
    }

    /// Without ids, order tells only where a message has as many calls without as there are results without before
    /// the next message that calls.
    fn pair_without_ids(&mut self) {
        let callers: Vec<usize> = self.calls.iter().map(|call| call.half.message).collect();
        let mut start = 0;
        while start < callers.len() {
            let message = callers[start];
            let end = start + callers[start..].iter().take_while(|one| **one == message).count();
            let until = callers.get(end).copied().unwrap_or(usize::MAX);
            let calls: Vec<usize> =
                (start..end).filter(|call| self.calls[*call].half.id.is_none()).collect();
            start = end;
            if calls.is_empty() {
                continue;
            }
            let mine =
                |half: &Half| half.id.is_none() && half.message > message && half.message < until;
            let results: Vec<usize> =
                (0..self.results.len()).filter(|i| mine(&self.results[*i])).collect();
            if calls.len() == results.len() {
                for (call, result) in calls.into_iter().zip(results) {
                    self.join(call, result);
                }
            }
        }
    }

    fn join(&mut self, call: usize, result: usize) {
        self.calls[call].half.other = Some(result);
        self.results[result].other = Some(call);
    }

    /// Finds the ids that must change and chooses others, from what the ids are and where they stand. Calls that must
    /// not be changed keep theirs, so that it is the others that give way.
    pub fn settle_ids(&mut self, scope: IdScope, allowed: impl Fn(char) -> bool) {
        let mut taken = self.called.clone();
        taken.extend(self.results.iter().filter_map(|result| result.id.clone()));
        let mut claimed: HashSet<(usize, String)> = HashSet::new();
        for locked in [true, false] {
            for call in self.calls.iter_mut().filter(|call| call.locked == locked) {
                let place = if scope == IdScope::Message { call.half.message } else { 0 };
                let claim = |id: &String| (place, id.clone());
                call.fault = match &call.half.id {
                    None => Some(ValidityRule::MissingId),
                    Some(id) if !id.chars().all(&allowed) => Some(ValidityRule::InvalidId),
                    Some(id) if claimed.contains(&claim(id)) => Some(ValidityRule::DuplicateId),
                    Some(id) => {
                        claimed.insert(claim(id));
                        None
                    }
                };
                if call.fault.is_some() && !locked {
                    let id = fresh_id(&call.half, &allowed, &mut taken);
                    claimed.insert(claim(&id));
                    call.new_id = Some(id);
                }
            }
        }
    }

    /// The calls of one message, with their numbers.
    pub fn calls_of(&self, message: usize) -> impl Iterator<Item = (usize, &Call)> {
        let start = self.calls.partition_point(|call| call.half.message < message);
        let calls = self.calls.iter().enumerate().skip(start);
        calls.take_while(move |(_, call)| call.half.message == message)
    }

    /// The results that answer the calls of one message, in the order in which they stand.
    pub fn results_for(&self, message: usize) -> Vec<usize> {
        let mut results: Vec<usize> =
            self.calls_of(message).filter_map(|(_, call)| call.half.other).collect();
        results.sort_unstable();
        results
    }

    /// The call that a result answers.
    pub fn call_of(&self, result: &Half) -> Option<&Call> {
        result.other.and_then(|call| self.calls.get(call))
    }

    /// Whether any call has this id.
    pub fn is_called(&self, id: Option<&String>) -> bool {
        id.is_some_and(|id| self.called.contains(id))
    }
}

fn fresh_id(half: &Half, allowed: impl Fn(char) -> bool, taken: &mut HashSet<String>) -> String {
    let base = match &half.id {
        Some(id) => id.chars().map(|c| if allowed(c) { c } else { '_' }).collect(),
        None => format!("call_{}_{}", half.message, half.block),
    };
    let mut id = base.clone();
    let mut number = 2_u32;
    while taken.contains(&id) {
        id = format!("{base}_{number}");
        number += 1;
    }
    taken.insert(id.clone());
    id
}

fn index_of(place: Place) -> u32 {
    match place {
        Place::Item(i) | Place::Call(i) => i,
        // The other places are those of formats without rules here.
        _ => 0,
    }
}

fn id_of(history: &History, block: &Block) -> Option<String> {
    let id = history.uses().get(block.tool_use?.0)?.id.clone();
    id.filter(|id| !id.is_empty())
}
