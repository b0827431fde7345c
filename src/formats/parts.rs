//! Helpers for the content lists of several formats.

use super::slot::{Slot, is_text_part, read_part};
use crate::message::{
    BlockDraft, BlockKind, BlockPath, Key, Kind, Media, MediaKind, Value, Word,
    looks_like_partial_result, read_string, text_size,
};
use crate::output::looks_like_error;
use crate::text::TextSize;

/// The content of a tool result, as read from a message.
pub struct ResultContent {
    /// Total size of its texts.
    pub size: TextSize,
    /// Images and files in it.
    pub media: Media,
    /// Whether the content is text only.
    pub text_only: bool,
    /// Whether a stub may replace it.
    pub editable: bool,
    /// Whether its first words report a failure of the tool.
    pub reads_as_error: bool,
    /// Whether its first words say that it shows part of a file.
    pub partial_result: bool,
}

impl ResultContent {
    /// Reads the content of a slot. The host may change it in place later, so it is watched.
    pub fn read<V: Value>(slot: Slot, content: &V) -> Self {
        match (slot, content.kind()) {
            (Slot::Content | Slot::ResponsesOutput, Kind::List) => Self::list(content),
            (Slot::ResponsesOutput, Kind::Object) if is_screen(content) => Self::screen(content),
            (Slot::Content | Slot::ResponsesOutput, Kind::Object | Kind::Scalar) => {
                Self::opaque(content)
            }
            (Slot::ModelOutput, Kind::Object) => Self::model_output(content),
            // Before version 5 the output was the text itself.
            (Slot::ModelOutput, kind) if kind != Kind::Text => Self::opaque(content),
            _ => Self::texts(|sink| slot.read_text(content, sink)),
        }
    }

    fn texts(read: impl FnOnce(&mut dyn FnMut(&[u8])) -> u64) -> Self {
        let mut size = TextSize::default();
        let (mut reads_as_error, mut partial_result) = (false, false);
        let utf16 = read(&mut |chunk| {
            if size.bytes == 0 {
                reads_as_error = looks_like_error(chunk);
                partial_result = looks_like_partial_result(chunk);
            }
            size.add_chunk(chunk);
        });
        size.utf16 = utf16;
        Self {
            size,
            media: Media::default(),
            text_only: true,
            editable: true,
            reads_as_error,
            partial_result,
        }
    }

    /// Content that no stub can replace.
    fn opaque<V: Value>(content: &V) -> Self {
        Self {
            size: unknown_size(content),
            media: file_kind(content).map(Media::one).unwrap_or_default(),
            text_only: false,
            editable: false,
            reads_as_error: false,
            partial_result: false,
        }
    }

    /// Content that must be a screenshot. A stub is a blank screenshot; a blank one is already the stub of a view.
    fn screen<V: Value>(screen: &V) -> Self {
        let is_blank = screen.watched(Key::ImageUrl).word() == Some(Word::BlankScreen);
        let media = if is_blank { Media::default() } else { Media::one(MediaKind::Screen) };
        Self { media, text_only: false, editable: !is_blank, ..Self::texts(|_| 0) }
    }

    fn list<V: Value>(list: &V) -> Self {
        let mut whole = Self::texts(|_| 0);
        for i in 0..list.len() {
            let part = list.item(i);
            if is_text_part(&part) {
                let piece = Self::texts(|sink| read_part(&part, sink));
                whole.reads_as_error |= i == 0 && piece.reads_as_error;
                whole.partial_result |= piece.partial_result;
                whole.size.add(piece.size);
            } else {
                whole.text_only = false;
                match file_kind(&part) {
                    Some(kind) => whole.media.add(kind),
                    None => whole.size.add(json_size(&part)),
                }
            }
        }
        whole
    }

    /// Reads the AI SDK's `{type, value}`.
    fn model_output<V: Value>(output: &V) -> Self {
        let value = output.watched(Key::Value);
        match output.field(Key::Type).word() {
            Some(Word::Text | Word::ErrorText | Word::Content) => Self::read(Slot::Content, &value),
            Some(Word::Json | Word::ErrorJson) => Self::read(Slot::RawOutput, &value),
            _ => Self::opaque(output),
        }
    }
}

fn is_screen<V: Value>(output: &V) -> bool {
    output.field(Key::Type).word() == Some(Word::ComputerScreenshot)
}

/// Returns the kind of file that a part of any format is; `None` if it is not a file.
pub fn file_kind<V: Value>(part: &V) -> Option<MediaKind> {
    match part.field(Key::Type).word() {
        Some(
            Word::Image
            | Word::ImageUrl
            | Word::InputImage
            | Word::ImageData
            | Word::ImageUrlPart
            | Word::ImageFileId
            | Word::ImageFileReference
            | Word::ComputerScreenshot,
        ) => Some(MediaKind::Image),
        Some(Word::InputAudio | Word::Audio) => Some(MediaKind::Audio),
        // Cohere's documents have a text and no source.
        Some(Word::Document) => {
            (part.field(Key::Source).kind() != Kind::Absent).then_some(MediaKind::Document)
        }
        Some(
            Word::File
            | Word::InputFile
            | Word::Media
            | Word::FileData
            | Word::FileUrl
            | Word::FileId
            | Word::FileReference
            | Word::ReasoningFile,
        ) => Some(media_type(part)),
        Some(_) => None,
        None => {
            let held = [Key::InlineData, Key::FileData].map(|key| part.field(key));
            held.iter().find(|data| data.kind() == Kind::Object).map(media_type)
        }
    }
}

fn media_type<V: Value>(part: &V) -> MediaKind {
    let keys = [Key::MediaType, Key::MimeType];
    let named = keys.iter().find_map(|key| read_string(&part.field(*key)));
    named.map_or(MediaKind::File, |name| MediaKind::of_type(&name))
}

/// Returns the size of an opaque block: that of its JSON, or 0 for images and files, whose data is not passed to the
/// engine.
pub fn unknown_size<V: Value>(part: &V) -> TextSize {
    if file_kind(part).is_some() { TextSize::default() } else { json_size(part) }
}

/// Returns the mark before a part with Gemini's signature: it also covers parts beside it, and must be sent back unchanged.
// One copy for all formats.
#[inline(never)]
pub fn signature_mark() -> BlockDraft {
    BlockDraft::plain(BlockKind::Reasoning, BlockPath::Message, TextSize::default())
}

/// Returns the size of a value's JSON.
pub fn json_size<V: Value>(value: &V) -> TextSize {
    let mut size = TextSize::default();
    size.utf16 = value.read_json(&mut |chunk| size.add_chunk(chunk));
    size
}

/// Returns the size of a text, or of the JSON of any other value.
pub fn text_or_json_size<V: Value>(value: &V) -> TextSize {
    if value.kind() == Kind::Text { text_size(value) } else { json_size(value) }
}

/// Part types that distinguish formats. OpenAI also has `file` parts, but agents use the same type for their own files.
const TELLING: &[Word] = &[
    Word::ImageUrl,
    Word::InputAudio,
    Word::Refusal,
    Word::InputText,
    Word::OutputText,
    Word::InputImage,
    Word::InputFile,
    Word::ToolUse,
    Word::ToolResult,
    Word::Thinking,
    Word::RedactedThinking,
    Word::Document,
    Word::SearchResult,
    Word::ServerToolUse,
    Word::McpToolUse,
    Word::McpToolResult,
    Word::WebSearchToolResult,
    Word::ContainerUpload,
    Word::Compaction,
    Word::Image,
    Word::ToolCallPart,
    Word::ToolResultPart,
    Word::ToolApprovalRequest,
    Word::ToolApprovalResponse,
    Word::Reasoning,
    Word::ReasoningFile,
];

/// Whether a value is signed reasoning as gateways write it beside its text: a list of parts of which one has a signature,
/// or encrypted data.
pub fn is_signed_list<V: Value>(parts: &V) -> bool {
    let has = |i: usize, key| parts.item(i).field(key).kind() == Kind::Text;
    parts.kind() == Kind::List
        && (0..parts.len()).any(|i| has(i, Key::Signature) || has(i, Key::Data))
}

/// Returns whether parts of this type belong only to formats other than the one with the types in `own`.
pub fn is_foreign(word: Word, own: &[Word]) -> bool {
    TELLING.contains(&word) && !own.contains(&word)
}

/// Returns whether a value is a text that is not blank.
pub fn says_something<V: Value>(text: &V) -> bool {
    text.kind() == Kind::Text && !text.is_blank()
}
