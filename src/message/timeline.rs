//! What happened to each file, kept up as the history grows: a history mostly grows, and what is known of it stays.

use super::history::{BlockId, History, ToolUse, UseId};
use super::names::NameId;
use super::newer_reads::{Lines, NewerReads};
use super::origin::Origin;
use super::stable_merge_sort::in_order;
use std::cell::OnceCell;

/// A read of one file. Its lines stand here too: passes go through all reads at every step, and few are still shown.
#[derive(Debug, Clone, Copy)]
pub struct PlainRead {
    /// The result.
    pub result: BlockId,
    /// The call.
    pub id: UseId,
    /// What was asked for.
    pub lines: Lines,
}

/// What calls did to one file. Results are in the order in which they came, calls in theirs.
#[derive(Debug, Default)]
pub struct FileTimeline {
    /// Calls that were to read, edit or write it. Those of searches and listings mostly name directories.
    accesses: Vec<UseId>,
    /// The first of them that was to edit or write it. Failures count: once they are cleared, nothing tells them from
    /// the others in a view.
    first_change: Option<UseId>,
    /// Reads that name it and did not fail, by their results.
    pub reads: Vec<(BlockId, UseId)>,
    /// Reads of this file alone, for good, and of lines that the call tells; also those that failed.
    pub plain_reads: Vec<PlainRead>,
    /// What [`FileTimeline::by_lines`] gives, until another plain read comes: most files have none from step to step.
    by_lines: OnceCell<Vec<(u64, usize)>>,
    /// Results of writes and edits that went well.
    pub writes: Vec<BlockId>,
    /// Answered calls that were to write or edit this file alone.
    pub changes: Vec<UseId>,
    /// Those of them that did.
    pub done: Vec<UseId>,
    /// The newest result of a write of this file alone, which leaves nothing as it was.
    pub rewritten: Option<BlockId>,
}

/// The files of a history, by the numbers of their paths.
#[derive(Debug, Default)]
pub struct FileTimelines {
    /// How many blocks were looked at.
    seen: usize,
    by_path: Vec<FileTimeline>,
}

impl FileTimelines {
    /// The files as they were at the end of a step.
    pub fn at(history: &History, step: u32) -> Self {
        let mut files = Self::default();
        files.follow_to(history, step);
        files
    }

    /// Brings it up to a history that has grown.
    pub fn follow(&mut self, history: &History) {
        self.follow_to(history, u32::MAX);
    }

    fn follow_to(&mut self, history: &History, step: u32) {
        self.by_path.resize_with(history.names().len(), FileTimeline::default);
        for (i, block) in history.blocks().iter().enumerate().skip(self.seen) {
            let Some(id) = block.tool_use else { continue };
            let (tool_use, block) = (&history[id], BlockId(i));
            if tool_use.step > step {
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

    /// The files, in the order of the numbers of their paths.
    pub fn all(&self) -> &[FileTimeline] {
        &self.by_path
    }

    /// One file.
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
            if is_read { file.reads.push((result, id)) } else { file.writes.push(result) }
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
        // A failure counts, so that the same reads count once it is cleared and nothing tells it from one that went well.
        let is_plain = !tool_use.ephemeral && !tool_use.partial_request;
        if is_read && is_plain {
            file.plain_reads.push(PlainRead { result, id, lines: *lines });
            file.by_lines.take();
        }
    }
}

/// Results need not come in the order of their calls.
fn insert(calls: &mut Vec<UseId>, id: UseId) {
    calls.insert(calls.partition_point(|other| *other < id), id);
}

impl FileTimeline {
    /// Whether anything may have overtaken a read of it.
    pub fn can_overtake(&self) -> bool {
        self.reads.len() > 1 || self.rewritten.is_some()
    }

    /// Plain reads in the order of the lines that they are of: a number for these, and their place among the plain reads.
    pub fn by_lines(&self) -> &[(u64, usize)] {
        let number = |(first, last)| (u64::from(first) << 32) + u64::from(last);
        self.by_lines.get_or_init(|| {
            in_order(self.plain_reads.iter().map(|read| read.lines.map_or(0, number)))
        })
    }

    /// No reads of it, for some of its plain ones to be added.
    pub fn no_reads(&self) -> NewerReads {
        NewerReads::from(self.by_lines().iter().map(|(lines, _)| (lines >> 32) as u32).collect())
    }

    /// The first call that was to read, edit or write it.
    pub fn first_access(&self) -> Option<UseId> {
        self.accesses.first().copied()
    }

    /// The last call that was to read, edit or write it.
    pub fn last_access(&self) -> Option<UseId> {
        self.accesses.last().copied()
    }

    /// Whether some call was to edit or write it.
    pub fn was_to_change(&self) -> bool {
        self.first_change.is_some()
    }

    /// Whether it was changed after one block and before another.
    pub fn changed_between(&self, from: BlockId, to: BlockId) -> bool {
        let next = self.writes.partition_point(|write| *write <= from);
        self.writes.get(next).is_some_and(|write| *write < to)
    }

    /// Whether it was changed after a block.
    pub fn changed_after(&self, block: BlockId) -> bool {
        self.writes.last().is_some_and(|write| *write > block)
    }

    /// Whether, of a file that was changed before block `end`, this result is the newest read, or that of a failure behind
    /// it; only reads before `end` for which `is_shown` holds count.
    ///
    /// It is looked for from the result on: the next read is mostly shown, and what is asked of each of many reads must not
    /// go through all that follow.
    pub fn needs(
        &self,
        result: BlockId,
        is_error: bool,
        end: BlockId,
        is_shown: impl Fn(UseId) -> bool,
    ) -> bool {
        if self.writes.first().is_none_or(|write| *write >= end) {
            return false;
        }
        let before = &self.reads[..self.reads.partition_point(|(read, _)| *read < end)];
        let (so_far, newer) = before.split_at(before.partition_point(|(read, _)| *read <= result));
        !newer.iter().any(|(_, read)| is_shown(*read))
            && if is_error {
                so_far.iter().rev().any(|(_, read)| is_shown(*read))
            } else {
                so_far.last().is_some_and(|(read, id)| *read == result && is_shown(*id))
            }
    }
}

#[cfg(test)]
mod tests {
    use super::{BlockId, FileTimeline, UseId};
    use std::cell::Cell;

    /// A file that was changed, and then read so often.
    fn read_often(count: usize) -> FileTimeline {
        let reads = (1..=count).map(|at| (BlockId(at), UseId(at))).collect();
        FileTimeline { writes: vec![BlockId(0)], reads, ..FileTimeline::default() }
    }

    #[test]
    fn the_newest_read_that_is_shown_is_needed_and_failures_behind_it() {
        let file = read_often(6);
        let needed = |end, is_error, is_shown: fn(UseId) -> bool| -> Vec<usize> {
            let needs = |at: &usize| file.needs(BlockId(*at), is_error, BlockId(end), is_shown);
            (0..8).filter(needs).collect()
        };
        assert_eq!(needed(99, false, |_| true), [6]);
        assert_eq!(needed(4, false, |_| true), [3]);
        assert_eq!(needed(99, false, |read| read.0 < 4), [3]);
        assert_eq!(needed(99, true, |read| read.0 < 4), [3, 4, 5, 6, 7]);
        assert!(needed(99, false, |_| false).is_empty());
        assert!(needed(99, true, |_| false).is_empty());
        assert!(needed(0, false, |_| true).is_empty());
        assert!(!FileTimeline::default().needs(BlockId(1), false, BlockId(9), |_| true));
    }

    #[test]
    fn asked_of_each_read_it_looks_at_each_a_few_times() {
        const COUNT: usize = 2000;
        let file = read_often(COUNT);
        let all = (1..=COUNT).map(BlockId);
        // Those that are shown stand first, last, or in turns.
        let shown: [fn(usize) -> bool; 3] =
            [|at| at < COUNT / 2, |at| at > COUNT / 2, |at| at % 2 == 0];
        for is_shown in shown {
            let looks = Cell::new(0);
            let look = |read: UseId| {
                looks.set(looks.get() + 1);
                is_shown(read.0)
            };
            let shown_reads = all.clone().filter(|result| is_shown(result.0));
            let needed =
                shown_reads.filter(|read| file.needs(*read, false, BlockId(COUNT + 1), look));
            assert_eq!(needed.count(), 1);
            assert!(looks.get() < 4 * COUNT, "{} looks", looks.get());
        }
    }
}
