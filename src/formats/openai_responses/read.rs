//! Parses OpenAI Responses items.

use crate::formats::ephemeral_mark::is_marked;
use crate::formats::parts::{ResultContent, is_foreign, json_size, unknown_size};
use crate::formats::slot::Slot;
use crate::formats::wire::OtherShape;
use crate::message::{
    BlockDraft, BlockKind, BlockPath, CallDraft, Key, Kind, MessageDraft, Removable, ResultDraft,
    Role, ToolArguments, Value, Word, read_string, text_size,
};

/// Part types that identify this format; few other formats use them.
const OWN_PARTS: &[Word] = &[
    Word::InputAudio,
    Word::Refusal,
    Word::InputText,
    Word::OutputText,
    Word::InputImage,
    Word::InputFile,
];

/// Parses an item, or returns [`OtherShape`] if it is not in this format.
pub fn read<V: Value>(item: &V) -> Result<MessageDraft, OtherShape> {
    let kind = item.field(Key::Type);
    let draft = match kind.word() {
        None if kind.kind() == Kind::Absent => return message(item),
        Some(Word::Message) => return message(item),
        Some(Word::FunctionCall) => call(item, None, Key::Arguments),
        Some(Word::CustomToolCall) => call(item, None, Key::Input),
        Some(Word::LocalShellCall) => call(item, Some("local_shell"), Key::Action),
        Some(Word::ShellCall) => call(item, Some("shell"), Key::Action),
        Some(Word::ApplyPatchCall) => call(item, Some("apply_patch"), Key::Operation),
        Some(Word::ComputerCall) => call(item, Some("computer"), Key::Action),
        Some(word) if is_output(word) => result(item),
        Some(Word::Reasoning) => reasoning(item),
        Some(Word::ItemReference | Word::Compaction) => {
            opaque(item, BlockKind::Unknown, Role::Assistant)
        }
        // A known word that is not an item type belongs to another format's messages.
        Some(_) => return Err(OtherShape),
        None => unknown(item)?,
    };
    Ok(draft)
}

/// Returns whether an item's type belongs to this format. Detection does not accept items of unknown types.
pub fn is_known<V: Value>(item: &V) -> bool {
    let kind = item.field(Key::Type);
    let is_tool = |text: String| {
        text.starts_with("mcp_") || text.ends_with("_call") || text.ends_with("_call_output")
    };
    match kind.word() {
        Some(_) => true,
        None => kind.kind() == Kind::Absent || read_string(&kind).is_some_and(is_tool),
    }
}

fn is_output(word: Word) -> bool {
    matches!(
        word,
        Word::FunctionCallOutput
            | Word::CustomToolCallOutput
            | Word::LocalShellCallOutput
            | Word::ShellCallOutput
            | Word::ApplyPatchCallOutput
            | Word::ComputerCallOutput
    )
}

fn message<V: Value>(item: &V) -> Result<MessageDraft, OtherShape> {
    let role = match item.field(Key::Role).word() {
        Some(Word::System | Word::Developer) => Role::System,
        Some(Word::User) => Role::User,
        Some(Word::Assistant) => Role::Assistant,
        _ => return Err(OtherShape),
    };
    if item.field(Key::ToolCalls).kind() != Kind::Absent {
        return Err(OtherShape);
    }
    let content = item.watched(Key::Content);
    let blocks = match content.kind() {
        Kind::Absent => return Err(OtherShape),
        Kind::Text => {
            vec![BlockDraft::plain(BlockKind::Text, BlockPath::Content, text_size(&content))]
        }
        Kind::List => {
            (0..content.len()).map(|i| part(&content.item(i), i)).collect::<Result<_, _>>()?
        }
        Kind::Object | Kind::Scalar => {
            vec![BlockDraft::plain(BlockKind::Unknown, BlockPath::Content, json_size(&content))]
        }
    };
    Ok(MessageDraft { is_piece: true, ..MessageDraft::new(role, blocks) })
}

fn part<V: Value>(part: &V, index: usize) -> Result<BlockDraft, OtherShape> {
    let plain = |kind, size| Ok(BlockDraft::plain(kind, BlockPath::Item(index as u32), size));
    match part.field(Key::Type).word() {
        Some(Word::InputText | Word::OutputText | Word::Text) => {
            plain(BlockKind::Text, text_size(&part.watched(Key::Text)))
        }
        Some(Word::Refusal) => plain(BlockKind::Text, text_size(&part.field(Key::Refusal))),
        Some(Word::InputImage | Word::InputFile | Word::InputAudio) => {
            plain(BlockKind::File, unknown_size(part))
        }
        Some(word) if is_foreign(word, OWN_PARTS) => Err(OtherShape),
        _ => plain(BlockKind::Unknown, unknown_size(part)),
    }
}

fn call<V: Value>(item: &V, tool: Option<&str>, key: Key) -> MessageDraft {
    let arguments = item.watched(key);
    let kind = item.field(Key::Type).word();
    // No word: an `mcp_call`, which has only an `id`.
    let provider_executed = kind.is_none();
    let name = || read_string(&item.field(Key::Name)).unwrap_or_default();
    let (arguments, size) = ToolArguments::read(&arguments);
    let call = CallDraft {
        id: read_string(&item.field(if provider_executed { Key::Id } else { Key::CallId })),
        name: tool.map_or_else(name, str::to_owned),
        arguments,
        editable: kind == Some(Word::FunctionCall),
        provider_executed,
        takes_text: key == Key::Input,
    };
    let block = BlockDraft::call(BlockPath::Whole(key), size, call);
    MessageDraft::piece(Role::Assistant, block)
}

fn result<V: Value>(item: &V) -> MessageDraft {
    let content = ResultContent::read(Slot::ResponsesOutput, &item.watched(Key::Output));
    let failed = matches!(item.field(Key::Status).word(), Some(Word::Failed | Word::Incomplete));
    let result = ResultDraft {
        // In the reference, the output of a local shell has the call's id in `id`.
        id: read_string(&item.field(Key::CallId)).or_else(|| read_string(&item.field(Key::Id))),
        name: None,
        by_name: false,
        is_error: failed || content.reads_as_error,
        ephemeral: is_marked(item),
        media: content.media,
        text_only: content.text_only,
        editable: content.editable,
        is_stub: item.is_stub(),
        partial_result: content.partial_result,
    };
    let block = BlockDraft::result(BlockPath::Whole(Key::Output), content.size, result);
    MessageDraft::piece(Role::Tool, block)
}

/// Reads a call that OpenAI's own MCP client made, with its output.
fn mcp_call<V: Value>(item: &V) -> MessageDraft {
    let mut draft = call(item, None, Key::Arguments);
    if item.field(Key::Output).kind() == Kind::Text {
        draft.blocks.extend(result(item).blocks);
    }
    draft
}

/// Reads a reasoning item. Only reasoning of another provider, reached through a client of this format, has a visible
/// signature.
fn reasoning<V: Value>(item: &V) -> MessageDraft {
    let signed = item.field(Key::Signature).kind() == Kind::Text;
    let removable = if signed { Removable::AfterTurn } else { Removable::Never };
    let block = BlockDraft::reasoning(BlockPath::Message, json_size(item), removable);
    MessageDraft::piece(Role::Assistant, block.signed(signed))
}

fn opaque<V: Value>(item: &V, kind: BlockKind, role: Role) -> MessageDraft {
    MessageDraft::piece(role, BlockDraft::plain(kind, BlockPath::Message, json_size(item)))
}

/// Reads an item of an unknown type. Its role is the assistant if its name ends in `_call`, else the system.
fn unknown<V: Value>(item: &V) -> Result<MessageDraft, OtherShape> {
    if item.field(Key::Role).kind() != Kind::Absent {
        return Err(OtherShape);
    }
    let name = read_string(&item.field(Key::Type)).ok_or(OtherShape)?;
    if name == "mcp_call" {
        return Ok(mcp_call(item));
    }
    let role = if name.ends_with("_call") { Role::Assistant } else { Role::System };
    Ok(opaque(item, BlockKind::Unknown, role))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::message::{BlockKind, History, JsonValue};
    use serde_json::{Value as Json, json};

    fn history(items: &Json) -> History {
        let mut history = History::default();
        for item in items.as_array().into_iter().flatten() {
            if let Ok(draft) = read(&JsonValue::from(item)) {
                history.push(draft);
            }
        }
        assert_eq!(history.messages().len(), items.as_array().map_or(0, Vec::len));
        history
    }

    #[test]
    fn one_response_is_one_step() {
        let history = history(&json!([
            {"role": "user", "content": "go"},
            {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "x"},
            {"type": "function_call", "call_id": "a", "name": "read", "arguments": "{\"path\":\"a.ts\"}"},
            {"type": "custom_tool_call", "call_id": "b", "name": "apply_patch", "input": "*** Update File: b.ts"},
            {"type": "custom_tool_call_output", "call_id": "b", "output": [{"type": "input_text", "text": "done"}]},
            {"type": "function_call_output", "call_id": "a", "output": "text"},
            {"type": "web_search_call", "id": "w", "status": "completed"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "fine"}]},
        ]));
        let steps: Vec<u32> = history.messages().iter().map(|message| message.step).collect();
        assert_eq!(steps, [0, 1, 1, 1, 1, 1, 2, 2]);
        let ends: Vec<bool> = history.messages().iter().map(|message| message.ends_turn).collect();
        assert_eq!(ends, [true, false, false, false, false, false, false, true]);
        assert!(history.uses().iter().all(|one| one.call.is_some() && one.result.is_some()));
        assert_eq!(history.names().text(history.uses()[1].files[0].0), "b.ts");
    }

    #[test]
    fn a_shortened_history_ends_its_turn_again() {
        let mut history = history(&json!([
            {"type": "message", "role": "assistant", "content": "one moment"},
            {"type": "function_call", "call_id": "a", "name": "ls", "arguments": "{}"},
        ]));
        assert!(!history.messages()[0].ends_turn && !history.messages()[1].ends_turn);
        history.truncate(1);
        assert!(history.messages()[0].ends_turn);
    }

    #[test]
    fn shells_and_patches_answer_their_calls() {
        let history = history(&json!([
            {"type": "local_shell_call", "id": "i", "call_id": "a", "action": {"type": "exec", "command": ["ls"]}},
            {"type": "local_shell_call_output", "id": "a", "output": "files"},
            {"type": "shell_call", "call_id": "b", "action": {"commands": ["ls"]}},
            {"type": "shell_call_output", "call_id": "b",
             "output": [{"stdout": "abc", "stderr": "de", "outcome": {"type": "exit", "exit_code": 0}}]},
            {"type": "apply_patch_call", "call_id": "c", "operation": {"type": "update_file", "path": "x.ts", "diff": "+"}},
            {"type": "apply_patch_call_output", "call_id": "c", "status": "failed"},
            {"type": "computer_call", "call_id": "d", "action": {"type": "wait"}},
            {"type": "computer_call_output", "call_id": "d", "output": {"type": "computer_screenshot", "image_url": "u"}},
        ]));
        let uses = history.uses();
        assert!(uses.iter().all(|one| one.call.is_some() && one.result.is_some()));
        assert_eq!(
            uses.iter().map(|one| one.editable).collect::<Vec<_>>(),
            [true, true, true, true]
        );
        assert_eq!(history.blocks()[3].size.bytes, 5);
        assert!(uses[2].is_error && !uses[1].is_error);
    }

    #[test]
    fn what_is_not_known_is_opaque() {
        let history = history(&json!([
            {"type": "item_reference", "id": "x"},
            {"type": "compaction", "encrypted_content": "y"},
            {"type": "weather_call", "call_id": "z"},
            {"type": "news"},
        ]));
        assert!(history.blocks().iter().all(|block| block.kind == BlockKind::Unknown));
        assert!(history.uses().is_empty());
    }
}
