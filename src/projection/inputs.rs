//! Long arguments of old calls are cut to their beginnings: the text of a file that was written stands in the file by
//! now, and the text that an edit replaced stands nowhere. Document "Smart Tool History", `hide_tool_args`.

use super::outline::{MIN_CHARS, Outline};
use super::{Pass, PassName, Replacement, View};
use crate::message::{Origin, ToolUse, UseId};
use serde::{Deserialize, Serialize};

/// Settings of the inputs pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct InputsPolicy {
    /// Steps a call stays as it is. Default 10.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub after: u32,
    /// Texts of no more UTF-16 units stay. At least 64, default 200.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<u32>"),
        schemars(range(min = 64))
    )]
    pub max_chars: u32,
    /// The tools meant, `*` for all. Default: those that write and edit files.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub tools: Option<Vec<String>>,
    /// Which texts are cut. Default all.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<InputsWhat>"))]
    pub what: InputsWhat,
}

/// Which texts of a call's arguments the inputs pass cuts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum InputsWhat {
    /// All that are too long, but for what names files.
    #[default]
    All,
    /// Those that an edit replaced (`old_string` and the like): they are gone from the file.
    Old,
}

impl Default for InputsPolicy {
    fn default() -> Self {
        let Outline { max_chars, .. } = Outline::LONG;
        Self { after: 10, max_chars, tools: None, what: InputsWhat::All }
    }
}

impl Pass for InputsPolicy {
    fn run(&self, view: &mut View<'_>) {
        for (i, one) in view.history.uses().iter().enumerate() {
            let is_meant = self.is_old(view, one) && self.takes(view, one);
            if is_meant && view.is_call_free(UseId(i), one) {
                view.shorten(UseId(i), PassName::Inputs, Replacement::Outlined(self.outline()));
            }
        }
    }
}

impl InputsPolicy {
    /// A reason why these settings cannot be used.
    pub fn problem(&self) -> Option<String> {
        let given = self.max_chars;
        (given < MIN_CHARS)
            .then(|| format!("inputs.maxChars must be at least {MIN_CHARS}, it is {given}"))
    }

    /// How it cuts.
    pub fn outline(&self) -> Outline {
        Outline { max_chars: self.max_chars, old_only: self.what == InputsWhat::Old }
    }

    fn is_old(&self, view: &View<'_>, one: &ToolUse) -> bool {
        view.current_step.saturating_sub(one.step) > self.after
    }

    fn takes(&self, view: &View<'_>, one: &ToolUse) -> bool {
        let size = || one.call.map_or(0, |block| view.history[block].size.utf16);
        let is_meant = match &self.tools {
            Some(tools) => {
                let tool = view.history.names().text(one.tool);
                tools.iter().any(|name| name == tool || name == "*")
            }
            None => matches!(one.origin, Origin::Edit | Origin::Write),
        };
        is_meant && size() > u64::from(self.max_chars)
    }
}
