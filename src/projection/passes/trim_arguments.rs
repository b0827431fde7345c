//! Cuts long arguments of old calls to their beginnings. By then, text that was written is in its file, and text that
//! an edit replaced is no longer in any file. Source: document "Smart Tool History", `hide_tool_args`.

use crate::message::{History, Origin, ToolUse, UseId};
use crate::projection::passes::pass::{Pass, age_of};
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{ArgumentTrim, Kind, LEAST_TRIM_CHARS, Replacement};
use crate::projection::settings::{names_tool, settings, words};
use crate::projection::view::pass_view::View;
use serde::Serialize;

/// Settings of the inputs pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct InputsPolicy {
    /// For how many steps a call is not changed. Default 10.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub after: u32,
    /// Longer texts are cut, in UTF-16 units. At least 64, default 200.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<u32>"),
        schemars(range(min = 64))
    )]
    pub max_chars: u32,
    /// The tools it applies to: names, or `mcp__*` for all that begin so. Default: those that write and edit files.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub tools: Option<Vec<String>>,
    /// Which texts are cut. Default all.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<InputsWhat>"))]
    pub what: InputsWhat,
}

settings!(InputsPolicy { after as "after", max_chars as "maxChars", tools as "tools", what as "what" });

/// Which texts of a call's arguments the inputs pass cuts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum InputsWhat {
    /// All long texts, except file names.
    #[default]
    All,
    /// Only texts that an edit replaced (`old_string` and the like), which are no longer in the file.
    Old,
}

words!(InputsWhat { All = "all", Old = "old" });

impl Default for InputsPolicy {
    fn default() -> Self {
        let ArgumentTrim { max_chars, .. } = ArgumentTrim::LONG;
        Self { after: 10, max_chars, tools: None, what: InputsWhat::All }
    }
}

impl Pass for InputsPolicy {
    const PUTS: &'static [Kind] = &[Kind::Trimmed];

    fn run(&self, view: &mut View<'_>) {
        let step = view.settings.current_step;
        let old_only = self.what == InputsWhat::Old;
        let trim = ArgumentTrim { max_chars: self.max_chars, old_only };
        for (i, tool_use) in view.history.uses().iter().enumerate() {
            let is_meant =
                step.saturating_sub(tool_use.step) > self.after && self.takes(view, tool_use);
            if is_meant && view.is_call_eligible(UseId(i), tool_use) {
                view.shorten(UseId(i), PassName::Inputs, Replacement::Trimmed(trim));
            }
        }
    }

    fn check(&self) -> Option<String> {
        let given = self.max_chars;
        (given < LEAST_TRIM_CHARS)
            .then(|| format!("inputs.maxChars must be at least {LEAST_TRIM_CHARS}, it is {given}"))
    }

    fn reason(history: &History, edit: &PlannedEdit, current_step: u32) -> String {
        age_of(history, edit, current_step)
    }
}

impl InputsPolicy {
    fn takes(&self, view: &View<'_>, tool_use: &ToolUse) -> bool {
        let size = || tool_use.call.map_or(0, |block| view.history[block].size.utf16);
        let is_meant = match &self.tools {
            Some(tools) => names_tool(tools, view.history.names().text(tool_use.tool)),
            None => matches!(tool_use.origin, Origin::Edit | Origin::Write),
        };
        is_meant && size() > u64::from(self.max_chars)
    }
}
