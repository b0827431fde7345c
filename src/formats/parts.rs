//! What the content lists of several formats have in common.

use super::Format;
use crate::message::{Key, Kind, Value, Word, looks_like_error, text_size};
use crate::text::TextSize;

/// A tool result's content: a text, or a list of parts.
pub struct ResultContent {
    /// The size of its texts together.
    pub size: TextSize,
    /// Whether there is nothing but text.
    pub text_only: bool,
    /// Whether an edit can stand in for it: a text, a list, or nothing.
    pub editable: bool,
    /// Whether its first words say that the tool failed.
    pub reads_as_error: bool,
}

impl ResultContent {
    /// Reads `content`, which the host may change in place later.
    pub fn read<V: Value>(content: &V) -> Self {
        match content.kind() {
            Kind::Text => Self::text(content),
            Kind::List => Self::list(content),
            Kind::Absent => Self {
                size: TextSize::default(),
                text_only: true,
                editable: true,
                reads_as_error: false,
            },
            Kind::Object | Kind::Scalar => Self {
                size: json_size(content),
                text_only: false,
                editable: false,
                reads_as_error: false,
            },
        }
    }

    fn text<V: Value>(text: &V) -> Self {
        let mut size = TextSize::default();
        let mut reads_as_error = false;
        let utf16 = text.read_text(&mut |chunk| {
            reads_as_error = reads_as_error || (size.bytes == 0 && looks_like_error(chunk));
            size.add_chunk(chunk);
        });
        size.utf16 = utf16;
        Self { size, text_only: true, editable: true, reads_as_error }
    }

    fn list<V: Value>(list: &V) -> Self {
        let mut whole = Self {
            size: TextSize::default(),
            text_only: true,
            editable: true,
            reads_as_error: false,
        };
        for i in 0..list.len() {
            let part = list.item(i);
            let text = part.watched(Key::Text);
            if part.field(Key::Type).word() == Some(Word::Text) && text.kind() == Kind::Text {
                let piece = Self::text(&text);
                whole.reads_as_error = whole.reads_as_error || (i == 0 && piece.reads_as_error);
                whole.size.add(piece.size);
            } else {
                whole.text_only = false;
                whole.size.add(unknown_size(&part));
            }
        }
        whole
    }
}

/// The size of a block that is not understood: its JSON, but nothing for images and files, whose data need not cross.
pub fn unknown_size<V: Value>(part: &V) -> TextSize {
    match part.field(Key::Type).word() {
        Some(Word::Image | Word::ImageUrl | Word::Document | Word::InputAudio | Word::File) => {
            TextSize::default()
        }
        _ => json_size(part),
    }
}

/// The size of a value's JSON.
pub fn json_size<V: Value>(value: &V) -> TextSize {
    let mut size = TextSize::default();
    size.utf16 = value.read_json(&mut |chunk| size.add_chunk(chunk));
    size
}

/// The size of a text, or of the JSON of anything else.
pub fn text_or_json_size<V: Value>(value: &V) -> TextSize {
    if value.kind() == Kind::Text { text_size(value) } else { json_size(value) }
}

/// The only format that has blocks of this type, where just one has them.
pub fn owner(word: Word) -> Option<Format> {
    match word {
        Word::ImageUrl | Word::InputAudio | Word::Refusal => Some(Format::OpenAiChat),
        Word::ToolUse
        | Word::ToolResult
        | Word::Thinking
        | Word::RedactedThinking
        | Word::Image
        | Word::Document
        | Word::SearchResult
        | Word::ServerToolUse
        | Word::McpToolUse
        | Word::McpToolResult
        | Word::WebSearchToolResult
        | Word::ContainerUpload
        | Word::Compaction => Some(Format::Anthropic),
        // OpenAI has `file` parts, but agents attach files of their own under that name too.
        _ => None,
    }
}
