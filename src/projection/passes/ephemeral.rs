//! Removes ephemeral content when its turn is over. Source: document "ReadTool Improvements", `ephemeral`.
//!
//! The document deletes the result and leaves its call, which providers reject. Here the result becomes a stub, or call
//! and result are removed together.

use crate::message::{BlockId, History, Role, ToolUse, UseId, has_instructions};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{Kind, Replacement, StubStyle};
use crate::projection::replacement::texts::ephemeral_stub;
use crate::projection::settings::{settings, words};
use crate::projection::view::pass_view::View;
use crate::text::Digest;
use serde::Serialize;

/// Settings of the ephemeral pass: document "ReadTool Improvements".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct EphemeralPolicy {
    /// What replaces it. Default `stub`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<EphemeralMode>"))]
    pub mode: EphemeralMode,
    /// When it is removed. Default `after-turn`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<EphemeralWhen>"))]
    pub when: EphemeralWhen,
}

settings!(EphemeralPolicy { mode as "mode", when as "when" });

/// What replaces ephemeral content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum EphemeralMode {
    /// The result becomes a stub; call and result stay paired.
    #[default]
    Stub,
    /// Call and result are removed together. The result gets a stub where something beside it is signed, at the end of
    /// the history, and in histories of Anthropic's with system messages. Cannot be combined with other passes.
    Remove,
}

words!(EphemeralMode { Stub = "stub", Remove = "remove" });

/// When ephemeral content is removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum EphemeralWhen {
    /// When the assistant's final text or the user's next prompt has ended its turn.
    #[default]
    AfterTurn,
    /// Immediately: the host says that the turn is over.
    Now,
}

words!(EphemeralWhen { AfterTurn = "after-turn", Now = "now" });

impl Pass for EphemeralPolicy {
    const PUTS: &'static [Kind] = &[Kind::Ephemeral, Kind::Removed];
    /// The history itself marks ephemeral results.
    const LASTING: bool = false;
    const WAITS: bool = false;

    fn run(&self, view: &mut View<'_>) {
        if !view.history.has_ephemeral() {
            return;
        }
        // An answer of the AI SDK's UI holds the results of its own turn.
        let ends =
            view.history.messages().iter().enumerate().rfind(|(_, message)| message.ends_turn);
        let over =
            ends.map_or(0, |(end, message)| end + usize::from(message.role == Role::Assistant));
        let is_over = |one: &ToolUse| match (self.when, one.result) {
            (EphemeralWhen::Now, _) => true,
            (EphemeralWhen::AfterTurn, Some(block)) => view.history[block].message < over,
            (EphemeralWhen::AfterTurn, None) => false,
        };
        let goes = |one: &ToolUse| one.ephemeral && one.editable && !one.is_stub && is_over(one);
        let removed: Vec<UseId> =
            view.unedited().filter(|(_, one)| goes(one)).map(|(id, _)| id).collect();
        // It was marked only after a pass had clipped or summarized it.
        for (i, one) in view.history.uses().iter().enumerate().filter(|(_, one)| goes(one)) {
            let shows = |edit: &PlannedEdit| edit.replacement.shows_result();
            let Some(block) = one.result else { continue };
            if view.plan.decided(block).is_some_and(shows) {
                view.plan.undo(view.history, block);
                replace(view, UseId(i));
            }
        }
        let may_remove = self.mode == EphemeralMode::Remove && !has_instructions(view.history);
        // A view must not end with what the model said before a call.
        let end = view.history.blocks().last().and_then(|block| block.tool_use);
        for id in removed {
            // An edit that changes nothing would still remove the reasoning after it.
            if is_stub(view, id) {
                view.plan.take_result(id);
            } else if may_remove && Some(id) != end && can_remove(view, id) {
                view.plan.remove(view.history, id, PassName::Ephemeral);
            } else {
                replace(view, id);
            }
        }
    }

    fn reason(_: &History, _: &PlannedEdit, _: u32) -> String {
        "ephemeral, its turn is over".to_owned()
    }
}

/// Whether a call and its result can be removed: no signature may cover them.
fn can_remove(view: &View<'_>, id: UseId) -> bool {
    let one = &view.history[id];
    let is_free = |block: BlockId| !view.is_signed(view.history[block].message);
    one.call.is_some_and(is_free) && one.result.is_some_and(is_free)
}

/// Whether a result is empty, or the stub already: the host keeps or has loaded the history without the content.
fn is_stub(view: &mut View<'_>, id: UseId) -> bool {
    let one = &view.history[id];
    let Some(block) = one.result.filter(|_| one.text_only).map(|block| &view.history[block]) else {
        return false;
    };
    let stub = ephemeral_stub(block.tokens, one.is_error);
    block.tokens == 0
        || block.size.bytes == stub.len() as u64 && view.digest(id) == Some(Digest::of(stub))
}

fn replace(view: &mut View<'_>, id: UseId) {
    let Some(block) = view.history[id].result else { return };
    // The plan makes the stub of ephemeral content of it.
    let replacement = Replacement::Cleared(StubStyle::PLAIN);
    view.plan.replace(view.history, block, PassName::Ephemeral, replacement, 0);
}
