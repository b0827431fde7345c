//! The settings of all passes: plain JSON, declared here, derived to TypeScript.

use crate::message::Problem;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::marker::PhantomData;

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

/// Settings of the age pass: document "Rolling Context", `contextManagement`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
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

impl AgePolicy {
    /// Reads the JSON of the settings.
    pub fn from_json(json: &str) -> Result<Self, Problem> {
        read_object(json)
    }
}

/// Reads settings from a JSON object; a list of values in order, which serde would take as well, is refused.
fn read_object<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, Problem> {
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

/// Settings of the clear pass: those of Anthropic's `clear_tool_uses_20250919`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClearPolicy {
    /// When to clear. Default: at 100,000 estimated tokens.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClearTrigger>"))]
    pub trigger: ClearTrigger,
    /// What stays. Default: the newest 3 tool uses.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClearKeep>"))]
    pub keep: ClearKeep,
    /// Clears nothing unless it saves this many estimated tokens: each batch rewrites the prompt cache once, and
    /// should be worth it. Default 0.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub clear_at_least: u32,
    /// Tools whose results are never cleared. Default none.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<String>>"))]
    pub exclude_tools: Vec<String>,
    /// The only tools whose results are cleared. Default all.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub include_tools: Option<Vec<String>>,
    /// What stands where a result was: 1 to 160 bytes.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<String>"))]
    pub placeholder: String,
}

impl Default for ClearPolicy {
    fn default() -> Self {
        Self {
            trigger: ClearTrigger { measure: ClearMeasure::InputTokens, value: 100_000 },
            keep: ClearKeep { measure: KeepMeasure::ToolUses, value: 3 },
            clear_at_least: 0,
            exclude_tools: Vec::new(),
            include_tools: None,
            placeholder: "[Tool result cleared to save context. Re-run the tool if needed.]"
                .to_owned(),
        }
    }
}

/// Settings of the reads pass: document "Smart Tool History", `max_file_reads`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReadsPolicy {
    /// Of up to this many reads of the same lines, the first and the last stay; of more, this many. Default 5.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_file_reads: u32,
}

impl Default for ReadsPolicy {
    fn default() -> Self {
        Self { max_file_reads: 5 }
    }
}

/// Settings of the clip pass: document "Smart Tool History", `bash_truncate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClipPolicy {
    /// The longest output, in UTF-16 units, that stays whole. Default 10,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_chars: u32,
    /// UTF-16 units kept from its beginning. Default 2,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub head_chars: u32,
    /// UTF-16 units kept from its end. Default 2,000. Both together are at most half of `maxChars`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub tail_chars: u32,
    /// The tools whose output is clipped. Default: those that run commands.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub tools: Option<Vec<String>>,
}

impl Default for ClipPolicy {
    fn default() -> Self {
        Self { max_chars: 10_000, head_chars: 2000, tail_chars: 2000, tools: None }
    }
}

/// When the clear pass acts: once there are at least `value` tokens, or more than `value` tool uses in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(deny_unknown_fields)]
pub struct ClearTrigger {
    /// What is counted.
    #[serde(rename = "type")]
    pub measure: ClearMeasure,
    /// How many of it.
    pub value: u32,
}

/// What the clear pass counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "snake_case")]
pub enum ClearMeasure {
    /// Estimated tokens of the context.
    InputTokens,
    /// Tool uses whose results stand in full.
    ToolUses,
}

/// What the clear pass leaves: the newest `value` of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(deny_unknown_fields)]
pub struct ClearKeep {
    /// What is counted.
    #[serde(rename = "type")]
    pub measure: KeepMeasure,
    /// How many of it.
    pub value: u32,
}

/// What the clear pass keeps by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "snake_case")]
pub enum KeepMeasure {
    /// Tool uses.
    ToolUses,
}

/// Settings of the ephemeral pass: document "ReadTool Improvements".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EphemeralPolicy {
    /// What is left of it. Default `stub`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<EphemeralMode>"))]
    pub mode: EphemeralMode,
    /// When it goes. Default `after-turn`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<EphemeralWhen>"))]
    pub when: EphemeralWhen,
}

/// What is left of ephemeral content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum EphemeralMode {
    /// The result becomes a stub; call and result stay paired.
    #[default]
    Stub,
    /// Call and result are taken out together, where nothing beside them is signed; else a stub. Not to be combined
    /// with other passes.
    Remove,
}

/// When ephemeral content goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum EphemeralWhen {
    /// Once the assistant's final text or the user's next prompt has ended its turn.
    #[default]
    AfterTurn,
    /// At once: the host says that the turn is over.
    Now,
}

/// Settings of the dedupe pass: it has none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DedupePolicy {}

/// A pass that is off (`false`, `null` or absent), on with its defaults (`true`), or on with settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Switch<T>(Option<T>);

impl<T> Default for Switch<T> {
    fn default() -> Self {
        Switch(None)
    }
}

impl<T> Switch<T> {
    /// On with these settings.
    pub fn on(settings: T) -> Self {
        Switch(Some(settings))
    }

    /// The settings of a pass that is on.
    pub fn settings(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

impl<T: Serialize> Serialize for Switch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(settings) => settings.serialize(serializer),
            None => serializer.serialize_bool(false),
        }
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Switch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SwitchVisitor(PhantomData))
    }
}

struct SwitchVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for SwitchVisitor<T> {
    type Value = Switch<T>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("true, false, null or an object of settings")
    }

    fn visit_bool<E>(self, on: bool) -> Result<Self::Value, E> {
        Ok(Switch(on.then(T::default)))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Switch(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Switch::on)
    }
}

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
