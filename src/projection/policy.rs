//! The settings of all passes: plain JSON, declared here, derived to TypeScript.

use super::age::AgePolicy;
use super::clear::ClearPolicy;
use super::clip::ClipPolicy;
use super::dedupe::DedupePolicy;
use super::ephemeral::{EphemeralMode, EphemeralPolicy};
use super::reads::ReadsPolicy;
use super::switch::Switch;
use crate::message::Problem;
use serde::{Deserialize, Serialize};

/// What a projection does. Every pass is off unless its field is there; `{}` sends everything.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Policy {
    /// Takes out content that the host marked as ephemeral.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | EphemeralPolicy")
    )]
    pub ephemeral: Switch<EphemeralPolicy>,
    /// Clears the oldest tool results once the context has grown too large.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | ClearPolicy")
    )]
    pub clear: Switch<ClearPolicy>,
    /// Rolling context: clears tool results that are too old.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | AgePolicy")
    )]
    pub age: Switch<AgePolicy>,
    /// Of many reads of the same lines, keeps the first, the last and some between.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | ReadsPolicy")
    )]
    pub reads: Switch<ReadsPolicy>,
    /// Keeps head and tail of long shell output.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | ClipPolicy")
    )]
    pub clip: Switch<ClipPolicy>,
    /// Replaces a result that repeats an earlier one, still shown in full, by a pointer to it.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | Record<string, never>")
    )]
    pub dedupe: Switch<DedupePolicy>,
}

impl Policy {
    /// Reads the JSON of a policy.
    pub fn from_json(json: &str) -> Result<Self, Problem> {
        let policy: Self = read_object(json)?;
        policy.check().map(|()| policy)
    }

    /// Taking calls out renumbers the steps and forgets writes, which the other passes count by: what they decide
    /// would change when the view is projected again.
    fn check(&self) -> Result<(), Problem> {
        let removes = self
            .ephemeral
            .settings()
            .is_some_and(|settings| settings.mode == EphemeralMode::Remove);
        let others = self.age.settings().is_some()
            || self.clear.settings().is_some()
            || self.reads.settings().is_some()
            || self.clip.settings().is_some()
            || self.dedupe.settings().is_some();
        if let Some(clip) = self.clip.settings()
            && u64::from(clip.head_chars) + u64::from(clip.tail_chars)
                > u64::from(clip.max_chars) / 2
        {
            let reason =
                "clip.headChars and clip.tailChars together must be at most half of clip.maxChars";
            return Err(Problem::InvalidPolicy { reason: reason.to_owned() });
        }
        let placeholder = self.clear.settings().map_or(1, |settings| settings.placeholder.len());
        if placeholder == 0 || placeholder > PLACEHOLDER_LIMIT {
            let reason = format!(
                "clear.placeholder must have 1 to {PLACEHOLDER_LIMIT} bytes, it has {placeholder}"
            );
            return Err(Problem::InvalidPolicy { reason });
        }
        if removes && others {
            let reason = "ephemeral mode `remove` works alone: clean up with it first, then project with the other passes";
            return Err(Problem::InvalidPolicy { reason: reason.to_owned() });
        }
        Ok(())
    }
}

/// Reads settings from a JSON object; a list of values in order, which serde would take as well, is refused.
pub(super) fn read_object<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, Problem> {
    let invalid = |reason: String| Problem::InvalidPolicy { reason };
    let value: serde_json::Value =
        serde_json::from_str(json).map_err(|error| invalid(error.to_string()))?;
    if !value.is_object() {
        return Err(invalid(format!(
            "invalid type: expected an object of settings, found {value}"
        )));
    }
    serde_json::from_value(value).map_err(|error| invalid(error.to_string()))
}

/// A longer placeholder would cost more than it tells, and could itself be taken for a result that repeats.
pub(super) const PLACEHOLDER_LIMIT: usize = 160;

#[cfg(test)]
mod tests {
    use super::{AgePolicy, Policy, Switch};

    #[test]
    fn switches_and_defaults() {
        let age = |json: &str| Policy::from_json(json).map(|policy| policy.age);
        let shorter = AgePolicy { max_tool_output_age: 2, ..AgePolicy::default() };
        assert_eq!(age("{}"), Ok(Switch::default()));
        assert_eq!(age(r#"{"age":null}"#), Ok(Switch::default()));
        assert_eq!(age(r#"{"age":false}"#), Ok(Switch::default()));
        assert_eq!(age(r#"{"age":true}"#), Ok(Switch::on(AgePolicy::default())));
        assert_eq!(age(r#"{"age":{"maxToolOutputAge":2}}"#), Ok(Switch::on(shorter)));
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        let cases = [
            (
                r#"{"aged":true}"#,
                "unknown field `aged`, expected one of `ephemeral`, `clear`, `age`, `reads`, `clip`, `dedupe`",
            ),
            (r#"{"age":{"maxAge":1}}"#, "unknown field `maxAge`"),
            (r#"{"age":3}"#, "expected true, false, null or an object of settings"),
            (r#"{"age":{"maxToolOutputAge":-1}}"#, "invalid value: integer `-1`"),
            (r#"{"ephemeral":{"mode":"remove"},"dedupe":true}"#, "works alone"),
            (
                r#"{"clear":{"placeholder":""}}"#,
                "clear.placeholder must have 1 to 160 bytes, it has 0",
            ),
            (r#"{"clear":{"trigger":{"type":"tokens","value":1}}}"#, "unknown variant `tokens`"),
            ("[]", "invalid type"),
            ("{", "EOF"),
        ];
        for (json, part) in cases {
            let text = Policy::from_json(json)
                .err()
                .map(|problem| problem.to_string())
                .unwrap_or_default();
            assert!(text.contains(part), "{json}: {text}");
        }
    }

    #[test]
    fn saved_policies_load_again() {
        let policy = Policy { age: Switch::on(AgePolicy::default()), ..Policy::default() };
        let json = serde_json::to_string(&policy).unwrap_or_default();
        assert_eq!(Policy::from_json(&json), Ok(policy));
    }
}
