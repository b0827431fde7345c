//! What no pass clears for being old: failures, excluded tools, and the newest read of each edited file.

use super::View;
use super::stub::is_worth;
use crate::message::{BlockId, NameId, Names, Origin, ToolUse, UseId};
use crate::text::glob_matches;
use serde::{Deserialize, Serialize};

/// The newest read of each edited file, as far as tool uses were noted.
pub struct EditedFiles {
    /// By its result: results need not come in the order of their calls.
    newest_read: Vec<Option<(BlockId, UseId)>>,
    edited: Vec<bool>,
}

impl EditedFiles {
    /// Nothing noted yet, of `paths` paths.
    pub fn new(paths: usize) -> Self {
        Self { newest_read: vec![None; paths], edited: vec![false; paths] }
    }

    /// Notes the next answered tool use. One that failed, or a read whose content is not shown, is no read to keep.
    pub fn note(&mut self, id: UseId, one: &ToolUse, is_shown: bool) {
        let Some(result) = one.result.filter(|_| !one.is_error) else { return };
        for (path, _) in &one.files {
            match one.origin {
                Origin::Read if is_shown => {
                    let newest = &mut self.newest_read[path.index()];
                    *newest = (*newest).max(Some((result, id)));
                }
                Origin::Edit | Origin::Write => self.edited[path.index()] = true,
                _ => {}
            }
        }
    }

    /// Whether this is the newest read of a file that was edited.
    pub fn need(&self, id: UseId, one: &ToolUse) -> bool {
        let is_needed = |path: &NameId| {
            self.edited[path.index()]
                && self.newest_read[path.index()].is_some_and(|(_, newest)| newest == id)
        };
        one.files.iter().any(|(path, _)| is_needed(path))
    }
}

/// What no pass may clear, whatever its own settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ProtectPolicy {
    /// Tools whose results stay, by name. Default none.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<String>>"))]
    pub tools: Vec<String>,
    /// Files whose results stay, as globs of paths as the calls name them: `docs/*.md`, `**`. One without a `/` is about the
    /// name, in any folder: `*.md`. Default none.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<String>>"))]
    pub paths: Vec<String>,
}

/// Names that a [`ProtectPolicy`] means, worked out once for each name.
#[derive(Debug, Default)]
pub struct ProtectedNames {
    policy: ProtectPolicy,
    /// By name: whether it is a protected tool, whether a protected path.
    known: Vec<(bool, bool)>,
}

impl ProtectedNames {
    /// Brings it up to these names.
    pub fn follow(&mut self, policy: &ProtectPolicy, names: &Names) {
        if self.policy != *policy {
            *self = Self { policy: policy.clone(), known: Vec::new() };
        }
        if policy.tools.is_empty() && policy.paths.is_empty() {
            return;
        }
        let is_tool = |name: &str| policy.tools.iter().any(|tool| tool == name);
        let is_path = |name: &str| policy.paths.iter().any(|glob| glob_matches(glob, name));
        let new = names.all().skip(self.known.len()).map(|name| (is_tool(name), is_path(name)));
        self.known.extend(new);
    }

    /// Whether the results of this tool use stay.
    pub fn cover(&self, one: &ToolUse) -> bool {
        !self.known.is_empty()
            && (self.known[one.tool.index()].0
                || one.files.iter().any(|(path, _)| self.known[path.index()].1))
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
            one.result
                .is_some_and(|block| is_worth(view.history[block].size, view.placeholder_bytes))
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
