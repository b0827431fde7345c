//! What calls did to each file, kept up from view to view: a history mostly grows, and what is known of it stays.

use crate::message::{BlockId, History, Origin, ToolUse, UseId};

/// The answered tool uses of one file.
#[derive(Debug, Default)]
pub struct FileUses {
    /// Reads of this file alone, failed and ephemeral ones and views left out, in the order of their results.
    pub reads: Vec<(BlockId, UseId)>,
    /// Those reads by the lines that they are of, in the order of the lines.
    pub by_lines: Vec<(u64, Vec<UseId>)>,
    /// Results of writes and edits that went well, in order.
    pub writes: Vec<BlockId>,
    /// Calls that were to write or edit this file alone, in order.
    pub changes: Vec<UseId>,
}

/// The files of a history, by the numbers of their paths.
#[derive(Debug, Default)]
pub struct Files {
    /// How many blocks were looked at.
    seen: usize,
    by_path: Vec<FileUses>,
}

impl Files {
    /// Brings it up to a history that has grown: what came up to the end of a step.
    pub fn follow(&mut self, history: &History, step: u32) {
        self.by_path.resize_with(history.names().len(), FileUses::default);
        for (i, block) in history.blocks().iter().enumerate().skip(self.seen) {
            let Some(id) = block.tool_use else { continue };
            let (one, result) = (&history[id], BlockId(i));
            if one.result == Some(result) && one.step <= step {
                self.note(id, one, result);
            }
        }
        self.seen = history.blocks().len();
    }

    /// The files, in the order of the numbers of their paths.
    pub fn all(&self) -> &[FileUses] {
        &self.by_path
    }

    fn note(&mut self, id: UseId, one: &ToolUse, result: BlockId) {
        let is_change = matches!(one.origin, Origin::Edit | Origin::Write);
        for (path, _) in one.files.iter().filter(|_| is_change && !one.is_error) {
            self.by_path[path.index()].writes.push(result);
        }
        let [(path, _)] = one.files.as_slice() else { return };
        let file = &mut self.by_path[path.index()];
        if is_change && one.call.is_some() {
            // Results need not come in the order of their calls.
            let at = file.changes.partition_point(|other| *other < id);
            file.changes.insert(at, id);
        }
        if one.origin == Origin::Read && !one.is_error && !one.ephemeral && !one.partial_request {
            file.reads.push((result, id));
            file.note_lines(id, one);
        }
    }
}

impl FileUses {
    fn note_lines(&mut self, id: UseId, one: &ToolUse) {
        let lines = first_lines(one).map_or(0, |(a, b)| (u64::from(a) << 32) + u64::from(b));
        let at = self.by_lines.partition_point(|(other, _)| *other < lines);
        match self.by_lines.get_mut(at) {
            Some((other, reads)) if *other == lines => reads.push(id),
            _ => self.by_lines.insert(at, (lines, vec![id])),
        }
    }
}

/// The lines that it read of its first file; `None` is all of them.
pub fn first_lines(one: &ToolUse) -> Option<(u32, u32)> {
    one.files.first().and_then(|(_, lines)| *lines)
}
