//! Clears all directory listings except the newest. Source: document "Smart Tool History", `focus`, `unfocus`, `ls`.

use crate::message::{History, Origin, ToolUse, UseId};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::Kind;
use crate::projection::replacement::worth::STUB_LIMIT;
use crate::projection::settings::{names_tool, settings};
use crate::projection::view::pass_view::View;
use serde::Serialize;

/// Settings of the lists pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ListsPolicy {
    /// How many of the newest listings are kept. Default 3.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub keep: u32,
    /// The tools it applies to: names, or `mcp__*` for all that begin so. Default: those that list files, `focus` and
    /// `unfocus`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub tools: Option<Vec<String>>,
}

settings!(ListsPolicy { keep as "keep", tools as "tools" });

impl Default for ListsPolicy {
    fn default() -> Self {
        Self { keep: 3, tools: None }
    }
}

impl Pass for ListsPolicy {
    const PUTS: &'static [Kind] = &[Kind::Cleared];

    fn run(&self, view: &mut View<'_>) {
        // Short listings are not worth a stub and do not count, because one may be a stub of an earlier projection. The
        // target of a pointer counts, and is kept.
        let is_meant = |(_, tool_use): &(UseId, &ToolUse)| {
            self.takes(view, tool_use)
                && tool_use.editable
                && !tool_use.is_stub
                && !tool_use.is_error
                && view.is_long(tool_use, STUB_LIMIT)
        };
        let lists: Vec<UseId> = view.survivors().filter(is_meant).map(|(id, _)| id).collect();
        let old = lists.len().saturating_sub(self.keep as usize);
        for id in &lists[..old] {
            if view.is_eligible(*id, &view.history[*id], STUB_LIMIT) {
                view.clear(*id, PassName::Lists, self.style());
            }
        }
    }

    fn reason(_: &History, _: &PlannedEdit, _: u32) -> String {
        "there are newer listings".to_owned()
    }
}

impl ListsPolicy {
    fn takes(&self, view: &View<'_>, tool_use: &ToolUse) -> bool {
        let tool = || view.history.names().text(tool_use.tool);
        match (&self.tools, tool_use.origin) {
            (Some(tools), _) => names_tool(tools, tool()),
            (None, Origin::Other) => matches!(tool(), "focus" | "unfocus"),
            (None, origin) => origin == Origin::List,
        }
    }
}
