//! What the previous request shows, compared with a view.

use super::PlannedEdit;
use crate::message::BlockId;
use std::ops::Range;

/// The previous request.
#[derive(Debug, Clone, Copy)]
pub struct Before<'a> {
    /// Its edits, sorted by block.
    pub edits: &'a [PlannedEdit],
    /// From this block on it is unknown which content preceded the reasoning when it was made.
    pub unknown_from: Option<BlockId>,
}

impl Before<'_> {
    /// From where on a view with these edits loses the reasoning of a part: its end if nowhere. The edits are sorted by
    /// block.
    pub fn lost_from(self, edits: &[PlannedEdit], part: &Range<BlockId>) -> BlockId {
        let changed = first_difference(self.edits, edits, part);
        let unknown = self.unknown_from.map(|from| from.max(part.start));
        changed.into_iter().chain(unknown).min().unwrap_or(part.end)
    }
}

/// The first block of a part that two requests show differently. Both lists of edits are sorted by block.
pub fn first_difference(
    before: &[PlannedEdit],
    now: &[PlannedEdit],
    part: &Range<BlockId>,
) -> Option<BlockId> {
    let from = |edits: &[PlannedEdit]| edits.partition_point(|edit| edit.block < part.start);
    let (before, now) = (&before[from(before)..], &now[from(now)..]);
    let same = before.iter().zip(now).take_while(|(one, other)| one == other).count();
    let blocks = [before.get(same), now.get(same)].into_iter().flatten().map(|edit| edit.block);
    blocks.min().filter(|block| *block < part.end)
}
