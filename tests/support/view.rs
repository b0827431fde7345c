//! Reads histories into facts, and applies a plan's edits to plain JSON, independently of the TypeScript layer.

use serde_json::{Value as Json, json};
use trimtab::formats::{Format, Slot, Step, detect};
use trimtab::message::{Block, History, JsonValue, Word};
use trimtab::projection::{Ask, Binding, ContentReader, Engine, Part, PlannedEdit, Policy};
use trimtab::session::{EditPlace, place_of_edit};

/// A history read from JSON messages.
pub struct Read<'a> {
    pub format: Format,
    pub history: History,
    pub messages: &'a [Json],
}

pub fn read(messages: &[Json]) -> Read<'_> {
    let format =
        detect(|i| JsonValue(messages.get(i)), messages.len()).expect("a history in one format");
    read_as(messages, format)
}

pub fn read_as(messages: &[Json], format: Format) -> Read<'_> {
    let mut history = History::default();
    for message in messages {
        history.push(format.read(&JsonValue::from(message)).expect("a message of the format"));
    }
    Read { format, history, messages }
}

impl Read<'_> {
    pub fn contents(&self) -> Contents<'_> {
        Contents { format: self.format, messages: self.messages }
    }
}

/// Reader of contents in JSON messages.
#[derive(Clone, Copy)]
pub struct Contents<'a> {
    pub format: Format,
    pub messages: &'a [Json],
}

impl ContentReader for Contents<'_> {
    fn read_result(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        let message = JsonValue::from(&self.messages[block.message]);
        self.format.places().read_result(&message, block.place, sink);
    }

    fn read_whole(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        let message = JsonValue::from(&self.messages[block.message]);
        self.format.places().read_whole(&message, block.place, sink);
    }

    fn read_arguments(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        let message = JsonValue::from(&self.messages[block.message]);
        self.format.places().read_arguments(&message, block.place, sink);
    }
}

/// The view of a history, and the totals of its plan.
pub struct View {
    pub messages: Vec<Json>,
    pub edits: usize,
    pub decided: Vec<PlannedEdit>,
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

/// Returns the view of a history for which some edits are already decided.
pub fn view_repeating(
    read: &Read<'_>,
    policy: &Policy,
    step: u32,
    decided: &[PlannedEdit],
) -> View {
    let mut engine = Engine::default();
    engine.repeat(decided.to_vec());
    // Tests that keep a ledger cover the model's demands on reasoning; there are no earlier requests here.
    let policy = &Policy { binding: Binding::Free, ..policy.clone() };
    let ask = Ask { policy, step: Some(step), sticky: true, idle: 0.0, prefix: 0 };
    engine.project(&read.history, ask, &read.contents());
    applied(&mut engine, &read.history, policy, &read.contents())
}

/// Applies the last plan that the engine made.
pub fn applied(
    engine: &mut Engine,
    history: &History,
    policy: &Policy,
    contents: &Contents<'_>,
) -> View {
    let places = contents.format.places();
    let edits = engine.plan().edits().to_vec();
    let mut messages: Vec<Option<Json>> = contents.messages.iter().cloned().map(Some).collect();
    for edit in edits.iter().rev() {
        let EditPlace { way, slot } = place_of_edit(places, history, edit);
        let message = messages[edit.message].as_mut().expect("edited before it is taken out");
        if edit.replacement.kind().part() == Part::Block {
            remove(message, &way, slot);
            continue;
        }
        let text = engine.text(history, policy, edit, contents).expect("a text");
        set(message, &way, slot, &text);
    }
    for index in engine.plan().removed_messages() {
        messages[*index] = None;
    }
    let reports = engine.pass_reports(history);
    let counted: usize = reports.iter().map(|report| report.edits).sum();
    let tokens_saved: u64 = reports.iter().map(|report| report.tokens_saved).sum();
    let expected = (edits.len(), engine.plan().saved());
    assert_eq!((counted, tokens_saved), expected, "what the report says of its passes");
    View {
        messages: messages.into_iter().flatten().collect(),
        edits: edits.len(),
        decided: engine.ledger().decided().to_vec(),
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
        (Slot::ResponsesOutput, Json::Object(_)) => {
            json!({"type": "computer_screenshot", "image_url": Word::BlankScreen.text()})
        }
        (Slot::Content, Json::Array(parts)) => json!([stub_part(parts, "text", text)]),
        (Slot::ModelOutput, output) => {
            let failed = output["type"].as_str().is_some_and(|kind| kind.starts_with("error"));
            let mut stub = output.clone();
            stub["type"] = if failed { "error-text" } else { "text" }.into();
            stub["value"] = text.into();
            stub
        }
        (Slot::FunctionResponse, answer) => {
            let failed = answer["response"].get("error").is_some();
            let mut stub = answer.clone();
            stub["response"] = json!({if failed { "error" } else { "output" }: text});
            stub.as_object_mut().expect("an object").shift_remove("parts");
            stub
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
