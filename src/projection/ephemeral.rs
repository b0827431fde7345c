//! Ephemeral content leaves the view when its turn is over: document "ReadTool Improvements", `ephemeral`.
//!
//! The document deletes the result and leaves its call, which providers reject; here the result becomes a stub, or
//! both go together.

use super::stub::ephemeral_stub;
use super::{EphemeralMode, EphemeralPolicy, EphemeralWhen, Pass, PassName, Replacement, View};
use crate::message::{ToolUse, UseId};
use crate::tokens::estimate_tokens;

impl Pass for EphemeralPolicy {
    fn run(&self, view: &mut View<'_>) {
        if !view.history.has_ephemeral() {
            return;
        }
        let turn_end = view.history.messages().iter().rposition(|message| message.ends_turn);
        let is_over = |one: &ToolUse| match (self.when, one.result) {
            (EphemeralWhen::Now, _) => true,
            (EphemeralWhen::AfterTurn, Some(block)) => {
                turn_end > Some(view.history.blocks()[block.0].message)
            }
            (EphemeralWhen::AfterTurn, None) => false,
        };
        let is_empty = |one: &ToolUse| {
            one.text_only && one.result.is_some_and(|b| view.history.blocks()[b.0].size.bytes == 0)
        };
        let marked =
            |one: &ToolUse| one.ephemeral && one.editable && !one.is_stub && !is_empty(one);
        let over: Vec<UseId> = view
            .survivors()
            .filter(|(_, one)| marked(one) && is_over(one))
            .map(|(id, _)| id)
            .collect();
        for id in over {
            match self.mode {
                EphemeralMode::Remove if can_remove(view, id) => {
                    view.plan.remove(view.history, id, PassName::Ephemeral)
                }
                _ => replace(view, id),
            }
        }
    }
}

fn can_remove(view: &View<'_>, id: UseId) -> bool {
    let one = &view.history.uses()[id.0];
    let message = |block: crate::message::BlockId| view.history.blocks()[block.0].message;
    match (one.call, one.result) {
        (Some(call), Some(result)) => {
            !view.is_signed(message(call)) && !view.is_signed(message(result))
        }
        _ => false,
    }
}

fn replace(view: &mut View<'_>, id: UseId) {
    let Some(block) = view.history.uses()[id.0].result else { return };
    let stub = ephemeral_stub(view.history.blocks()[block.0].tokens);
    view.plan.replace(
        view.history,
        id,
        PassName::Ephemeral,
        Replacement::Ephemeral,
        estimate_tokens(stub.len() as u64),
    );
}
