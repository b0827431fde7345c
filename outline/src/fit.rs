//! Which of the ranked lines are shown.

use crate::lines::Lines;
use crate::rank::{Rank, Ranks};
use crate::render::Size;

/// How large an outline may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Budget {
    /// A quarter of the file's bytes, at least 1,000; whatever stands at the top level is shown all the same.
    #[default]
    Quarter,
    /// Lines of the outline, those between included that say how many were folded.
    Lines(usize),
    /// Tokens, estimated as UTF-8 bytes / 3.5.
    Tokens(usize),
}

const SHORT: usize = 1000;

impl Budget {
    fn holds(self, size: Size, file_bytes: usize) -> bool {
        match self {
            Self::Quarter => size.bytes <= (file_bytes / 4).max(SHORT),
            Self::Lines(lines) => size.lines <= lines,
            Self::Tokens(tokens) => size.bytes.saturating_mul(2).div_ceil(7) <= tokens,
        }
    }
}

/// The lines to show, in the order of the file, and whether all of the top level is among them.
pub(crate) fn fit(
    lines: &Lines,
    ranks: &Ranks,
    budget: Budget,
    file_bytes: usize,
) -> (Vec<usize>, bool) {
    let order = ranks.ordered();
    let top = order.partition_point(|&(rank, _)| rank == Rank::Top);
    let least = if budget == Budget::Quarter { top } else { 0 };
    // A line more can save the notice of a fold, so sizes do not quite grow: what does not fit is taken back.
    let (mut low, mut high) = (least, order.len());
    while low < high {
        let middle = (low + high).div_ceil(2);
        let fits = budget.holds(Size::of(lines, &first(&order, middle)), file_bytes);
        (low, high) = if fits { (middle, high) } else { (low, middle - 1) };
    }
    (first(&order, low), low >= top)
}

fn first(order: &[(Rank, usize)], count: usize) -> Vec<usize> {
    let mut shown: Vec<usize> = order.iter().take(count).map(|&(_, line)| line).collect();
    shown.sort_unstable();
    shown
}
