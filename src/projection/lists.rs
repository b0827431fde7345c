//! Of listings only the newest stay: document "Smart Tool History", `focus`, `unfocus`, `ls`.

use super::stub::StubStyle;
use super::{Pass, PassName, View};
use crate::message::{Origin, ToolUse, UseId};
use serde::{Deserialize, Serialize};

/// Settings of the lists pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ListsPolicy {
    /// How many stay, the newest. Default 3.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub keep: u32,
    /// The tools meant. Default: those that list files, `focus` and `unfocus`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub tools: Option<Vec<String>>,
}

impl Default for ListsPolicy {
    fn default() -> Self {
        Self { keep: 3, tools: None }
    }
}

impl Pass for ListsPolicy {
    fn run(&self, view: &mut View<'_>) {
        // Short ones are not worth a stub, and do not count: one may be a stub of an earlier projection.
        let is_meant = |(id, one): &(UseId, &ToolUse)| {
            self.takes(view, one)
                && one.editable
                && !one.is_stub
                && !one.is_error
                && view.is_long(*id)
        };
        let lists: Vec<UseId> = view.survivors().filter(is_meant).map(|(id, _)| id).collect();
        let old = lists.len().saturating_sub(self.keep as usize);
        for id in &lists[..old] {
            if !view.plan.is_referred(*id) {
                view.clear(*id, PassName::Lists, StubStyle::PLAIN);
            }
        }
    }
}

impl ListsPolicy {
    fn takes(&self, view: &View<'_>, one: &ToolUse) -> bool {
        let tool = || view.history.names().text(one.tool);
        match (&self.tools, one.origin) {
            (Some(tools), _) => tools.iter().any(|name| name == tool()),
            (None, Origin::Other) => matches!(tool(), "focus" | "unfocus"),
            (None, origin) => origin == Origin::List,
        }
    }
}
