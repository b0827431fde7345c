//! Pairs calls and results for repair: first by the general pairing rule, then the remaining ones; and assigns new ids.

use super::problem::ValidityRule;
use super::rules::{Counted, Ids};
use crate::message::{
    Block, BlockKind, BlockPath, History, Names, OpenCalls, PairKey, ToolUse, stable_merge_sort,
};

/// A call or a result.
#[derive(Debug)]
pub struct PairedHalf {
    /// Index of its message.
    pub message: usize,
    /// Position among the message's blocks.
    pub block: usize,
    /// Location in the message.
    pub path: BlockPath,
    /// Its id; `None` if it is missing or empty.
    pub id: Option<String>,
    /// Kind of call or result, for formats that pair only halves of the same kind.
    pub kind: Option<char>,
    /// Name of the tool in this half; `None` if pairing uses ids only.
    tool: Option<String>,
    /// Index of the other half in the list of results or calls.
    pub other: Option<usize>,
}

/// A call, and the problem with its id.
#[derive(Debug)]
pub struct Call {
    /// The call.
    pub half: PairedHalf,
    /// The rule that its id breaks, if any.
    pub fault: Option<ValidityRule>,
    /// Its new id, if it changes.
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
    open: OpenCalls,
}

impl Pairs {
    /// Pairs the calls and results for which `counted` returns a value.
    pub fn read(history: &History, counted: impl Fn(&Block) -> Option<Counted>) -> Self {
        let mut pairs = Self::default();
        for message in 0..history.messages().len() {
            for (position, block) in history.blocks_of(message).1.iter().enumerate() {
                if let Some(id) = block.tool_use
                    && let Some(about) = counted(block)
                {
                    pairs.push(&history[id], block, position, about);
                }
            }
        }
        pairs.pair_leftovers();
        pairs.pair_by_order();
        pairs
    }

    fn push(&mut self, tool_use: &ToolUse, block: &Block, position: usize, about: Counted) {
        let id = tool_use.id.as_deref();
        let half = PairedHalf {
            message: block.message,
            block: position,
            path: block.place,
            id: id.filter(|id| !id.is_empty()).map(str::to_owned),
            kind: about.kind,
            tool: about.tool,
            other: None,
        };
        let by_id = id.map(|id| PairKey::Id(half.kind, id));
        if block.kind == BlockKind::ToolCall {
            for key in by_id.into_iter().chain(half.tool_key()) {
                self.open.open(self.calls.len(), tool_use.step, key);
            }
            self.calls.push(Call { half, fault: None, new_id: None });
        } else {
            let call = by_id.or(half.tool_key()).and_then(|key| self.open.answer(key));
            self.results.push(half);
            if let Some(call) = call {
                self.join(call, self.results.len() - 1);
            }
        }
    }

    /// Pairs the remaining results by id: these precede their call.
    fn pair_leftovers(&mut self) {
        let mut ids = Names::default();
        let mut left: Vec<Vec<usize>> = Vec::new();
        for (i, result) in self.results.iter().enumerate().rev() {
            if let (Some(id), None) = (&result.id, result.other) {
                let key = ids.intern(&keyed(result.kind, id)).index();
                left.resize_with(left.len().max(key + 1), Vec::new);
                left[key].push(i);
            }
        }
        for call in 0..self.calls.len() {
            let half = &self.calls[call].half;
            if let (Some(id), None) = (&half.id, half.other)
                && let Some(key) = ids.find(&keyed(half.kind, id))
                && let Some(result) = left[key.index()].pop()
            {
                self.join(call, result);
            }
        }
    }

    /// Pairs results without ids by order: those between a message with calls and the next such message belong to the
    /// first, if it has as many calls without an id.
    fn pair_by_order(&mut self) {
        let mut start = 0;
        while start < self.calls.len() {
            let message = self.calls[start].half.message;
            let end = self.calls.partition_point(|call| call.half.message <= message);
            let until = self.calls.get(end).map_or(usize::MAX, |call| call.half.message);
            let first = self.results.partition_point(|half| half.message <= message);
            let last = self.results.partition_point(|half| half.message < until);
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

    /// Finds invalid ids and assigns new ones, derived from the old id or the position. Locked calls keep theirs; in a
    /// conflict the unlocked call changes.
    pub fn settle_ids(&mut self, rules: Ids, locked: &[bool]) {
        let mut ids = FreshIds::default();
        for half in self.calls.iter().map(|call| &call.half).chain(&self.results) {
            if let Some(id) = &half.id {
                ids.take(half.kind, id);
            }
        }
        // For each id, its last scope: the message, or 0 if ids are unique in the history.
        let mut claimed: Vec<Option<usize>> = vec![None; ids.taken.len()];
        for now in [true, false] {
            for call in self.calls.iter_mut().filter(|call| locked[call.half.message] == now) {
                let place = if rules.unique_in_history { 0 } else { call.half.message };
                call.fault = match &call.half.id {
                    None => (!rules.optional).then_some(ValidityRule::MissingId),
                    Some(id) if rules.plain && !id.chars().all(is_plain) => {
                        Some(ValidityRule::InvalidId)
                    }
                    Some(id) => {
                        let claim = &mut claimed[ids.take(call.half.kind, id)];
                        let is_taken = *claim == Some(place);
                        *claim = Some(place);
                        is_taken.then_some(ValidityRule::DuplicateId)
                    }
                };
                if call.fault.is_some() && !now {
                    call.new_id = Some(ids.fresh(&call.half, rules.plain));
                }
            }
        }
    }

    /// Returns the calls of one message.
    pub fn calls_of(&self, message: usize) -> &[Call] {
        let start = self.calls.partition_point(|call| call.half.message < message);
        let end = self.calls.partition_point(|call| call.half.message <= message);
        &self.calls[start..end]
    }

    /// Returns the call in a block.
    pub fn call_at(&self, message: usize, block: usize) -> Option<&Call> {
        let calls = self.calls_of(message);
        calls
            .get(calls.partition_point(|call| call.half.block < block))
            .filter(|c| c.half.block == block)
    }

    /// Returns the indexes of the results of one message's calls, in the order of the history.
    pub fn results_for(&self, message: usize) -> Vec<usize> {
        let results = self.calls_of(message).iter().filter_map(|call| call.half.other).collect();
        stable_merge_sort(results, |result| *result as u64)
    }

    /// Returns the call that a result answers.
    pub fn call_of(&self, result: &PairedHalf) -> Option<&Call> {
        result.other.and_then(|call| self.calls.get(call))
    }

    /// Returns the result in a block.
    pub fn result_at(&self, message: usize, block: usize) -> Option<&PairedHalf> {
        let is_before = |half: &PairedHalf| (half.message, half.block) < (message, block);
        let found = self.results.get(self.results.partition_point(is_before));
        found.filter(|half| (half.message, half.block) == (message, block))
    }

    /// Returns whether any call has this result's id.
    pub fn is_called(&self, result: &PairedHalf) -> bool {
        let id = result.id.as_deref();
        id.is_some_and(|id| self.open.knows(PairKey::Id(result.kind, id)))
    }
}

impl PairedHalf {
    fn tool_key(&self) -> Option<PairKey<'_>> {
        self.tool.as_deref().map(PairKey::Tool)
    }

    /// Returns whether it names another tool than the call.
    pub fn is_misnamed(&self, call: &Call) -> bool {
        self.tool.is_some() && self.tool != call.half.tool
    }

    /// The name of the tool; empty if there is none.
    pub fn tool(&self) -> &str {
        self.tool.as_deref().unwrap_or("")
    }

    /// Describes the call of this half: `call` and its old or new id, or else its tool.
    pub fn call_in_words(&self, id: &str) -> String {
        match (id, self.tool()) {
            ("", "") => "call without id".to_owned(),
            ("", tool) => format!("call of {tool}"),
            _ => format!("call {id}"),
        }
    }
}

/// Returns the key of an id, which includes its kind: a shell call and a function call may share an id.
fn keyed(kind: Option<char>, id: &str) -> String {
    let mut key = String::with_capacity(id.len() + 1);
    key.extend(kind);
    key.push_str(id);
    key
}

/// Ids in use, and the last suffix tried for each of them.
#[derive(Default)]
struct FreshIds {
    taken: Names,
    /// Last suffix, by index of the id.
    last: Vec<u32>,
}

impl FreshIds {
    /// Marks an id as used and returns its index.
    fn take(&mut self, kind: Option<char>, id: &str) -> usize {
        self.taken.intern(&keyed(kind, id)).index()
    }

    /// Returns an unused id, derived from the old id or the position.
    fn fresh(&mut self, half: &PairedHalf, plain: bool) -> String {
        let base: String = match &half.id {
            Some(id) => id.chars().map(|c| if plain && !is_plain(c) { '_' } else { c }).collect(),
            None => format!("call_{}_{}", half.message, half.block),
        };
        if self.taken.find(&keyed(half.kind, &base)).is_none() {
            self.take(half.kind, &base);
            return base;
        }
        let key = self.take(half.kind, &base);
        self.last.resize(self.last.len().max(key + 1), 1);
        loop {
            self.last[key] += 1;
            let id = format!("{base}_{}", self.last[key]);
            if self.taken.find(&keyed(half.kind, &id)).is_none() {
                self.take(half.kind, &id);
                return id;
            }
        }
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}
