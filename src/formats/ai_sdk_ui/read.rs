//! Parses AI SDK UI messages.

use crate::formats::ai_sdk_parts::{can_change, is_signed, reasoning, text};
use crate::formats::ephemeral_mark::{EphemeralMark, is_marked_part};
use crate::formats::parts::{ResultContent, json_size, signature_mark, unknown_size};
use crate::formats::slot::Slot;
use crate::formats::wire::OtherShape;
use crate::message::{
    BlockDraft, BlockKind, BlockPath, CallDraft, Key, Kind, MessageDraft, Removable, ResultDraft,
    Role, ToolArguments, Value, Word, read_string,
};

/// Parses a message, or returns [`OtherShape`] if it is not in this format.
pub fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
    let role = match message.field(Key::Role).word() {
        Some(Word::System) => Role::System,
        Some(Word::User) => Role::User,
        Some(Word::Assistant) => Role::Assistant,
        _ => return Err(OtherShape),
    };
    let parts = message.watched(Key::Parts);
    if parts.kind() != Kind::List {
        return Err(OtherShape);
    }
    let mark = EphemeralMark::of(message);
    let mut draft = MessageDraft::new(role, Vec::new());
    for i in 0..parts.len() {
        read_part(&mark, &parts.item(i), i as u32, &mut draft)?;
    }
    keep_lone_reasoning(&mut draft);
    Ok(draft)
}

fn read_part<V: Value>(
    mark: &EphemeralMark<'_, V>,
    part: &V,
    index: u32,
    draft: &mut MessageDraft,
) -> Result<(), OtherShape> {
    let place = BlockPath::Item(index);
    let kind = part.field(Key::Type);
    let (kind, size) = match kind.word() {
        Some(Word::StepStart) => {
            start_step(draft);
            return Ok(());
        }
        Some(Word::Text) => {
            draft.blocks.push(text(part, place, Key::ProviderMetadata));
            return Ok(());
        }
        Some(Word::Reasoning) => {
            draft.blocks.push(reasoning(part, place, Key::ProviderMetadata));
            return Ok(());
        }
        Some(Word::File | Word::ReasoningFile) => (BlockKind::File, unknown_size(part)),
        Some(Word::DynamicTool) => {
            let name = read_string(&part.field(Key::ToolName)).unwrap_or_default();
            return push_tool(mark, part, index, name, draft);
        }
        None if kind.kind() != Kind::Text => return Err(OtherShape),
        _ => match read_string(&kind).as_deref().and_then(|kind| kind.strip_prefix("tool-")) {
            Some(name) if part.field(Key::ToolCallIdCamel).kind() == Kind::Text => {
                return push_tool(mark, part, index, name.to_owned(), draft);
            }
            _ => (BlockKind::Unknown, json_size(part)),
        },
    };
    draft.blocks.push(BlockDraft::plain(kind, place, size));
    Ok(())
}

/// Keeps the reasoning of a step that has no other blocks: removing it would change the sequence of steps.
fn keep_lone_reasoning(draft: &mut MessageDraft) {
    let start = draft.step_starts.last().copied().unwrap_or(0);
    let step = &mut draft.blocks[start..];
    if step.iter().all(|block| block.kind == BlockKind::Reasoning) {
        step.iter_mut().for_each(|block| block.removable = Removable::Never);
    }
}

/// Starts a new step. The first step begins with its message, so its `step-start` adds nothing.
fn start_step(draft: &mut MessageDraft) {
    keep_lone_reasoning(draft);
    let at = draft.blocks.len();
    if draft.role == Role::Assistant && at > 0 && draft.step_starts.last() != Some(&at) {
        draft.step_starts.push(at);
    }
}

fn push_tool<V: Value>(
    mark: &EphemeralMark<'_, V>,
    part: &V,
    index: u32,
    name: String,
    draft: &mut MessageDraft,
) -> Result<(), OtherShape> {
    let id = read_string(&part.field(Key::ToolCallIdCamel));
    let input = part.watched(Key::Input);
    let (arguments, size) = ToolArguments::read(&input);
    let call = CallDraft {
        id: id.clone(),
        name,
        arguments,
        editable: can_change(part, Key::CallProviderMetadata),
        provider_executed: part.field(Key::ProviderExecuted).is_true(),
        takes_text: false,
    };
    if is_signed(part, Key::CallProviderMetadata) {
        draft.blocks.push(signature_mark());
    }
    draft.blocks.push(BlockDraft::call(BlockPath::Item(index), size, call));
    let failed = match part.watched(Key::State).word() {
        Some(Word::OutputAvailable) => false,
        Some(Word::OutputError) => true,
        // No output: not answered yet, or denied.
        _ => return Ok(()),
    };
    let key = if failed { Key::ErrorText } else { Key::Output };
    let content = ResultContent::read(Slot::RawOutput, &part.watched(key));
    let editable = !part.field(Key::ProviderExecuted).is_true();
    let result = ResultDraft {
        id,
        name: None,
        by_name: false,
        is_error: failed || content.reads_as_error,
        // A message holds a turn: its mark is for all its results, that of a part for one. Opaque results are kept.
        ephemeral: editable && (mark.is_set() || is_marked_part(part)),
        media: content.media,
        text_only: content.text_only,
        editable,
        is_stub: part.is_stub(),
        partial_result: content.partial_result,
    };
    draft.blocks.push(BlockDraft::result(BlockPath::Shared(index, key), content.size, result));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::message::{History, JsonValue};
    use serde_json::json;

    #[test]
    fn a_message_holds_steps_with_their_calls() {
        let message = json!({"id": "m", "role": "assistant", "parts": [
            {"type": "step-start"},
            {"type": "tool-read", "toolCallId": "a", "state": "output-available", "input": {"path": "a.ts"}, "output": "text"},
            {"type": "dynamic-tool", "toolName": "ls", "toolCallId": "b", "state": "output-error", "input": {}, "errorText": "no"},
            {"type": "step-start"},
            {"type": "tool-web", "toolCallId": "c", "state": "output-available", "providerExecuted": true, "input": {}, "output": {}},
            {"type": "tool-ask", "toolCallId": "d", "state": "input-available", "input": {}},
            {"type": "step-start"},
            {"type": "text", "text": "done"},
            {"type": "data-chart", "data": [1]},
        ]});
        let mut history = History::default();
        if let Ok(draft) = read(&JsonValue::from(&message)) {
            history.push(draft);
        }
        let uses = history.uses();
        assert_eq!(uses.iter().map(|one| one.step).collect::<Vec<_>>(), [1, 1, 2, 2]);
        assert_eq!(history.steps(), 3);
        assert!(history.messages()[0].ends_turn);
        assert_eq!(
            uses.iter().map(|one| one.result.is_some()).collect::<Vec<_>>(),
            [true, true, true, false]
        );
        assert_eq!(
            uses.iter().map(|one| one.is_error).collect::<Vec<_>>(),
            [false, true, false, false]
        );
        assert_eq!(
            uses.iter().map(|one| one.editable).collect::<Vec<_>>(),
            [true, true, false, false]
        );
        let tools: Vec<&str> = uses.iter().map(|one| history.names().text(one.tool)).collect();
        assert_eq!(tools, ["read", "ls", "web", "ask"]);
    }
}
