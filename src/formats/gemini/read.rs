//! Parses Gemini contents.

use crate::formats::ephemeral_mark::EphemeralMark;
use crate::formats::parts::{ResultContent, file_kind, json_size, signature_mark};
use crate::formats::slot::Slot;
use crate::formats::wire::OtherShape;
use crate::message::{
    BlockDraft, BlockKind, BlockPath, CallDraft, Key, Kind, Media, MessageDraft, Removable,
    ResultDraft, Role, ToolArguments, Value, Word, read_string, text_size,
};
use crate::text::TextSize;

/// Fields of responses that hold a single text. A stub replaces that text.
const TEXT_KEYS: &[Key] =
    &[Key::Output, Key::Result, Key::Content, Key::Error, Key::Text, Key::Stdout];

/// Parses a content, or returns [`OtherShape`] if it is not in this format.
pub fn read<V: Value>(content: &V) -> Result<MessageDraft, OtherShape> {
    let role = content.field(Key::Role);
    let role = match role.word() {
        Some(Word::Model) => Role::Assistant,
        Some(Word::User) => Role::User,
        Some(Word::Function | Word::Tool) => Role::Tool,
        // A single prompt may have no role.
        None if role.kind() == Kind::Absent => Role::User,
        _ => return Err(OtherShape),
    };
    let parts = content.watched(Key::Parts);
    if parts.kind() != Kind::List {
        return Err(OtherShape);
    }
    let mark = EphemeralMark::of(content);
    let mut draft = MessageDraft::new(role, Vec::new());
    for i in 0..parts.len() {
        let part = parts.item(i);
        if part.field(Key::Type).kind() == Kind::Text {
            return Err(OtherShape);
        }
        // A signed part must be sent back unchanged.
        let is_signed = part.field(Key::ThoughtSignature).kind() != Kind::Absent;
        if is_signed {
            draft.blocks.push(signature_mark());
        }
        draft.blocks.push(read_part(&mark, &part, i as u32, is_signed));
    }
    if speaks_and_calls(&draft) {
        let block = BlockDraft::plain(BlockKind::Unknown, BlockPath::Message, TextSize::default());
        draft.blocks.push(block);
    }
    Ok(draft)
}

/// Returns whether a content has calls and other parts. Such calls are not removed: without them and their results two
/// contents of the model would follow each other, and the provider accepts calls only after a user content.
fn speaks_and_calls(draft: &MessageDraft) -> bool {
    let is_call = |block: &BlockDraft| block.kind == BlockKind::ToolCall;
    draft.blocks.iter().any(is_call) && !draft.blocks.iter().all(is_call)
}

fn read_part<V: Value>(
    mark: &EphemeralMark<'_, V>,
    part: &V,
    index: u32,
    is_signed: bool,
) -> BlockDraft {
    let has = |key| part.field(key).kind() != Kind::Absent;
    let plain = |kind, size| BlockDraft::plain(kind, BlockPath::Item(index), size);
    if has(Key::FunctionCallCamel) {
        return call(&part.watched(Key::FunctionCallCamel), index, is_signed);
    }
    if has(Key::FunctionResponse) {
        return result(mark, part, index);
    }
    let text = part.watched(Key::Text);
    match text.kind() {
        Kind::Text if part.field(Key::Thought).is_true() => {
            let removable = if is_signed { Removable::Never } else { Removable::AfterTurn };
            BlockDraft::reasoning(BlockPath::Item(index), text_size(&text), removable)
        }
        Kind::Text => plain(BlockKind::Text, text_size(&text)),
        _ if has(Key::InlineData) || has(Key::FileData) => {
            plain(BlockKind::File, TextSize::default())
        }
        _ => plain(BlockKind::Unknown, json_size(part)),
    }
}

/// Reads an optional id; an empty id counts as missing.
fn id<V: Value>(half: &V) -> Option<String> {
    read_string(&half.field(Key::Id)).filter(|id| !id.is_empty())
}

fn call<V: Value>(call: &V, index: u32, is_signed: bool) -> BlockDraft {
    let arguments = call.watched(Key::Args);
    let (arguments, size) = ToolArguments::read(&arguments);
    let draft = CallDraft {
        id: id(call),
        name: read_string(&call.field(Key::Name)).unwrap_or_default(),
        arguments,
        editable: !is_signed,
        provider_executed: false,
        takes_text: false,
    };
    BlockDraft::call(BlockPath::Item(index), size, draft)
}

fn result<V: Value>(mark: &EphemeralMark<'_, V>, part: &V, index: u32) -> BlockDraft {
    let answer = part.watched(Key::FunctionResponse);
    let response = answer.watched(Key::Response);
    let parts = answer.watched(Key::Parts);
    let has_parts = parts.kind() == Kind::List;
    // A stub that replaced only the text would leave the parts.
    let text_key = text_key(&response).filter(|_| !has_parts);
    let read = match text_key {
        Some(key) => ResultContent::read(Slot::Content, &response.watched(key)),
        None => ResultContent::read(Slot::FunctionResponse, &answer.unwatched()),
    };
    let mut media = Media::default();
    let kinds = (0..parts.len()).filter_map(|i| file_kind(&parts.item(i)));
    kinds.for_each(|kind| media.add(kind));
    let failed = response.field(Key::Error).kind() != Kind::Absent;
    let draft = ResultDraft {
        id: id(&answer),
        name: read_string(&answer.field(Key::Name)),
        by_name: true,
        is_error: failed || read.reads_as_error,
        ephemeral: mark.is_set(),
        media,
        text_only: !has_parts,
        editable: matches!(response.kind(), Kind::Object | Kind::Absent),
        is_stub: part.is_stub() || response.is_stub(),
        partial_result: read.partial_result,
    };
    let place = match text_key {
        Some(key) => BlockPath::Part(index, key),
        None => BlockPath::Item(index),
    };
    BlockDraft::result(place, read.size, draft)
}

fn text_key<V: Value>(response: &V) -> Option<Key> {
    if response.field_count() != 1 {
        return None;
    }
    TEXT_KEYS.iter().copied().find(|key| response.field(*key).kind() == Kind::Text)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::message::{BlockKind, History, JsonValue, Role};
    use serde_json::{Value as Json, json};

    fn history(contents: &Json) -> History {
        let mut history = History::default();
        for content in contents.as_array().into_iter().flatten() {
            if let Ok(draft) = read(&JsonValue::from(content)) {
                history.push(draft);
            }
        }
        assert_eq!(history.messages().len(), contents.as_array().map_or(0, Vec::len));
        history
    }

    fn call(name: &str, path: &str) -> Json {
        json!({"functionCall": {"name": name, "args": {"path": path}}})
    }

    fn answer(name: &str, response: &Json) -> Json {
        json!({"functionResponse": {"name": name, "response": response}})
    }

    #[test]
    fn without_ids_results_answer_by_order_and_name_within_a_step() {
        let history = history(&json!([
            {"parts": [{"text": "go"}]},
            {"role": "model", "parts": [call("read", "a.ts"), call("ls", "b"), call("read", "c.ts")]},
            {"role": "user", "parts": [answer("ls", &json!({"output": "x"})), answer("read", &json!({"output": "y"}))]},
            {"role": "model", "parts": [call("read", "d.ts")]},
            {"role": "function", "parts": [answer("read", &json!({"output": "z"})), answer("read", &json!({"output": "!"}))]},
        ]));
        let uses = history.uses();
        // The results of the second step do not answer the call that the first step left open.
        let answered: Vec<bool> = uses.iter().map(|one| one.result.is_some()).collect();
        assert_eq!(answered, [true, true, false, true, true]);
        let called: Vec<bool> = uses.iter().map(|one| one.call.is_some()).collect();
        assert_eq!(called, [true, true, true, true, false]);
        assert_eq!(history.messages()[0].role, Role::User);
    }

    #[test]
    fn a_response_is_its_text_or_its_json() {
        let cases = [
            (json!({"output": "abc"}), 3, false),
            (json!({"result": "abc"}), 3, false),
            (json!({"error": "abc"}), 3, true),
            (json!({"output": "abc", "more": 1}), 25, false),
            (json!({"rows": [1, 2]}), 14, false),
            (json!({}), 2, false),
        ];
        for (response, bytes, is_error) in cases {
            let history = history(&json!([{"role": "user", "parts": [answer("t", &response)]}]));
            assert_eq!(history.blocks()[0].size.bytes, bytes, "{response}");
            assert_eq!(history.uses()[0].is_error, is_error, "{response}");
        }
    }

    #[test]
    fn signatures_thoughts_and_files_are_opaque() {
        let history = history(&json!([
            {"role": "model", "parts": [
                {"text": "hm", "thought": true},
                {"functionCall": {"id": "a", "name": "t", "args": {}}, "thoughtSignature": "c2ln"},
                {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
                {"executableCode": {"code": "1"}},
            ]},
        ]));
        let kinds: Vec<BlockKind> = history.blocks().iter().map(|block| block.kind).collect();
        let expected = [
            BlockKind::Reasoning,
            BlockKind::Reasoning,
            BlockKind::ToolCall,
            BlockKind::File,
            BlockKind::Unknown,
            BlockKind::Unknown,
        ];
        assert_eq!(kinds, expected);
    }
}
