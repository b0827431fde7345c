//! Wire formats: one file each. A format says whether a message is its own, reads it into facts, and knows where a
//! result's content stands. It knows no passes.

mod ai_sdk;
mod ai_sdk_parts;
mod ai_sdk_ui;
mod anthropic;
mod detect;
mod gemini;
mod langchain;
mod openai_chat;
mod openai_responses;
mod parts;
mod slot;
pub mod validity;

pub use detect::{Detection, check_is_message, detect, misshapen};
pub use slot::Slot;

use crate::message::{BlockPath, Key, MessageDraft, Value};
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
    /// AI SDK `ModelMessage`: what is sent to a model.
    AiSdk,
    /// AI SDK `UIMessage`: what `useChat` keeps. A format of its own, since no list holds both.
    AiSdkUi,
    /// Gemini contents.
    Gemini,
    /// LangChain messages: instances, serialised or plain.
    #[serde(rename = "langchain")]
    LangChain,
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
    pub const ALL: &[Format] = &[
        Format::OpenAiChat,
        Format::Anthropic,
        Format::OpenAiResponses,
        Format::AiSdk,
        Format::AiSdkUi,
        Format::Gemini,
        Format::LangChain,
    ];
    /// All names, for messages.
    pub const NAMES: &str =
        "openai-chat, openai-responses, anthropic, ai-sdk, ai-sdk-ui, gemini, langchain";

    /// The name that users type.
    pub fn name(self) -> &'static str {
        match self {
            Format::OpenAiChat => "openai-chat",
            Format::OpenAiResponses => "openai-responses",
            Format::Anthropic => "anthropic",
            Format::AiSdk => "ai-sdk",
            Format::AiSdkUi => "ai-sdk-ui",
            Format::Gemini => "gemini",
            Format::LangChain => "langchain",
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
            Format::AiSdk => ai_sdk::read(message),
            Format::AiSdkUi => ai_sdk_ui::read(message),
            Format::Gemini => gemini::read(message),
            Format::LangChain => langchain::read(message),
        }
    }

    /// The way from a message to the content of the tool result at `place`.
    pub fn content_path(self, place: BlockPath) -> Vec<Step> {
        match (self, place) {
            (Format::AiSdk, BlockPath::Item(i)) => path(&[Key::Content], i, &[Key::Output]),
            (Format::Gemini, BlockPath::Item(i)) => {
                path(&[Key::Parts], i, &[Key::FunctionResponse, Key::Response])
            }
            (Format::Gemini, BlockPath::Part(i, key)) => {
                path(&[Key::Parts], i, &[Key::FunctionResponse, Key::Response, key])
            }
            (_, BlockPath::Part(i, key)) => path(&[Key::Parts], i, &[key]),
            (_, BlockPath::Item(i)) => path(&[Key::Content], i, &[Key::Content]),
            (_, BlockPath::Field(key)) => vec![Step::Field(key)],
            (_, BlockPath::Inside(key)) => vec![Step::Field(key), Step::Field(Key::Content)],
            _ => vec![Step::Field(Key::Content)],
        }
    }

    /// What stands there.
    pub fn content_slot(self, place: BlockPath) -> Slot {
        match (self, place) {
            (Format::OpenAiResponses, _) => Slot::ResponsesOutput,
            (Format::AiSdk, _) => Slot::ModelOutput,
            (Format::AiSdkUi, _) => Slot::RawOutput,
            (Format::Gemini, BlockPath::Item(_)) => Slot::FunctionResponse,
            _ => Slot::Content,
        }
    }

    /// The way from a message to the arguments of the call at `place`, which are in a [`Slot::Arguments`].
    pub fn arguments_path(self, place: BlockPath) -> Vec<Step> {
        match (self, place) {
            (Format::OpenAiResponses, _) => vec![Step::Field(Key::Arguments)],
            (Format::AiSdkUi, BlockPath::Item(i)) => path(&[Key::Parts], i, &[Key::Input]),
            (Format::Gemini, BlockPath::Item(i)) => {
                path(&[Key::Parts], i, &[Key::FunctionCallCamel, Key::Args])
            }
            (_, BlockPath::Item(i)) => path(&[Key::Content], i, &[Key::Input]),
            (Format::OpenAiChat, BlockPath::Call(i)) => {
                path(&[Key::ToolCalls], i, &[Key::Function, Key::Arguments])
            }
            (_, BlockPath::Call(i)) => path(&[Key::ToolCalls], i, &[Key::Args]),
            (_, BlockPath::InsideCall(key, i)) => path(&[key, Key::ToolCalls], i, &[Key::Args]),
            _ => Vec::new(),
        }
    }

    /// The way to the whole block at `place`, for its removal; empty for the message itself, and for a block that goes
    /// with another one.
    pub fn block_path(self, place: BlockPath) -> Vec<Step> {
        let list = match self {
            Format::AiSdkUi | Format::Gemini => Key::Parts,
            _ => Key::Content,
        };
        match (self, place) {
            // The part of a call is the part of its result.
            (Format::AiSdkUi, BlockPath::Part(..)) => Vec::new(),
            (_, BlockPath::Item(i) | BlockPath::Part(i, _)) => path(&[list], i, &[]),
            (_, BlockPath::Call(i)) => path(&[Key::ToolCalls], i, &[]),
            (_, BlockPath::InsideCall(key, i)) => path(&[key, Key::ToolCalls], i, &[]),
            (Format::OpenAiChat, BlockPath::Field(key)) => vec![Step::Field(key)],
            _ => Vec::new(),
        }
    }

    /// How a block is taken out of the list that it stands in.
    pub fn block_slot(self) -> Slot {
        if self == Format::LangChain { Slot::EntryOfList } else { Slot::Entry }
    }

    /// Reads the text of the tool result at `place` from where the host keeps it.
    pub fn read_result<V: Value>(self, message: V, place: BlockPath, sink: &mut dyn FnMut(&[u8])) {
        self.content_slot(place).read_text(&walk(message, self.content_path(place)), sink);
    }

    /// Reads the arguments of the call at `place`, as JSON where they are an object.
    pub fn read_arguments<V: Value>(
        self,
        message: V,
        place: BlockPath,
        sink: &mut dyn FnMut(&[u8]),
    ) {
        Slot::Arguments.read_text(&walk(message, self.arguments_path(place)), sink);
    }
}

fn walk<V: Value>(message: V, path: Vec<Step>) -> V {
    path.into_iter().fold(message, |value, step| match step {
        Step::Field(key) => value.field(key),
        Step::Item(index) => value.item(index as usize),
    })
}

fn path(before: &[Key], item: u32, after: &[Key]) -> Vec<Step> {
    let field = |key: &Key| Step::Field(*key);
    before.iter().map(field).chain([Step::Item(item)]).chain(after.iter().map(field)).collect()
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn every_format_is_found_by_its_name() {
        let mut names: Vec<&str> = Format::NAMES.split(", ").collect();
        assert!(
            names.iter().all(|name| Format::from_name(name).is_some_and(|f| f.name() == *name))
        );
        names.sort_unstable();
        let mut all: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        all.sort_unstable();
        assert_eq!(names, all);
    }
}
