//! What was decided, when, and what was sent then: it outlives the process, and follows a history that is cut, goes on
//! otherwise, or was saved and loaded.

use super::plan::{Plan, PlannedEdit};
use super::registry::PassName;
use super::saved_edit::{Finder, Found, Puts, SAVED_EDIT_NUMBERS, SavedEdit};
use super::sent_log::{SentLog, Span};
use crate::message::{BlockId, History, UseId, stable_merge_sort};

/// The decisions of the projections of one history.
#[derive(Debug, Default)]
pub struct Ledger {
    /// What was decided and stays, in the order of the blocks.
    decided: Vec<PlannedEdit>,
    /// Decisions that are still to be found in the history.
    pending: Vec<SavedEdit>,
    /// The edits of each request.
    sent: SentLog,
    /// Requests that are still to be found in the history: their lengths, and their edits from and until which of them.
    pending_sent: (Vec<u32>, Vec<(u32, u32, SavedEdit)>),
}

/// A result that holds its stub already, if the digest of its text starts with the number.
pub type StubHere = (UseId, BlockId, u32);

impl Ledger {
    /// The decisions that the next projection repeats.
    pub fn decided(&self) -> &[PlannedEdit] {
        &self.decided
    }

    /// What was sent when.
    pub fn sent(&self) -> &SentLog {
        &self.sent
    }

    /// Takes decisions over, in the order of the blocks.
    pub fn repeat(&mut self, decided: Vec<PlannedEdit>) {
        self.decided = decided;
    }

    /// Notes what a projection decided of a history, and sent.
    pub fn record(&mut self, history: &History, plan: &Plan, is_lasting: fn(PassName) -> bool) {
        self.decided.clear();
        self.decided.extend(plan.edits().iter().filter(|edit| is_lasting(edit.pass)));
        self.sent.record(history.messages().len(), plan.edits());
    }

    /// The history is about to be cut to so many messages. What was decided of those that go is looked for in those that
    /// follow.
    pub fn truncate(&mut self, history: &History, messages: usize) {
        let last_message = |edit: &PlannedEdit| {
            let uses = [edit.tool_use, edit.replacement.rests_on()].into_iter().flatten();
            let results = uses.filter_map(|id| history[id].result);
            results.map(|block| history[block].message).fold(edit.message, usize::max)
        };
        let (gone, kept): (Vec<PlannedEdit>, Vec<PlannedEdit>) =
            self.decided.drain(..).partition(|edit| last_message(edit) >= messages);
        self.decided = kept;
        self.pending.extend(gone.iter().filter_map(|edit| SavedEdit::of(history, edit, None)));
        self.sent.truncate(messages);
    }

    /// What was read is read anew in another way: the requests made of it are none of this history.
    pub fn forget_requests(&mut self) {
        self.sent = SentLog::default();
    }

    /// The decisions of a plan and the first so many requests as numbers: how many decisions, each with the request from
    /// which on it was sent; how many requests, and how many messages each had; how many edits that are no longer
    /// decided, each with the requests from and until which they were sent. `text` tells what stands where an edit is.
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
        let mut spans: Vec<&Span> = sent.spans().collect();
        let mut rows = Rows::default();
        for edit in plan.edits().iter().filter(|edit| is_lasting(edit.pass)) {
            let Some(saved) = SavedEdit::of(history, edit, text(edit).as_deref()) else { continue };
            let at = spans.iter().position(|span| span.until == u32::MAX && span.edit == *edit);
            let since = at.map_or(sent.len() as u32, |at| spans.swap_remove(at).from);
            rows.push(&[since], saved);
        }
        let mut past = Rows::default();
        for span in spans {
            let Some(saved) = SavedEdit::of(history, &span.edit, None) else { continue };
            past.push(&[span.from, span.until.min(sent.len() as u32)], saved);
        }
        let lengths = sent.lengths();
        let count = [lengths.len() as u32];
        [&[rows.count], rows.numbers.as_slice(), &count, lengths, &[past.count], &past.numbers]
            .concat()
    }

    /// Takes over what [`Ledger::to_numbers`] gave; says how many of the decisions are none.
    pub fn restore(&mut self, numbers: &[u32]) -> usize {
        *self = Self::default();
        let mut rest = numbers;
        let rows = take_rows(&mut rest, 1 + SAVED_EDIT_NUMBERS);
        let lengths = take_rows(&mut rest, 1);
        let past = take_rows(&mut rest, 2 + SAVED_EDIT_NUMBERS);
        let mut unknown = 0;
        let mut spans = Vec::new();
        for row in rows.chunks(1 + SAVED_EDIT_NUMBERS) {
            match SavedEdit::from_numbers(&row[1..]) {
                Some(saved) => {
                    self.pending.push(saved);
                    spans.push((row[0], u32::MAX, saved));
                }
                None => unknown += 1,
            }
        }
        for row in past.chunks(2 + SAVED_EDIT_NUMBERS) {
            match SavedEdit::from_numbers(&row[2..]) {
                Some(saved) => spans.push((row[0], row[1], saved)),
                None => unknown += 1,
            }
        }
        if lengths.is_sorted() {
            self.pending_sent = (lengths.to_vec(), spans);
        }
        unknown
    }

    /// Looks for what is to be taken over; what is not there now is dropped. Gives the results that may hold their stubs
    /// already.
    pub fn find(
        &mut self,
        history: &History,
        puts: Puts,
        is_lasting: fn(PassName) -> bool,
    ) -> Vec<StubHere> {
        if self.pending.is_empty() && self.pending_sent.0.is_empty() {
            return Vec::new();
        }
        let finder = Finder::new(history, puts);
        let mut stubs = Vec::new();
        for saved in std::mem::take(&mut self.pending) {
            match finder.find(&saved) {
                Some(Found::Edit(edit)) if !is_lasting(edit.pass) => {}
                Some(Found::Edit(edit)) => self.decided.push(edit),
                Some(Found::Stub(id, block, digest)) => stubs.push((id, block, digest)),
                None => {}
            }
        }
        let decided = std::mem::take(&mut self.decided);
        self.decided = stable_merge_sort(decided, |edit| edit.block.0 as u64);
        self.decided.dedup_by_key(|edit| edit.block);
        let (lengths, spans) = std::mem::take(&mut self.pending_sent);
        if !lengths.is_empty() {
            self.find_requests(history, &finder, lengths, spans);
        }
        stubs
    }

    /// Takes over the requests up to the first of which an edit does not stand where it stood.
    fn find_requests(
        &mut self,
        history: &History,
        finder: &Finder<'_>,
        lengths: Vec<u32>,
        saved: Vec<(u32, u32, SavedEdit)>,
    ) {
        let messages = history.messages().len();
        let mut known = lengths.partition_point(|length| *length as usize <= messages);
        let mut spans = Vec::with_capacity(saved.len());
        for (from, until, saved) in saved {
            match finder.find_in_place(&saved) {
                Some(edit) => spans.push(Span { edit, from, until }),
                None => known = known.min(from as usize),
            }
        }
        self.sent = SentLog::of(lengths, spans);
        self.sent.keep(known);
    }
}

/// Rows of numbers, counted.
#[derive(Default)]
struct Rows {
    count: u32,
    numbers: Vec<u32>,
}

impl Rows {
    fn push(&mut self, head: &[u32], saved: SavedEdit) {
        self.count += 1;
        self.numbers.extend_from_slice(head);
        self.numbers.extend(saved.to_numbers());
    }
}

/// Takes a count and so many rows of so many numbers; none where there are fewer.
fn take_rows<'n>(rest: &mut &'n [u32], width: usize) -> &'n [u32] {
    let Some((count, after)) = rest.split_first() else { return &[] };
    let length = (*count as usize).saturating_mul(width);
    let (rows, after) = after.split_at_checked(length).unwrap_or((&[], &[]));
    *rest = after;
    rows
}
