//! Rolling context: tool results older than some steps are cleared, those of active files stay. Document "Rolling
//! Context".
//!
//! This pass slides: at every step another result may cross the limit, which rewrites the prompt cache from there on.

use super::protect::Protection;
use super::source::StubFacts;
use super::stub::{StubKey, StubStyle, is_worth, placeholder_text};
use super::{Cache, Pass, PassName, Plan, Replacement, Source, View};
use crate::message::{BlockId, History, NameId, Origin, ToolUse, UseId};
use crate::text::TextSize;
use serde::{Deserialize, Serialize};

/// Settings of the age pass: document "Rolling Context", `contextManagement`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct AgePolicy {
    /// Steps a tool result stays in full; an older one is cleared. Default 5.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_tool_output_age: u32,
    /// The most estimated tokens that an old result keeps, stub and summary included. Default 2000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_tool_output_tokens: u32,
    /// Keeps old results of files that some call read or changed within the last `maxToolOutputAge` steps. Default true.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<bool>"))]
    pub preserve_recent_files: bool,
    /// Leaves a summary of error lines, exit status and test counts in the stub. Default false.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<bool>"))]
    pub summarize_on_truncate: bool,
    /// Tools whose results are never cleared. Default none.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<String>>"))]
    pub exclude_tools: Vec<String>,
}

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
    fn run(&self, view: &mut View<'_>) {
        let (history, current_step) = (view.history, view.current_step);
        let protection = Protection::of(view, &self.exclude_tools);
        let accesses = self.preserve_recent_files.then(|| last_accesses(history, current_step));
        let is_active = |one: &ToolUse| {
            let last =
                |path: &NameId| accesses.as_ref().and_then(|accesses| accesses[path.index()]);
            one.files
                .iter()
                .any(|(path, _)| last(path).is_some_and(|step| is_recent(step, current_step, self)))
        };
        let can_go =
            |one: &ToolUse| one.result.is_some() && one.editable && !one.is_stub && !is_active(one);
        // Steps only grow along the uses: what follows the first young one is young.
        let oldest_kept = current_step.saturating_sub(self.max_tool_output_age);
        let old = history.uses().partition_point(|one| one.step < oldest_kept);
        let may_go = |id: UseId| {
            let one = &history[id];
            id.0 < old && can_go(one) && !protection.covers(id, one)
        };
        view.release(self.style(), &may_go);
        for id in (0..old).map(UseId).filter(|id| may_go(*id)) {
            if view.is_free(id, &history[id]) {
                self.clear(view, id);
            }
        }
    }
}

impl AgePolicy {
    fn clear(&self, view: &mut View<'_>, id: UseId) {
        if view.is_more_than_placeholder(id) {
            view.clear(id, PassName::Age, self.style());
        }
    }

    /// How its stubs are worded.
    pub fn style(&self) -> StubStyle {
        StubStyle {
            max_tokens: self.max_tool_output_tokens,
            summary: self.summarize_on_truncate,
            ..StubStyle::PLAIN
        }
    }

    /// A plan that clears every tool result, whatever its age and size.
    pub fn clear_all(
        &self,
        history: &History,
        recall: bool,
        source: &dyn Source,
        cache: &mut Cache,
    ) -> Plan {
        cache.fit(history);
        let mut plan = Plan::new(history);
        let (style, uses) = (self.style(), history.uses().iter().enumerate());
        for (i, one) in uses.filter(|(_, one)| one.editable && !one.is_stub) {
            let Some(block) = one.result else { continue };
            let key = StubKey::Cleared { style, recall };
            let stub: StubFacts = cache.stub(history, UseId(i), block, key, source);
            let (replacement, tokens) = (Replacement::Cleared(style), u64::from(stub.tokens));
            plan.replace(history, UseId(i), PassName::Age, replacement, tokens);
        }
        plan.finish(history);
        plan
    }
}

/// A file and when a call last read or changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveFile {
    /// The file.
    pub path: NameId,
    /// The step of the last call that read or changed it.
    pub last_access_step: u32,
    /// The newest result that shows it.
    pub newest_read: Option<(UseId, BlockId)>,
}

/// The files that some call read or changed within the last `max_tool_output_age` steps, in the order of their first calls.
pub fn active_files(history: &History, current_step: u32, policy: &AgePolicy) -> Vec<ActiveFile> {
    let accesses = last_accesses(history, current_step);
    let mut order: Vec<NameId> = Vec::new();
    let mut reads = vec![None; history.names().len()];
    let uses = history
        .uses()
        .iter()
        .enumerate()
        .filter(|(_, one)| one.step <= current_step && opens_files(one));
    for (i, one) in uses {
        for (path, _) in &one.files {
            if !order.contains(path) {
                order.push(*path);
            }
            if one.origin == Origin::Read && !one.is_error {
                reads[path.index()] =
                    one.result.map(|block| (UseId(i), block)).or(reads[path.index()]);
            }
        }
    }
    let file = |path: NameId| {
        let last_access_step = accesses[path.index()]?;
        Some(ActiveFile { path, last_access_step, newest_read: reads[path.index()] })
    };
    let is_active = |file: &ActiveFile| is_recent(file.last_access_step, current_step, policy);
    order.into_iter().filter_map(file).filter(is_active).collect()
}

/// Whether a call's paths are files that it works on. Those of searches and listings are mostly directories, and would
/// keep every search of `src` for as long as there is another.
fn opens_files(one: &ToolUse) -> bool {
    matches!(one.origin, Origin::Read | Origin::Edit | Origin::Write)
}

/// By path: the step of the last call that read or changed it.
pub(super) fn last_accesses(history: &History, current_step: u32) -> Vec<Option<u32>> {
    let mut last = vec![None; history.names().len()];
    for one in history.uses().iter().filter(|one| one.step <= current_step && opens_files(one)) {
        for (path, _) in &one.files {
            last[path.index()] = Some(one.step);
        }
    }
    last
}

fn is_recent(last_access_step: u32, current_step: u32, policy: &AgePolicy) -> bool {
    current_step.saturating_sub(last_access_step) <= policy.max_tool_output_age
}

/// Whether a tool result of this age is cleared, by what can be seen of it alone.
pub fn should_truncate(
    one: &ToolUse,
    tool: &str,
    size: TextSize,
    age: u32,
    policy: &AgePolicy,
) -> bool {
    age > policy.max_tool_output_age
        && one.editable
        && !one.is_stub
        && !one.is_error
        && !policy.exclude_tools.iter().any(|excluded| excluded == tool)
        && is_worth(size, placeholder_text("tool output", size).len())
}
