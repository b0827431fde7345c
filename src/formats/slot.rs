//! Forms of a result's content on the wire: how its text is read, and how a stub replaces it in a form that the
//! provider accepts. TypeScript applies the stubs (`js/src/history/apply.ts`).

use crate::message::{Key, Kind, Value, Word};
use serde::Serialize;

/// The form of the value at the end of an edit's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum Slot {
    /// A text or a list of parts; an absent value counts as an empty text. A stub is a text, or the only part of the
    /// list: its first text part with the text replaced.
    Content,
    /// Like `Content`, for the Responses API, where new parts are `input_text`. The output of a shell call is a list of
    /// `{stdout, stderr, outcome}`; its last entry stays, with the stub as `stdout`. A computer's screenshot is
    /// replaced by a blank one.
    ResponsesOutput,
    /// `{type, value}` of the AI SDK. A stub has the type `text`, or `error-text` for a failure.
    ModelOutput,
    /// Any value returned by the tool. A stub is a text.
    RawOutput,
    /// Gemini's `{id?, name, response, parts?}`. A stub sets `response` to `{output: stub}`, or `{error: stub}` for a
    /// failure, and removes `parts`.
    FunctionResponse,
    /// A call's arguments: JSON text stays text, an object stays an object.
    Arguments,
    /// A removed list entry or field. With its last entry the list itself is removed, because providers reject empty
    /// lists.
    Entry,
    /// A removed list entry. An empty list stays: the class always has the field.
    EntryOfList,
}

impl Slot {
    /// The name of this form in TypeScript.
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

    /// Writes the texts of `content` to `sink`, in chunks, and returns their length in UTF-16 units. Files and unknown
    /// parts of a list have no text; a value that is not text by its form is read as JSON.
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

    /// Like [`Slot::read_text`], in readable form: the parts of a list are joined by line breaks.
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

/// Returns whether a part of a result's list is text: a text part, or the output of a shell call.
pub fn is_text_part<V: Value>(part: &V) -> bool {
    let is_text = |key| part.field(key).kind() == Kind::Text;
    match part.field(Key::Type).word() {
        Some(Word::Text | Word::InputText | Word::OutputText) => is_text(Key::Text),
        None => is_text(Key::Stdout) || is_text(Key::Stderr),
        Some(_) => false,
    }
}

/// Writes the text of a part to `sink` and returns its length in UTF-16 units.
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
