//! The log of sent requests: which edits were in force in each. A request mostly has the edits of the one before, so an
//! edit is stored once, with the first request that had it and the first that no longer had it.

use super::plan::PlannedEdit;
use crate::message::{BlockId, History, stable_merge_sort};
use std::ops::Range;

/// The edits of each request that was made of a history.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct SentLog {
    /// The history at each request; it only grows.
    requests: Vec<SentRequest>,
    /// Edits that the last request no longer had.
    past: Vec<Span>,
    /// The edits of the last request, sorted by block.
    open: Vec<Span>,
}

/// The history from which a request was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SentRequest {
    /// Number of blocks in the history.
    pub blocks: u32,
    /// The checksum of their facts.
    pub print: u32,
}

impl SentRequest {
    /// A request made from the whole history.
    pub fn of(history: &History) -> Self {
        let blocks = history.blocks();
        Self { blocks: blocks.len() as u32, print: blocks.last().map_or(0, |block| block.print) }
    }

    /// Whether a history begins with the blocks from which the request was made.
    pub fn is_of(self, history: &History) -> bool {
        let last = (self.blocks as usize).checked_sub(1);
        let print = last.map_or(Some(0), |last| Some(history.blocks().get(last)?.print));
        print == Some(self.print)
    }
}

/// An edit and the requests that had it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The edit.
    pub edit: PlannedEdit,
    /// The first request that had it.
    pub from: u32,
    /// The first later request that did not have it; `u32::MAX` if all have it.
    pub until: u32,
}

impl SentLog {
    /// Creates a log from requests and the spans of their edits. Spans beyond the last request are dropped.
    pub fn of(requests: Vec<SentRequest>, spans: Vec<Span>) -> Self {
        let count = requests.len() as u32;
        let spans = spans.into_iter().filter(|span| span.from < span.until.min(count));
        let (open, past): (Vec<Span>, Vec<Span>) = spans.partition(|span| span.until >= count);
        let open = open.into_iter().map(|span| Span { until: u32::MAX, ..span }).collect();
        Self { requests, past, open: in_order(open) }
    }

    /// Number of requests.
    pub fn len(&self) -> usize {
        self.requests.len()
    }

    /// Whether there are no requests.
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    /// Number of requests without one that was made of this whole history: a view of it replaces that.
    pub fn count_before(&self, history: &History) -> usize {
        let is_repeated = self.requests.last() == Some(&SentRequest::of(history));
        self.len() - usize::from(is_repeated)
    }

    /// The requests, in order.
    pub fn requests(&self) -> &[SentRequest] {
        &self.requests
    }

    /// The edits of the last request, sorted by block.
    pub fn newest(&self) -> Vec<PlannedEdit> {
        self.open.iter().map(|span| span.edit).collect()
    }

    /// The number of the last request.
    pub fn last(&self) -> Option<usize> {
        self.len().checked_sub(1)
    }

    /// All edits with the requests that had them.
    pub fn spans(&self) -> impl Iterator<Item = &Span> {
        self.past.iter().chain(&self.open)
    }

    /// The span of an edit that the last request had.
    pub fn in_force(&self, edit: &PlannedEdit) -> Option<&Span> {
        let at = self.open.binary_search_by_key(&edit.block, |span| span.edit.block).ok()?;
        self.open.get(at).filter(|span| span.edit == *edit)
    }

    /// The last request made from at most this many blocks.
    pub fn request_at(&self, blocks: usize) -> Option<usize> {
        self.requests.partition_point(|request| request.blocks as usize <= blocks).checked_sub(1)
    }

    /// The edits of request number `request`, sorted by block.
    pub fn edits(&self, request: usize) -> Vec<PlannedEdit> {
        let at = request as u32;
        let had = |span: &&Span| span.from <= at && at < span.until;
        let spans = self.spans().filter(had).copied().collect();
        in_order(spans).iter().map(|span| span.edit).collect()
    }

    /// For each request, the first block of a part that it showed differently than the edits `now`, which are sorted by
    /// block.
    pub fn differences(&self, now: &[PlannedEdit], part: &Range<BlockId>) -> Vec<Option<BlockId>> {
        let spans = in_order(self.spans().copied().collect());
        let of = |block| {
            let from = spans.partition_point(|span| span.edit.block < block);
            spans[from..].iter().take_while(move |span| span.edit.block == block)
        };
        let mut others = Vec::new();
        for edit in now {
            let mut from = 0;
            for same in of(edit.block).filter(|span| span.edit == *edit) {
                others.push(Span { edit: *edit, from, until: same.from });
                from = same.until;
            }
            others.push(Span { edit: *edit, from, until: u32::MAX });
        }
        let is_now =
            |span: &&Span| now.binary_search_by_key(&span.edit.block, |edit| edit.block).is_ok();
        others.extend(spans.iter().filter(|span| !is_now(span)));
        others.retain(|span| part.contains(&span.edit.block));
        first_of_each(self.len(), in_order(others))
    }

    /// Records a request with its edits, sorted by block. A request made from the same history as the last one replaces
    /// it.
    pub fn record(&mut self, made_of: SentRequest, edits: &[PlannedEdit]) {
        let mut same = self.count_same(edits);
        let is_new = self.requests.last() != Some(&made_of);
        if same == edits.len().max(self.open.len()) {
            self.requests.extend(is_new.then_some(made_of));
            return;
        }
        if !is_new {
            self.keep(self.len() - 1);
            same = self.count_same(edits);
        }
        let request = self.len() as u32;
        self.requests.push(made_of);
        let mut before = self.open.split_off(same).into_iter().peekable();
        let mut ended = |span: Span| self.past.push(Span { until: request, ..span });
        for edit in edits.iter().skip(same) {
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

    /// Number of leading edits that equal those of the last request.
    fn count_same(&self, edits: &[PlannedEdit]) -> usize {
        self.open.iter().zip(edits).take_while(|(span, edit)| span.edit == **edit).count()
    }

    /// Adds a request that no history contains, so that what was sent after the others is unknown.
    pub fn lose(&mut self) {
        self.requests.push(SentRequest { blocks: u32::MAX, print: u32::MAX });
    }

    /// Forgets the requests made from more than `blocks` blocks.
    pub fn truncate(&mut self, blocks: usize) {
        self.keep(self.request_at(blocks).map_or(0, |request| request + 1));
    }

    /// Keeps only the first `requests` requests.
    pub fn keep(&mut self, requests: usize) {
        if requests < self.len() {
            let mut kept = std::mem::take(&mut self.requests);
            kept.truncate(requests);
            let spans = self.past.drain(..).chain(self.open.drain(..)).collect();
            *self = Self::of(kept, spans);
        }
    }
}

/// For each of `count` requests, the first block whose span contains the request. The spans are sorted by block.
fn first_of_each(count: usize, spans: Vec<Span>) -> Vec<Option<BlockId>> {
    let mut first = vec![None; count];
    // A union-find: for each request, the next one without a block, or one on the path to it.
    let mut open: Vec<usize> = (0..=count).collect();
    for Span { edit, from, until } in spans {
        let mut at = (from as usize).min(count);
        loop {
            while open[at] != at {
                open[at] = open[open[at]];
                at = open[at];
            }
            if at >= count.min(until as usize) {
                break;
            }
            first[at] = Some(edit.block);
            open[at] = at + 1;
        }
    }
    first
}

fn in_order(spans: Vec<Span>) -> Vec<Span> {
    stable_merge_sort(spans, |span| span.edit.block.0 as u64)
}

#[cfg(test)]
mod tests {
    use super::{PlannedEdit, SentLog, SentRequest};
    use crate::message::BlockId;
    use crate::projection::registry::PassName;
    use crate::projection::replacement::kind::Replacement;
    use proptest::prelude::*;

    /// An edit of a block that leaves `tokens` tokens.
    fn edit(block: usize, tokens: u64) -> PlannedEdit {
        let (block, replacement) = (BlockId(block), Replacement::Clipped);
        let (message, position, tokens_before, tool_use) = (0, 0, 0, None);
        let pass = PassName::Clip;
        PlannedEdit { block, message, position, tokens_before, tool_use, pass, replacement, tokens }
    }

    fn log(requests: &[&[PlannedEdit]]) -> SentLog {
        let mut log = SentLog::default();
        for (i, edits) in requests.iter().enumerate() {
            let blocks = 10 * (i as u32 + 1);
            log.record(SentRequest { blocks, print: blocks }, edits);
        }
        log
    }

    /// For each edit: block, first request that had it, and first that no longer had it.
    fn spans(log: &SentLog) -> Vec<(usize, u32, Option<u32>)> {
        let mut spans: Vec<_> = log
            .spans()
            .map(|span| {
                (span.edit.block.0, span.from, (span.until < u32::MAX).then_some(span.until))
            })
            .collect();
        spans.sort();
        spans
    }

    #[test]
    fn an_edit_that_stays_is_kept_once() {
        let [one, two, three] = [1, 2, 3].map(|block| edit(block, 5));
        let requests: [&[PlannedEdit]; 4] = [&[one, three], &[one, two, three], &[three], &[three]];
        let log = log(&requests);
        let expected = [(1, 0, Some(2)), (2, 1, Some(2)), (3, 0, None)];
        assert_eq!(spans(&log), expected);
        for (i, edits) in requests.iter().enumerate() {
            assert_eq!(log.edits(i), *edits, "request {i}");
        }
        assert_eq!((log.newest(), log.last()), (vec![three], Some(3)));
        assert_eq!(log.in_force(&three).map(|span| span.from), Some(0));
        assert_eq!((log.in_force(&one), log.in_force(&edit(3, 6))), (None, None));
        assert_eq!(SentLog::default().last(), None);
    }

    /// A changed replacement of a block counts as another edit.
    #[test]
    fn an_edit_that_becomes_another() {
        let [one, other, two] = [edit(1, 5), edit(1, 6), edit(2, 5)];
        let log = log(&[&[one, two], &[other, two], &[other, two]]);
        assert_eq!(spans(&log), [(1, 0, Some(1)), (1, 1, None), (2, 0, None)]);
        assert_eq!((log.edits(0), log.edits(1)), (vec![one, two], vec![other, two]));
    }

    #[test]
    fn a_request_that_is_made_again_takes_the_place_of_the_last() {
        let [one, two] = [edit(1, 5), edit(2, 5)];
        let mut log = log(&[&[one], &[one, two]]);
        let last = log.requests()[1];
        log.record(last, &[one, two]);
        assert_eq!((log.len(), spans(&log)), (2, vec![(1, 0, None), (2, 1, None)]));
        log.record(last, &[two]);
        assert_eq!((log.len(), spans(&log)), (2, vec![(1, 0, Some(1)), (2, 1, None)]));
    }

    #[test]
    fn what_is_forgotten_leaves_nothing() {
        let [one, two, three] = [1, 2, 3].map(|block| edit(block, 5));
        let whole = log(&[&[one, three], &[one, two], &[two]]);
        let kept = |requests| {
            let mut log = whole.clone();
            log.keep(requests);
            (log.len(), spans(&log))
        };
        // Request 2 was the first without the first edit, and request 1 the first with the second.
        assert_eq!(kept(9), (3, spans(&whole)));
        assert_eq!(kept(2), (2, vec![(1, 0, None), (2, 1, None), (3, 0, Some(1))]));
        assert_eq!(kept(1), (1, vec![(1, 0, None), (3, 0, None)]));
        assert_eq!(kept(0), (0, vec![]));
        // By the number of blocks in the history.
        let at = |blocks| whole.request_at(blocks);
        assert_eq!(
            [at(9), at(10), at(29), at(30), at(99)],
            [None, Some(0), Some(1), Some(2), Some(2)]
        );
        for (blocks, left) in [(9, 0), (10, 1), (25, 2), (30, 3)] {
            let mut log = whole.clone();
            log.truncate(blocks);
            assert_eq!(log.len(), left, "{blocks} blocks");
        }
    }

    const BLOCKS: usize = 8;

    /// For each block, no edit or one of two.
    fn edits() -> impl Strategy<Value = Vec<PlannedEdit>> {
        prop::collection::vec(0..3_u64, BLOCKS).prop_map(|tokens| {
            let edits = tokens.iter().enumerate().filter(|(_, tokens)| **tokens > 0);
            edits.map(|(block, tokens)| edit(block, *tokens)).collect()
        })
    }

    proptest! {
        #[test]
        fn the_first_block_that_each_request_had_otherwise(
            requests in prop::collection::vec(edits(), 0..8),
            kept in 0..8_usize,
            now in edits(),
            start in 0..BLOCKS,
        ) {
            let mut log = SentLog::default();
            for (i, edits) in requests.iter().enumerate() {
                log.record(SentRequest { blocks: i as u32, print: 0 }, edits);
            }
            log.keep(kept);
            let part = BlockId(start)..BlockId(BLOCKS);
            let at = |edits: &[PlannedEdit], block| edits.iter().find(|edit| edit.block == block).copied();
            let expected: Vec<_> = (0..log.len())
                .map(|request| {
                    let had = log.edits(request);
                    (start..BLOCKS).map(BlockId).find(|block| at(&had, *block) != at(&now, *block))
                })
                .collect();
            prop_assert_eq!(log.differences(&now, &part), expected);
        }
    }
}
