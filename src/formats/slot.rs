//! The shapes that a result's content has on the wire: how its text is read, and how a stub is put in its place so that
//! the provider still takes it. The stubs themselves are put there by the host's side (`js/src/history/apply.ts`).

use crate::message::{Key, Kind, Value, Word};
use serde::Serialize;

/// What stands at the end of the way to an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum Slot {
    /// A text, or a list of parts; nothing counts as an empty text. A stub is a text, or the only part of the list,
    /// which is its first text part with another text.
    Content,
    /// The same in the Responses API, whose new parts are `input_text`; the output of a shell call is a list of
    /// `{stdout, stderr, outcome}`, of which the last stays, with the stub as `stdout`. A computer's screenshot stays one: a
    /// blank one.
    ResponsesOutput,
    /// `{type, value}` of the AI SDK. A stub makes it `text`, and a failure `error-text`.
    ModelOutput,
    /// Whatever the tool returned. A stub is a text.
    RawOutput,
    /// Gemini's `{id?, name, response, parts?}`. A stub makes `response` `{output: stub}`, and a failure `{error: stub}`; the
    /// `parts` go.
    FunctionResponse,
    /// A call's arguments: JSON text stays text, an object stays an object.
    Arguments,
    /// An entry of a list, taken out. With the last one the list goes: a provider refuses an empty one. Or a field.
    Entry,
    /// An entry of a list, taken out. The list stays when it is empty: its class has it always.
    EntryOfList,
}

impl Slot {
    /// The name that the host's side knows it by.
    pub fn name(self) -> &'static str {
        match self {
            Slot::Content => "content",
            Slot::ResponsesOutput => "responses-output",
            Slot::ModelOutput => "model-output",
            Slot::RawOutput => "raw-output",
            Slot::FunctionResponse => "function-response",
            Slot::Arguments => "arguments",
            Slot::Entry => "entry",
            Slot::EntryOfList => "entry-of-list",
        }
    }

    /// Gives the texts of `content` to `sink`, in chunks, and returns their UTF-16 length. Files and unknown parts of a
    /// list have no text; what is no text by its shape is read as JSON.
    pub fn read_text<V: Value>(self, content: &V, sink: &mut dyn FnMut(&[u8])) -> u64 {
        match (self, content.kind()) {
            (_, Kind::Absent) => 0,
            (_, Kind::Text) => content.read_text(sink),
            (Slot::FunctionResponse, _) => {
                Slot::RawOutput.read_text(&content.watched(Key::Response), sink)
            }
            (Slot::RawOutput | Slot::Arguments, _) => content.read_json(sink),
            (Slot::ModelOutput, Kind::Object) => read_output(content, sink),
            (_, Kind::List) => (0..content.len()).map(|i| read_part(&content.item(i), sink)).sum(),
            (_, Kind::Object | Kind::Scalar) => content.read_json(sink),
        }
    }

    /// The same for people and models: the parts of a list one below the other.
    pub fn read_lines<V: Value>(self, content: &V, sink: &mut dyn FnMut(&[u8])) {
        let value = content.field(Key::Value);
        match self {
            Slot::Content | Slot::ResponsesOutput if content.kind() == Kind::List => {
                read_part_lines(content, sink);
            }
            Slot::ModelOutput if value.kind() == Kind::List && is_content(content) => {
                read_part_lines(&value, sink);
            }
            _ => {
                self.read_text(content, sink);
            }
        }
    }
}

fn is_content<V: Value>(output: &V) -> bool {
    output.field(Key::Type).word() == Some(Word::Content)
}

fn read_part_lines<V: Value>(list: &V, sink: &mut dyn FnMut(&[u8])) {
    let texts = (0..list.len()).map(|i| list.item(i)).filter(|part| is_text_part(part));
    for (i, part) in texts.enumerate() {
        if i > 0 {
            sink(b"\n");
        }
        read_part(&part, sink);
    }
}

/// Whether a part of a result's list is text: a text part, or what a shell call printed.
pub fn is_text_part<V: Value>(part: &V) -> bool {
    let is_text = |key| part.field(key).kind() == Kind::Text;
    match part.field(Key::Type).word() {
        Some(Word::Text | Word::InputText | Word::OutputText) => is_text(Key::Text),
        None => is_text(Key::Stdout) || is_text(Key::Stderr),
        Some(_) => false,
    }
}

/// Gives the text of a part to `sink`.
pub fn read_part<V: Value>(part: &V, sink: &mut dyn FnMut(&[u8])) -> u64 {
    if !is_text_part(part) {
        return 0;
    }
    let is_typed = part.field(Key::Type).word().is_some();
    let keys: &[Key] = if is_typed { &[Key::Text] } else { &[Key::Text, Key::Stdout, Key::Stderr] };
    keys.iter().map(|key| part.watched(*key).read_text(sink)).sum()
}

fn read_output<V: Value>(output: &V, sink: &mut dyn FnMut(&[u8])) -> u64 {
    let value = output.watched(Key::Value);
    match output.field(Key::Type).word() {
        Some(Word::Text | Word::ErrorText | Word::Json | Word::ErrorJson)
            if value.kind() != Kind::Text =>
        {
            value.read_json(sink)
        }
        _ => Slot::Content.read_text(&value, sink),
    }
}
