//! Parses OpenAI Chat Completions messages.

use crate::formats::ephemeral_mark::is_marked;
use crate::formats::parts::{
    ResultContent, is_foreign, is_signed_list, json_size, signature_mark, text_or_json_size,
    unknown_size,
};
use crate::formats::slot::Slot;
use crate::formats::wire::OtherShape;
use crate::message::{
    BlockDraft, BlockKind, BlockPath, CallDraft, Key, Kind, MessageDraft, Removable, ResultDraft,
    Role, ToolArguments, Value, Word, read_string, text_size,
};
use crate::text::TextSize;

/// Part types that identify this format; few other formats use them.
const OWN_PARTS: &[Word] = &[Word::ImageUrl, Word::InputAudio, Word::Refusal];

/// Parses a message, or returns [`OtherShape`] if it is not in this format.
pub fn read<V: Value>(message: &V) -> Result<MessageDraft, OtherShape> {
    let role = role(message).ok_or(OtherShape)?;
    let content = message.watched(Key::Content);
    if content.kind() == Kind::Absent && message.field(Key::Parts).kind() == Kind::List {
        return Err(OtherShape);
    }
    if role == Role::Tool {
        check_parts(&content.unwatched())?;
        return Ok(MessageDraft::new(role, vec![result_block(message, &content)]));
    }
    let mut blocks = reasoning_blocks(message);
    blocks.extend(content_blocks(&content)?);
    if role == Role::Assistant {
        blocks.extend(call_blocks(&message.watched(Key::ToolCalls)));
    }
    Ok(MessageDraft::new(role, blocks))
}

/// Rejects a result whose list holds parts of another format.
fn check_parts<V: Value>(content: &V) -> Result<(), OtherShape> {
    if content.kind() != Kind::List {
        return Ok(());
    }
    let is_other = |part: V| {
        let word = part.field(Key::Type).word();
        word.is_some_and(|word| is_foreign(word, OWN_PARTS)) && !is_cohere_document(&part)
    };
    if (0..content.len()).any(|i| is_other(content.item(i))) { Err(OtherShape) } else { Ok(()) }
}

/// Returns whether a part is a document in one of Cohere's results. Anthropic's documents have a `source`.
fn is_cohere_document<V: Value>(part: &V) -> bool {
    part.field(Key::Type).word() == Some(Word::Document)
        && part.field(Key::Source).kind() == Kind::Absent
}

fn role<V: Value>(message: &V) -> Option<Role> {
    match message.field(Key::Role).word()? {
        Word::System | Word::Developer => Some(Role::System),
        Word::User => Some(Role::User),
        Word::Assistant => Some(Role::Assistant),
        Word::Tool | Word::Function => Some(Role::Tool),
        _ => None,
    }
}

fn result_block<V: Value>(message: &V, content: &V) -> BlockDraft {
    let result = ResultContent::read(Slot::Content, content);
    let name = message.field(Key::Name);
    let draft = ResultDraft {
        id: read_string(&message.field(Key::ToolCallId)),
        name: read_string(&name),
        by_name: false,
        // The format has no flag for failures.
        is_error: message.field(Key::IsError).is_true() || result.reads_as_error,
        ephemeral: is_marked(message),
        media: result.media,
        text_only: result.text_only,
        editable: result.editable,
        is_stub: message.is_stub(),
        partial_result: result.partial_result,
    };
    BlockDraft::result(BlockPath::Content, result.size, draft)
}

fn reasoning_blocks<V: Value>(message: &V) -> Vec<BlockDraft> {
    if !message.has_any(Key::REASONING) {
        return Vec::new();
    }
    let keys = [Key::ReasoningContent, Key::Thinking, Key::Reasoning];
    let fields = keys.iter().map(|key| (*key, message.field(*key)));
    let mut blocks: Vec<BlockDraft> = fields
        .filter(|(_, field)| field.kind() == Kind::Text)
        .map(|(key, field)| (BlockPath::Field(key), text_size(&field)))
        .map(|(place, size)| BlockDraft::reasoning(place, size, Removable::WithoutCalls))
        .collect();
    for key in [Key::ReasoningDetails, Key::ThinkingBlocks] {
        let parts = message.field(key);
        if !is_signed_list(&parts) {
            continue;
        }
        // Its size counts only if there is no text, so that reasoning is counted once.
        let size = if blocks.is_empty() { json_size(&parts) } else { TextSize::default() };
        // Removed together with its signature: no provider that signs requires it once the turn is over.
        blocks.iter_mut().for_each(|block| block.removable = Removable::AfterTurn);
        let place = BlockPath::Field(key);
        blocks.push(BlockDraft::reasoning(place, size, Removable::AfterTurn).signed(true));
    }
    blocks
}

fn content_blocks<V: Value>(content: &V) -> Result<Vec<BlockDraft>, OtherShape> {
    match content.kind() {
        Kind::Absent => Ok(Vec::new()),
        Kind::Text => {
            Ok(vec![BlockDraft::plain(BlockKind::Text, BlockPath::Content, text_size(content))])
        }
        Kind::List => (0..content.len())
            .map(|i| part_block(&content.item(i), BlockPath::Item(i as u32)))
            .collect(),
        Kind::Object | Kind::Scalar => Ok(vec![BlockDraft::plain(
            BlockKind::Unknown,
            BlockPath::Content,
            text_or_json_size(content),
        )]),
    }
}

fn part_block<V: Value>(part: &V, place: BlockPath) -> Result<BlockDraft, OtherShape> {
    let plain = |kind, size| Ok(BlockDraft::plain(kind, place, size));
    match part.field(Key::Type).word() {
        Some(Word::Text) => plain(BlockKind::Text, text_size(&part.watched(Key::Text))),
        Some(Word::Refusal) => plain(BlockKind::Text, text_size(&part.field(Key::Refusal))),
        Some(Word::ImageUrl | Word::InputAudio | Word::File) => {
            plain(BlockKind::File, unknown_size(part))
        }
        // Mistral's thinking part, whose text is a list.
        Some(Word::Thinking) if part.field(Key::Thinking).kind() == Kind::List => {
            Ok(BlockDraft::reasoning(place, json_size(part), Removable::Never))
        }
        Some(word) if is_foreign(word, OWN_PARTS) => Err(OtherShape),
        // A result of one of Anthropic's own tools: new ones come often.
        None if part.field(Key::ToolUseId).kind() == Kind::Text => Err(OtherShape),
        _ => plain(BlockKind::Unknown, unknown_size(part)),
    }
}

/// Reads the calls, preceded by a mark if one of them is signed. Takes each call from the list once: a value that is
/// watched twice makes each later search for changes slower.
fn call_blocks<V: Value>(calls: &V) -> Vec<BlockDraft> {
    let mut signed = false;
    let call = |i: usize| {
        let call = calls.item(i);
        let is_signed = is_signed(&call);
        signed |= is_signed;
        call_block(&call, BlockPath::Call(i as u32), is_signed)
    };
    let blocks: Vec<BlockDraft> = (0..calls.len()).map(call).collect();
    signed.then(signature_mark).into_iter().chain(blocks).collect()
}

/// Returns whether a call has Gemini's signature, in the form of its OpenAI-compatible API.
fn is_signed<V: Value>(call: &V) -> bool {
    call.field(Key::ExtraContent).kind() != Kind::Absent
}

fn call_block<V: Value>(call: &V, place: BlockPath, is_signed: bool) -> BlockDraft {
    let custom = call.field(Key::Type).word() == Some(Word::Custom);
    let (body, arguments) = if custom {
        let body = call.watched(Key::Custom);
        let input = body.watched(Key::Input);
        (body, input)
    } else {
        let body = call.watched(Key::Function);
        let arguments = body.watched(Key::Arguments);
        (body, arguments)
    };
    let (arguments, size) = ToolArguments::read(&arguments);
    let draft = CallDraft {
        id: read_string(&call.field(Key::Id)),
        name: read_string(&body.field(Key::Name)).unwrap_or_default(),
        arguments,
        editable: !custom && !is_signed,
        provider_executed: false,
        takes_text: custom,
    };
    BlockDraft::call(place, size, draft)
}
