//! A host with one conversation, and a provider that binds signed reasoning to everything sent before it.

use super::generate::Event;
use super::view::{Contents, applied};
use super::write::write;
use serde_json::{Value as Json, json};
use std::collections::{HashMap, HashSet};
use trimtab::formats::Format;
use trimtab::message::{History, JsonValue};
use trimtab::projection::{
    Ask, Binding, Engine, PLAN_HEAD, PassName, PlannedEdit, Policy, ReasoningMode,
};

/// Formats that carry Anthropic's signatures.
pub const SIGNING: [Format; 5] =
    [Format::Anthropic, Format::AiSdk, Format::AiSdkUi, Format::LangChain, Format::OpenAiChat];

/// Writes the conversation with its reasoning signed, in one of the shapes that the format has for it: each block has its
/// own signature. Signatures and shape are derived from this salt.
pub fn signed(events: &[Event], format: Format, salt: usize) -> Vec<Json> {
    let mut messages = write(events, format);
    for (i, message) in messages.iter_mut().enumerate() {
        sign(message, format, salt, &format!("{salt}.{i}"));
    }
    messages
}

fn sign(message: &mut Json, format: Format, shape: usize, id: &str) {
    if format == Format::OpenAiChat {
        if message["reasoning_content"].is_string() {
            let entry = json!({"type": "reasoning.text", "text": "hm", "signature": id});
            message[GATEWAY_FIELDS[shape % 2]] = json!([entry]);
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
            Some("reasoning") => part[options] = of_provider(shape, &signature),
            _ => {}
        }
        // As `@langchain/aws` writes it.
        if format == Format::LangChain && part["type"] == "thinking" && shape % 2 == 1 {
            let inner = json!({"text": part["thinking"], "signature": part["signature"]});
            *part = json!({"type": "reasoning_content", "reasoningText": inner});
        }
    }
}

/// The fields in which gateways with OpenAI's API return signed reasoning.
const GATEWAY_FIELDS: [&str; 2] = ["reasoning_details", "thinking_blocks"];

/// The provider options of the AI SDK for a signed reasoning part.
fn of_provider(shape: usize, signature: &str) -> Json {
    match shape % 3 {
        0 => json!({"anthropic": {"signature": signature}}),
        1 => json!({"bedrock": {"signature": signature}}),
        _ => {
            json!({"openrouter": {"reasoning_details": [{"type": "reasoning.text", "signature": signature}]}})
        }
    }
}

fn signature(part: &Json) -> Option<&str> {
    let redacted = Some(&part["data"]).filter(|_| part["type"] == "redacted_thinking");
    let of_sdk = ["providerOptions", "providerMetadata"].map(|key| &part[key]).into_iter();
    let of_sdk = of_sdk.flat_map(|options| {
        let routed = &options["openrouter"]["reasoning_details"][0]["signature"];
        [&options["anthropic"]["signature"], &options["bedrock"]["signature"], routed]
    });
    let own = [&part["signature"], &part["reasoningText"]["signature"]].into_iter().chain(redacted);
    own.chain(of_sdk).find_map(Json::as_str)
}

/// Returns the signatures of a view, each with what precedes it: including the reasoning, and without it.
fn signatures(prefix: u32, view: &[Json]) -> Vec<(String, [String; 2])> {
    let mut found = Vec::new();
    let (mut with, mut without) = (format!("{prefix}"), format!("{prefix}"));
    for message in view {
        let mut rest = message.clone();
        let mut remove = |key: &str| rest.as_object_mut()?.remove(key);
        let details = GATEWAY_FIELDS.into_iter().find_map(&mut remove);
        for entry in details.iter().flat_map(|details| details.as_array().into_iter().flatten()) {
            let id = signature(entry).expect("a signed entry");
            found.push((id.to_owned(), [with.clone(), without.clone()]));
            with += id;
        }
        let list = ["content", "parts"].into_iter().find(|key| message[*key].is_array());
        if let Some(parts) = list.and_then(|key| rest.as_object_mut()?.remove(key)) {
            for part in parts.as_array().into_iter().flatten() {
                if part["type"] == "compaction" {
                    // The content that it replaces no longer matters.
                    with = format!("{prefix}{part}");
                    without.clone_from(&with);
                } else if let Some(id) = signature(part) {
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

/// The history without the content of its ephemeral results, as a host keeps or saves it.
pub fn cleaned(messages: &[Json], format: Format) -> Vec<Json> {
    let mut host = Host::new(format);
    host.follow(messages, false);
    let policy = Policy::from_json(r#"{"ephemeral":{"when":"now"},"binding":"free"}"#);
    host.send(&policy.expect("a policy"), 0.0)
}

/// Records what preceded each signed block when it was made.
#[derive(Default)]
pub struct Provider {
    bound: HashMap<String, [String; 2]>,
}

impl Provider {
    /// Returns the signatures that a request must not contain.
    pub fn refuses(&self, prefix: u32, view: &[Json]) -> Vec<String> {
        let signatures = signatures(prefix, view).into_iter();
        let wrong = signatures.filter(|(id, behind)| self.bound.get(id) != Some(behind));
        wrong.map(|(id, _)| id).collect()
    }

    /// Records what preceded new answers: `view` was sent, `history` is the host's history afterwards, with the answer.
    pub fn answers(&mut self, prefix: u32, view: &[Json], sent: &[Json], history: &[Json]) {
        let mut all = view.to_vec();
        let grown = sent.last().filter(|last| Some(*last) != history.get(sent.len() - 1));
        if let Some(last) = grown {
            // The last message has grown: its new parts follow what was sent of it.
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

    /// Number of blocks made.
    pub fn made(&self) -> usize {
        self.bound.len()
    }
}

/// Returns the signatures in messages.
pub fn shown(view: &[Json]) -> HashSet<String> {
    signatures(0, view).into_iter().map(|(id, _)| id).collect()
}

/// Faults of an engine, each of which the provider must notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sabotage {
    /// Ignores binding.
    Unaware,
    /// Keeps all reasoning.
    KeepsAll,
    /// Loses decisions and sent requests at a restart.
    ForgetsAll,
    /// Is not told about a changed system prompt.
    SeesNoPrefix,
    /// Words stubs differently after a restart.
    RewordsStubs,
    /// Keeps the first block after a change.
    LeavesFirst,
    /// Keeps the newest block after a change.
    LeavesLast,
    /// Removes only the first block of each answer.
    LeavesInner,
    /// Shows an edited result in full now and then.
    Flickers,
    /// Restores removed reasoning with the next request.
    BringsBack,
    /// Removes reasoning one request too late.
    IsLate,
}

impl Sabotage {
    pub const ALL: [Sabotage; 11] = [
        Sabotage::Unaware,
        Sabotage::KeepsAll,
        Sabotage::ForgetsAll,
        Sabotage::SeesNoPrefix,
        Sabotage::RewordsStubs,
        Sabotage::LeavesFirst,
        Sabotage::LeavesLast,
        Sabotage::LeavesInner,
        Sabotage::Flickers,
        Sabotage::BringsBack,
        Sabotage::IsLate,
    ];

    fn policy(self, policy: &Policy, restarts: usize) -> Policy {
        let policy = policy.clone();
        match self {
            Sabotage::Unaware => Policy { binding: Binding::Free, ..policy },
            Sabotage::KeepsAll => Policy { reasoning: Some(ReasoningMode::Keep), ..policy },
            Sabotage::RewordsStubs => {
                Policy { recall: policy.recall ^ (restarts % 2 == 1), ..policy }
            }
            _ => policy,
        }
    }

    /// Returns the edits made instead of those planned; `before` are the edits of the previous request.
    fn edits(
        self,
        planned: &[PlannedEdit],
        before: &[PlannedEdit],
        turn: usize,
    ) -> Vec<PlannedEdit> {
        let takes_out = |edit: &&PlannedEdit| edit.pass == PassName::Reasoning;
        let first = planned.iter().find(takes_out).map(|edit| edit.block);
        let last = planned.iter().rfind(takes_out).map(|edit| edit.block);
        let result = planned.iter().rfind(|edit| !takes_out(edit)).map(|edit| edit.block);
        let inner = |edit: &PlannedEdit| {
            planned
                .iter()
                .filter(takes_out)
                .any(|one| one.message == edit.message && one.block < edit.block)
        };
        let stays = |edit: &&PlannedEdit| {
            let (block, reasoning) = (Some(edit.block), takes_out(edit));
            match self {
                Sabotage::LeavesFirst => block == first,
                Sabotage::LeavesLast => block == last,
                Sabotage::LeavesInner => reasoning && inner(edit),
                Sabotage::Flickers => block == result && turn.is_multiple_of(3),
                Sabotage::BringsBack => reasoning && before.contains(edit),
                Sabotage::IsLate => reasoning && !before.contains(edit),
                _ => false,
            }
        };
        planned.iter().filter(|edit| !stays(edit)).copied().collect()
    }
}

/// Native counterpart of a `Context`: follows the host's messages, and makes the views to send.
pub struct Host {
    format: Format,
    history: History,
    pub engine: Engine,
    messages: Vec<Json>,
    pub prefix: u32,
    sabotage: Option<Sabotage>,
    restarts: usize,
    requests: usize,
}

impl Host {
    pub fn new(format: Format) -> Self {
        let (history, engine) = (History::default(), Engine::default());
        let (messages, sabotage) = (Vec::new(), None);
        Self { format, history, engine, messages, prefix: 0, sabotage, restarts: 0, requests: 0 }
    }

    pub fn sabotaged(format: Format, sabotage: Sabotage) -> Self {
        Self { sabotage: Some(sabotage), ..Self::new(format) }
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    /// Follows the host's messages; with `afresh` reads all of them again.
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

    /// Returns the view of a request.
    pub fn send(&mut self, policy: &Policy, idle: f64) -> Vec<Json> {
        self.requests += 1;
        let sabotaged = self.sabotage.map(|sabotage| sabotage.policy(policy, self.restarts));
        let policy = sabotaged.as_ref().unwrap_or(policy);
        let contents = Contents { format: self.format, messages: &self.messages };
        self.engine.find_decisions(&mut self.history, policy, &contents);
        let before = self.engine.ledger().sent().newest();
        let sees_prefix = self.sabotage != Some(Sabotage::SeesNoPrefix);
        let prefix = if sees_prefix { self.prefix } else { 0 };
        let ask = Ask { policy, step: None, sticky: true, idle, prefix };
        self.engine.project(&self.history, ask, &contents);
        match self.sabotage {
            None => applied(&mut self.engine, &self.history, policy, &contents).messages,
            Some(sabotage) => {
                let planned = self.engine.plan().edits();
                let edits = sabotage.edits(planned, &before, self.requests);
                self.made_again(&edits, &self.messages, policy)
            }
        }
    }

    /// Saves the state, and restores it in another process.
    pub fn restart(&mut self, policy: &Policy) {
        let messages = self.messages.clone();
        self.restart_with(&messages, policy);
    }

    /// Saves the state, and restores it in another process that has these messages.
    pub fn restart_with(&mut self, later: &[Json], policy: &Policy) {
        let contents = Contents { format: self.format, messages: &self.messages };
        self.engine.find_decisions(&mut self.history, policy, &contents);
        let state = self.engine.state(&self.history, policy, usize::MAX, &contents);
        let (sabotage, restarts) = (self.sabotage, self.restarts + 1);
        let requests = self.requests;
        *self =
            Self { prefix: self.prefix, sabotage, restarts, requests, ..Self::new(self.format) };
        if sabotage != Some(Sabotage::ForgetsAll) {
            assert_eq!(self.engine.restore(&state), 0, "all rows are decisions");
        }
        self.follow(later, false);
    }

    /// Returns the view of an earlier request, from the ledger alone.
    pub fn replay(&self, request: usize, messages: &[Json], policy: &Policy) -> Vec<Json> {
        self.made_again(&self.engine.ledger().sent().edits(request), messages, policy)
    }

    /// Returns the view with these edits.
    fn made_again(&self, edits: &[PlannedEdit], messages: &[Json], policy: &Policy) -> Vec<Json> {
        let mut other = Self::new(self.format);
        other.follow(messages, false);
        let contents = Contents { format: self.format, messages };
        let edits = edits.iter().flat_map(Engine::edit_numbers);
        let mut head = [0; PLAN_HEAD];
        head[1] = other.history.steps();
        let numbers: Vec<u32> = head.into_iter().chain(edits).collect();
        other.engine.load(&other.history, policy, &numbers, &contents);
        applied(&mut other.engine, &other.history, policy, &contents).messages
    }
}
