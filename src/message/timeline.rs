//! The effects of calls on each file, updated incrementally as the history grows.

use super::history::{BlockId, History, ToolUse, UseId};
use super::names::NameId;
use super::newer_reads::{Lines, NewerReads, lines_key};
use super::origin::Origin;
use super::stable_merge_sort::in_order;
use std::cell::OnceCell;

/// A read of one file. Its lines are copied here because passes go through all reads at every step, and few are still
/// shown.
#[derive(Debug, Clone, Copy)]
pub struct PlainRead {
    /// The result.
    pub result: BlockId,
    /// The call.
    pub id: UseId,
    /// The requested lines.
    pub lines: Lines,
}

/// A shorter result may be a stub, which does not say whether the result showed all lines.
const LEAST_SHOWN: u64 = 100;

/// The effects of calls on one file. Results are in the order of results, calls in the order of calls.
#[derive(Debug, Default)]
pub struct FileTimeline {
    /// Calls that read, edit or write it, including failed ones. Searches and listings are not included, because they
    /// mostly name directories.
    accesses: Vec<UseId>,
    /// The first call that edits or writes it, even if it failed.
    first_change: Option<UseId>,
    /// Successful reads that name it, as result and call.
    pub reads: Vec<(BlockId, UseId)>,
    /// Successful reads of only this file that are not ephemeral and whose lines the call states.
    pub plain_reads: Vec<PlainRead>,
    /// The cache of [`FileTimeline::by_lines`], until the next plain read. Most files have none from step to step.
    by_lines: OnceCell<Vec<(u64, usize)>>,
    /// Results of successful writes and edits.
    pub writes: Vec<BlockId>,
    /// Answered calls that write or edit only this file.
    pub changes: Vec<UseId>,
    /// Those of `changes` that succeeded.
    pub done: Vec<UseId>,
    /// The newest result of a successful, not ephemeral write of only this file, which replaces its whole content.
    pub rewritten: Option<BlockId>,
    /// The newest result of a successful, not ephemeral read of only this file that shows it as a whole.
    shown: Option<BlockId>,
    /// Results of the first and of the last successful ephemeral read that names it.
    ephemeral_reads: Option<[BlockId; 2]>,
}

/// The timelines of all files, indexed by the numbers of their paths.
#[derive(Debug, Default)]
pub struct FileTimelines {
    /// Number of blocks that were processed.
    seen: usize,
    by_path: Vec<FileTimeline>,
}

impl FileTimelines {
    /// The timelines at the end of a step, without the calls for which `gone` is true.
    pub fn at(history: &History, step: u32, gone: &[bool]) -> Self {
        let mut files = Self::default();
        files.follow_to(history, step, gone);
        files
    }

    /// Updates the timelines for a history that has grown.
    pub fn follow(&mut self, history: &History) {
        self.follow_to(history, u32::MAX, &[]);
    }

    fn follow_to(&mut self, history: &History, step: u32, gone: &[bool]) {
        self.by_path.resize_with(history.names().len(), FileTimeline::default);
        for (i, block) in history.blocks().iter().enumerate().skip(self.seen) {
            let Some(id) = block.tool_use else { continue };
            let (tool_use, block) = (&history[id], BlockId(i));
            if tool_use.step > step || gone.get(id.0) == Some(&true) {
                continue;
            }
            if tool_use.call == Some(block) {
                self.add_call(id, tool_use);
            }
            if tool_use.result == Some(block) {
                self.add_result(id, tool_use, block);
            }
        }
        self.seen = history.blocks().len();
    }

    /// All timelines, in the order of the numbers of their paths.
    pub fn all(&self) -> &[FileTimeline] {
        &self.by_path
    }

    /// The timeline of a file.
    pub fn of(&self, path: NameId) -> &FileTimeline {
        &self.by_path[path.index()]
    }

    fn add_call(&mut self, id: UseId, tool_use: &ToolUse) {
        let is_change = match tool_use.origin {
            Origin::Edit | Origin::Write => true,
            Origin::Read => false,
            _ => return,
        };
        for (path, _) in &tool_use.files {
            let file = &mut self.by_path[path.index()];
            file.accesses.push(id);
            if is_change {
                file.first_change.get_or_insert(id);
            }
        }
    }

    fn add_result(&mut self, id: UseId, tool_use: &ToolUse, result: BlockId) {
        let is_read = match tool_use.origin {
            Origin::Edit | Origin::Write => false,
            Origin::Read => true,
            _ => return,
        };
        for (path, _) in tool_use.files.iter().filter(|_| !tool_use.is_error) {
            let file = &mut self.by_path[path.index()];
            if !is_read {
                file.writes.push(result);
                continue;
            }
            file.reads.push((result, id));
            if tool_use.ephemeral {
                file.ephemeral_reads.get_or_insert([result; 2])[1] = result;
            }
        }
        let [(path, lines)] = tool_use.files.as_slice() else { return };
        let file = &mut self.by_path[path.index()];
        if !is_read && tool_use.call.is_some() {
            insert(&mut file.changes, id);
            if !tool_use.is_error {
                insert(&mut file.done, id);
            }
        }
        if tool_use.origin == Origin::Write && !tool_use.is_error && !tool_use.ephemeral {
            file.rewritten = Some(result);
        }
        let is_lost =
            tool_use.is_error || tool_use.ephemeral || tool_use.result_bytes < LEAST_SHOWN;
        if is_read && lines.is_none() && tool_use.shows_its_lines() && !is_lost {
            file.shown = Some(result);
        }
        let is_plain = !tool_use.is_error && !tool_use.ephemeral && !tool_use.partial_request;
        if is_read && is_plain {
            file.plain_reads.push(PlainRead { result, id, lines: *lines });
            file.by_lines.take();
        }
    }
}

/// Inserts a call in order. Results may come in another order than their calls.
fn insert(calls: &mut Vec<UseId>, id: UseId) {
    calls.insert(calls.partition_point(|other| *other < id), id);
}

impl FileTimeline {
    /// Whether a read of it may be superseded.
    pub fn can_overtake(&self) -> bool {
        self.reads.len() > 1 || self.rewritten.is_some()
    }

    /// The newest result that wrote or shows it as a whole.
    pub fn last_whole(&self) -> Option<BlockId> {
        self.rewritten.max(self.shown)
    }

    /// Plain reads sorted by lines: a number for the lines, and the position in `plain_reads`.
    pub fn by_lines(&self) -> &[(u64, usize)] {
        let keys = || self.plain_reads.iter().map(|read| lines_key(read.lines));
        self.by_lines.get_or_init(|| in_order(keys()))
    }

    /// An empty [`NewerReads`] to which its plain reads can be added.
    pub fn no_reads(&self) -> NewerReads<'_> {
        NewerReads::of(self.by_lines())
    }

    /// The first call that reads, edits or writes it.
    pub fn first_access(&self) -> Option<UseId> {
        self.accesses.first().copied()
    }

    /// The last call that reads, edits or writes it.
    pub fn last_access(&self) -> Option<UseId> {
        self.accesses.last().copied()
    }

    /// Whether a call edits or writes it, including failed calls.
    pub fn was_to_change(&self) -> bool {
        self.first_change.is_some()
    }

    /// Whether no ephemeral read comes before this one. Its content is removed, so a pointer must not name it.
    pub fn is_first(&self, read: BlockId) -> bool {
        self.ephemeral_reads.is_none_or(|[first, _]| read < first)
    }

    /// Whether no ephemeral read comes after this one.
    pub fn is_latest(&self, read: BlockId) -> bool {
        self.ephemeral_reads.is_none_or(|[_, last]| last < read)
    }

    /// Whether it was changed after block `from` and before block `to`.
    pub fn changed_between(&self, from: BlockId, to: BlockId) -> bool {
        let next = self.writes.partition_point(|write| *write <= from);
        self.writes.get(next).is_some_and(|write| *write < to)
    }

    /// Whether it was changed after a block.
    pub fn changed_after(&self, block: BlockId) -> bool {
        self.writes.last().is_some_and(|write| *write > block)
    }

    /// Whether the file was changed before block `end`, and this result is its newest read. Only reads before `end` for
    /// which `is_shown` holds count.
    ///
    /// This is called for each of many reads, and must not scan all later ones. Mostly the newest read of all is shown,
    /// or the one after the result.
    pub fn needs(&self, result: BlockId, end: BlockId, is_shown: &dyn Fn(UseId) -> bool) -> bool {
        if self.writes.first().is_none_or(|write| *write >= end) {
            return false;
        }
        let is_newer =
            |(read, id): &(BlockId, UseId)| result < *read && *read < end && is_shown(*id);
        if self.reads.last().is_some_and(is_newer) {
            return false;
        }
        let before = &self.reads[..self.reads.partition_point(|(read, _)| *read < end)];
        let (so_far, newer) = before.split_at(before.partition_point(|(read, _)| *read <= result));
        so_far.last().is_some_and(|(read, id)| *read == result && is_shown(*id))
            && !newer.iter().any(|(_, read)| is_shown(*read))
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockId, FileTimeline, UseId};
    use std::cell::Cell;

    /// A file that was changed and then read `count` times.
    fn read_often(count: usize) -> FileTimeline {
        let reads = (1..=count).map(|at| (BlockId(at), UseId(at))).collect();
        FileTimeline { writes: vec![BlockId(0)], reads, ..FileTimeline::default() }
    }

    #[test]
    fn the_newest_read_that_is_shown_is_needed() {
        let file = read_often(6);
        let needed = |end, is_shown: fn(UseId) -> bool| -> Vec<usize> {
            let needs = |at: &usize| file.needs(BlockId(*at), BlockId(end), &is_shown);
            (0..8).filter(needs).collect()
        };
        assert_eq!(needed(99, |_| true), [6]);
        assert_eq!(needed(4, |_| true), [3]);
        assert_eq!(needed(99, |read| read.0 < 4), [3]);
        assert!(needed(99, |_| false).is_empty());
        assert!(needed(0, |_| true).is_empty());
        assert!(!FileTimeline::default().needs(BlockId(1), BlockId(9), &|_| true));
    }

    #[test]
    fn asked_of_each_read_it_looks_at_each_a_few_times() {
        const COUNT: usize = 2000;
        let file = read_often(COUNT);
        let all = (1..=COUNT).map(BlockId);
        // The shown reads are the first, the last, or every second.
        let shown: [fn(usize) -> bool; 3] =
            [|at| at < COUNT / 2, |at| at > COUNT / 2, |at| at % 2 == 0];
        for is_shown in shown {
            let looks = Cell::new(0);
            let look = |read: UseId| {
                looks.set(looks.get() + 1);
                is_shown(read.0)
            };
            let shown_reads = all.clone().filter(|result| is_shown(result.0));
            let needed = shown_reads.filter(|read| file.needs(*read, BlockId(COUNT + 1), &look));
            assert_eq!(needed.count(), 1);
            assert!(looks.get() < 4 * COUNT, "{} looks", looks.get());
        }
    }
}
