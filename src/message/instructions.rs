//! System messages within a conversation.

use super::block::{BlockKind, Role};
use super::history::{Block, History, UseId};

/// Whether a system message follows a result whose call is in a message with other content of the model. The system
/// message must not follow that content directly, so the result is needed between them. Only formats that put results
/// into user messages are affected.
pub fn instructions_follow(history: &History, id: UseId) -> bool {
    let (Some(call), Some(result)) = (history[id].call, history[id].result) else { return false };
    let answer = history[result].message;
    let role = |index: usize| history.messages().get(index).map(|message| message.role);
    let is_call = |block: &Block| block.kind == BlockKind::ToolCall;
    role(answer) == Some(Role::User)
        && role(answer + 1) == Some(Role::System)
        && !history.blocks_of(history[call].message).1.iter().all(is_call)
}
