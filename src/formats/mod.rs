//! Wire formats: one file each. A format says whether a message is its own, reads it into facts, and knows where a
//! result's content stands. It knows no passes.

mod anthropic;
mod detect;
mod openai_chat;
mod parts;
pub mod validity;

pub use detect::{Detection, check_is_message, detect, misshapen};

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
    pub const ALL: &[Format] = &[Format::OpenAiChat, Format::Anthropic];
    /// All names, for messages.
    pub const NAMES: &str = "openai-chat, anthropic";

    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Format::OpenAiChat => "openai-chat",
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
            Format::Anthropic => anthropic::read(message),
        }
    }

    /// The way from a message to the content of the tool result at `place`.
    pub fn content_path(self, place: Place) -> Vec<Step> {
        match place {
            Place::Item(i) => {
                vec![Step::Field(Key::Content), Step::Item(i), Step::Field(Key::Content)]
            }
            _ => vec![Step::Field(Key::Content)],
        }
    }

    /// The way to the whole block at `place`, for its removal; empty for the message itself.
    pub fn block_path(self, place: Place) -> Vec<Step> {
        match place {
            Place::Item(i) => vec![Step::Field(Key::Content), Step::Item(i)],
            Place::Call(i) => vec![Step::Field(Key::ToolCalls), Step::Item(i)],
            Place::Message | Place::Content => Vec::new(),
        }
    }
}
