//! The decisions about a history and the requests that were sent. A ledger can be saved, and follows a history that is
//! cut, continues differently, or was saved and loaded.

use super::binding::Sent;
use super::plan::{Plan, PlannedEdit};
use super::registry::PassName;
use super::saved_edit::{Finder, Found, Puts, SAVED_EDIT_NUMBERS, SavedEdit};
use super::sent_log::{SentLog, SentRequest, Span};
use crate::message::{BlockId, History};

/// The decisions of the projections of one history.
#[derive(Debug, Default)]
pub struct Ledger {
    /// The decisions that later projections repeat, sorted by block.
    decided: Vec<PlannedEdit>,
    /// Decisions that have not been found in the history yet.
    pending: Vec<SavedEdit>,
    /// The edits of each request.
    sent: SentLog,
    /// Requests that have not been found in the history yet.
    pending_sent: PendingRequests,
    /// From this block on it is unknown which content preceded the reasoning when it was made. Cleared by the next
    /// request.
    unknown_from: Option<BlockId>,
    /// A checksum of what precedes the messages in the last request: the system prompt and the tools.
    prefix: u32,
}

/// Saved requests, and their edits with the first request that has each and the first that no longer has it.
#[derive(Debug, Default)]
struct PendingRequests {
    requests: Vec<SentRequest>,
    spans: Vec<(u32, u32, SavedEdit)>,
    /// The blocks before this one are unchanged.
    same_until: usize,
}

impl Ledger {
    /// The decisions that the next projection repeats.
    pub fn decided(&self) -> &[PlannedEdit] {
        &self.decided
    }

    /// The requests that were sent, with their edits.
    pub fn sent(&self) -> &SentLog {
        &self.sent
    }

    /// What was sent, regardless of the prefix (system prompt and tools).
    pub fn sent_so_far(&self) -> Sent<'_> {
        Sent { log: &self.sent, unknown_from: self.unknown_from }
    }

    /// What was sent before a view with this prefix. If the prefix changed, the preceding content of all reasoning is
    /// unknown.
    pub fn sent_before(&self, prefix: u32) -> Sent<'_> {
        let sent = self.sent_so_far();
        let is_other = !self.sent.is_empty() && prefix != self.prefix;
        Sent { unknown_from: if is_other { Some(BlockId(0)) } else { sent.unknown_from }, ..sent }
    }

    /// Replaces the decisions with `decided`, sorted by block.
    pub fn repeat(&mut self, decided: Vec<PlannedEdit>) {
        self.decided = decided;
    }

    /// Records the decisions of a projection, and its view as a request.
    pub fn record(
        &mut self,
        history: &History,
        plan: &Plan,
        prefix: u32,
        is_lasting: fn(PassName) -> bool,
    ) {
        self.decided.clear();
        // Copied as a whole: there are hundreds at every step, and nearly all are lasting.
        self.decided.extend_from_slice(plan.edits());
        self.decided.retain(|edit| is_lasting(edit.pass));
        self.sent.record(SentRequest::of(history), plan.edits());
        (self.prefix, self.unknown_from) = (prefix, None);
    }

    /// Prepares for a cut of the history to its first `messages` messages. Decisions about removed messages are
    /// searched for in the messages that follow.
    pub fn truncate(&mut self, history: &History, messages: usize) {
        let is_gone = |edit: &PlannedEdit| {
            let uses = [edit.tool_use, edit.replacement.rests_on()];
            let mut results = uses.into_iter().flatten().filter_map(|id| history[id].result);
            edit.message >= messages || results.any(|block| history[block].message >= messages)
        };
        for edit in std::mem::take(&mut self.decided) {
            if is_gone(&edit) {
                self.pending.extend(SavedEdit::of(history, &edit, None));
            } else {
                self.decided.push(edit);
            }
        }
        let cut = history.blocks_of(messages).0;
        self.pending_sent.same_until = self.pending_sent.same_until.min(cut);
        if self.pending_sent.requests.is_empty() && self.sent.request_at(cut) != self.sent.last() {
            self.pending_sent = PendingRequests::of(history, &self.sent, cut);
        }
        self.sent.truncate(cut);
    }

    /// Forgets the recorded requests after the history was parsed again with another format. Restored requests are
    /// still searched for.
    pub fn forget_requests(&mut self) {
        self.sent = SentLog::default();
    }

    /// Serializes the decisions of a plan and the first `requests` requests as numbers: the number of decisions, each
    /// with the first request that contained it; the number of requests, each with its block count and checksum; the
    /// number of edits that are no longer decided, each with the first request that contained it and the first that did
    /// not; and the checksum of the prefix. `text` returns the replacement text of an edit.
    pub fn to_numbers(
        &self,
        history: &History,
        plan: &Plan,
        requests: usize,
        is_lasting: fn(PassName) -> bool,
        mut text: impl FnMut(&PlannedEdit) -> Option<String>,
    ) -> Vec<u32> {
        let mut sent = self.sent.clone();
        sent.keep(requests);
        if self.unknown_from.is_some() && requests > sent.len() {
            sent.lose();
        }
        let mut numbers = vec![0];
        for edit in plan.edits().iter().filter(|edit| is_lasting(edit.pass)) {
            let Some(saved) = SavedEdit::of(history, edit, text(edit).as_deref()) else { continue };
            numbers[0] += 1;
            numbers.push(sent.in_force(edit).map_or(sent.len() as u32, |span| span.from));
            numbers.extend_from_slice(&saved.to_numbers());
        }
        numbers.push(sent.len() as u32);
        numbers.extend(sent.requests().iter().flat_map(|request| [request.blocks, request.print]));
        let past = numbers.len();
        numbers.push(0);
        for span in sent.spans() {
            let is_decided =
                is_lasting(span.edit.pass) && plan.edit(span.edit.block) == Some(&span.edit);
            if span.until == u32::MAX && is_decided {
                continue;
            }
            let Some(saved) = SavedEdit::of(history, &span.edit, None) else { continue };
            numbers[past] += 1;
            numbers.extend_from_slice(&[span.from, span.until.min(sent.len() as u32)]);
            numbers.extend_from_slice(&saved.to_numbers());
        }
        numbers.push(self.prefix);
        numbers
    }

    /// Restores the output of [`Ledger::to_numbers`]. Returns the number of rows that are not valid edits.
    pub fn restore(&mut self, numbers: &[u32]) -> usize {
        *self = Self::default();
        let mut rest = numbers;
        let rows = take_rows(&mut rest, 1 + SAVED_EDIT_NUMBERS);
        let made_of = take_rows(&mut rest, 2);
        let past = take_rows(&mut rest, 2 + SAVED_EDIT_NUMBERS);
        self.prefix = rest.first().copied().unwrap_or(0);
        let mut unknown = 0;
        let mut spans = Vec::new();
        let mut read = |from, until, numbers| {
            let saved = SavedEdit::from_numbers(numbers);
            spans.extend(saved.map(|saved| (from, until, saved)));
            unknown += usize::from(saved.is_none());
            saved
        };
        for row in rows.chunks(1 + SAVED_EDIT_NUMBERS) {
            self.pending.extend(read(row[0], u32::MAX, &row[1..]));
        }
        for row in past.chunks(2 + SAVED_EDIT_NUMBERS) {
            read(row[0], row[1], &row[2..]);
        }
        let requests = made_of.as_chunks().0.iter();
        let requests =
            requests.map(|[blocks, print]| SentRequest { blocks: *blocks, print: *print });
        let requests: Vec<SentRequest> = requests.collect();
        if requests.is_sorted_by_key(|request| request.blocks) {
            self.pending_sent = PendingRequests { requests, spans, same_until: 0 };
        }
        unknown
    }

    /// Searches the history for restored decisions and requests, and drops those that it does not contain. `take` returns
    /// the edit to repeat.
    pub fn find(
        &mut self,
        history: &History,
        puts: Puts,
        is_lasting: fn(PassName) -> bool,
        take: &mut dyn FnMut(Found) -> Option<PlannedEdit>,
    ) {
        if self.pending.is_empty() && self.pending_sent.requests.is_empty() {
            return;
        }
        let finder = Finder::new(history, puts);
        for saved in std::mem::take(&mut self.pending) {
            let found = finder.find(&saved).filter(|_| is_lasting(saved.pass()));
            self.decided.extend(found.and_then(&mut *take));
        }
        let decided = std::mem::take(&mut self.decided);
        self.decided = PlannedEdit::sorted(decided);
        self.decided.dedup_by_key(|edit| edit.block);
        let pending = std::mem::take(&mut self.pending_sent);
        if !pending.requests.is_empty() {
            self.find_requests(history, &finder, pending);
        }
    }

    /// Takes over the requests up to the first one that was made from other content, or that has an edit whose block is
    /// no longer in its place.
    fn find_requests(&mut self, history: &History, finder: &Finder<'_>, saved: PendingRequests) {
        let PendingRequests { requests, spans: saved, same_until } = saved;
        let count = requests.len();
        let is_here = |request: &&SentRequest| request.is_of(history);
        let mut known = requests.iter().take_while(is_here).count();
        let mut spans = Vec::with_capacity(saved.len());
        for (from, until, saved) in saved {
            match finder.find_in_place(&saved) {
                Some(edit) => spans.push(Span { edit, from, until }),
                None => known = known.min(from as usize),
            }
        }
        self.sent = SentLog::of(requests, spans);
        self.sent.keep(known);
        if known < count {
            let until = self.sent.requests().last().map_or(0, |request| request.blocks as usize);
            self.unknown_from = Some(BlockId(until.max(same_until)));
        }
    }
}

impl PendingRequests {
    fn of(history: &History, sent: &SentLog, same_until: usize) -> Self {
        let saved =
            |span: &Span| Some((span.from, span.until, SavedEdit::of(history, &span.edit, None)?));
        let spans = sent.spans().filter_map(saved).collect();
        Self { requests: sent.requests().to_vec(), spans, same_until }
    }
}

/// Takes a count, and that many rows of `width` numbers; empty if there are fewer.
fn take_rows<'n>(rest: &mut &'n [u32], width: usize) -> &'n [u32] {
    let Some((count, after)) = rest.split_first() else { return &[] };
    let length = (*count as usize).saturating_mul(width);
    let (rows, after) = after.split_at_checked(length).unwrap_or((&[], &[]));
    *rest = after;
    rows
}
