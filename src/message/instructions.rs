//! System messages within a conversation. In a format that puts results into user messages, what the user said or a
//! result precedes them, and what the model said or called follows.

use super::block::{BlockKind, Role};
use super::history::{Block, History, ToolUse, UseId};

/// Whether the history has system messages that need certain messages beside them.
pub fn has_instructions(history: &History) -> bool {
    let role = |message: usize| history.messages()[message].role;
    let in_user =
        |one: &ToolUse| one.result.is_some_and(|block| role(history[block].message) == Role::User);
    (1..history.messages().len()).any(|at| role(at) == Role::System)
        && history.uses().iter().any(in_user)
}

/// Keeps tool uses that are to be removed, which `gone` says for each, where a system message needs one of them beside
/// it.
pub fn keep_for_instructions(history: &History, gone: &mut [bool]) {
    if !has_instructions(history) {
        return;
    }
    // The role of the last message that is shown, and the first and the last use in the messages after it.
    let (mut shown, mut first, mut last) = (Role::User, None, None);
    for (at, message) in history.messages().iter().enumerate() {
        let blocks = history.blocks_of(at).1;
        let is_gone = |block: &Block| block.tool_use.is_some_and(|id| gone[id.0]);
        // Reasoning goes with its calls.
        let stays = |block: &Block| {
            !(block.is_nothing() || block.kind == BlockKind::Reasoning || is_gone(block))
        };
        if blocks.iter().any(stays) {
            let needed = match (shown, message.role) {
                (Role::Assistant, Role::System) => last,
                (Role::System, Role::User) => first,
                _ => None,
            };
            if let Some(UseId(id)) = needed {
                gone[id] = false;
            }
            (shown, first, last) = (message.role, None, None);
        } else if let Some(id) = blocks.iter().find_map(|block| block.tool_use) {
            first = first.or(Some(id));
            last = Some(id);
        }
    }
}
