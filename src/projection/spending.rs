//! What a conversation's requests have cost so far, beside what they would have cost unedited: a policy that rewrites the
//! prompt cache no dearer than what it has saved costs at no request more than sending everything.

use super::cache_cost::Spending;
use super::sent_log::SentLog;
use crate::message::History;

/// The requests of a log, which were made of this history.
pub fn spending_of(log: &SentLog, history: &History) -> Spending {
    let blocks = history.blocks();
    let mut shown: Vec<u64> = blocks.iter().map(|block| block.tokens).collect();
    let mut changed_from = vec![usize::MAX; log.len()];
    let mut spending = Spending::default();
    for span in log.spans() {
        let block = span.edit.block.0;
        let requests = span.until.min(log.len() as u32).saturating_sub(span.from);
        spending.saved += span.edit.saves(history) * u64::from(requests);
        for request in [span.from, span.until] {
            if let Some(from) = changed_from.get_mut(request as usize) {
                *from = block.min(*from);
            }
        }
        if span.until == u32::MAX {
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
