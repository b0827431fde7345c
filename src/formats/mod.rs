//! Wire formats: one file each. A format says whether a message is its own, reads it into facts, and knows where a
//! result's content stands. It knows no passes.

mod anthropic;
mod detect;
mod openai_chat;
mod openai_responses;
mod parts;
mod slot;

pub use detect::{Detection, check_is_message, detect, misshapen};
pub use slot::Slot;

use crate::message::{Key, MessageDraft, Place, Value};
use serde::Serialize;

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// OpenAI Chat Completions, and messages of its shape with `metadata`.
    #[serde(rename = "openai-chat")]
    OpenAiChat,
    /// OpenAI Responses.
    #[serde(rename = "openai-responses")]
    OpenAiResponses,
    /// Anthropic Messages.
    Anthropic,
}

/// A message whose shape is not the format's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherShape;

/// A step on the way from a message to the place of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Into a field.
    Field(Key),
    /// Into an entry of a list.
    Item(u32),
}

impl Format {
    /// In the order in which an ambiguous history is taken to be one of them.
    pub const ALL: &[Format] = &[Format::OpenAiChat, Format::Anthropic, Format::OpenAiResponses];
    /// All names, for messages.
    pub const NAMES: &str = "openai-chat, openai-responses, anthropic";

    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Format::OpenAiChat => "openai-chat",
            Format::OpenAiResponses => "openai-responses",
            Format::Anthropic => "anthropic",
        }
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// Reads a message, or says that it is not of this format.
    pub fn read<V: Value>(self, message: &V) -> Result<MessageDraft, OtherShape> {
        match self {
            Format::OpenAiChat => openai_chat::read(message),
            Format::OpenAiResponses => openai_responses::read(message),
            Format::Anthropic => anthropic::read(message),
        }
    }

    /// The way from a message to the content of the tool result at `place`.
    pub fn content_path(self, place: Place) -> Vec<Step> {
        match place {
            Place::Item(i) => {
                vec![Step::Field(Key::Content), Step::Item(i), Step::Field(Key::Content)]
            }
            Place::Field(key) => vec![Step::Field(key)],
            _ => vec![Step::Field(Key::Content)],
        }
    }

    /// What stands there.
    pub fn content_slot(self, _place: Place) -> Slot {
        match self {
            Format::OpenAiResponses => Slot::ResponsesOutput,
            Format::OpenAiChat | Format::Anthropic => Slot::Content,
        }
    }

    /// The way to the whole block at `place`, for its removal; empty for the message itself.
    pub fn block_path(self, place: Place) -> Vec<Step> {
        match place {
            Place::Item(i) => vec![Step::Field(Key::Content), Step::Item(i)],
            Place::Call(i) => vec![Step::Field(Key::ToolCalls), Step::Item(i)],
            _ => Vec::new(),
        }
    }

    /// How a block is taken out of the list that it stands in.
    pub fn block_slot(self) -> Slot {
        Slot::Entry
    }

    /// Reads the text of the tool result at `place` from where the host keeps it.
    pub fn read_result<V: Value>(self, message: V, place: Place, sink: &mut dyn FnMut(&[u8])) {
        let content =
            self.content_path(place).into_iter().fold(message, |value, step| match step {
                Step::Field(key) => value.field(key),
                Step::Item(index) => value.item(index as usize),
            });
        self.content_slot(place).read_text(&content, sink);
    }
}
