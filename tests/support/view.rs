//! Reading histories into facts, and making the edits of a plan on plain JSON, written independently of the TypeScript
//! layer.

use serde_json::{Value as Json, json};
use trimtab::formats::{Format, Slot, Step, detect};
use trimtab::message::{BlockId, BlockKind, History, JsonValue};
use trimtab::projection::{
    Cache, Edit, Policy, Replacement, Request, Source, project, replacement_text,
};

/// A history read from JSON messages.
pub struct Read<'a> {
    pub format: Format,
    pub history: History,
    pub messages: &'a [Json],
}

pub fn read(messages: &[Json]) -> Read<'_> {
    let detection =
        detect(|i| JsonValue(messages.get(i)), messages.len()).expect("a history in one format");
    read_as(messages, detection.format)
}

pub fn read_as(messages: &[Json], format: Format) -> Read<'_> {
    let mut history = History::default();
    for message in messages {
        history.push(format.read(&JsonValue::from(message)).expect("a message of the format"));
    }
    Read { format, history, messages }
}

impl Source for Read<'_> {
    fn read_result(&self, block: BlockId, sink: &mut dyn FnMut(&[u8])) {
        let block = &self.history.blocks()[block.0];
        let message = JsonValue::from(&self.messages[block.message]);
        self.format.places().read_result(&message, block.place, sink);
    }

    fn read_arguments(&self, block: BlockId, sink: &mut dyn FnMut(&[u8])) {
        let block = &self.history.blocks()[block.0];
        let message = JsonValue::from(&self.messages[block.message]);
        self.format.places().read_arguments(&message, block.place, sink);
    }
}

/// The view of a history, and the sums of its plan.
pub struct View {
    pub messages: Vec<Json>,
    pub edits: usize,
    pub decided: Vec<Edit>,
    pub tokens_saved: u64,
}

pub fn view(messages: &[Json], policy: &Policy) -> View {
    let read = read(messages);
    let step = read.history.steps();
    view_at(&read, policy, step)
}

pub fn view_at(read: &Read<'_>, policy: &Policy, step: u32) -> View {
    view_repeating(read, policy, step, &[])
}

/// The view of a history of which some edits are decided.
pub fn view_repeating(read: &Read<'_>, policy: &Policy, step: u32, decided: &[Edit]) -> View {
    let mut cache = Cache::default();
    let request = Request { policy, current_step: step, decided, idle: 0.0 };
    let plan = project(&read.history, request, read, &mut cache);
    let mut messages: Vec<Option<Json>> = read.messages.iter().cloned().map(Some).collect();
    for edit in plan.edits().iter().rev() {
        let block = &read.history.blocks()[edit.block.0];
        let message = messages[edit.message].as_mut().expect("edited before it is taken out");
        match edit.replacement {
            Replacement::Removed => {
                remove(
                    message,
                    &read.format.places().block_path(block.place),
                    read.format.places().entry_slot,
                );
            }
            _ => {
                let text = replacement_text(&read.history, policy, edit, read, &mut cache);
                let text = text.expect("a text");
                let is_call = block.kind == BlockKind::ToolCall;
                let (path, slot) = if is_call {
                    (read.format.places().arguments_path(block.place), Slot::Arguments)
                } else {
                    let place = block.place;
                    (
                        read.format.places().content_path(place),
                        read.format.places().content_slot(place),
                    )
                };
                set(message, &path, slot, &text);
            }
        }
    }
    for index in plan.removed_messages() {
        messages[*index] = None;
    }
    let (counted, tokens_saved) =
        plan.passes().iter().fold((0, 0), |sum, (edits, saved)| (sum.0 + edits, sum.1 + saved));
    let spared =
        |edit: &Edit| read.history.blocks()[edit.block.0].tokens.saturating_sub(edit.tokens);
    let expected = (plan.edits().len(), plan.edits().iter().map(spared).sum());
    assert_eq!((counted, tokens_saved), expected, "what the report says of its passes");
    View {
        messages: messages.into_iter().flatten().collect(),
        edits: plan.edits().len(),
        decided: plan.edits().iter().filter(|edit| edit.is_lasting()).copied().collect(),
        tokens_saved,
    }
}

fn step_in<'a>(value: &'a mut Json, step: &Step) -> &'a mut Json {
    match step {
        Step::Field(key) => {
            value.as_object_mut().expect("an object").entry(key.text()).or_insert(Json::Null)
        }
        Step::Item(index) => value.get_mut(*index as usize).expect("an entry"),
    }
}

fn set(message: &mut Json, path: &[Step], slot: Slot, text: &str) {
    let content = path.iter().fold(message, |value, step| step_in(value, step));
    *content = match (slot, &*content) {
        (Slot::Arguments, Json::Object(_)) => serde_json::from_str(text).expect("JSON"),
        (Slot::ResponsesOutput, Json::Array(parts)) => json!([stub_item(parts, text)]),
        (Slot::Content, Json::Array(parts)) => json!([stub_part(parts, "text", text)]),
        (Slot::ModelOutput, output) => {
            let failed = output["type"].as_str().is_some_and(|kind| kind.starts_with("error"));
            let mut stub = output.clone();
            stub["type"] = if failed { "error-text" } else { "text" }.into();
            stub["value"] = text.into();
            stub
        }
        (Slot::FunctionResponse, response) => {
            json!({if response.get("error").is_some() { "error" } else { "output" }: text})
        }
        _ => text.into(),
    };
}

fn stub_part(parts: &[Json], kind: &str, text: &str) -> Json {
    let kept = parts.iter().find(|part| part["type"] == kind);
    let mut part = kept.cloned().unwrap_or_else(|| json!({"type": kind}));
    part["text"] = text.into();
    part
}

fn stub_item(parts: &[Json], text: &str) -> Json {
    match parts.last() {
        Some(last) if last.get("stdout").is_some() => {
            json!({"stdout": text, "stderr": "", "outcome": last["outcome"]})
        }
        _ => stub_part(parts, "input_text", text),
    }
}

fn remove(message: &mut Json, path: &[Step], slot: Slot) {
    if let [Step::Field(key)] = path {
        message.as_object_mut().expect("a message").shift_remove(key.text());
    }
    let Some((Step::Item(index), way)) = path.split_last() else { return };
    let list = way.iter().fold(&mut *message, |value, step| step_in(value, step));
    let list = list.as_array_mut().expect("a list");
    list.remove(*index as usize);
    if list.is_empty()
        && slot == Slot::Entry
        && let Some(Step::Field(key)) = way.last()
    {
        message.as_object_mut().expect("a message").remove(key.text());
    }
}
