//! What no pass clears for being old: failures, excluded tools, and the newest read of each edited file.

use super::View;
use super::stub::is_worth;
use crate::message::{NameId, Origin, ToolUse, UseId};

/// The protection of one view, worked out once for all its results.
pub struct Protection {
    excluded: Vec<NameId>,
    /// By path: the newest read of it, where the file was edited.
    newest_read: Vec<Option<UseId>>,
}

impl Protection {
    /// Works out what is protected at the view's step.
    pub fn of(view: &View<'_>, exclude_tools: &[String]) -> Self {
        let names = view.history.names();
        let mut newest_read = vec![None; names.len()];
        let mut edited = vec![false; names.len()];
        let uses = view.history.uses().iter().enumerate();
        // What an earlier pass or projection took out shows nothing, so it cannot be the read to keep.
        let is_long = |one: &ToolUse| {
            one.result.is_some_and(|block| {
                is_worth(view.history.blocks()[block.0].size, view.placeholder_bytes)
            })
        };
        let is_shown =
            |i: usize, one: &ToolUse| !one.is_stub && !view.plan.is_taken(UseId(i)) && is_long(one);
        for (i, tool_use) in uses.filter(|(_, one)| one.step <= view.current_step && is_done(one)) {
            for (path, _) in &tool_use.files {
                match tool_use.origin {
                    Origin::Read if is_shown(i, tool_use) => {
                        newest_read[path.index()] = Some(UseId(i))
                    }
                    Origin::Edit | Origin::Write => edited[path.index()] = true,
                    _ => {}
                }
            }
        }
        for (read, edited) in newest_read.iter_mut().zip(edited) {
            *read = read.filter(|_| edited);
        }
        let excluded = exclude_tools.iter().filter_map(|tool| names.find(tool)).collect();
        Self { excluded, newest_read }
    }

    /// Whether the result of this tool use stays.
    pub fn covers(&self, id: UseId, tool_use: &ToolUse) -> bool {
        let newest = |path: &NameId| self.newest_read.get(path.index()) == Some(&Some(id));
        tool_use.is_error
            || self.excluded.contains(&tool_use.tool)
            || tool_use.files.iter().any(|(path, _)| newest(path))
    }
}

fn is_done(tool_use: &ToolUse) -> bool {
    tool_use.result.is_some() && !tool_use.is_error
}
