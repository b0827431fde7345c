//! Parses AI SDK messages.

use crate::formats::ai_sdk_parts::{can_change, is_signed, reasoning, text};
use crate::formats::ephemeral_mark::EphemeralMark;
use crate::formats::parts::{ResultContent, is_foreign, json_size, signature_mark, unknown_size};
use crate::formats::slot::Slot;
use crate::formats::wire::OtherShape;
use crate::message::{
    BlockDraft, BlockKind, BlockPath, CallDraft, Key, Kind, MessageDraft, ResultDraft, Role,
    ToolArguments, Value, Word, read_string, text_size,
};

/// Part types that identify this format; few other formats use them.
const OWN_PARTS: &[Word] = &[
    Word::Image,
    Word::ToolCallPart,
    Word::ToolResultPart,
    Word::ToolApprovalRequest,
    Word::ToolApprovalResponse,
    Word::Reasoning,
    Word::ReasoningFile,
];

/// Parses a message, or returns [`OtherShape`] if it is not in this format.
pub fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
    let role = match message.field(Key::Role).word() {
        Some(Word::System) => Role::System,
        Some(Word::User) => Role::User,
        Some(Word::Assistant) => Role::Assistant,
        Some(Word::Tool) => Role::Tool,
        _ => return Err(OtherShape),
    };
    let is_other = [Key::ToolCalls, Key::ToolCallId]
        .iter()
        .any(|key| message.field(*key).kind() != Kind::Absent);
    let content = message.watched(Key::Content);
    let mark = EphemeralMark::of(message);
    let mut draft = MessageDraft::new(role, Vec::new());
    match content.kind() {
        _ if is_other => return Err(OtherShape),
        Kind::Text if role != Role::Tool => {
            let size = text_size(&content);
            draft.blocks.push(BlockDraft::plain(BlockKind::Text, BlockPath::Content, size));
        }
        Kind::List => {
            for i in 0..content.len() {
                let one = content.item(i);
                if is_clines(message, &one) {
                    return Err(OtherShape);
                }
                let block = part(&mark, role, &one, BlockPath::Item(i as u32))?;
                if block.kind == BlockKind::ToolCall && is_signed(&one, Key::ProviderOptions) {
                    draft.blocks.push(signature_mark());
                }
                draft.blocks.push(block);
            }
        }
        _ => return Err(OtherShape),
    }
    Ok(draft)
}

/// Returns whether a result is Cline's. Its `output` is a text, as in version 4 of the SDK, but a stub in it would not
/// be a text.
fn is_clines<V: Value>(message: &V, part: &V) -> bool {
    part.field(Key::Output).kind() == Kind::Text
        && message.field(Key::CreatedAt).kind() != Kind::Absent
}

fn part<V: Value>(
    mark: &EphemeralMark<'_, V>,
    role: Role,
    part: &V,
    place: BlockPath,
) -> Result<BlockDraft, OtherShape> {
    let plain = |kind, size| Ok(BlockDraft::plain(kind, place, size));
    match part.field(Key::Type).word() {
        Some(Word::Text) if role != Role::Tool => Ok(text(part, place, Key::ProviderOptions)),
        Some(Word::Reasoning) => Ok(reasoning(part, place, Key::ProviderOptions)),
        Some(Word::ToolCallPart) => Ok(call(part, place)),
        Some(Word::ToolResultPart) => Ok(result(mark, role, part, place)),
        Some(Word::Image) if part.field(Key::Source).kind() != Kind::Absent => Err(OtherShape),
        Some(Word::File) if part.field(Key::File).kind() != Kind::Absent => Err(OtherShape),
        Some(Word::Image | Word::File | Word::ReasoningFile) => {
            plain(BlockKind::File, unknown_size(part))
        }
        Some(word) if is_foreign(word, OWN_PARTS) => Err(OtherShape),
        Some(Word::Text) => Err(OtherShape),
        _ => plain(BlockKind::Unknown, json_size(part)),
    }
}

fn call<V: Value>(part: &V, place: BlockPath) -> BlockDraft {
    let input = part.watched(Key::Input);
    let (arguments, size) = ToolArguments::read(&input);
    let call = CallDraft {
        id: read_string(&part.field(Key::ToolCallIdCamel)),
        name: read_string(&part.field(Key::ToolName)).unwrap_or_default(),
        arguments,
        editable: can_change(part, Key::ProviderOptions),
        provider_executed: part.field(Key::ProviderExecuted).is_true(),
        takes_text: false,
    };
    BlockDraft::call(place, size, call)
}

fn result<V: Value>(
    mark: &EphemeralMark<'_, V>,
    role: Role,
    part: &V,
    place: BlockPath,
) -> BlockDraft {
    let output = part.watched(Key::Output);
    let content = ResultContent::read(Slot::ModelOutput, &output);
    let failed = matches!(
        output.field(Key::Type).word(),
        Some(Word::ErrorText | Word::ErrorJson | Word::ExecutionDenied)
    );
    let editable = content.editable && role == Role::Tool;
    let result = ResultDraft {
        id: read_string(&part.field(Key::ToolCallIdCamel)),
        name: read_string(&part.field(Key::ToolName)),
        by_name: false,
        is_error: failed || content.reads_as_error,
        // The mark applies to the whole message; opaque results in it are kept.
        ephemeral: mark.is_set() && editable,
        media: content.media,
        text_only: content.text_only,
        editable,
        is_stub: part.is_stub(),
        partial_result: content.partial_result,
    };
    BlockDraft::result(place, content.size, result)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::message::{BlockKind, History, JsonValue};
    use serde_json::{Value as Json, json};

    fn history(messages: &[Json]) -> History {
        let mut history = History::default();
        for message in messages {
            if let Ok(draft) = read(&JsonValue::from(message)) {
                history.push(draft);
            }
        }
        assert_eq!(history.messages().len(), messages.len());
        history
    }

    fn output(output: &Json) -> History {
        let part =
            json!({"type": "tool-result", "toolCallId": "a", "toolName": "read", "output": output});
        history(&[json!({"role": "tool", "content": [part]})])
    }

    #[test]
    fn reads_outputs_of_each_type() {
        let cases = [
            (json!({"type": "text", "value": "abc"}), 3, true, false),
            (json!({"type": "json", "value": {"a": 1}}), 7, true, false),
            (json!({"type": "content", "value": [{"type": "text", "text": "ab"}]}), 2, true, false),
            (json!({"type": "error-text", "value": "no"}), 2, true, true),
            (json!({"type": "error-json", "value": [1]}), 3, true, true),
            (json!({"type": "execution-denied"}), 27, false, true),
            (json!({"type": "hologram", "value": 1}), 29, false, false),
        ];
        for (json, bytes, editable, is_error) in cases {
            let history = output(&json);
            let one = &history.uses()[0];
            assert_eq!(history.blocks()[0].size.bytes, bytes, "{json}");
            assert_eq!((one.editable, one.is_error), (editable, is_error), "{json}");
        }
    }

    #[test]
    fn what_the_provider_ran_is_opaque() {
        let history = history(&[json!({"role": "assistant", "content": [
            {"type": "reasoning", "text": "hm"},
            {"type": "tool-call", "toolCallId": "a", "toolName": "web", "input": {"query": "x"}, "providerExecuted": true},
            {"type": "tool-result", "toolCallId": "a", "toolName": "web", "output": {"type": "json", "value": []}},
            {"type": "tool-approval-request", "approvalId": "b", "toolCallId": "a"},
        ]})]);
        let one = &history.uses()[0];
        assert!(one.call.is_some() && one.result.is_some() && !one.editable);
        assert_eq!(history.blocks()[0].kind, BlockKind::Reasoning);
        assert_eq!(history.blocks()[3].kind, BlockKind::Unknown);
    }
}
