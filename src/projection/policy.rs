//! The settings of all passes: plain JSON, declared here, derived to TypeScript.

use super::PassName;
use super::age::AgePolicy;
use super::budget::BudgetPolicy;
use super::clear::ClearPolicy;
use super::clip::ClipPolicy;
use super::dedupe::DedupePolicy;
use super::done::DonePolicy;
use super::edits::EditsPolicy;
use super::ephemeral::{EphemeralMode, EphemeralPolicy};
use super::inputs::InputsPolicy;
use super::lists::ListsPolicy;
use super::protect::ProtectPolicy;
use super::reads::ReadsPolicy;
use super::reasoning::ReasoningMode;
use super::stub::StubStyle;
use super::summarize::SummarizePolicy;
use super::switch::Switch;
use super::warn::WarnPolicy;
use crate::message::Problem;
use serde::{Deserialize, Serialize};

/// What a projection does. Every pass is off unless its field is there; `{}` sends everything.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Policy {
    /// What becomes of the model's reasoning. Default `keep`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ReasoningMode>"))]
    pub reasoning: ReasoningMode,
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
    /// Of listings keeps only the newest.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | ListsPolicy")
    )]
    pub lists: Switch<ListsPolicy>,
    /// Replaces old command output by a summary made without a model.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | SummarizePolicy")
    )]
    pub summarize: Switch<SummarizePolicy>,
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
    /// Of many old edits of one file, keeps a note in the newest.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | EditsPolicy")
    )]
    pub edits: Switch<EditsPolicy>,
    /// Cuts long arguments of old calls to their beginnings.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | InputsPolicy")
    )]
    pub inputs: Switch<InputsPolicy>,
    /// Clears what is done, in batches that pay for their rewrite of the prompt cache. It needs what was decided before,
    /// so a `Context` or `state`.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | DonePolicy")
    )]
    pub done: Switch<DonePolicy>,
    /// Clears whatever else must go for the view to fit.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | BudgetPolicy")
    )]
    pub budget: Switch<BudgetPolicy>,
    /// Puts a warning for the model into the report once the view has grown large.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, type = "boolean | null | WarnPolicy")
    )]
    pub warn: Switch<WarnPolicy>,
    /// What no pass may clear.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ProtectPolicy>"))]
    pub protect: ProtectPolicy,
    /// Applies new edits only once they save this many estimated tokens together, in one batch: each batch rewrites the
    /// prompt cache once. It needs what was decided before, so a `Context` or `state`. Ephemeral content goes at once;
    /// the clear pass has a setting of its own; nothing waits where the budget
    /// must clear. Default 0.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub clear_at_least: u32,
    /// Whether stubs carry a short reference, by which `recall` gives the original back. Default false.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<bool>"))]
    pub recall: bool,
    /// The size of the model's window, in tokens. Default 200,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub window: u32,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            reasoning: ReasoningMode::default(),
            ephemeral: Switch::default(),
            clear: Switch::default(),
            age: Switch::default(),
            reads: Switch::default(),
            lists: Switch::default(),
            summarize: Switch::default(),
            clip: Switch::default(),
            dedupe: Switch::default(),
            edits: Switch::default(),
            inputs: Switch::default(),
            done: Switch::default(),
            budget: Switch::default(),
            warn: Switch::default(),
            protect: ProtectPolicy::default(),
            clear_at_least: 0,
            recall: false,
            window: 200_000,
        }
    }
}

impl Policy {
    /// Reads the JSON of a policy.
    pub fn from_json(json: &str) -> Result<Self, Problem> {
        let policy: Self = read_object(json)?;
        policy.problem().map_or(Ok(()), |reason| Err(Problem::InvalidPolicy { reason }))?;
        Ok(policy)
    }

    /// Whether a pass is on.
    pub fn has(&self, pass: PassName) -> bool {
        match pass {
            PassName::Ephemeral => self.ephemeral.is_on(),
            PassName::Clear => self.clear.is_on(),
            PassName::Age => self.age.is_on(),
            PassName::Reads => self.reads.is_on(),
            PassName::Lists => self.lists.is_on(),
            PassName::Summarize => self.summarize.is_on(),
            PassName::Clip => self.clip.is_on(),
            PassName::Dedupe => self.dedupe.is_on(),
            PassName::Budget => self.budget.is_on(),
            PassName::Done => self.done.is_on(),
            PassName::Reasoning => self.reasoning == ReasoningMode::Drop,
            PassName::Edits => self.edits.is_on(),
            PassName::Inputs => self.inputs.is_on(),
        }
    }

    /// How the stubs of a pass are worded that puts [`super::Replacement::Cleared`] in the place of results.
    pub fn stub_style(&self, pass: PassName) -> Option<StubStyle> {
        match pass {
            PassName::Age => self.age.settings().map(AgePolicy::style),
            PassName::Reads => Some(StubStyle { outdated: true, ..StubStyle::PLAIN }),
            PassName::Summarize => self.summarize.settings().map(SummarizePolicy::style),
            PassName::Done => Some(StubStyle::BRIEF),
            PassName::Budget if self.done.is_on() => Some(StubStyle::BRIEF),
            _ => Some(StubStyle::PLAIN),
        }
    }

    /// A reason why these settings cannot be used together.
    fn problem(&self) -> Option<String> {
        let clear = self.clear.settings().and_then(ClearPolicy::problem);
        let clip = self.clip.settings().and_then(ClipPolicy::problem);
        let warn = self.warn.settings().and_then(WarnPolicy::problem);
        let inputs = self.inputs.settings().and_then(InputsPolicy::problem);
        let done = self.done.settings().and_then(DonePolicy::problem);
        let problem = clear.or(clip).or(inputs).or(warn).or(done);
        problem.or_else(|| self.done_problem()).or_else(|| self.removal_problem())
    }

    /// What one of them has edited the other leaves alone, so what it weighs would not be what is sent.
    fn done_problem(&self) -> Option<String> {
        const BESIDE: &[PassName] =
            &[PassName::Reasoning, PassName::Ephemeral, PassName::Budget, PassName::Done];
        let is_other = |pass: &PassName| !BESIDE.contains(pass) && self.has(*pass);
        (self.done.is_on() && PassName::ALL.iter().any(is_other)).then(|| {
            "`done` decides what becomes of results and calls: of the other passes only `reasoning`, `ephemeral` and \
             `budget` can be on beside it"
                .to_owned()
        })
    }

    /// Taking calls out renumbers the steps and forgets writes, which the other passes count by: what they decide
    /// would change when the view is projected again.
    fn removal_problem(&self) -> Option<String> {
        let removes = |settings: &EphemeralPolicy| settings.mode == EphemeralMode::Remove;
        let is_other = |pass: &&PassName| **pass != PassName::Ephemeral && self.has(**pass);
        let others = PassName::ALL.iter().any(|pass| is_other(&pass));
        (others && self.ephemeral.settings().is_some_and(removes)).then(|| {
            "ephemeral mode `remove` works alone: clean up with it first, then project with the other passes"
                .to_owned()
        })
    }
}

/// Reads settings from a JSON object; a list of values in order, which serde would take as well, is refused.
fn read_object<T: serde::de::DeserializeOwned>(json: &str) -> Result<T, Problem> {
    let invalid = |reason: String| Problem::InvalidPolicy { reason };
    match serde_json::from_slice(json.as_bytes()) {
        Ok(serde_json::Value::Object(settings)) => {
            T::deserialize(settings).map_err(|error| invalid(with_hint(error.to_string())))
        }
        Ok(_) => {
            Err(invalid(format!("invalid type: expected an object of settings, found {json}")))
        }
        Err(error) => Err(invalid(error.to_string())),
    }
}

/// An unknown name gets the nearest known one beside it. Serde tells all of them, in backticks.
fn with_hint(text: String) -> String {
    let mut names = text.split('`').skip(1).step_by(2);
    let unknown = names.next().filter(|_| text.starts_with("unknown ")).unwrap_or("");
    let distance = |name: &&str| {
        strsim::osa_distance(&name.to_ascii_lowercase(), &unknown.to_ascii_lowercase())
    };
    match names.min_by_key(distance) {
        Some(nearest) if distance(&nearest) * 2 <= unknown.len() => {
            format!("{text}; did you mean `{nearest}`?")
        }
        _ => text,
    }
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
                "unknown field `aged`, expected one of `reasoning`, `ephemeral`, `clear`, `age`",
            ),
            (r#"{"aged":true}"#, "; did you mean `age`?"),
            (r#"{"qqqqqq":true}"#, "`window`"),
            (r#"{"age":{"maxAge":1}}"#, "unknown field `maxAge`"),
            (r#"{"age":{"maxtooloutputage":1}}"#, "; did you mean `maxToolOutputAge`?"),
            (r#"{"clear":{"keep":{"type":"tool_use","value":1}}}"#, "; did you mean `tool_uses`?"),
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
