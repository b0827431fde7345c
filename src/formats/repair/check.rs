//! Checks shared by all providers: ids, and which result answers which call.

use super::edits::{NewValue, RepairEntry};
use super::findings::{Findings, Position};
use super::pairing::{Call, PairedHalf, Pairs};
use super::problem::ValidityRule;
use super::rules::{Half, Layout, MissingResult, Reach, Rules, is_providers};
use crate::formats::registry::Format;
use crate::message::{Block, BlockKind, History, Role, Value};

/// A result of the provider's own tool without a call before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServedOrphan {
    pub message: usize,
    pub block: usize,
}

/// A history being checked against one provider's rules.
pub struct Check<'a, V> {
    pub format: Format,
    pub rules: &'static Rules,
    pub history: &'a History,
    /// Returns the messages that the facts were read from.
    pub message: &'a dyn Fn(usize) -> V,
    pub pairs: Pairs,
    /// Messages that must not change; the ids of their calls stay.
    pub locked: Vec<bool>,
    /// In order.
    pub served_orphans: Vec<ServedOrphan>,
    pub findings: Findings,
    /// For each message, the number of earlier messages that are not results.
    others_before: Vec<u32>,
    /// For each message, the position of its first block that is not a result.
    first_other: Vec<usize>,
}

impl<'a, V: Value> Check<'a, V> {
    pub fn new(format: Format, history: &'a History, message: &'a dyn Fn(usize) -> V) -> Self {
        let rules = format.rules();
        let locked: Vec<bool> =
            (0..history.messages().len()).map(|i| is_locked(rules, history, i)).collect();
        let settled = format.settled_calls(history, message);
        let last_answer = history.messages().len().wrapping_sub(2);
        let is_settled = |block: &Block| {
            let id = block.tool_use.and_then(|id| history[id].id.as_deref());
            block.kind == BlockKind::ToolCall
                && block.message == last_answer
                && id.is_some_and(|id| settled.find(id).is_some())
        };
        let mut pairs = Pairs::read(history, |block| {
            if is_settled(block) || block.message < first_message(rules, history) {
                return None;
            }
            let half = Half { block, locked: locked[block.message] };
            format.counted(history, &half, message)
        });
        pairs.settle_ids(rules.ids, &locked);
        let first_other = (0..history.messages().len()).map(|i| first_other(history, i)).collect();
        let findings = Findings::default();
        let others_before = Vec::new();
        let mut check = Self {
            format,
            rules,
            history,
            message,
            pairs,
            locked,
            served_orphans: Vec::new(),
            findings,
            others_before,
            first_other,
        };
        check.count_others();
        check
    }

    /// The first message that the provider reads.
    pub fn first_message(&self) -> usize {
        first_message(self.rules, self.history)
    }

    fn count_others(&mut self) {
        let mut others = 0;
        for index in 0..self.history.messages().len() {
            self.others_before.push(others);
            others += u32::from(!self.is_result(index));
        }
    }

    /// The kind of a block under the rules: a call that the provider executes itself, and its result, count as unknown.
    pub fn kind(&self, block: &Block) -> BlockKind {
        if is_providers(self.history, block) { BlockKind::Unknown } else { block.kind }
    }

    /// Whether a block is a result that is taken out because its call is missing.
    pub fn is_orphan(&self, message: usize, block: usize) -> bool {
        self.served_orphans.binary_search(&ServedOrphan { message, block }).is_ok()
            || self.pairs.result_at(message, block).is_some_and(|result| result.other.is_none())
    }

    /// The role of a message.
    pub fn role(&self, index: usize) -> Role {
        self.history.messages().get(index).map_or(Role::User, |message| message.role)
    }

    /// Returns whether a message holds results and may be part of a run of results.
    pub fn is_result(&self, index: usize) -> bool {
        self.role(index) == Role::Tool
            && (self.rules.layout == Layout::Nested || self.pairs.result_at(index, 0).is_some())
    }

    /// Returns the role of an entry and the message it comes from, if any.
    pub fn said_by(&self, entry: &RepairEntry) -> (Role, Option<usize>) {
        match entry {
            RepairEntry::Keep { message } | RepairEntry::Copy { message, .. } => {
                (self.role(*message), Some(*message))
            }
            RepairEntry::New { .. } => (Role::User, None),
        }
    }

    /// Reports `duplicate-id`, `invalid-id` and `missing-id` of calls.
    pub fn ids(&mut self) {
        for call in &self.pairs.calls {
            let Some(rule) = call.fault else { continue };
            let at = Position::block(call.half.message, call.half.block);
            let id = call.half.id.as_deref().unwrap_or("");
            let problem = match rule {
                ValidityRule::DuplicateId => format!("another call has the id {id}"),
                ValidityRule::InvalidId => {
                    format!("the id {id} has more than letters, digits, _ and -")
                }
                _ => "a call without id".to_owned(),
            };
            match &call.new_id {
                Some(id) => {
                    let remedy = format!("got the id {id}, its result too");
                    self.findings.repaired(at, rule, problem, remedy);
                }
                None => self.findings.left(at, rule, &problem),
            }
        }
    }

    /// Reports `orphan-result`, `duplicate-result`, `result-order` and other problems of results.
    pub fn results(&mut self) {
        for result in &self.pairs.results {
            let at = Position::block(result.message, result.block);
            let Some((rule, problem, remedy)) = self.fault_of(result) else { continue };
            let call = self.pairs.call_of(result);
            if rule == ValidityRule::MissingId && call.is_some_and(|call| call.final_id().is_none())
            {
                self.findings.left(at, rule, &problem);
            } else {
                self.findings.repaired(at, rule, problem, remedy);
            }
        }
    }

    fn fault_of(&self, result: &PairedHalf) -> Option<(ValidityRule, String, String)> {
        let id = result.id.as_deref().unwrap_or("");
        let Some(call) = self.pairs.call_of(result) else {
            let (rule, problem) = if result.id.is_none() && !self.rules.ids.optional {
                (ValidityRule::MissingId, "a result without id".to_owned())
            } else if self.pairs.is_called(result) {
                let call = result.call_in_words(id);
                (ValidityRule::DuplicateResult, format!("the {call} has a result already"))
            } else {
                (ValidityRule::OrphanResult, format!("there is no {}", result.call_in_words(id)))
            };
            return Some((rule, problem, "took the result out".to_owned()));
        };
        let caller = call.half.message;
        let moved = format!("moved right after message {caller}, which calls");
        if !self.may_say_results(self.role(result.message)) {
            let problem = "a result in a message of another role".to_owned();
            return Some((ValidityRule::ResultRole, problem, moved));
        }
        if !self.follows(call, result) {
            let problem = format!("the result does not follow message {caller}, which calls");
            return Some((ValidityRule::ResultOrder, problem, moved));
        }
        if self.rules.ordered_blocks && self.stands_behind_others(result) {
            let problem = "the result is after other blocks".to_owned();
            let remedy = "moved before the other blocks".to_owned();
            return Some((ValidityRule::ResultsNotFirst, problem, remedy));
        }
        if result.id.is_none() && !self.rules.ids.optional {
            let remedy = format!("got the id of its call in message {caller}");
            return Some((ValidityRule::MissingId, "a result without id".to_owned(), remedy));
        }
        result.is_misnamed(call).then(|| {
            let named = call.half.call_in_words(id);
            let problem = format!("the result names another tool than the {named}");
            let remedy = format!("got the name {}", call.half.tool());
            (ValidityRule::ResultName, problem, remedy)
        })
    }

    pub fn may_say_results(&self, role: Role) -> bool {
        role == Role::Tool || (role == Role::User && !self.rules.tool_role)
    }

    /// Returns whether a result is in a position where the provider looks for it.
    pub fn follows(&self, call: &Call, result: &PairedHalf) -> bool {
        let (caller, at) = (call.half.message, result.message);
        caller < at
            && match self.rules.reach {
                Reach::Next => at == caller + 1,
                Reach::Run => self.others_before[caller + 1] == self.others_before[at],
                Reach::Later => true,
            }
    }

    fn stands_behind_others(&self, result: &PairedHalf) -> bool {
        self.first_other[result.message] < result.block
    }

    /// Returns results for the calls that have none, and reports them as `unanswered-call`.
    pub fn missing(&mut self, caller: usize) -> Vec<NewValue> {
        let mut made = Vec::new();
        for call in self.pairs.calls_of(caller).iter().filter(|call| call.half.other.is_none()) {
            let (at, rule) =
                (Position::block(caller, call.half.block), ValidityRule::UnansweredCall);
            let id = call.final_id().unwrap_or("");
            let has_id = !id.is_empty() || self.rules.ids.optional;
            let Some(result) = self.missing_result(call, id).filter(|_| has_id) else {
                let problem =
                    "the call has no result and none can be made up, so it is not repaired";
                self.findings.push(at, rule, Some(problem.to_owned()), None);
                continue;
            };
            made.push(result);
            let named = call.half.call_in_words(id);
            let remedy = format!("gave the {named} a result that says it has none");
            self.findings.repaired(at, rule, format!("the {named} has no result"), remedy);
        }
        made
    }

    fn missing_result(&self, call: &Call, id: &str) -> Option<NewValue> {
        let missing = MissingResult { id, tool: self.tool_of(call), kind: call.half.kind };
        self.format.missing_result(&missing, &(self.message)(call.half.message))
    }

    /// The name of the tool that is called.
    fn tool_of(&self, call: &Call) -> &str {
        let block = &self.history.blocks_of(call.half.message).1[call.half.block];
        let tool = block.tool_use.and_then(|id| self.history.uses().get(id.0));
        tool.map_or("", |tool_use| self.history.names().text(tool_use.tool))
    }
}

/// Returns the first message that the provider reads. Messages before a compaction count as unread only if the provider
/// receives the blocks unchanged (results nested in messages).
fn first_message(rules: &Rules, history: &History) -> usize {
    let skips = rules.layout == Layout::Nested && history.is_compacted();
    if skips { history[history.start()].message } else { 0 }
}

fn is_locked(rules: &Rules, history: &History, index: usize) -> bool {
    history.messages()[index].role == Role::Assistant
        && history.blocks_of(index).1.iter().any(|block| rules.locked_by.contains(&block.kind))
}

fn first_other(history: &History, index: usize) -> usize {
    let blocks = history.blocks_of(index).1;
    let is_other = |block: &Block| block.kind != BlockKind::ToolResult;
    blocks.iter().position(is_other).unwrap_or(blocks.len())
}
