//! When to warn the model that results will be cleared. Source: document "Memory and Context Editing".

use crate::projection::settings::settings;
use serde::Serialize;

/// Settings of the warning. It edits nothing: the report contains a text that the host can pass to the model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct WarnPolicy {
    /// The fraction of the policy's `window`, 0 to 1, from which on a view gets a warning. Default 0.8.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<f64>"),
        schemars(range(min = 0, max = 1))
    )]
    pub at: f64,
}

settings!(WarnPolicy { at as "at" });

impl Default for WarnPolicy {
    fn default() -> Self {
        Self { at: 0.8 }
    }
}

impl WarnPolicy {
    /// The problem with these settings, if any.
    pub fn problem(&self) -> Option<String> {
        (!(0.0..=1.0).contains(&self.at))
            .then(|| "warn.at must be a fraction from 0 to 1".to_owned())
    }
}
