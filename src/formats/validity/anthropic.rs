//! What Anthropic refuses of Messages (API reference, "Create a Message", and the guides on tool use and extended
//! thinking; the errors quoted are those that the API answers with).
//!
//! - `unanswered-call`: "`tool_use` ids were found without `tool_result` blocks immediately after: …. Each `tool_use`
//!   block must have a corresponding `tool_result` block in the next message."
//! - `orphan-result`: "unexpected `tool_use_id` found in `tool_result` blocks: …. Each `tool_result` block must
//!   have a corresponding `tool_use` block in the previous message."
//! - `result-order`: the same, where the call stands elsewhere.
//! - `results-not-first`: "`tool_use` ids were found without `tool_result` blocks immediately after", where another
//!   block stands before the result; the guide: "tool result blocks must come first".
//! - `duplicate-result`: "each tool_use must have a single result. Found multiple `tool_result` blocks with id".
//! - `result-role`: "`tool_result` blocks can only be in `user` messages".
//! - `call-role`: "`tool_use` blocks can only be in `assistant` messages".
//! - `duplicate-id`: "`tool_use` ids must be unique", in the whole history.
//! - `invalid-id`: "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'".
//! - `missing-id`: "messages.1.content.0.tool_use.id: Field required"; `tool_use_id` is required too.
//!
//! "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified": what stands beside
//! them keeps its place, its ids and its texts. Two changes leave them as they are and are made: a text block of
//! nothing is taken out, and an answer that ends in them gets an end.

use super::check::Check;
use super::layout::path_to;
use super::rules::{Ids, Reach, Rules};
use super::{
    NO_ANSWER, NO_RESULT, New, Position, RepairEdit, RepairItem, RepairStep, ValidityRule,
    says_something,
};
use crate::message::{BlockKind, Key, Kind, Role, Value, Word};

pub const RULES: Rules = Rules {
    ids: Ids { unique_in_history: true, plain: true, optional: false },
    reach: Reach::Next,
    call_id: &[Key::Id],
    result_id: &[Key::ToolUseId],
};

/// `empty-content`: "all messages must have non-empty content except for the optional final assistant message".
pub fn says_nothing<V: Value>(content: &V, is_final_answer: bool) -> bool {
    match content.kind() {
        Kind::Absent => !is_final_answer,
        Kind::List => content.is_empty() && !is_final_answer,
        // White space is refused in the last answer too.
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

/// `empty-text` holds for the texts in a result too; a result may be without any.
pub fn result_fault<V: Value>(
    result: &V,
    message: usize,
    way: &[RepairStep],
) -> Option<(ValidityRule, &'static str, &'static str, RepairEdit)> {
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
    let remedy = "took the empty text out of the result";
    Some((ValidityRule::EmptyText, "a text without text in a result", remedy, edit))
}

/// What answers a call that was interrupted.
pub fn no_result(id: &str) -> New {
    New::Object(vec![
        (Key::Type, "tool_result".into()),
        (Key::ToolUseId, id.into()),
        (Key::Content, NO_RESULT.into()),
        (Key::IsError, New::True),
    ])
}

impl<V: Value, F: Fn(usize) -> V> Check<'_, F> {
    /// Results stand before everything else, and text before calls.
    ///
    /// `calls-not-last`: text between a call and its result: "`tool_use` ids were found without `tool_result` blocks
    /// immediately after".
    pub fn order_blocks(&mut self, index: usize, kept: &mut Vec<usize>) {
        let history = self.history;
        let kind = |block: &usize| history.blocks()[*block].kind;
        if !self.locked[index] {
            let (mut results, others): (Vec<usize>, Vec<usize>) =
                kept.drain(..).partition(|block| kind(block) == BlockKind::ToolResult);
            results.extend(others);
            *kept = results;
        }
        let Some(call) = kept.iter().position(|block| kind(block) == BlockKind::ToolCall) else {
            return;
        };
        let (late, others): (Vec<usize>, Vec<usize>) =
            kept[call..].iter().partition(|block| kind(block) == BlockKind::Text);
        let Some(block) = late.first() else { return };
        let at = Position::block(index, block - history.blocks_of(index).0);
        let (rule, problem) = (ValidityRule::CallsNotLast, "text stands behind a call");
        if self.locked[index] {
            self.findings.left(at, rule, problem);
            return;
        }
        kept.truncate(call);
        kept.extend(late);
        kept.extend(others);
        self.findings.repaired(at, rule, problem, "moved the text before the calls");
    }

    /// `reasoning-last`: "The final block in an assistant message cannot be `thinking`."
    pub fn end_reasoning(&mut self, index: usize, kept: &[usize], items: &mut Vec<RepairItem>) {
        let blocks = self.history.blocks();
        let Some(last) = kept.last().filter(|block| blocks[**block].kind == BlockKind::Reasoning)
        else {
            return;
        };
        if self.role(index) != Role::Assistant {
            return;
        }
        let (first, own) = self.history.blocks_of(index);
        let position = last - first;
        let at = Position::block(index, position);
        let (rule, problem) = (ValidityRule::ReasoningLast, "the message ends in its reasoning");
        // An end behind a call would stand between the call and its result.
        if kept.iter().any(|block| blocks[*block].kind == BlockKind::ToolCall) {
            self.findings.left(at, rule, problem);
            return;
        }
        let value = New::Object(vec![(Key::Type, "text".into()), (Key::Text, NO_ANSWER.into())]);
        items.push(RepairItem::New { value });
        let remedy = format!("added the text {NO_ANSWER}");
        if position + 1 == own.len() {
            self.findings.repaired(at, rule, problem, remedy);
        } else {
            self.findings.also(index, rule, remedy);
        }
    }
}
