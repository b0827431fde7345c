//! The policy: the settings of all passes as plain JSON. The TypeScript type is generated from this declaration.

use super::binding::Binding;
use super::passes::pass::Pass;
use super::passes::*;
use super::plan::PlannedEdit;
use super::registry::{PassName, with_passes};
use super::replacement::clipped::ClipEnds;
use super::replacement::kind::Kind;
use super::settings::pass_setting::{PassSetting, Setting};
use super::settings::{Setting as Readable, Wrong, settings};
use super::token_amount::TokenAmount;
use super::view::edit_text::TextSettings;
use super::view::pass_view::View;
use super::view::protection::ProtectPolicy;
use super::warn::WarnPolicy;
use crate::message::{History, Problem, UseId};
use crate::text::json::parsed;
use crate::text::{glob_problem, joined, quoted};
use serde::Serialize;

macro_rules! declare_policy {
    ($($code:literal $Name:ident $field:ident $file:ident: $settings:ty, $doc:tt;)+) => {
        /// What a projection leaves out. A pass is off unless its field is set; `{}` sends everything.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[cfg_attr(
            all(test, not(target_arch = "wasm32")),
            derive(ts_rs::TS, schemars::JsonSchema),
            ts(export, export_to = "types.ts", optional_fields)
        )]
        #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
        pub struct Policy {
            $(#[doc = $doc] pub $field: $settings,)+
            /// Adds a warning for the model to the report when the view is large.
            pub warn: PassSetting<WarnPolicy>,
            /// Content that no pass may clear.
            #[cfg_attr(
                all(test, not(target_arch = "wasm32")),
                ts(optional, as = "Option<ProtectPolicy>")
            )]
            pub protect: ProtectPolicy,
            /// Applies new edits only when they save this many estimated tokens together, in one batch, because each
            /// batch rewrites the prompt cache once. Needs a `Context` or `state`. Ephemeral content does not wait, the
            /// clear pass has its own setting, and nothing waits when the budget must clear. A number, or `{ type:
            /// 'input_tokens', value }`. Default 0.
            #[cfg_attr(
                all(test, not(target_arch = "wasm32")),
                ts(optional, type = "number | { type: 'input_tokens', value: number }")
            )]
            pub clear_at_least: TokenAmount,
            /// What the model requires of signed reasoning that is sent back. A `Context`, or `project` with `state`,
            /// only makes views that the model accepts; `reasoning: 'keep'` leaves it to the provider to drop invalid
            /// reasoning. Default `unknown`.
            #[cfg_attr(
                all(test, not(target_arch = "wasm32")),
                ts(optional, as = "Option<Binding>")
            )]
            pub binding: Binding,
            /// Whether stubs contain a short reference with which `recall` returns the original. Default false.
            #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<bool>"))]
            pub recall: bool,
            /// The size of the model's context window, in tokens. Default 200,000.
            #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
            pub window: u32,
        }

        settings!(Policy {
            $($field as stringify!($field),)+
            warn as "warn",
            protect as "protect",
            clear_at_least as "clearAtLeast",
            binding as "binding",
            recall as "recall",
            window as "window",
        });

        impl Default for Policy {
            fn default() -> Self {
                Self {
                    $($field: Default::default(),)+
                    warn: PassSetting::default(),
                    protect: ProtectPolicy::default(),
                    clear_at_least: TokenAmount(0),
                    binding: Binding::Unknown,
                    recall: false,
                    window: 200_000,
                }
            }
        }

        impl Policy {
            /// Runs a pass, if it is on.
            pub fn run(&self, pass: PassName, view: &mut View<'_>) {
                match pass {
                    $(PassName::$Name => {
                        if let Some(pass) = self.$field.settings() {
                            pass.run(view);
                        }
                    })+
                }
            }

            /// Whether a pass is on and edits anything with its settings.
            pub fn has(&self, pass: PassName) -> bool {
                match pass {
                    $(PassName::$Name => self.$field.settings().is_some_and(Pass::edits),)+
                }
            }

            /// Why this pass kept a result that no rule of all passes keeps.
            pub fn why_kept(
                &self,
                pass: PassName,
                view: &View<'_>,
                id: UseId,
            ) -> Option<&'static str> {
                match pass {
                    $(PassName::$Name => self.$field.settings()?.why_kept(view, id),)+
                }
            }

            /// The problem with the settings of a pass, if any.
            fn check(&self, pass: PassName) -> Option<String> {
                match pass {
                    $(PassName::$Name => self.$field.settings()?.check(),)+
                }
            }
        }

        impl PassName {
            /// The kinds of its replacements.
            pub fn puts(self) -> &'static [Kind] {
                match self {
                    $(PassName::$Name => <<$settings as Setting>::Pass as Pass>::PUTS,)+
                }
            }

            /// Whether later projections repeat its edits. If not, the pass makes them again each time.
            pub fn is_lasting(self) -> bool {
                match self {
                    $(PassName::$Name => <<$settings as Setting>::Pass as Pass>::LASTING,)+
                }
            }

            /// Whether its edits wait until a batch saves `clearAtLeast` tokens.
            pub fn waits(self) -> bool {
                match self {
                    $(PassName::$Name => <<$settings as Setting>::Pass as Pass>::WAITS,)+
                }
            }
        }

        /// The reason for an edit, in a few words.
        pub fn reason(history: &History, edit: &PlannedEdit, current_step: u32) -> String {
            match edit.pass {
                $(PassName::$Name => <<$settings as Setting>::Pass as Pass>::reason(
                    history,
                    edit,
                    current_step,
                ),)+
            }
        }
    };
}
with_passes!(declare_policy);

impl Policy {
    /// Parses the JSON of a policy.
    ///
    /// # Errors
    ///
    /// [`Problem::InvalidPolicy`] if it is not JSON, or if a setting is unknown or not usable.
    pub fn from_json(json: &str) -> Result<Self, Problem> {
        let value = parsed(json.as_bytes()).ok_or_else(|| not_json(json))?;
        let mut policy = Self::default();
        policy.read(&value).map_err(|wrong| at_its_place(&wrong))?;
        policy.problem().map_or(Ok(policy), |reason| Err(refused(reason)))
    }

    /// The problem with these settings, each alone or together, if any.
    fn problem(&self) -> Option<String> {
        let of_passes = PassName::ALL.iter().find_map(|pass| self.check(*pass));
        let warn = || self.warn.settings().and_then(WarnPolicy::problem);
        of_passes
            .or_else(warn)
            .or_else(|| self.retire_problem())
            .or_else(|| self.removal_problem())
            .or_else(|| self.exclude_problem())
            .or_else(|| self.glob_problem())
    }

    fn glob_problem(&self) -> Option<String> {
        self.protect.paths.iter().enumerate().find_map(|(i, glob)| {
            Some(format!("protect.paths.{i} matches no path: {}", glob_problem(glob)?))
        })
    }

    /// A call must not be both pinned and excluded.
    fn exclude_problem(&self) -> Option<String> {
        let excluded = &self.exclude.as_ref()?.0;
        let at = excluded.iter().position(|id| self.protect.pinned.contains(id))?;
        let id = quoted(&excluded[at]);
        Some(format!(
            "exclude.{at} is {id}, which `protect.pinned` has too: take it out of one of them"
        ))
    }

    /// Whether a pass is on that edits results other than excluded or ephemeral ones.
    pub fn edits_results(&self) -> bool {
        self.has_other_than(&[PassName::Exclude, PassName::Reasoning, PassName::Ephemeral])
    }

    fn has_other_than(&self, passes: &[PassName]) -> bool {
        PassName::ALL.iter().any(|pass| !passes.contains(pass) && self.has(*pass))
    }

    /// Passes do not edit each other's results, so beside another pass, `retire` would weigh the cost of another view
    /// than the one that is sent.
    fn retire_problem(&self) -> Option<String> {
        const BESIDE: &[PassName] = &[
            PassName::Reasoning,
            PassName::Ephemeral,
            PassName::Budget,
            PassName::Retire,
            PassName::Exclude,
        ];
        (self.retire.is_on() && self.has_other_than(BESIDE)).then(|| {
            "`retire` decides what becomes of results and calls: of the other passes only `exclude`, `reasoning`, \
             `ephemeral` and `budget` can be on beside it"
                .to_owned()
        })
    }

    /// Removing calls renumbers the steps and forgets writes, on which the decisions of the other passes depend: they
    /// would change when the view is projected again.
    fn removal_problem(&self) -> Option<String> {
        let removes = |settings: &EphemeralPolicy| settings.mode == EphemeralMode::Remove;
        let others = self.has_other_than(&[PassName::Ephemeral, PassName::Exclude]);
        (others && self.ephemeral.settings().is_some_and(removes)).then(|| {
            "ephemeral mode `remove` works alone: clean up with it first, then project with the other passes"
                .to_owned()
        })
    }
}

impl TextSettings for Policy {
    fn placeholder(&self) -> Option<&str> {
        self.clear.settings().map(|clear| clear.placeholder.as_str())
    }

    fn clip_ends(&self, tool: &str) -> Option<ClipEnds> {
        self.clip.settings().map(|clip| clip.limits_of(tool).ends())
    }

    fn recall(&self) -> bool {
        self.recall
    }
}

fn at_its_place(Wrong { path, reason }: &Wrong) -> Problem {
    let argument = joined(path, ".");
    let reason = if path.is_empty() { reason.clone() } else { format!("{argument}: {reason}") };
    Problem::InvalidPolicy { argument, reason }
}

/// The message of a check begins with the setting, if it is about one: `clear.placeholder must have ...`.
fn refused(reason: String) -> Problem {
    let first = reason.split(' ').next().unwrap_or_default();
    let argument = if first.contains('.') { first.to_owned() } else { String::new() };
    Problem::InvalidPolicy { argument, reason }
}

/// A JavaScript string can contain half of a surrogate pair, which JSON can only write as an escape. serde's own
/// message is not used: it would link the messages of all operating system errors into the core.
fn not_json(json: &str) -> Problem {
    let reason = if json.as_bytes().windows(3).any(|escape| escape == br"\ud") {
        "a text of it has half of a surrogate pair"
    } else {
        "it is not JSON, or nested too deeply"
    };
    Problem::InvalidPolicy { argument: String::new(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{AgePolicy, PassSetting, Policy};

    #[test]
    fn switches_and_defaults() {
        let age = |json: &str| Policy::from_json(json).map(|policy| policy.age);
        let shorter = AgePolicy { max_tool_output_age: 2, ..AgePolicy::default() };
        assert_eq!(age("{}"), Ok(PassSetting::default()));
        assert_eq!(age(r#"{"age":null}"#), Ok(PassSetting::default()));
        assert_eq!(age(r#"{"age":false}"#), Ok(PassSetting::default()));
        assert_eq!(age(r#"{"age":true}"#), Ok(PassSetting::on(AgePolicy::default())));
        assert_eq!(age(r#"{"age":{"maxToolOutputAge":2}}"#), Ok(PassSetting::on(shorter)));
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
            (
                r#"{"age":{"maxToolOutputAge":-1}}"#,
                "age.maxToolOutputAge: invalid type: number `-1`, expected a whole number",
            ),
            (r#"{"ephemeral":{"mode":"remove"},"dedupe":true}"#, "works alone"),
            (
                r#"{"clear":{"placeholder":""}}"#,
                "clear.placeholder must have 1 to 160 bytes, it has 0",
            ),
            (
                r#"{"clear":{"trigger":{"type":"tokens","value":1}}}"#,
                "clear.trigger.type: unknown value `tokens`",
            ),
            ("[]", "invalid type: a list, expected an object of settings"),
            (r#"{"age":{"excludeTools":["a",3]}}"#, "age.excludeTools.1: invalid type: number `3`"),
            (
                r#"{"clear":{"trigger":{"type":"tool_uses"}}}"#,
                "clear.trigger: missing field `value`",
            ),
            ("{", "not JSON"),
            (r#"{"clear":{"placeholder":"\ud800"}}"#, "half of a surrogate pair"),
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
        let policy = Policy { age: PassSetting::on(AgePolicy::default()), ..Policy::default() };
        let json = serde_json::to_string(&policy).unwrap_or_default();
        assert_eq!(Policy::from_json(&json), Ok(policy));
    }
}
