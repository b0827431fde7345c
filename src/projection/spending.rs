//! The cost of a conversation's requests so far, compared with sending everything. A policy whose rewrites never cost
//! more than it has saved is at no request more expensive than sending everything.

use super::cache_cost::Spending;
use super::sent_log::SentLog;
use crate::message::History;

/// Sums up the requests of a log that were made from this history.
pub fn spending_of(log: &SentLog, history: &History) -> Spending {
    let blocks = history.blocks();
    let mut shown: Vec<u64> = blocks.iter().map(|block| block.tokens).collect();
    let count = log.count_before(history);
    let mut changed_from = vec![usize::MAX; count];
    let mut spending = Spending::default();
    for span in log.spans() {
        let block = span.edit.block.0;
        let requests = span.until.min(count as u32).saturating_sub(span.from);
        spending.saved += span.edit.saves(history) * u64::from(requests);
        for request in [span.from, span.until] {
            if let Some(from) = changed_from.get_mut(request as usize) {
                *from = block.min(*from);
            }
        }
        if requests > 0 && span.until as usize >= count {
            shown[block] = span.edit.tokens;
        }
    }
    let (mut cached, mut tokens) = (0, 0);
    for (request, from) in log.requests().iter().zip(changed_from) {
        let end = request.blocks as usize;
        let again = shown.get(from..cached).unwrap_or_default();
        let new = blocks.get(cached..end).unwrap_or_default();
        spending.rewritten += again.iter().sum::<u64>();
        tokens += new.iter().map(|block| block.tokens).sum::<u64>();
        spending.unedited += tokens;
        cached = end;
    }
    spending
}

#[cfg(test)]
mod tests {
    use super::{History, SentLog, Spending, spending_of};
    use crate::message::{BlockDraft, BlockId, BlockKind, BlockPath, MessageDraft, Role};
    use crate::projection::plan::PlannedEdit;
    use crate::projection::registry::PassName;
    use crate::projection::replacement::kind::Replacement;
    use crate::projection::sent_log::{SentRequest, Span};
    use crate::text::TextSize;

    /// Three requests of 2, 3 and 4 blocks of 200 tokens. An edit is block, first request, and first that no longer has
    /// it; it leaves 50 tokens.
    fn spending(edits: &[(usize, u32, u32)]) -> Spending {
        let size = TextSize::of(&"x".repeat(700));
        let mut history = History::default();
        for _ in 0..4 {
            let text = BlockDraft::plain(BlockKind::Text, BlockPath::Content, size);
            history.push(MessageDraft::new(Role::User, vec![text]));
        }
        let span = |(block, from, until): &(usize, u32, u32)| {
            let (pass, clipped) = (PassName::Clip, Replacement::Clipped);
            let edit = PlannedEdit::of(&history, BlockId(*block), pass, clipped, 50);
            Span { edit, from: *from, until: *until }
        };
        let requests = [2, 3, 4].map(|blocks| SentRequest { blocks, print: 0 });
        let log = SentLog::of(requests.to_vec(), edits.iter().map(span).collect());
        spending_of(&log, &history)
    }

    #[test]
    fn what_requests_cost() {
        let all = u32::MAX;
        let expect = |saved, rewritten| Spending { unedited: 400 + 600 + 800, saved, rewritten };
        assert_eq!(spending(&[]), expect(0, 0));
        // An edit of the first request changes nothing that was sent before.
        assert_eq!(spending(&[(1, 0, all)]), expect(3 * 150, 0));
        // Both blocks of the first request are written again, one of them at its edited size.
        assert_eq!(spending(&[(0, 1, all)]), expect(2 * 150, 50 + 200));
        assert_eq!(spending(&[(1, 1, all)]), expect(2 * 150, 50));
        // The edit is undone: all three blocks of the second request are written again too.
        assert_eq!(spending(&[(0, 1, 2)]), expect(150, 2 * 200 + 3 * 200));
        // The first of two changes counts.
        assert_eq!(spending(&[(1, 1, all), (0, 1, all)]), expect(4 * 150, 2 * 50));
    }
}
