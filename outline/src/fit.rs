//! Selects the ranked lines to show.

use crate::lines::Lines;
use crate::rank::Ranks;
use crate::render::{Size, Sizes};

/// Maximum size of an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Budget {
    /// A quarter of the file's bytes, at least 1,000. Top-level lines may exceed it, up to half of the file's bytes (at
    /// least 2,000).
    #[default]
    Quarter,
    /// Lines of the outline, including the notices of folded lines.
    Lines(usize),
    /// Tokens, estimated as UTF-8 bytes / 3.5.
    Tokens(usize),
}

const SHORT: usize = 1000;
/// Minimum bytes that the top level may take.
const SHORT_TOP: usize = 2000;

impl Budget {
    fn holds(self, size: Size, file_bytes: usize) -> bool {
        match self {
            Self::Quarter => size.bytes <= (file_bytes / 4).max(SHORT),
            Self::Lines(lines) => size.lines <= lines,
            Self::Tokens(tokens) => size.bytes.saturating_mul(2).div_ceil(7) <= tokens,
        }
    }
}

/// Returns the lines to show, in the order of the file, and whether they include the whole top level.
#[inline(never)]
pub(crate) fn fit(
    lines: &Lines,
    ranks: &Ranks,
    budget: Budget,
    file_bytes: usize,
) -> (Vec<usize>, bool) {
    let (order, top) = ranks.ordered();
    let mut places = vec![usize::MAX; lines.len()];
    for (place, &line) in order.iter().enumerate() {
        if let Some(known) = places.get_mut(line) {
            *known = place;
        }
    }
    let sizes = Sizes::of(lines);
    let first = |count: usize| {
        let placed = places.iter().enumerate();
        placed.filter(move |&(_, &place)| place < count).map(|(line, _)| line)
    };
    // An additional line can save the notice of a fold, so sizes are not strictly increasing; the search keeps only
    // counts that fit.
    let most = |mut low: usize, mut high: usize, holds: &dyn Fn(Size) -> bool| {
        while low < high {
            let middle = (low + high).div_ceil(2);
            let fits = holds(sizes.outline(first(middle)));
            (low, high) = if fits { (middle, high) } else { (low, middle - 1) };
        }
        low
    };
    let is_half = |size: Size| size.bytes <= (file_bytes / 2).max(SHORT_TOP);
    let least = if budget == Budget::Quarter { most(0, top, &is_half) } else { 0 };
    let shown = match least < top && budget == Budget::Quarter {
        true => least,
        false => most(least, order.len(), &|size| budget.holds(size, file_bytes)),
    };
    (first(shown).collect(), shown >= top)
}
