//! What the native tests share: histories made at random in each format, reading them into facts, and making the
//! edits of a plan on plain JSON, written independently of the TypeScript layer.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Shared by several test programs.

pub mod generate;
pub mod oracle;

use serde_json::{Map, Value as Json};
use trimtab::formats::{Format, Step, detect};
use trimtab::message::{BlockId, History, JsonValue};
use trimtab::projection::{Cache, Policy, Replacement, Source, project, replacement_text};

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
        let path = self.format.content_path(block.place);
        match at(&self.messages[block.message], &path) {
            Some(Json::String(text)) => sink(text.as_bytes()),
            Some(Json::Array(parts)) => {
                for text in parts.iter().filter_map(|part| part.get("text").and_then(Json::as_str))
                {
                    sink(text.as_bytes());
                }
            }
            _ => {}
        }
    }
}

fn at<'a>(message: &'a Json, path: &[Step]) -> Option<&'a Json> {
    path.iter().try_fold(message, |value, step| match step {
        Step::Field(key) => value.get(key.text()),
        Step::Item(index) => value.get(*index as usize),
    })
}

/// The view of a history, and the sums of its plan.
pub struct View {
    pub messages: Vec<Json>,
    pub edits: usize,
    pub tokens_saved: u64,
}

pub fn view(messages: &[Json], policy: &Policy) -> View {
    let read = read(messages);
    let step = read.history.steps();
    view_at(&read, policy, step)
}

pub fn view_at(read: &Read<'_>, policy: &Policy, step: u32) -> View {
    let mut cache = Cache::default();
    let plan = project(&read.history, policy, step, read, &mut cache);
    let mut messages: Vec<Option<Json>> = read.messages.iter().cloned().map(Some).collect();
    for edit in plan.edits().iter().rev() {
        let block = &read.history.blocks()[edit.block.0];
        let message = messages[edit.message].as_mut().expect("edited before it is taken out");
        match edit.replacement {
            Replacement::Removed => remove(message, &read.format.block_path(block.place)),
            Replacement::Cleared | Replacement::Clipped => {
                set(
                    message,
                    &read.format.content_path(block.place),
                    cache.stub_text(edit.tool_use),
                );
            }
            Replacement::Placeholder => {
                let placeholder = &policy.clear.settings().expect("the clear pass").placeholder;
                set(message, &read.format.content_path(block.place), placeholder);
            }
            _ => {
                let text = replacement_text(&read.history, edit).expect("a text");
                set(message, &read.format.content_path(block.place), &text);
            }
        }
    }
    for index in plan.removed_messages() {
        messages[*index] = None;
    }
    let tokens_saved = plan.passes().iter().map(|(_, saved)| saved).sum();
    View {
        messages: messages.into_iter().flatten().collect(),
        edits: plan.edits().len(),
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

fn set(message: &mut Json, path: &[Step], text: &str) {
    let content = path.iter().fold(message, |value, step| step_in(value, step));
    *content = match content {
        Json::Array(parts) => {
            let kept = parts.iter().find(|part| part["type"] == "text");
            let mut part: Map<String, Json> =
                kept.and_then(Json::as_object).cloned().unwrap_or_default();
            part.entry("type").or_insert_with(|| "text".into());
            part.insert("text".into(), text.into());
            Json::Array(vec![Json::Object(part)])
        }
        _ => text.into(),
    };
}

fn remove(message: &mut Json, path: &[Step]) {
    let Some((Step::Item(index), way)) = path.split_last() else { return };
    let list = way.iter().fold(&mut *message, |value, step| step_in(value, step));
    let list = list.as_array_mut().expect("a list");
    list.remove(*index as usize);
    if list.is_empty()
        && let Some(Step::Field(key)) = way.last()
    {
        message.as_object_mut().expect("a message").remove(key.text());
    }
}
