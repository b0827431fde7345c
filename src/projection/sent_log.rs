//! What was sent when: of each request the edits that were in force. A later request mostly has those of the one before, so
//! an edit is kept once, with the requests from and until which it was.

use super::plan::PlannedEdit;
use crate::message::stable_merge_sort;

/// The edits of each request that was made of a history.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct SentLog {
    /// How many messages the history had at each request: they only grow.
    lengths: Vec<u32>,
    /// Edits that the last request did not have any more.
    past: Vec<Span>,
    /// Those of the last request, in the order of the blocks.
    open: Vec<Span>,
}

/// An edit and the requests that had it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The edit.
    pub edit: PlannedEdit,
    /// The first request that had it.
    pub from: u32,
    /// The first that had it no more; `u32::MAX` where all have.
    pub until: u32,
}

impl SentLog {
    /// A log of these requests, of which each span says what it had.
    pub fn of(lengths: Vec<u32>, spans: Vec<Span>) -> Self {
        let count = lengths.len() as u32;
        let spans = spans.into_iter().filter(|span| span.from < span.until.min(count));
        let (open, past): (Vec<Span>, Vec<Span>) = spans.partition(|span| span.until >= count);
        let open = open.into_iter().map(|span| Span { until: u32::MAX, ..span }).collect();
        Self { lengths, past, open: in_order(open) }
    }

    /// How many requests there were.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there was none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// How many messages the history had at each request.
    pub fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    /// Every edit with the requests that had it.
    pub fn spans(&self) -> impl Iterator<Item = &Span> {
        self.past.iter().chain(&self.open)
    }

    /// The last request made of so many messages.
    pub fn request_at(&self, messages: usize) -> Option<usize> {
        self.lengths.partition_point(|length| *length as usize <= messages).checked_sub(1)
    }

    /// The edits that request number `request` had, in the order of their blocks.
    pub fn edits(&self, request: usize) -> Vec<PlannedEdit> {
        let at = request as u32;
        let had = |span: &&Span| span.from <= at && at < span.until;
        let spans = self.spans().filter(had).copied().collect();
        in_order(spans).iter().map(|span| span.edit).collect()
    }

    /// Notes a request made of so many messages, with these edits in the order of their blocks. One that is made of as
    /// many messages as the last takes its place.
    pub fn record(&mut self, messages: usize, edits: &[PlannedEdit]) {
        let messages = messages as u32;
        if self.lengths.last() == Some(&messages) {
            if self.is_same(edits) {
                return;
            }
            self.keep(self.len() - 1);
        }
        let request = self.len() as u32;
        self.lengths.push(messages);
        if self.is_same(edits) {
            return;
        }
        let before = std::mem::take(&mut self.open);
        let mut before = before.into_iter().peekable();
        let mut ended = |span: Span| self.past.push(Span { until: request, ..span });
        for edit in edits {
            while let Some(span) = before.next_if(|span| span.edit.block < edit.block) {
                ended(span);
            }
            let span = before.next_if(|span| span.edit.block == edit.block);
            let stays = span.is_some_and(|span| span.edit == *edit);
            span.filter(|_| !stays).into_iter().for_each(&mut ended);
            let from = span.filter(|_| stays).map_or(request, |span| span.from);
            self.open.push(Span { edit: *edit, from, until: u32::MAX });
        }
        before.for_each(ended);
    }

    fn is_same(&self, edits: &[PlannedEdit]) -> bool {
        self.open.len() == edits.len()
            && self.open.iter().zip(edits).all(|(span, edit)| span.edit == *edit)
    }

    /// Forgets the requests made of more messages.
    pub fn truncate(&mut self, messages: usize) {
        self.keep(self.request_at(messages).map_or(0, |request| request + 1));
    }

    /// Forgets all requests but the first so many.
    pub fn keep(&mut self, requests: usize) {
        if requests < self.len() {
            let mut lengths = std::mem::take(&mut self.lengths);
            lengths.truncate(requests);
            let spans = self.past.drain(..).chain(self.open.drain(..)).collect();
            *self = Self::of(lengths, spans);
        }
    }
}

fn in_order(spans: Vec<Span>) -> Vec<Span> {
    stable_merge_sort(spans, |span| span.edit.block.0 as u64)
}
