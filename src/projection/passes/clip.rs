//! Clips long output to its head and tail. Source: document "Smart Tool History", bash output.

use crate::message::{History, Origin, ToolUse, UseId};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::clipped::{ClipEnds, ClipUnit};
use crate::projection::replacement::kind::{Kind, Replacement};
use crate::projection::settings::{ByName, names_tool, settings, words};
use crate::projection::view::pass_view::View;
use crate::projection::view::text_cache::StubText;
use crate::text::TextSize;
use crate::tokens::estimate_tokens;
use serde::Serialize;
#[cfg(all(test, not(target_arch = "wasm32")))]
use std::collections::BTreeMap;

/// Settings of the clip pass: document "Smart Tool History", `bash_truncate`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClipPolicy {
    /// The unit of `max`, `head` and `tail`. Default `chars`: UTF-16 units.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClipUnit>"))]
    pub unit: ClipUnit,
    /// Longer output is clipped. Default 10,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max: Option<u32>,
    /// How much of its beginning is kept. Default a fifth of `max`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub head: Option<u32>,
    /// How much of its end is kept. Default a fifth of `max`. Head and tail together are at most half of `max`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub tail: Option<u32>,
    /// The tools whose output is clipped: names, or `mcp__*` for all that begin so. Default: those that run commands, and
    /// those in `perTool`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub tools: Option<Vec<String>>,
    /// Limits for single tools, by name; `mcp__*` for all that begin so. The first that fits applies.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<BTreeMap<String, ClipLimits>>"),
        schemars(with = "BTreeMap<String, ClipLimits>")
    )]
    pub per_tool: ByName<ClipLimits>,
}

settings!(ClipPolicy { unit as "unit", max as "max", head as "head", tail as "tail", tools as "tools", per_tool as "perTool" });

/// How much of an output is kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClipLimits {
    /// The unit of the other fields. Default `chars`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClipUnit>"))]
    pub unit: ClipUnit,
    /// Longer output is clipped. Default 10,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max: Option<u32>,
    /// How much of its beginning is kept. Default a fifth of `max`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub head: Option<u32>,
    /// How much of its end is kept. Default a fifth of `max`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub tail: Option<u32>,
}

settings!(ClipLimits { unit as "unit", max as "max", head as "head", tail as "tail" });

words!(ClipUnit { Chars = "chars", Lines = "lines", Tokens = "tokens" });

impl ClipLimits {
    fn max(self) -> u32 {
        self.max.unwrap_or(10_000)
    }

    /// The ends that a clipped output keeps.
    pub fn ends(self) -> ClipEnds {
        let fifth = self.max() / 5;
        ClipEnds::new(self.unit, self.head.unwrap_or(fifth), self.tail.unwrap_or(fifth))
    }

    /// Whether the ends are at most half of the limit, so that clipped output is never long enough to be clipped again.
    pub fn is_sound(self) -> bool {
        let fifth = self.max() / 5;
        let end = |given: Option<u32>| u64::from(given.unwrap_or(fifth));
        end(self.head) + end(self.tail) <= u64::from(self.max()) / 2
    }

    /// Whether an output of this size is clipped.
    pub fn is_exceeded(self, size: TextSize) -> bool {
        self.length(size) > u64::from(self.max())
    }

    /// Whether an output of this size is kept whole, but is at least a tenth of the limit. `explain` mentions such
    /// output.
    fn is_marked(self, size: TextSize) -> bool {
        !self.is_exceeded(size) && self.length(size) >= u64::from(self.max()) / 10
    }

    fn length(self, size: TextSize) -> u64 {
        match self.unit {
            ClipUnit::Chars => size.utf16,
            ClipUnit::Lines => size.limited_lines(),
            ClipUnit::Tokens => estimate_tokens(size.bytes),
        }
    }
}

impl Pass for ClipPolicy {
    const PUTS: &'static [Kind] = &[Kind::Clipped];

    fn run(&self, view: &mut View<'_>) {
        let takes = |id: UseId, tool_use: &ToolUse, limits: ClipLimits| {
            let size = tool_use.result.map(|block| view.history[block].size);
            // A failure, and a view of a part of a file, are recognised by their first words.
            (!(tool_use.is_error || tool_use.partial_result) || limits.ends().keep_error_head())
                && tool_use.text_only
                && view.is_eligible(id, tool_use, 0)
                && size.is_some_and(|size| limits.is_exceeded(size))
        };
        // Each unit is a byte or more. Most results are shorter than all limits, which is known without their tools.
        let least =
            self.per_tool.values().fold(self.shared().max(), |least, own| least.min(own.max()));
        let ends = |(id, tool_use): (UseId, &ToolUse)| {
            if tool_use.result_bytes < least.into() {
                return None;
            }
            let limits = self.limits_for(view.history, tool_use)?;
            takes(id, tool_use, limits).then(|| (id, limits.ends()))
        };
        let long: Vec<(UseId, ClipEnds)> = view.survivors().filter_map(ends).collect();
        for (id, ends) in long {
            view.replace(id, PassName::Clip, StubText::Clipped(ends), Replacement::Clipped);
        }
    }

    fn check(&self) -> Option<String> {
        let is_sound = self.shared().is_sound() && self.per_tool.values().all(|l| l.is_sound());
        (!is_sound).then(|| {
            "clip.head and clip.tail together must be at most half of clip.max, for every tool"
                .to_owned()
        })
    }

    fn reason(_: &History, _: &PlannedEdit, _: u32) -> String {
        "long output: its head and tail are kept".to_owned()
    }

    fn why_kept(&self, view: &View<'_>, id: UseId) -> Option<&'static str> {
        let tool_use = &view.history[id];
        let size = view.history[tool_use.result?].size;
        let is_marked = self.limits_for(view.history, tool_use)?.is_marked(size);
        is_marked.then_some("whole, but long: over clip.max it would be clipped")
    }
}

impl ClipPolicy {
    fn shared(&self) -> ClipLimits {
        ClipLimits { unit: self.unit, max: self.max, head: self.head, tail: self.tail }
    }

    /// The limits of a result; `None` if its tool is not clipped.
    fn limits_for(&self, history: &History, tool_use: &ToolUse) -> Option<ClipLimits> {
        let tool = history.names().text(tool_use.tool);
        let is_meant = || match &self.tools {
            Some(tools) => names_tool(tools, tool),
            None => tool_use.origin == Origin::Shell,
        };
        self.per_tool.get(tool).copied().or_else(|| is_meant().then(|| self.shared()))
    }

    /// The limits of a tool whose output is clipped.
    pub fn limits_of(&self, tool: &str) -> ClipLimits {
        self.per_tool.get(tool).copied().unwrap_or_else(|| self.shared())
    }
}
