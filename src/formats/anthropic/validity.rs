//! Rules that Anthropic enforces on messages (API reference, "Create a Message", and the guides on tool use and
//! extended thinking; quotations are the API's error messages).
//!
//! - `unanswered-call`: "`tool_use` ids were found without `tool_result` blocks immediately after: …. Each `tool_use`
//!   block must have a corresponding `tool_result` block in the next message."
//! - `orphan-result`: "unexpected `tool_use_id` found in `tool_result` blocks: …. Each `tool_result` block must
//!   have a corresponding `tool_use` block in the previous message."; of the provider's own tools: "unexpected
//!   `tool_use_id` found in `advisor_tool_result` blocks: …. Each `advisor_tool_result` block must have a corresponding
//!   `server_tool_use` block before it." Such a call may be without a result: the answer is paused, or a program of the
//!   provider waits for the host.
//! - `result-order`: the same error, if the call is in another position.
//! - `results-not-first`: "`tool_use` ids were found without `tool_result` blocks immediately after", if another block
//!   precedes the result; the guide: "tool result blocks must come first".
//! - `calls-not-last`: the same error, if text is between a call and its result.
//! - `reasoning-last`: "The final block in an assistant message cannot be `thinking`."
//! - `first-role`: "messages: first message must use the "user" role"; "messages.0: use the top-level 'system' parameter
//!   for the initial system prompt".
//! - `system-order`: "role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result";
//!   "role 'system' must precede an 'assistant' message or end the array". Several in a row count as one; one that only
//!   has `output_config` is accepted at any position.
//! - `compaction-first`: `compaction_block_misplaced`, "The `compaction` block is not the first block of the conversation",
//!   and `compaction_block_ambiguous`, if another one precedes it. Messages before an unsigned compaction may stay and are
//!   not checked.
//! - `duplicate-result`: "each tool_use must have a single result. Found multiple `tool_result` blocks with id".
//! - `result-role`: "`tool_result` blocks can only be in `user` messages".
//! - `call-role`: "`tool_use` blocks can only be in `assistant` messages".
//! - `duplicate-id`: "`tool_use` ids must be unique", in the whole history.
//! - `invalid-id`: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'".
//! - `missing-id`: "messages.1.content.0.tool_use.id: Field required"; `tool_use_id` is required too.
//!
//! "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified": repair keeps the
//! positions, ids and texts of the blocks beside them. Two changes do not affect them and are made: an empty text block
//! is removed, and a text is added to a message that ends in reasoning.

use crate::formats::parts::says_something;
use crate::formats::repair::edits::{NewValue, RepairEdit, RepairItem, RepairStep, path_to};
use crate::formats::repair::problem::ValidityRule;
use crate::formats::repair::rules::{Fault, Ids, Layout, NO_RESULT, Reach, Rules};
use crate::message::{BlockKind, Key, Kind, Value, Word};

pub const RULES: Rules = Rules {
    layout: Layout::Nested,
    ids: Ids { unique_in_history: true, plain: true, optional: false },
    reach: Reach::Next,
    call_id: &[Key::Id],
    result_id: &[Key::ToolUseId],
    locked_by: &[BlockKind::Reasoning],
    ordered_blocks: true,
    served_results: true,
    user_first: true,
    ..Rules::USUAL
};

/// `empty-content`: "all messages must have non-empty content except for the optional final assistant message".
pub fn says_nothing<V: Value>(content: &V, is_final_answer: bool) -> bool {
    match content.kind() {
        Kind::Absent => !is_final_answer,
        Kind::List => content.is_empty() && !is_final_answer,
        // Whitespace is rejected in the final answer too.
        Kind::Text => {
            content.is_blank() && !(is_final_answer && content.read_text(&mut |_| {}) == 0)
        }
        Kind::Object | Kind::Scalar => false,
    }
}

/// `empty-text`: "text content blocks must be non-empty", "text content blocks must contain non-whitespace text".
pub fn is_empty_text<V: Value>(block: &V) -> bool {
    block.field(Key::Type).word() == Some(Word::Text) && !says_something(&block.field(Key::Text))
}

/// `empty-text` also applies to the texts in a result; a result may have no texts.
pub fn result_fault<V: Value>(result: &V, message: usize, way: &[RepairStep]) -> Option<Fault> {
    let parts = result.field(Key::Content);
    let (empty, full): (Vec<usize>, Vec<usize>) =
        (0..parts.len()).partition(|i| is_empty_text(&parts.item(*i)));
    if empty.is_empty() {
        return None;
    }
    let item = |i: usize| {
        let mut from = way.to_vec();
        from.extend(path_to(&[Key::Content], Some(i as u32)));
        RepairItem::Keep { message, from, edits: Vec::new() }
    };
    let edit = if full.is_empty() {
        RepairEdit::delete(Key::Content)
    } else {
        RepairEdit::arrange(Key::Content, full.into_iter().map(item).collect())
    };
    Some(Fault {
        rule: ValidityRule::EmptyText,
        problem: "a text without text in a result",
        remedy: "took the empty text out of the result",
        edits: vec![edit],
    })
}

/// Returns the result that repair adds for an interrupted call.
pub fn missing_result(id: &str) -> NewValue {
    NewValue::Object(vec![
        (Key::Type, "tool_result".into()),
        (Key::ToolUseId, id.into()),
        (Key::Content, NO_RESULT.into()),
        (Key::IsError, NewValue::True),
    ])
}
