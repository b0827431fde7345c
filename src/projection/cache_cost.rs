//! When clearing pays: a change in the middle of the view rewrites the provider's prompt cache from there on, so what
//! is done waits until a batch of it is worth that.

use crate::message::BlockId;

/// A block that is done.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// The block.
    pub block: BlockId,
    /// Tokens that its edit saves in every request from now on.
    pub saves: u64,
    /// The step since which it is done.
    pub since: u32,
}

/// By what a batch is judged.
#[derive(Debug, Clone, Copy)]
pub struct CostModel {
    /// The step that the view is made for.
    pub step: u32,
    /// So many more requests are counted on.
    pub expected_steps: u32,
    /// A batch saves at least so many tokens.
    pub at_least: u64,
    /// What writing a token to the cache costs more than reading it, in reads.
    pub rewrite_cost: f64,
    /// Whether the window is so full that a batch need not pay.
    pub is_full: bool,
    /// Whether there is nothing to wait for: the cache is cold, or the view must fit.
    pub at_once: bool,
}

/// Of `done`, in the order of its blocks, the first that goes: all behind it go as well. `None` where nothing does.
///
/// Each point is judged as one that rents would judge buying: what was paid so far for reading what is done, and what
/// is expected to be, against the rewrite of what stays behind the point. The point that pays most is taken. What lies
/// before it would not pay for its own rewrite then, so that a view is its own view.
///
/// `tokens` are those of each block as it stands now; the blocks before `cached` were in the request before.
pub fn first_to_go(
    done: &[Candidate],
    tokens: &[u64],
    cached: BlockId,
    terms: CostModel,
) -> Option<usize> {
    let total: u64 = done.iter().map(|one| one.saves).sum();
    if terms.at_once {
        return (total > 0).then_some(0);
    }
    if total < terms.at_least {
        return None;
    }
    if terms.is_full {
        return (total > 0).then_some(0);
    }
    let (mut best, mut first) = (0.0, None);
    let (mut saved, mut worth, mut rewritten, mut at) = (0, 0, 0, cached.0);
    for (i, one) in done.iter().enumerate().rev() {
        while at > one.block.0 {
            at -= 1;
            rewritten += tokens[at];
        }
        if one.block < cached {
            rewritten = rewritten.saturating_sub(one.saves);
        }
        saved += one.saves;
        let steps = u64::from(terms.expected_steps) + u64::from(terms.step - one.since);
        worth += one.saves * steps;
        let gain = worth as f64 - terms.rewrite_cost * rewritten as f64;
        if saved >= terms.at_least && gain > best {
            (best, first) = (gain, Some(i));
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::{BlockId, Candidate, CostModel, first_to_go};

    const TERMS: CostModel = CostModel {
        step: 20,
        expected_steps: 10,
        at_least: 0,
        rewrite_cost: 10.0,
        is_full: false,
        at_once: false,
    };

    fn done(block: usize, saves: u64, since: u32) -> Candidate {
        Candidate { block: BlockId(block), saves, since }
    }

    /// Ten blocks of 100 tokens, of which the first nine were sent before.
    fn first(done: &[Candidate], terms: CostModel) -> Option<usize> {
        first_to_go(done, &[100; 10], BlockId(9), terms)
    }

    #[test]
    fn a_batch_waits_until_it_pays() {
        // What is left of block 7, and block 8, are 110 tokens to write: 1,100 reads. 90 tokens pay that in 13 steps.
        assert_eq!(first(&[done(7, 90, 20)], TERMS), None);
        assert_eq!(first(&[done(7, 90, 18)], TERMS), None);
        assert_eq!(first(&[done(7, 90, 17)], TERMS), Some(0));
        assert_eq!(first(&[done(7, 90, 20)], CostModel { expected_steps: 13, ..TERMS }), Some(0));
        assert_eq!(first(&[done(7, 90, 17)], CostModel { rewrite_cost: 50.0, ..TERMS }), None);
        // What was not sent yet is written in any case.
        assert_eq!(first(&[done(9, 90, 20)], TERMS), Some(0));
    }

    #[test]
    fn the_point_that_pays_most() {
        let far = done(0, 90, 20);
        let near = [done(6, 90, 10), done(8, 90, 20)];
        assert_eq!(first(&near, TERMS), Some(0));
        assert_eq!(first(&[far, near[0], near[1]], TERMS), Some(1));
        // It has been carried so long that the whole rewrite pays.
        assert_eq!(
            first(&[done(0, 90, 0), near[0], near[1]], CostModel { step: 90, ..TERMS }),
            Some(0)
        );
    }

    #[test]
    fn small_batches_wait() {
        let near = [done(8, 50, 0), done(9, 50, 0)];
        assert_eq!(first(&near, CostModel { at_least: 101, ..TERMS }), None);
        assert_eq!(first(&near, CostModel { at_least: 100, ..TERMS }), Some(0));
        assert_eq!(first(&[done(0, 90, 20), near[0]], CostModel { at_least: 60, ..TERMS }), None);
    }

    #[test]
    fn nothing_waits_where_there_is_no_cache_or_no_room() {
        let far = [done(0, 90, 20)];
        assert_eq!(first(&far, TERMS), None);
        assert_eq!(first(&far, CostModel { is_full: true, ..TERMS }), Some(0));
        assert_eq!(first(&far, CostModel { is_full: true, at_least: 91, ..TERMS }), None);
        assert_eq!(first(&far, CostModel { at_once: true, at_least: 91, ..TERMS }), Some(0));
        assert_eq!(first(&[], CostModel { at_once: true, ..TERMS }), None);
    }
}
