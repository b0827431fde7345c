//! The list of formats, one line each. The rest of this room uses a [`Format`] and names no format.

use super::foreign::foreign_as_read;
use super::places::Places;
use super::repair::call_reasoning::CallReasoning;
use super::repair::edits::{NewValue, RepairEdit, RepairStep};
use super::repair::rules::{Counted, Fault, Half, MissingResult, Rules};
use super::wire::{OtherShape, Wire};
use crate::message::{History, Key, MessageDraft, Names, Role, Value};
use serde::Serialize;

/// `Variant = "name", folder in "file": "description";` declares the folder's module and a variant for the type of the
/// same name in it.
macro_rules! formats {
    ($dollar:tt $($variant:ident = $name:literal, $module:ident in $file:literal: $doc:literal;)+) => {
        $(#[path = $file] mod $module;)+

        /// A wire format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[cfg_attr(
            all(test, not(target_arch = "wasm32")),
            derive(ts_rs::TS),
            ts(export, export_to = "types.ts")
        )]
        pub enum Format {
            $(#[doc = $doc] #[serde(rename = $name)] $variant,)+
        }

        impl Format {
            /// All formats, in the order in which an ambiguous history is assigned one of them.
            pub const ALL: &[Format] = &[$(Format::$variant),+];

            /// The first of [`Format::ALL`]: the format of a history until a message rules it out.
            pub const FIRST: Format = Format::ALL[0];

            /// All names, for error messages.
            pub const NAMES: &str = listed!($($name),+);

            /// The name used in options.
            pub fn name(self) -> &'static str {
                match self { $(Format::$variant => $name),+ }
            }
        }

        /// Evaluates an expression in which the identifier is the [`Wire`] type of the format.
        macro_rules! with_wire {
            ($dollar format:expr, $dollar wire:ident => $dollar value:expr) => {
                match $dollar format {
                    $(Format::$variant => { type $dollar wire = $module::$variant; $dollar value })+
                }
            };
        }
    };
}

macro_rules! listed {
    ($first:literal $(, $name:literal)*) => { concat!($first $(, ", ", $name)*) };
}

formats! { $
    OpenAiChat = "openai-chat", openai_chat in "openai_chat/mod.rs": "OpenAI Chat Completions, and messages of its shape with `metadata`.";
    Anthropic = "anthropic", anthropic in "anthropic/mod.rs": "Anthropic Messages.";
    OpenAiResponses = "openai-responses", openai_responses in "openai_responses/mod.rs": "OpenAI Responses.";
    AiSdk = "ai-sdk", ai_sdk in "ai_sdk/mod.rs": "AI SDK `ModelMessage`: what is sent to a model.";
    AiSdkUi = "ai-sdk-ui", ai_sdk_ui in "ai_sdk_ui/mod.rs": "AI SDK `UIMessage`: what `useChat` keeps. A format of its own, since no list holds both.";
    Gemini = "gemini", gemini in "gemini/mod.rs": "Gemini contents.";
    LangChain = "langchain", langchain in "langchain/mod.rs": "LangChain messages: instances, serialised or plain.";
}

impl Format {
    /// Returns the format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// Returns the positions of the parts of its messages.
    pub fn places(self) -> &'static Places {
        with_wire!(self, W => &W::PLACES)
    }

    /// Parses a message, or returns [`OtherShape`] if it is not in this format.
    pub fn read<V: Value>(self, message: &V) -> Result<MessageDraft, OtherShape> {
        let draft = with_wire!(self, W => W::read(message))?;
        if foreign_as_read(message, &draft).is_some() { Err(OtherShape) } else { Ok(draft) }
    }

    /// See [`Wire::recognises`].
    pub(super) fn recognises<V: Value>(self, message: &V) -> bool {
        with_wire!(self, W => W::recognises(message))
    }

    pub(super) fn rules(self) -> &'static Rules {
        with_wire!(self, W => &W::RULES)
    }

    pub(super) fn holder<V: Value>(self, message: &V) -> Option<Key> {
        with_wire!(self, W => W::holder(message))
    }

    pub(super) fn counted<V: Value>(
        self,
        history: &History,
        half: &Half<'_>,
        message: &dyn Fn(usize) -> V,
    ) -> Option<Counted> {
        with_wire!(self, W => W::counted(history, half, message))
    }

    pub(super) fn settled_calls<V: Value>(
        self,
        history: &History,
        message: &dyn Fn(usize) -> V,
    ) -> Names {
        with_wire!(self, W => W::settled_calls(history, message))
    }

    pub(super) fn missing_result<V: Value>(
        self,
        call: &MissingResult<'_>,
        caller: &V,
    ) -> Option<NewValue> {
        with_wire!(self, W => W::missing_result(call, caller))
    }

    pub(super) fn content_edit<V: Value>(self, message: &V, role: Role) -> Option<RepairEdit> {
        with_wire!(self, W => W::content_edit(message, role))
    }

    pub(super) fn says_nothing<V: Value>(self, content: &V, is_final_answer: bool) -> bool {
        with_wire!(self, W => W::says_nothing(content, is_final_answer))
    }

    pub(super) fn lacks_reasoning<V: Value>(self, answer: &V, asked: CallReasoning) -> bool {
        with_wire!(self, W => W::lacks_reasoning(answer, asked))
    }

    pub(super) fn content_of(self, text: &str) -> NewValue {
        with_wire!(self, W => W::content_of(text))
    }

    pub(super) fn is_empty_text<V: Value>(self, block: &V) -> bool {
        with_wire!(self, W => W::is_empty_text(block))
    }

    pub(super) fn result_id<V: Value>(self, message: &V) -> &'static [Key] {
        with_wire!(self, W => W::result_id(message))
    }

    pub(super) fn result_fault<V: Value>(
        self,
        result: &V,
        message: usize,
        way: &[RepairStep],
    ) -> Option<Fault> {
        with_wire!(self, W => W::result_fault(result, message, way))
    }

    pub(super) fn part_fault<V: Value>(self, part: &V, is_last_message: bool) -> Option<Fault> {
        with_wire!(self, W => W::part_fault(part, is_last_message))
    }
}

#[cfg(test)]
mod tests {
    use super::Format;

    #[test]
    fn every_format_is_found_by_its_name() {
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(*format));
            assert!(Format::NAMES.contains(format.name()));
        }
        assert_eq!(Format::from_name("ai"), None);
    }
}
