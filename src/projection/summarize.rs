//! Old output gives way to a summary made without a model: what was asked, exit status, test counts, error lines.

use super::protect::Protection;
use super::stub::StubStyle;
use super::{Pass, PassName, View};
use crate::message::{Origin, ToolUse, UseId};
use serde::{Deserialize, Serialize};

/// Settings of the summarize pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SummarizePolicy {
    /// Steps an output stays as it is. Default 5.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub after: u32,
    /// Shorter outputs stay, in UTF-16 units. Default 1,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub min_chars: u32,
    /// The most estimated tokens of a summary. Default 200.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_tokens: u32,
    /// The tools meant. Default: those that run commands and those that search.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub tools: Option<Vec<String>>,
}

impl Default for SummarizePolicy {
    fn default() -> Self {
        Self { after: 5, min_chars: 1000, max_tokens: 200, tools: None }
    }
}

impl Pass for SummarizePolicy {
    fn run(&self, view: &mut View<'_>) {
        let names_tools = self.tools.is_some();
        let protection = names_tools.then(|| Protection::of(view, &[]));
        // Commands and searches are no reads: of them only failures are protected.
        let is_protected = |id: UseId, one: &ToolUse| {
            one.is_error || protection.as_ref().is_some_and(|protection| protection.covers(id, one))
        };
        let is_old = |one: &ToolUse| view.current_step.saturating_sub(one.step) > self.after;
        let is_meant = |(id, one): &(UseId, &ToolUse)| {
            is_old(one)
                && self.takes(view, one)
                && one.editable
                && !one.is_stub
                && view.is_long(*id)
                && !is_protected(*id, one)
                && !view.plan.is_referred(*id)
        };
        let old: Vec<UseId> = view.survivors().filter(is_meant).map(|(id, _)| id).collect();
        for id in old {
            view.clear(id, PassName::Summarize, self.style());
        }
    }
}

impl SummarizePolicy {
    fn takes(&self, view: &View<'_>, one: &ToolUse) -> bool {
        let size = || one.result.map(|block| view.history[block].size.utf16);
        let is_meant = match &self.tools {
            Some(tools) => {
                let tool = view.history.names().text(one.tool);
                tools.iter().any(|name| name == tool)
            }
            None => matches!(one.origin, Origin::Shell | Origin::Search),
        };
        is_meant && size() >= Some(u64::from(self.min_chars))
    }

    /// How its stubs are worded.
    pub fn style(&self) -> StubStyle {
        StubStyle { max_tokens: self.max_tokens, summary: true, ..StubStyle::PLAIN }
    }
}
