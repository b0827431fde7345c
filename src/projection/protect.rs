//! What no pass clears for being old: failures, excluded tools, and the newest read of each edited file.

use super::View;
use super::stub::is_worth;
use crate::message::{NameId, Origin, ToolUse, UseId};

/// The newest read of each edited file, as far as tool uses were noted.
pub struct EditedFiles {
    newest_read: Vec<Option<UseId>>,
    edited: Vec<bool>,
}

impl EditedFiles {
    /// Nothing noted yet, of `paths` paths.
    pub fn new(paths: usize) -> Self {
        Self { newest_read: vec![None; paths], edited: vec![false; paths] }
    }

    /// Notes the next answered tool use. One that failed, or a read whose content is not shown, is no read to keep.
    pub fn note(&mut self, id: UseId, one: &ToolUse, is_shown: bool) {
        if one.result.is_none() || one.is_error {
            return;
        }
        for (path, _) in &one.files {
            match one.origin {
                Origin::Read if is_shown => self.newest_read[path.index()] = Some(id),
                Origin::Edit | Origin::Write => self.edited[path.index()] = true,
                _ => {}
            }
        }
    }

    /// Whether this is the newest read of a file that was edited.
    pub fn need(&self, id: UseId, one: &ToolUse) -> bool {
        let is_needed =
            |path: &NameId| self.edited[path.index()] && self.newest_read[path.index()] == Some(id);
        one.files.iter().any(|(path, _)| is_needed(path))
    }
}

/// The protection of one view, worked out once for all its results.
pub struct Protection {
    excluded: Vec<NameId>,
    files: EditedFiles,
}

impl Protection {
    /// Works out what is protected at the view's step.
    pub fn of(view: &View<'_>, exclude_tools: &[String]) -> Self {
        let names = view.history.names();
        // What an earlier pass or projection took out shows nothing, so it cannot be the read to keep.
        let is_long = |one: &ToolUse| {
            one.result.is_some_and(|block| {
                is_worth(view.history.blocks()[block.0].size, view.placeholder_bytes)
            })
        };
        let is_shown =
            |id: UseId, one: &ToolUse| !one.is_stub && !view.plan.is_taken(id) && is_long(one);
        let mut files = EditedFiles::new(names.len());
        let uses = view.history.uses().iter().enumerate();
        for (i, one) in uses.filter(|(_, one)| one.step <= view.current_step) {
            files.note(UseId(i), one, is_shown(UseId(i), one));
        }
        let excluded = exclude_tools.iter().filter_map(|tool| names.find(tool)).collect();
        Self { excluded, files }
    }

    /// Whether the result of this tool use stays.
    pub fn covers(&self, id: UseId, one: &ToolUse) -> bool {
        one.is_error || self.excluded.contains(&one.tool) || self.files.need(id, one)
    }
}
