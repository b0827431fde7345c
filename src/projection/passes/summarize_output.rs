//! Replaces old output with a summary made without a model: what was called, exit status, test counts, error lines. Old
//! failures of all tools are summarised too, because no other pass of its preset clears those of reads and listings.

use crate::message::{Block, History, Origin, ToolUse, UseId};
use crate::projection::passes::pass::{Pass, age_of};
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{Kind, StubStyle};
use crate::projection::replacement::worth::STUB_LIMIT;
use crate::projection::settings::{names_tool, settings};
use crate::projection::view::pass_view::View;
use serde::Serialize;

/// Settings of the summarize pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct SummarizePolicy {
    /// For how many steps an output is not changed. Default 5.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub after: u32,
    /// Shorter outputs without images and files are kept, in UTF-16 units, other than old failures. Default 1,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub min_chars: u32,
    /// Maximum size of a summary in estimated tokens. Default 200.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_tokens: u32,
    /// The tools it applies to: names, or `mcp__*` for all that begin so. Default: those that run commands and those that
    /// search, and failures of all tools beyond the policy's `failureTokens`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub tools: Option<Vec<String>>,
}

settings!(SummarizePolicy { after as "after", min_chars as "minChars", max_tokens as "maxTokens", tools as "tools" });

impl Default for SummarizePolicy {
    fn default() -> Self {
        Self { after: 5, min_chars: 1000, max_tokens: 200, tools: None }
    }
}

impl Pass for SummarizePolicy {
    const PUTS: &'static [Kind] = &[Kind::Cleared];

    fn run(&self, view: &mut View<'_>) {
        let step = view.settings.current_step;
        let is_meant = |(id, tool_use): &(UseId, &ToolUse)| {
            step.saturating_sub(tool_use.step) > self.after
                && self.takes(view, tool_use)
                && view.is_eligible(*id, tool_use, STUB_LIMIT)
                && view.kept_when_old(tool_use).is_none()
        };
        let old: Vec<UseId> = view.survivors().filter(is_meant).map(|(id, _)| id).collect();
        for id in old {
            view.clear(id, PassName::Summarize, self.style());
        }
    }

    fn reason(history: &History, edit: &PlannedEdit, current_step: u32) -> String {
        age_of(history, edit, current_step)
    }

    fn style(&self) -> StubStyle {
        StubStyle { max_tokens: self.max_tokens, summary: true, ..StubStyle::PLAIN }
    }
}

impl SummarizePolicy {
    fn takes(&self, view: &View<'_>, tool_use: &ToolUse) -> bool {
        let is_long = |block: &Block| {
            let is_long = block.size.utf16 >= self.min_chars.into();
            is_long || block.media.count > 0 || tool_use.is_error
        };
        let is_long = || tool_use.result.is_some_and(|block| is_long(&view.history[block]));
        let is_meant = match &self.tools {
            Some(tools) => names_tool(tools, view.history.names().text(tool_use.tool)),
            None => tool_use.is_error || matches!(tool_use.origin, Origin::Shell | Origin::Search),
        };
        is_meant && is_long()
    }
}
