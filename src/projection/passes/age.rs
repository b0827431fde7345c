//! Rolling context: clears tool results older than a number of steps, except those of active files. Source: document
//! "Rolling Context".
//!
//! The limit moves with every step, and each result that crosses it rewrites the prompt cache from there on.

use crate::message::{Block, BlockId, BlockKind, FileTimelines, History, NameId, ToolUse, UseId};
use crate::projection::content::reader::ContentReader;
use crate::projection::passes::pass::{Pass, age_of};
use crate::projection::plan::{Plan, PlannedEdit};
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{Kind, Replacement, StubStyle};
use crate::projection::replacement::texts::placeholder_text;
use crate::projection::replacement::worth::is_worth;
use crate::projection::settings::{names_tool, settings};
use crate::projection::view::cache::Cache;
use crate::projection::view::pass_view::{View, stub};
use crate::projection::view::text_cache::{StubKey, StubText};
use serde::Serialize;

/// Settings of the age pass: document "Rolling Context", `contextManagement`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AgePolicy {
    /// For how many steps a tool result is shown in full; older results are cleared. Default 5.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_tool_output_age: u32,
    /// Maximum size of an old result in estimated tokens, stub and summary included. Default 2000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_tool_output_tokens: u32,
    /// Keeps old results of files that a call read or changed within the last `maxToolOutputAge` steps. Default true.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<bool>"))]
    pub preserve_recent_files: bool,
    /// Adds a summary of error lines, exit status, test counts and named files to the stub. Default false.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<bool>"))]
    pub summarize_on_truncate: bool,
    /// Tools whose results are never cleared: names, or `mcp__*` for all that begin so. Default none.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<String>>"))]
    pub exclude_tools: Vec<String>,
}

settings!(AgePolicy { max_tool_output_age as "maxToolOutputAge", max_tool_output_tokens as "maxToolOutputTokens", preserve_recent_files as "preserveRecentFiles", summarize_on_truncate as "summarizeOnTruncate", exclude_tools as "excludeTools" });

impl Default for AgePolicy {
    fn default() -> Self {
        Self {
            max_tool_output_age: 5,
            max_tool_output_tokens: 2000,
            preserve_recent_files: true,
            summarize_on_truncate: false,
            exclude_tools: Vec::new(),
        }
    }
}

impl Pass for AgePolicy {
    const PUTS: &'static [Kind] = &[Kind::Cleared];

    fn run(&self, view: &mut View<'_>) {
        let history = view.history;
        let names = history.names();
        let excluded: Vec<bool> =
            names.all().map(|name| names_tool(&self.exclude_tools, name)).collect();
        let young = self.first_young(history, view.settings.current_step);
        let active = self.active(history, view.files, young);
        let may_go = |view: &View<'_>, id: UseId| {
            let tool_use = &history[id];
            // A failure shows nothing of its file.
            let is_active = || {
                tool_use.files.iter().any(|(path, _)| active[path.index()]) && !tool_use.is_error
            };
            id < young
                && !excluded[tool_use.tool.index()]
                && !is_active()
                && view.kept_when_old(tool_use).is_none()
        };
        view.release(self.style(), &may_go);
        let bytes = view.settings.placeholder_bytes;
        for id in (0..young.0).map(UseId) {
            if view.is_eligible(id, &history[id], bytes) && may_go(view, id) {
                view.clear(id, PassName::Age, self.style());
            }
        }
    }

    fn reason(history: &History, edit: &PlannedEdit, current_step: u32) -> String {
        age_of(history, edit, current_step)
    }

    fn style(&self) -> StubStyle {
        StubStyle {
            max_tokens: self.max_tool_output_tokens,
            summary: self.summarize_on_truncate,
            ..StubStyle::PLAIN
        }
    }

    fn why_kept(&self, view: &View<'_>, id: UseId) -> Option<&'static str> {
        let young = self.first_young(view.history, view.settings.current_step);
        match () {
            () if id >= young => Some("among the newest"),
            () if self.is_active(view.files, &view.history[id], young) => {
                Some("its file is in use")
            }
            () => None,
        }
    }
}

impl AgePolicy {
    /// The first tool use of the last `max_tool_output_age` steps. Steps only grow along the tool uses, so all later
    /// ones are young too.
    fn first_young(&self, history: &History, current_step: u32) -> UseId {
        let first_step = current_step.saturating_sub(self.max_tool_output_age);
        UseId(history.uses().partition_point(|one| one.step < first_step))
    }

    /// Whether a young call read or changed a file that this tool use shows, and such files are preserved.
    fn is_active(&self, files: &FileTimelines, tool_use: &ToolUse, young: UseId) -> bool {
        !tool_use.is_error
            && tool_use.files.iter().any(|(path, _)| self.is_active_file(files, *path, young))
    }

    fn is_active_file(&self, files: &FileTimelines, path: NameId, young: UseId) -> bool {
        self.preserve_recent_files && files.of(path).last_access() >= Some(young)
    }

    /// For every file, by the number of its path, whether it is active. Only files that young calls name can be, and
    /// these are few.
    fn active(&self, history: &History, files: &FileTimelines, young: UseId) -> Vec<bool> {
        let mut active = vec![false; history.names().len()];
        for tool_use in &history.uses()[young.0..] {
            for (path, _) in &tool_use.files {
                active[path.index()] = self.is_active_file(files, *path, young);
            }
        }
        active
    }

    /// A plan that clears every tool result, regardless of age and size.
    pub fn clear_all(
        &self,
        history: &History,
        recall: bool,
        reader: &dyn ContentReader,
        cache: &mut Cache,
    ) -> Plan {
        cache.fit(history);
        let mut plan = Plan::new(history);
        let (style, uses) = (self.style(), history.uses().iter().enumerate());
        let key = StubKey { text: StubText::Cleared(style), recall };
        for (i, one) in uses.filter(|(_, one)| one.editable && !one.is_stub) {
            let (id, Some(block)) = (UseId(i), one.result) else { continue };
            let tokens = stub(&mut cache.texts, history, id, block, key, reader).tokens;
            plan.replace(history, block, PassName::Age, Replacement::Cleared(style), tokens.into());
        }
        plan.finish(history);
        plan
    }
}

/// A file, and when a call last read or changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveFile {
    /// The file.
    pub path: NameId,
    /// The step of the last call that read or changed it.
    pub last_access_step: u32,
    /// The newest successful read that names it, if it names only this file and is not ephemeral.
    pub newest_read: Option<(UseId, BlockId)>,
}

/// The files that a call read or changed within the last `max_tool_output_age` steps, in the order in which the history
/// first names them.
pub fn active_files(history: &History, current_step: u32, policy: &AgePolicy) -> Vec<ActiveFile> {
    let files = FileTimelines::at(history, current_step, &[]);
    let young = policy.first_young(history, current_step);
    let mut is_known = vec![false; history.names().len()];
    let mut order: Vec<NameId> = Vec::new();
    for (path, _) in history.uses().iter().flat_map(|one| &one.files) {
        if !std::mem::replace(&mut is_known[path.index()], true) {
            order.push(*path);
        }
    }
    let file = |path: NameId| {
        let file = files.of(path);
        let last_access = file.last_access().filter(|id| *id >= young)?;
        // No digest of ephemeral content stays, and one of several files is not that of this one.
        let is_own = |id: UseId| !history[id].ephemeral && history[id].files.len() == 1;
        let newest = file.reads.last().filter(|(_, id)| is_own(*id));
        let newest_read = newest.map(|(block, id)| (*id, *block));
        let last_access_step = history[last_access].step;
        Some(ActiveFile { path, last_access_step, newest_read })
    };
    order.into_iter().filter_map(file).collect()
}

/// Whether a message contains a tool result that would be cleared at this age, judged by the message alone.
pub fn should_truncate(history: &History, message: usize, age: u32, policy: &AgePolicy) -> bool {
    let may_go = |block: &Block| {
        let Some(tool_use) = block.tool_use.map(|id| &history[id]) else { return false };
        tool_use.editable
            && !tool_use.is_stub
            && !tool_use.is_error
            && !names_tool(&policy.exclude_tools, history.names().text(tool_use.tool))
            && is_worth(block.shown_bytes(), placeholder_text("tool output", block.size).len())
    };
    let is_result = |block: &&Block| block.kind == BlockKind::ToolResult;
    let mut results = history.blocks_of(message).1.iter().filter(is_result);
    age > policy.max_tool_output_age && results.any(may_go)
}
