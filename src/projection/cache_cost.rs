//! The cost model: when clearing a result pays. A result that may be needed again is worth carrying for a while, and a
//! change in the middle of the view rewrites the provider's prompt cache from there on.

use super::need::Need;
use crate::message::BlockId;

/// A block that would be better cleared than carried if its rewrite were free.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// The block.
    pub block: BlockId,
    /// Estimated tokens that its edit saves in every request from now on.
    pub saves: u64,
    /// The expected saving of clearing it, in tokens read from the cache.
    pub gain: f64,
    /// Whether only the texts that the call replaced are cut.
    pub old_only: bool,
}

/// The parameters by which results and batches are judged. Costs are in tokens read from the cache.
#[derive(Debug, Clone, Copy)]
pub struct CostModel {
    /// Number of further requests that are expected.
    pub requests_left: u32,
    /// The cost of missing a result, as a number of requests that carry it.
    pub missing: f64,
    /// Minimum saving of a batch, in estimated tokens.
    pub at_least: u64,
    /// The extra cost of writing a token to the cache instead of reading it, in units of a read; 0 if a batch need not
    /// pay for its rewrite.
    pub rewrite_cost: f64,
    /// The value of a token of reasoning to each request that could contain it, in tokens read from the cache.
    pub reasoning: f64,
    /// Maximum cost of a rewrite.
    pub most_rewrite: f64,
    /// How much each request adds to the maximum.
    pub most_rewrite_grows: f64,
    /// Whether a batch is made anyway, so that clearing one more result in it rewrites nothing more.
    pub goes_along: bool,
}

/// The cost of the requests that were sent, as sums of estimated tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spending {
    /// The tokens of all requests together if nothing had been edited.
    pub unedited: u64,
    /// The tokens that edits removed from them.
    pub saved: u64,
    /// The tokens that the previous request already had but that were written to the cache again, because something
    /// before them changed; counted as they are shown now.
    pub rewritten: u64,
}

/// The history as earlier passes have left it.
#[derive(Debug, Clone, Copy)]
pub struct Carried<'a> {
    /// Estimated tokens of each block as it is shown now.
    pub tokens: &'a [u64],
    /// The blocks before this one were in the previous request.
    pub cached: BlockId,
    /// Reasoning that is removed if anything before it changes.
    pub bound: &'a [BlockId],
}

/// Tokens added to the size of a missed result, because fetching it takes one more request, however small it is. The
/// number is fixed: one that depended on the size of the view would judge a heavily cleared view differently than its
/// original.
const REQUEST_TOKENS: f64 = 300.0;

/// Minimum ratio of gain to cost for a batch that removes reasoning: the gain is a guess about future requests, the
/// loss is certain.
const REASONING_MARGIN: f64 = 1.15;

/// Minimum tokens that a block of reasoning counts, because the visible text may be a summary, or only a signature.
const LEAST_REASONING: u64 = 100;

impl CostModel {
    /// Returns the expected saving of clearing a result now; `None` if it is better kept.
    ///
    /// A result is kept while the next request is worth it: while the probability that the next request needs it, times
    /// the cost of missing it, exceeds the cost of carrying it. The probability falls with time, so the first request
    /// at which this no longer holds is the best one to clear it (optimal stopping with a falling hazard). It is then
    /// cleared if carrying it to the end costs more than missing it is expected to cost.
    ///
    /// In a batch that is made anyway, that last condition is enough: a result that stays would have to wait for the
    /// next batch that pays, and would be carried until then.
    pub fn gain(&self, saves: u64, need: Need) -> Option<f64> {
        let saves = saves as f64;
        let miss = self.missing * (REQUEST_TOKENS + saves);
        let gain = saves * f64::from(self.requests_left) - need.ever * miss;
        let is_time = self.goes_along || need.next * miss <= saves;
        (is_time && gain > 0.0).then_some(gain)
    }

    /// Returns the first candidate to clear; all candidates after it are cleared too. `None` if nothing is cleared. The
    /// candidates are sorted by block.
    ///
    /// It is where the best batch begins, unless its rewrite costs more than allowed. Then that batch waits, and
    /// another one is made only if it does not delay it: if it pays for its own rewrite until then.
    pub fn first_to_go(&self, candidates: &[Candidate], carried: Carried<'_>) -> Option<usize> {
        let (first, rewrite) = self.best(candidates, carried, f64::INFINITY, f64::INFINITY)?;
        let lacking = rewrite - self.most_rewrite;
        if lacking <= 0.0 {
            return Some(first);
        }
        let requests = lacking / self.most_rewrite_grows;
        self.best(candidates, carried, self.most_rewrite, requests).map(|(first, _)| first)
    }

    /// Returns where the best batch begins, and the cost of its rewrite, which is at most `most`, and at most what the
    /// batch saves in this many requests.
    ///
    /// The chosen point is the one with the largest difference between the gain after it and the rewrite of what is
    /// kept after it. Little is kept after a point near the end, so a result that was just shown and is no longer
    /// needed is cleared immediately; one that becomes unneeded later waits for a batch. No batch costs more than its
    /// expected saving. Candidates before the point would not pay for their own rewrite afterwards, so a view projected
    /// again is unchanged.
    ///
    /// Bound reasoning after the point is removed too. It is worth more than carrying it costs, so little is cleared
    /// before much reasoning: a long result is cleared soon after it was shown, and a short one is kept.
    fn best(
        &self,
        candidates: &[Candidate],
        carried: Carried<'_>,
        most: f64,
        requests: f64,
    ) -> Option<(usize, f64)> {
        let Carried { tokens, cached, bound } = carried;
        let mut bound = bound.iter().rev().peekable();
        let (mut best, mut chosen) = (0.0, None);
        let (mut saved, mut gained, mut at) = (0, 0.0, tokens.len());
        let (mut rewritten, mut lost) = (0, 0.0);
        for (i, one) in candidates.iter().enumerate().rev() {
            while at > one.block.0 {
                at -= 1;
                if bound.next_if(|block| block.0 == at).is_some() {
                    lost += self.loss(tokens[at]);
                } else if at < cached.0 {
                    rewritten += tokens[at];
                }
            }
            rewritten = rewritten.saturating_sub(one.saves);
            saved += one.saves;
            gained += one.gain;
            let rewrite = self.rewrite_cost * rewritten as f64;
            let (cost, margin) = (rewrite + lost, if lost > 0.0 { REASONING_MARGIN } else { 1.0 });
            let may_go = saved >= self.at_least && rewrite <= most.min(saved as f64 * requests);
            if may_go && gained > margin * cost && gained - cost > best {
                (best, chosen) = (gained - cost, Some((i, rewrite)));
            }
        }
        chosen
    }

    /// The value lost with reasoning of this many tokens, minus the cost of carrying it.
    fn loss(&self, tokens: u64) -> f64 {
        let worth = self.reasoning * tokens.max(LEAST_REASONING) as f64;
        (worth - tokens as f64) * f64::from(self.requests_left)
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockId, Candidate, Carried, CostModel, Need};

    const MODEL: CostModel = CostModel {
        requests_left: 10,
        missing: 10.0,
        at_least: 0,
        rewrite_cost: 10.0,
        reasoning: 2.0,
        most_rewrite: f64::INFINITY,
        most_rewrite_grows: 0.0,
        goes_along: false,
    };

    fn candidate(block: usize, saves: u64, requests: u32) -> Candidate {
        let gain = (saves * u64::from(requests)) as f64;
        Candidate { block: BlockId(block), saves, gain, old_only: false }
    }

    /// Ten blocks of 100 tokens, of which the first nine were sent before.
    fn first(candidates: &[Candidate], model: CostModel) -> Option<usize> {
        first_behind(candidates, model, &[])
    }

    fn first_behind(
        candidates: &[Candidate],
        model: CostModel,
        bound: &[BlockId],
    ) -> Option<usize> {
        let carried = Carried { tokens: &[100; 10], cached: BlockId(9), bound };
        model.first_to_go(candidates, carried)
    }

    #[test]
    fn what_is_not_needed_again_goes() {
        assert_eq!(MODEL.gain(100, Need::NONE), Some(1000.0));
        assert_eq!(CostModel { requests_left: 0, ..MODEL }.gain(100, Need::NONE), None);
    }

    #[test]
    fn a_result_is_carried_while_the_next_request_may_need_it() {
        // Missing it costs 10 times 1,300, and a request that carries it costs 1,000: the limit is a probability of 1
        // in 13.
        let next = |next| MODEL.gain(1000, Need { next, ever: 0.0 });
        assert_eq!(next(0.077), None);
        assert_eq!(next(0.076), Some(10_000.0));
        assert_eq!(
            CostModel { missing: 11.0, ..MODEL }.gain(1000, Need { next: 0.076, ever: 0.0 }),
            None
        );
    }

    #[test]
    fn a_result_is_kept_that_will_be_missed_for_more_than_it_costs() {
        let ever = |ever| MODEL.gain(1000, Need { next: 0.0, ever });
        assert_eq!(ever(0.5), Some(3500.0));
        assert_eq!(ever(0.8), None);
    }

    #[test]
    fn a_batch_waits_until_it_pays() {
        // 110 tokens are written (the rest of block 7, and block 8): 1,100 reads. Saving 90 tokens pays for that in 13
        // requests.
        assert_eq!(first(&[candidate(7, 90, 12)], MODEL), None);
        assert_eq!(first(&[candidate(7, 90, 13)], MODEL), Some(0));
        assert_eq!(first(&[candidate(7, 90, 13)], CostModel { rewrite_cost: 50.0, ..MODEL }), None);
        // A block that was not sent yet is written in any case.
        assert_eq!(first(&[candidate(9, 90, 1)], MODEL), Some(0));
    }

    #[test]
    fn no_batch_is_dearer_than_allowed() {
        // The rest of block 7, and block 8: 1,100 reads. No block that was sent before follows block 9.
        let both = [candidate(7, 90, 60), candidate(9, 90, 1)];
        let most = |most_rewrite| CostModel { most_rewrite, ..MODEL };
        assert_eq!(first(&both, most(1100.0)), Some(0));
        assert_eq!(first(&both, most(1099.0)), Some(1));
        assert_eq!(first(&both, most(0.0)), Some(1));
    }

    /// The best batch clears both for 7,000 reads, but only 1,100 are allowed.
    #[test]
    fn a_batch_that_would_delay_a_better_one_waits() {
        let both = [candidate(0, 90, 100), candidate(7, 90, 60)];
        let grows =
            |most_rewrite_grows| CostModel { most_rewrite: 1100.0, most_rewrite_grows, ..MODEL };
        assert_eq!(first(&both, CostModel { most_rewrite: 7200.0, ..MODEL }), Some(0));
        // The later one has paid for its rewrite in 13 requests. The other one is affordable after 15 or after 12.
        assert_eq!(first(&both, grows(406.0)), Some(1));
        assert_eq!(first(&both, grows(508.0)), None);
        // Without a rewrite it delays nothing.
        let free = [candidate(0, 90, 100), candidate(9, 90, 60)];
        assert_eq!(first(&free, grows(508.0)), Some(1));
    }

    #[test]
    fn a_result_goes_along_that_the_next_request_may_need() {
        let along = CostModel { goes_along: true, ..MODEL };
        assert_eq!(along.gain(1000, Need { next: 0.5, ever: 0.5 }), Some(3500.0));
        // Not if missing it costs more than carrying it to the end.
        assert_eq!(along.gain(1000, Need { next: 0.5, ever: 0.8 }), None);
    }

    #[test]
    fn the_point_that_pays_most() {
        let far = candidate(0, 90, 10);
        let near = [candidate(6, 90, 20), candidate(8, 90, 10)];
        assert_eq!(first(&near, MODEL), Some(0));
        assert_eq!(first(&[far, near[0], near[1]], MODEL), Some(1));
        assert_eq!(first(&[candidate(0, 90, 100), near[0], near[1]], MODEL), Some(0));
    }

    /// If an earlier point does not pay more, the later one is chosen, because less is rewritten.
    #[test]
    fn of_points_that_pay_the_same_the_later() {
        let at = |gain| Candidate { gain, ..candidate(8, 90, 0) };
        // The rest of block 8 is 10 tokens to write: 100 reads.
        let near = candidate(9, 90, 1);
        assert_eq!(first(&[at(100.0), near], MODEL), Some(1));
        assert_eq!(first(&[at(101.0), near], MODEL), Some(0));
        // A point pays its gain minus its cost: 800 for the later one, then 900 for both, with a rewrite of 1,200
        // reads.
        let far = Candidate { gain: 1200.0, ..candidate(6, 90, 0) };
        assert_eq!(first(&[far, at(900.0)], MODEL), Some(0));
    }

    #[test]
    fn small_batches_wait() {
        let near = [candidate(8, 50, 30), candidate(9, 50, 30)];
        assert_eq!(first(&near, CostModel { at_least: 101, ..MODEL }), None);
        assert_eq!(first(&near, CostModel { at_least: 100, ..MODEL }), Some(0));
        assert_eq!(
            first(&[candidate(0, 90, 10), near[0]], CostModel { at_least: 60, ..MODEL }),
            None
        );
    }

    #[test]
    fn nothing_waits_where_there_is_no_cache_or_no_room() {
        let far = [candidate(0, 90, 10)];
        assert_eq!(first(&far, MODEL), None);
        let free = CostModel { rewrite_cost: 0.0, ..MODEL };
        assert_eq!(first(&far, free), Some(0));
        assert_eq!(first(&far, CostModel { at_least: 91, ..free }), None);
        assert_eq!(first(&[], free), None);
        // Reasoning that is worth nothing is not in the way.
        let all = CostModel { reasoning: 0.0, ..free };
        assert_eq!(first_behind(&far, free, &[BlockId(5)]), None);
        assert_eq!(first_behind(&far, all, &[BlockId(5)]), Some(0));
    }

    #[test]
    fn reasoning_that_would_go_too_is_weighed() {
        // 110 tokens are written: the rest of block 7, and block 8.
        let one = [candidate(7, 90, 15)];
        assert_eq!(first_behind(&one, MODEL, &[BlockId(5)]), Some(0));
        // Block 8 is reasoning: it is not written. It is worth 200 tokens in each of 10 requests, of which carrying it
        // would cost 100.
        let behind = [BlockId(8)];
        assert_eq!(first_behind(&[candidate(7, 90, 14)], MODEL, &behind), None);
        assert_eq!(first_behind(&one, MODEL, &behind), Some(0));
        let dear = CostModel { reasoning: 2.1, ..MODEL };
        assert_eq!(first_behind(&one, dear, &behind), None);
        // Also if a rewrite is free.
        let cold = CostModel { rewrite_cost: 0.0, ..dear };
        assert_eq!(first_behind(&one, cold, &behind), Some(0));
        assert_eq!(first_behind(&one, CostModel { reasoning: 2.2, ..cold }, &behind), None);
        // A batch that removes reasoning must gain more than it loses by a margin: 1,150 for the 1,000 of block 8.
        let free = CostModel { rewrite_cost: 0.0, ..MODEL };
        let gains = |gain| [Candidate { gain, ..one[0] }];
        assert_eq!(first_behind(&gains(1150.0), free, &behind), None);
        assert_eq!(first_behind(&gains(1151.0), free, &behind), Some(0));
        // Reasoning that was not sent yet is lost as well.
        let new = [BlockId(8), BlockId(9)];
        assert_eq!(first_behind(&one, MODEL, &new), None);
        assert_eq!(first_behind(&[candidate(7, 90, 27)], MODEL, &new), Some(0));
    }

    #[test]
    fn reasoning_of_which_little_is_shown_counts_as_more() {
        assert_eq!(MODEL.loss(100), 1000.0);
        assert_eq!(MODEL.loss(300), 3000.0);
        assert_eq!(MODEL.loss(20), 1800.0);
    }
}
