//! Clears the oldest remaining results until the view fits. Source: document "Smart Tool History", token budget.
//!
//! It is decided last, after the other passes have left too much; they then work on what it left, so that no pointer
//! refers to a cleared result. Protected content is kept even so. If the view still does not fit, it is the smallest
//! possible one, and the report says so.

use crate::message::{History, ToolUse, UseId};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::{Plan, PlannedEdit};
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{Kind, StubStyle};
use crate::projection::replacement::worth::STUB_LIMIT;
use crate::projection::settings::settings;
use crate::projection::view::pass_view::View;
use serde::Serialize;

/// Settings of the budget pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct BudgetPolicy {
    /// Maximum size of a view in estimated tokens. Default 140,000: 70 % of a window of 200,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_tokens: u32,
    /// A view that is too large is reduced to this many tokens, so that it is not rewritten at every step. Default 80 %
    /// of `maxTokens`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional))]
    pub down_to: Option<u32>,
    /// The results of this many newest steps are kept. Default 1.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub keep_steps: u32,
}

settings!(BudgetPolicy { max_tokens as "maxTokens", down_to as "downTo", keep_steps as "keepSteps" });

impl Default for BudgetPolicy {
    fn default() -> Self {
        Self { max_tokens: 140_000, down_to: None, keep_steps: 1 }
    }
}

impl BudgetPolicy {
    /// Whether a view of this many estimated tokens fits.
    pub fn allows(&self, tokens: u64) -> bool {
        tokens <= u64::from(self.max_tokens)
    }

    /// Returns the plan that clears as few results as necessary, found by bisection. `plan_with(count)` plans with the
    /// `count` oldest results cleared, and with all edits that wait for a batch.
    ///
    /// If clearing all of them is not enough, the view is as small as possible.
    pub fn fit(&self, history: &History, mut plan_with: impl FnMut(usize) -> Plan) -> Plan {
        let tokens = |plan: &Plan| history.tokens() - plan.saved();
        let whole = plan_with(usize::MAX);
        let (mut enough, mut too_few) = (whole.count(PassName::Budget), 0);
        let wanted =
            u64::from(self.down_to.unwrap_or(self.max_tokens / 5 * 4).min(self.max_tokens));
        let limit = wanted.max(tokens(&whole));
        let bare = plan_with(0);
        if tokens(&bare) <= limit {
            return bare;
        }
        let mut plan = whole;
        while too_few + 1 < enough {
            let middle = too_few + (enough - too_few) / 2;
            let tried = plan_with(middle);
            if tokens(&tried) <= limit {
                (plan, enough) = (tried, middle);
            } else {
                too_few = middle;
            }
        }
        plan
    }
}

impl Pass for BudgetPolicy {
    const PUTS: &'static [Kind] = &[Kind::Cleared];
    const WAITS: bool = false;

    /// Clears as many of the oldest eligible results as [`BudgetPolicy::fit`] requests.
    fn run(&self, view: &mut View<'_>) {
        let Some(count) = view.settings.must_clear else { return };
        let current_step = u64::from(view.settings.current_step);
        let is_old =
            |one: &ToolUse| u64::from(one.step) + u64::from(self.keep_steps) <= current_step;
        let may_go = |(id, one): &(UseId, &ToolUse)| {
            is_old(one)
                && view.is_eligible(*id, one, STUB_LIMIT)
                && view.kept_when_old(one).is_none()
        };
        let oldest: Vec<UseId> =
            view.survivors().filter(may_go).map(|(id, _)| id).take(count).collect();
        let is_brief = view.settings.brief_stubs;
        let style = if is_brief { StubStyle::BRIEF } else { self.style() };
        for id in oldest {
            view.clear(id, PassName::Budget, style);
        }
    }

    fn reason(_: &History, _: &PlannedEdit, _: u32) -> String {
        "among the oldest when the view did not fit".to_owned()
    }
}
