//! Law 20, binding safety, checked against a simulated provider that binds: it refuses a request in which a signed
//! block follows anything other than what preceded it when it was generated. Also checks that the ledger matches the
//! requests that were sent.

use crate::support::binding::{Host, Provider, SIGNING, Sabotage, cleaned, shown, signed};
use crate::support::generate::{Call, Event, ResultText, events, policy};
use crate::support::oracle;
use crate::support::write::write;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value as Json, json};
use std::cell::Cell;
use trimtab::formats::Format;
use trimtab::projection::{Binding, PassSetting, Policy, ReasoningMode};

/// Action of the host before a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Act {
    Nothing,
    /// Saves the state and continues in another process.
    Restart,
    /// Replaces its messages with new objects of the same content.
    Afresh,
    /// Asks for the same request again.
    Again,
    /// Goes back by this many events and lets the model answer differently.
    Fork(u8),
    /// The provider compacts what it was sent: its answer begins with a compaction block in place of that content.
    ServerCompacts,
    /// Replaces the first messages with a summary.
    Compact(u8),
    /// Changes the first prompt.
    Rewrite,
    /// Changes the system prompt, the tools or the model.
    Prefix,
    /// Waits until the prompt cache is cold.
    Pause,
    /// Excludes a call, or includes an excluded one again.
    Exclude(u8),
    /// Removes the content of the ephemeral results.
    Clean,
    /// Removes it, saves the history and the state, and continues in another process.
    CleanAndRestart,
    /// Changes the content of an ephemeral result.
    Change(u8),
    /// The same, seen before the state is saved, and continues in another process.
    ForkAndRestart(u8),
    RewriteAndRestart,
    ChangeAndRestart(u8),
}

impl Act {
    /// Whether the state is saved after the change was seen.
    fn restarts_late(self) -> bool {
        matches!(self, Act::ForkAndRestart(_) | Act::RewriteAndRestart | Act::ChangeAndRestart(_))
    }
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        12 => Just(Act::Nothing),
        3 => Just(Act::Restart),
        3 => Just(Act::Afresh),
        2 => Just(Act::Again),
        2 => Just(Act::Pause),
        2 => any::<u8>().prop_map(Act::Exclude),
        1 => (1..8u8).prop_map(Act::Fork),
        1 => (0..8u8).prop_map(Act::Compact),
        1 => Just(Act::ServerCompacts),
        1 => Just(Act::Rewrite),
        1 => Just(Act::Prefix),
    ]
}

/// Acts on any history and on ephemeral content, also right before the state is saved.
fn act_on_all() -> impl Strategy<Value = Act> {
    prop_oneof![
        9 => act(),
        1 => (1..8u8).prop_map(Act::ForkAndRestart),
        1 => Just(Act::RewriteAndRestart),
        1 => any::<u8>().prop_map(Act::ChangeAndRestart),
        1 => Just(Act::Clean),
        1 => Just(Act::CleanAndRestart),
        1 => any::<u8>().prop_map(Act::Change),
    ]
}

/// Acts that do not change the content of what is sent.
const PATIENT: [Act; 5] = [Act::Nothing, Act::Restart, Act::Afresh, Act::Again, Act::Pause];

fn demands() -> impl Strategy<Value = Binding> {
    prop::sample::select(vec![Binding::Unknown, Binding::Bound, Binding::AppendOnly])
}

/// The presets, including the characters of the cheapest one. Limits are small so that they act on small histories.
const PRESETS: [&str; 6] = [
    r#"{"ephemeral":true,"age":{"maxToolOutputAge":2,"maxToolOutputTokens":10},"recall":true}"#,
    r#"{"ephemeral":true,"reads":{"maxFileReads":2,"superseded":"clear"},"lists":true,"summarize":true,
        "clip":{"max":100,"head":20,"tail":20},"edits":{"after":2},"inputs":{"what":"old"},"recall":true}"#,
    r#"{"ephemeral":true,"clear":{"trigger":{"type":"input_tokens","value":100},"keep":{"type":"tool_uses","value":1}},
        "recall":true}"#,
    r#"{"ephemeral":true,"retire":{"missing":25,"rewriteCost":0.5},"budget":{"maxTokens":900},"window":1000}"#,
    r#"{"ephemeral":true,"retire":{"missing":100,"rewriteCost":0.5,"reasoning":0},"recall":true,"window":9000}"#,
    r#"{"ephemeral":true,"retire":{"missing":200,"rewriteCost":2,"reasoning":1},"recall":true,"window":9000}"#,
];

fn preset() -> impl Strategy<Value = Policy> {
    prop::sample::select(PRESETS.to_vec())
        .prop_map(|json| Policy::from_json(json).expect("a preset"))
}

fn settings() -> impl Strategy<Value = Policy> {
    (
        prop_oneof![3 => policy().boxed(), 1 => preset().boxed()],
        demands(),
        prop::option::of(Just(ReasoningMode::Drop)),
    )
        .prop_map(|(policy, binding, reasoning)| Policy { binding, reasoning, ..policy })
}

/// Conversations in which most answers have reasoning.
fn conversation() -> impl Strategy<Value = Vec<Event>> {
    let think = |event: (Event, bool)| match event {
        (Event::Answer { text, calls, .. }, reasoning) => {
            let text = if calls.is_empty() { format!("{text}.") } else { text };
            Event::Answer { text, reasoning, calls }
        }
        (prompt, _) => prompt,
    };
    events(16).prop_flat_map(move |events| {
        let count = events.len();
        prop::collection::vec(prop::bool::weighted(0.7), count..=count)
            .prop_map(move |some| events.iter().cloned().zip(some).map(think).collect())
    })
}

/// The conversation as the host keeps it.
struct Talk {
    format: Format,
    events: Vec<Event>,
    salt: usize,
    /// Number of messages that the summary replaces; `rewritten` counts changes of the first prompt.
    compacted: usize,
    rewritten: usize,
    /// Messages as they were before the last fork; they do not change any more.
    kept: Vec<Json>,
    /// Positions of answers that begin with a compaction by the provider.
    summarised: Vec<usize>,
}

impl Talk {
    fn messages(&self) -> Vec<Json> {
        let mut messages = signed(&self.events, self.format, self.salt);
        for (message, kept) in messages.iter_mut().zip(&self.kept) {
            match (message["parts"].as_array_mut(), kept["parts"].as_array()) {
                // A fork may leave a message with fewer parts than before.
                (Some(parts), Some(kept)) => {
                    let count = parts.len().min(kept.len());
                    parts[..count].clone_from_slice(&kept[..count]);
                }
                _ => *message = kept.clone(),
            }
        }
        for at in self.summarised.iter().filter(|at| **at >= self.kept.len()) {
            let block = json!({"type": "compaction", "content": "so far", "encrypted_content": format!("e{at}")});
            if let Some(parts) = messages.get_mut(*at).and_then(|m| m["content"].as_array_mut()) {
                parts.insert(0, block);
            }
        }
        if self.rewritten > 0 {
            let text = json!(format!("another {}", self.rewritten % 10));
            match messages[0].get_mut("parts") {
                Some(parts) => parts[0]["text"] = text,
                None => messages[0]["content"] = text,
            }
        }
        if self.compacted > 0 && self.compacted < messages.len() {
            messages.drain(1..self.compacted);
        }
        messages
    }
}

type Check<'c> = dyn FnMut(&mut Host, &[Json], &[Json], &[String]) + 'c;

fn is_prompt(message: &Json) -> bool {
    (message["role"] == "user" || message["type"] == "human")
        && !message["content"].as_array().is_some_and(|parts| parts[0]["type"] == "tool_result")
}

/// Plays a conversation. `check` receives each request: the host, its messages, the view, and the signatures that the
/// provider refuses in it.
fn play(
    format: Format,
    all: &[Event],
    acts: &[Act],
    policy: &Policy,
    check: &mut Check<'_>,
) -> usize {
    play_on(Host::new(format), format, all, acts, policy, check)
}

fn play_on(
    mut host: Host,
    format: Format,
    all: &[Event],
    acts: &[Act],
    policy: &Policy,
    check: &mut Check<'_>,
) -> usize {
    let mut provider = Provider::default();
    let mut talk = Talk {
        format,
        events: Vec::new(),
        salt: 0,
        compacted: 0,
        rewritten: 0,
        kept: Vec::new(),
        summarised: Vec::new(),
    };
    let mut acts = acts.iter().copied().cycle();
    let mut policy = policy.clone();
    for event in all {
        if matches!(event, Event::Prompt(_)) {
            talk.events.push(event.clone());
            continue;
        }
        let act = acts.next().unwrap_or(Act::Nothing);
        match act {
            Act::Restart => host.restart(&policy),
            Act::Clean | Act::CleanAndRestart if talk.compacted == 0 => {
                talk.kept = cleaned(&talk.messages(), format);
                if act == Act::CleanAndRestart {
                    host.restart_with(&talk.kept, &policy);
                }
            }
            Act::Change(which) | Act::ChangeAndRestart(which) => change(&mut talk.events, which),
            Act::Exclude(which) => exclude_or_take_back(&mut policy, &host, which),
            Act::Fork(back) | Act::ForkAndRestart(back) if talk.compacted == 0 => {
                // Go back to the point where the model was asked.
                let length = talk.events.len().saturating_sub(back.into());
                talk.events.truncate(length);
                talk.kept = talk.messages();
                let count = talk.kept.len();
                talk.summarised.retain(|at| *at < count);
                talk.salt += 1;
            }
            Act::Compact(keep) if talk.compacted == 0 => {
                let messages = talk.messages();
                let from = messages.len().saturating_sub(keep.into()).max(1);
                let prompt = (from..messages.len()).find(|i| is_prompt(&messages[*i]));
                talk.compacted = prompt.unwrap_or(0);
            }
            Act::Rewrite | Act::RewriteAndRestart => {
                talk.rewritten += 1;
            }
            Act::Prefix => {
                host.prefix += 1;
            }
            _ => {}
        }
        let messages = talk.messages();
        host.follow(&messages, act == Act::Afresh);
        if act.restarts_late() {
            host.restart(&policy);
        }
        let idle = if act == Act::Pause { 9999.0 } else { 0.0 };
        let mut view = host.send(&policy, idle);
        if act == Act::Again {
            view = host.send(&policy, idle);
        }
        if act == Act::ServerCompacts && format == Format::Anthropic && talk.compacted == 0 {
            talk.summarised.push(messages.len());
        }
        let refused = provider.refuses(host.prefix, &view);
        check(&mut host, &messages, &view, &refused);
        talk.events.push(event.clone());
        provider.answers(host.prefix, &view, &messages, &talk.messages());
    }
    provider.made()
}

fn change(events: &mut [Event], which: u8) {
    let calls = events.iter_mut().filter_map(|event| match event {
        Event::Answer { calls, .. } => Some(calls),
        Event::Prompt(_) => None,
    });
    let mut marked: Vec<&mut Call> = calls.flatten().filter(|call| call.ephemeral).collect();
    let count = marked.len().max(1);
    if let Some(call) = marked.get_mut(usize::from(which) % count) {
        call.result = ResultText::Any(format!("changed {which}"));
    }
}

fn exclude_or_take_back(policy: &mut Policy, host: &Host, which: u8) {
    let uses = host.history().uses();
    let one = uses.get(usize::from(which) % uses.len().max(1));
    let Some(id) = one.and_then(|one| one.id.clone()) else { return };
    let excluded = &mut policy.exclude.get_or_insert_default().0;
    match excluded.iter().position(|one| *one == id) {
        Some(at) => drop(excluded.remove(at)),
        None if !policy.protect.pinned.contains(&id) => excluded.push(id),
        None => {}
    }
}

fn config() -> ProptestConfig {
    crate::support::config(400)
}

proptest! {
    #![proptest_config(config())]

    /// A provider that binds refuses no request, whatever the host does to its history between requests. Views stay
    /// valid, and the provider's compaction blocks stay unchanged.
    #[test]
    fn no_request_is_refused(
        events in conversation(),
        format in prop::sample::select(SIGNING.to_vec()),
        policy in settings(),
        acts in prop::collection::vec(act_on_all(), 1..12),
    ) {
        let mut failed = None;
        play(format, &events, &acts, &policy, &mut |_, messages, view, refused| {
            let mut problems = oracle::problems(view, format);
            if compactions(messages) != compactions(view) {
                problems.push("a compaction of the provider's is another, or gone".to_owned());
            }
            if failed.is_none() && !(refused.is_empty() && problems.is_empty()) {
                failed = Some(format!("{refused:?} {problems:?} in {view:#?}"));
            }
        });
        prop_assert!(failed.is_none(), "{}", failed.unwrap_or_default());
    }

    /// A history from which ephemeral content was removed needs no edits for it, as when the host's objects tell.
    #[test]
    fn the_stub_of_ephemeral_content_is_not_edited(
        events in conversation(),
        format in prop::sample::select(Format::ALL.to_vec()),
    ) {
        let messages = cleaned(&write(&events, format), format);
        let mut host = Host::new(format);
        host.follow(&messages, false);
        let policy = Policy::from_json(r#"{"ephemeral":{"when":"now"}}"#).expect("a policy");
        host.send(&policy, 0.0);
        prop_assert_eq!(host.engine.plan().edits(), &[]);
    }

    /// Content that the provider has compacted stays as it was sent, whatever is edited after it.
    #[test]
    fn what_was_compacted_stays_as_it_was_sent(
        events in conversation(),
        policy in settings(),
        acts in prop::collection::vec(prop::sample::select(PATIENT.to_vec()), 0..4),
    ) {
        // Ephemeral content is removed with its turn, wherever it is.
        let policy = Policy { ephemeral: PassSetting::default(), ..policy };
        let acts = [acts, vec![Act::ServerCompacts, Act::Nothing]].concat();
        let mut before: Option<(Vec<Json>, Vec<Json>)> = None;
        let mut failed = None;
        play(Format::Anthropic, &events, &acts, &policy, &mut |_, messages, view, _| {
            let end = messages.iter().rposition(is_compaction).unwrap_or(0);
            if let Some((asked, sent)) = &before
                && asked.get(..end) == messages.get(..end)
                && sent.get(..end) != view.get(..end)
            {
                failed.get_or_insert(format!("{sent:#?}, then {view:#?}"));
            }
            before = Some((messages.to_vec(), view.to_vec()));
        });
        prop_assert!(failed.is_none(), "{}", failed.unwrap_or_default());
    }

    /// The ledger holds what was sent: every request in it can be replayed from it, across saves, forks and new message
    /// objects, and it holds every request made from the prefix that the history still has.
    #[test]
    fn the_ledger_is_what_was_sent(
        events in conversation(),
        format in prop::sample::select(Format::ALL.to_vec()),
        policy in settings(),
        acts in prop::collection::vec(act(), 1..12),
    ) {
        let mut sent: Vec<(Vec<Json>, Vec<Json>)> = Vec::new();
        let mut failed = None;
        play(format, &events, &acts, &policy, &mut |host, messages, view, _| {
            let begins = |(made_of, _): &(Vec<Json>, Vec<Json>)| begins_with(messages, made_of);
            let kept = sent.iter().take_while(|one| begins(one)).count();
            sent.truncate(kept);
            if sent.last().is_some_and(|(made_of, _)| made_of == messages) {
                sent.pop();
            }
            sent.push((messages.to_vec(), view.to_vec()));
            let known = host.engine.ledger().sent().len();
            if known != sent.len() {
                failed.get_or_insert(format!("{known} of {} requests", sent.len()));
                return;
            }
            for (k, (made_of, view)) in sent.iter().enumerate() {
                if host.replay(k, made_of, &policy) != *view {
                    failed.get_or_insert(format!("request {k} of {known}"));
                }
            }
        });
        prop_assert!(failed.is_none(), "{}", failed.unwrap_or_default());
    }

    /// Without a known demand of the model, the current turn keeps its reasoning too: no model refuses that.
    #[test]
    fn an_unknown_model_finds_the_reasoning_of_its_turn(
        events in conversation(),
        format in prop::sample::select(SIGNING.to_vec()),
        policy in settings(),
    ) {
        // Ephemeral content is removed with its turn, whatever follows it.
        let ephemeral = PassSetting::default();
        let policy = Policy { binding: Binding::Unknown, ephemeral, ..policy };
        let mut failed = None;
        play(format, &events, &[Act::Nothing], &policy, &mut |_, messages, view, _| {
            let turn = messages.iter().rposition(is_prompt).unwrap_or(0);
            let missing = shown(&messages[turn..]).difference(&shown(view)).count();
            if missing > 0 {
                failed.get_or_insert(format!("{missing} of the turn in {view:#?}"));
            }
        });
        prop_assert!(failed.is_none(), "{}", failed.unwrap_or_default());
    }
}

/// Every sabotage of the engine is detected; otherwise the properties above would prove nothing. Some sabotages show in
/// one case in a hundred, so cases are tried until all were detected (3,000 at most).
#[test]
fn sabotaged_engines_are_refused() {
    let acts = || prop::collection::vec(act(), 1..12);
    let case = (conversation(), prop::sample::select(SIGNING.to_vec()), settings(), acts());
    let noticed = [const { Cell::new(0) }; Sabotage::ALL.len()];
    let mut runner = TestRunner::new(ProptestConfig { cases: 3000, ..config() });
    let told = runner.run(&case, |(events, format, policy, acts)| {
        let policy = Policy { binding: Binding::Bound, ..policy };
        let missed = Sabotage::ALL.iter().zip(&noticed).filter(|(_, count)| count.get() == 0);
        for (sabotage, noticed) in missed {
            let host = Host::sabotaged(format, *sabotage);
            let mut is_refused = false;
            play_on(host, format, &events, &acts, &policy, &mut |_, _, _, refused| {
                is_refused |= !refused.is_empty();
            });
            noticed.set(noticed.get() + usize::from(is_refused));
        }
        Ok(())
    });
    assert!(told.is_ok(), "{told:?}");
    let missed = Sabotage::ALL.iter().zip(&noticed).filter(|(_, count)| count.get() == 0);
    let missed: Vec<_> = missed.map(|(sabotage, _)| sabotage).collect();
    assert!(missed.is_empty(), "{missed:?} of {noticed:?}");
}

/// Whether a message begins with a compaction by the provider.
fn is_compaction(message: &Json) -> bool {
    message["content"][0]["type"] == "compaction"
}

/// The provider's compaction blocks in a history or a view.
fn compactions(messages: &[Json]) -> Vec<&Json> {
    messages.iter().filter(|one| is_compaction(one)).map(|one| &one["content"][0]).collect()
}

/// Whether a history begins with these messages, the last of which may have grown since.
fn begins_with(messages: &[Json], made_of: &[Json]) -> bool {
    let Some((last, before)) = made_of.split_last() else { return true };
    let Some(now) = messages.get(before.len()) else { return false };
    let grown = || Some(now["parts"].as_array()?.starts_with(last["parts"].as_array()?));
    let is_ui = last["role"] == "assistant" && last["role"] == now["role"];
    messages.starts_with(before) && (now == last || (is_ui && grown() == Some(true)))
}
