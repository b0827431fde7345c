//! A host with one conversation, and a provider that binds signed reasoning to all that was sent before it.

use super::generate::Event;
use super::view::{Contents, applied};
use super::write::write;
use serde_json::{Value as Json, json};
use std::collections::{HashMap, HashSet};
use trimtab::formats::Format;
use trimtab::message::{History, JsonValue};
use trimtab::projection::{Ask, Engine, Policy};

/// Formats that carry signatures of Anthropic's.
pub const SIGNING: [Format; 5] =
    [Format::Anthropic, Format::AiSdk, Format::AiSdkUi, Format::LangChain, Format::OpenAiChat];

/// The conversation with signed reasoning where it has any: each block's signature is its own, under this salt.
pub fn signed(events: &[Event], format: Format, salt: usize) -> Vec<Json> {
    let mut messages = write(events, format);
    for (i, message) in messages.iter_mut().enumerate() {
        sign(message, format, &format!("{salt}.{i}"));
    }
    messages
}

fn sign(message: &mut Json, format: Format, id: &str) {
    if format == Format::OpenAiChat {
        if message["reasoning_content"].is_string() {
            let entry = json!({"type": "reasoning.text", "text": "hm", "signature": id});
            message["reasoning_details"] = json!([entry]);
        }
        return;
    }
    let list = if format == Format::AiSdkUi { "parts" } else { "content" };
    let options = if format == Format::AiSdkUi { "providerMetadata" } else { "providerOptions" };
    let Some(parts) = message[list].as_array_mut() else { return };
    // A second, redacted block between the calls.
    if format == Format::Anthropic
        && id.len().is_multiple_of(2)
        && parts.first().is_some_and(|part| part["type"] == "thinking")
    {
        let at = parts.len() - 1;
        parts.insert(at.max(1), json!({"type": "redacted_thinking", "data": "x"}));
    }
    for (j, part) in parts.iter_mut().enumerate() {
        let signature = format!("{id}.{j}");
        match part["type"].as_str() {
            Some("thinking") => part["signature"] = signature.into(),
            Some("redacted_thinking") => part["data"] = signature.into(),
            Some("reasoning") => part[options] = json!({"anthropic": {"signature": signature}}),
            _ => {}
        }
    }
}

fn signature(part: &Json) -> Option<&str> {
    let of_sdk = |key: &str| part[key]["anthropic"]["signature"].as_str();
    let redacted = || part["data"].as_str().filter(|_| part["type"] == "redacted_thinking");
    let own = part["signature"].as_str().or_else(redacted);
    own.or_else(|| of_sdk("providerOptions")).or_else(|| of_sdk("providerMetadata"))
}

/// Signatures of the view, each with what stands before it: with the reasoning in it, and without.
fn signatures(prefix: u32, view: &[Json]) -> Vec<(String, [String; 2])> {
    let mut found = Vec::new();
    let (mut with, mut without) = (format!("{prefix}"), format!("{prefix}"));
    for message in view {
        let mut rest = message.clone();
        let details = rest.as_object_mut().and_then(|message| message.remove("reasoning_details"));
        for entry in details.iter().flat_map(|details| details.as_array().into_iter().flatten()) {
            let id = signature(entry).expect("a signed entry");
            found.push((id.to_owned(), [with.clone(), without.clone()]));
            with += id;
        }
        let list = ["content", "parts"].into_iter().find(|key| message[*key].is_array());
        if let Some(parts) = list.and_then(|key| rest.as_object_mut()?.remove(key)) {
            for part in parts.as_array().into_iter().flatten() {
                if let Some(id) = signature(part) {
                    found.push((id.to_owned(), [with.clone(), without.clone()]));
                    with += id;
                } else {
                    with += &part.to_string();
                    without += &part.to_string();
                }
            }
        }
        with += &rest.to_string();
        without += &rest.to_string();
    }
    found
}

/// Remembers what each signed block was made behind.
#[derive(Default)]
pub struct Provider {
    bound: HashMap<String, [String; 2]>,
}

impl Provider {
    /// The signatures that a request may not have.
    pub fn refuses(&self, prefix: u32, view: &[Json]) -> Vec<String> {
        let signatures = signatures(prefix, view).into_iter();
        let wrong = signatures.filter(|(id, behind)| self.bound.get(id) != Some(behind));
        wrong.map(|(id, _)| id).collect()
    }

    /// Notes what answers were made behind: `view` was sent, `history` is what the host has then, with the answer.
    pub fn answers(&mut self, prefix: u32, view: &[Json], sent: &[Json], history: &[Json]) {
        let mut all = view.to_vec();
        let grown = sent.last().filter(|last| Some(*last) != history.get(sent.len() - 1));
        if let Some(last) = grown {
            // The last message has grown: its new parts stand behind what was sent of it.
            let before = last["parts"].as_array().map_or(0, Vec::len);
            let parts = history[sent.len() - 1]["parts"].as_array().expect("parts");
            let shown = all.last_mut().expect("a message")["parts"].as_array_mut();
            shown.expect("parts").extend_from_slice(&parts[before..]);
        }
        all.extend_from_slice(&history[sent.len()..]);
        for (id, behind) in signatures(prefix, &all) {
            self.bound.entry(id).or_insert(behind);
        }
    }

    /// How many blocks it made.
    pub fn made(&self) -> usize {
        self.bound.len()
    }
}

/// Signatures in messages.
pub fn shown(view: &[Json]) -> HashSet<String> {
    signatures(0, view).into_iter().map(|(id, _)| id).collect()
}

/// What a `Context` is natively: follows the host's messages, and makes the views that are sent.
pub struct Host {
    format: Format,
    history: History,
    pub engine: Engine,
    messages: Vec<Json>,
    pub prefix: u32,
}

impl Host {
    pub fn new(format: Format) -> Self {
        let (history, engine) = (History::default(), Engine::default());
        Self { format, history, engine, messages: Vec::new(), prefix: 0 }
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    /// Follows the host's messages; `afresh` reads all of them again.
    pub fn follow(&mut self, messages: &[Json], afresh: bool) {
        let same = self.messages.iter().zip(messages).take_while(|(a, b)| a == b).count();
        let same = if afresh { 0 } else { same };
        if same < self.messages.len() {
            self.engine.truncate(&mut self.history, same);
        }
        for message in &messages[same..] {
            self.history.push(self.format.read(&JsonValue::from(message)).expect("a message"));
        }
        self.messages = messages.to_vec();
    }

    /// The view of a request.
    pub fn send(&mut self, policy: &Policy, idle: f64) -> Vec<Json> {
        let contents = Contents { format: self.format, messages: &self.messages };
        self.engine.find_decisions(&mut self.history, &contents);
        let ask = Ask { policy, step: None, sticky: true, idle, prefix: self.prefix };
        self.engine.project(&self.history, ask, &contents);
        applied(&mut self.engine, &self.history, policy, &contents).messages
    }

    /// Saves the state, and goes on with it in another process.
    pub fn restart(&mut self, policy: &Policy) {
        let contents = Contents { format: self.format, messages: &self.messages };
        let requests = self.engine.ledger().sent().len();
        let state = self.engine.state(&self.history, policy, requests, &contents);
        let messages = std::mem::take(&mut self.messages);
        *self = Self { prefix: self.prefix, ..Self::new(self.format) };
        assert_eq!(self.engine.restore(&state), 0, "all rows are decisions");
        self.follow(&messages, false);
    }

    /// The view of an earlier request, from the ledger alone.
    pub fn replay(&self, request: usize, messages: &[Json], policy: &Policy) -> Vec<Json> {
        let mut other = Self::new(self.format);
        other.follow(messages, false);
        let contents = Contents { format: self.format, messages };
        let edits = self.engine.ledger().sent().edits(request);
        let edits = edits.iter().flat_map(|edit| Engine::edit_numbers(&self.history, edit));
        let numbers: Vec<u32> = edits.collect();
        let step = other.history.steps();
        other.engine.load(&other.history, policy, step, &numbers, &contents);
        applied(&mut other.engine, &other.history, policy, &contents).messages
    }
}
