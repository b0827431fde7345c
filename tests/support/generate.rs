//! Conversations at random, written down in either format. All are valid for their provider.

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use trimtab::formats::Format;
use trimtab::projection::{
    AgePolicy, ClearKeep, ClearMeasure, ClearPolicy, ClearTrigger, ClipPolicy, EphemeralMode,
    EphemeralPolicy, EphemeralWhen, KeepMeasure, Policy, ReadsPolicy, Switch,
};

/// What happens in a conversation.
#[derive(Debug, Clone)]
pub enum Event {
    Prompt(String),
    /// Text, whether there is reasoning, and calls with their results; no calls end the turn.
    Answer {
        text: String,
        reasoning: bool,
        calls: Vec<Call>,
    },
}

#[derive(Debug, Clone)]
pub struct Call {
    tool: &'static str,
    path: u8,
    lines: Option<(u8, u8)>,
    result: ResultText,
    parts: bool,
    ephemeral: bool,
    error: bool,
}

#[derive(Debug, Clone)]
enum ResultText {
    /// The same text for the same number: duplicates happen.
    Numbered(u8, u16),
    Any(String),
}

impl ResultText {
    fn text(&self) -> String {
        match self {
            ResultText::Numbered(number, lines) => {
                format!("line {number} of a file\n").repeat(usize::from(*lines))
            }
            ResultText::Any(text) => text.clone(),
        }
    }
}

fn result_text() -> impl Strategy<Value = ResultText> {
    prop_oneof![
        4 => (0..4u8, 0..60u16).prop_map(|(n, lines)| ResultText::Numbered(n, lines)),
        2 => (0..3u8, Just(40u16)).prop_map(|(n, lines)| ResultText::Numbered(n, lines)),
        1 => "\\PC{0,300}".prop_map(ResultText::Any),
        1 => Just(ResultText::Any(format!("Error: {}", "no such file ".repeat(30)))),
        1 => Just(ResultText::Any("[cleared a.ts, 4521 chars; re-run if needed]".to_owned())),
    ]
}

fn call() -> impl Strategy<Value = Call> {
    let tools = prop::sample::select(vec![
        "read_file",
        "Read",
        "edit_file",
        "write_file",
        "bash",
        "grep",
        "ls",
        "weird",
    ]);
    // Few files and ranges: the same lines are read again and again.
    let lines = prop::option::of(prop::sample::select(vec![(1u8, 50u8), (51, 99)]));
    let flags = (any::<bool>(), prop::bool::weighted(0.15), prop::bool::weighted(0.1));
    (tools, 0..3u8, lines, result_text(), flags).prop_map(
        |(tool, path, lines, result, (parts, ephemeral, error))| Call {
            tool,
            path,
            lines,
            result,
            parts,
            ephemeral,
            error,
        },
    )
}

fn event() -> impl Strategy<Value = Event> {
    let text = "[a-zé .]{0,40}";
    let answer = (text, prop::bool::weighted(0.2), prop::collection::vec(call(), 0..4));
    prop_oneof![
        1 => "[a-z ]{1,40}".prop_map(Event::Prompt),
        5 => answer.prop_map(|(text, reasoning, calls)| Event::Answer { text, reasoning, calls }),
    ]
}

pub fn events(most: usize) -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec(event(), 0..most)
}

pub fn format() -> impl Strategy<Value = Format> {
    prop::sample::select(Format::ALL.to_vec())
}

type Settings = (
    Option<AgePolicy>,
    Option<EphemeralPolicy>,
    bool,
    Option<ClearPolicy>,
    Option<ClipPolicy>,
    Option<u32>,
);

fn clip() -> impl Strategy<Value = ClipPolicy> {
    (40..600u32, 0..99u32, any::<bool>()).prop_map(|(max_chars, share, all)| ClipPolicy {
        max_chars,
        head_chars: max_chars / 2 * share / 100,
        tail_chars: max_chars / 2 * (99 - share) / 100,
        tools: if all {
            Some(vec!["bash".to_owned(), "read_file".to_owned(), "weird".to_owned()])
        } else {
            None
        },
    })
}

pub fn clear() -> impl Strategy<Value = ClearPolicy> {
    let trigger = prop_oneof![
        (0..2000u32).prop_map(|value| ClearTrigger { measure: ClearMeasure::InputTokens, value }),
        (0..9u32).prop_map(|value| ClearTrigger { measure: ClearMeasure::ToolUses, value }),
    ];
    (trigger, 0..5u32, 0..400u32, any::<bool>()).prop_map(
        |(trigger, keep, clear_at_least, exclude)| ClearPolicy {
            trigger,
            keep: ClearKeep { measure: KeepMeasure::ToolUses, value: keep },
            clear_at_least,
            exclude_tools: if exclude { vec!["bash".to_owned()] } else { Vec::new() },
            ..ClearPolicy::default()
        },
    )
}

pub fn policy() -> impl Strategy<Value = Policy> {
    let age = prop::option::of((0..8u32, 0..60u32, any::<bool>(), any::<bool>()).prop_map(
        |(max_tool_output_age, max_tool_output_tokens, preserve_recent_files, exclude)| AgePolicy {
            max_tool_output_age,
            max_tool_output_tokens,
            preserve_recent_files,
            summarize_on_truncate: false,
            exclude_tools: if exclude { vec!["bash".to_owned()] } else { Vec::new() },
        },
    ));
    let mode = prop::sample::select(vec![EphemeralMode::Stub, EphemeralMode::Remove]);
    let when = prop::sample::select(vec![EphemeralWhen::AfterTurn, EphemeralWhen::Now]);
    let ephemeral =
        prop::option::of((mode, when).prop_map(|(mode, when)| EphemeralPolicy { mode, when }));
    (
        age,
        ephemeral,
        any::<bool>(),
        prop::option::of(clear()),
        prop::option::of(clip()),
        prop::option::of(0..7u32),
    )
        .prop_map(|(age, ephemeral, dedupe, clear, clip, reads): Settings| {
            // Removal works alone.
            let alone =
                ephemeral.as_ref().is_some_and(|settings| settings.mode == EphemeralMode::Remove);
            Policy {
                reads: reads.filter(|_| !alone).map_or_else(Switch::default, |most| {
                    Switch::on(ReadsPolicy { max_file_reads: most })
                }),
                clip: clip.filter(|_| !alone).map_or_else(Switch::default, Switch::on),
                clear: clear.filter(|_| !alone).map_or_else(Switch::default, Switch::on),
                age: age.filter(|_| !alone).map_or_else(Switch::default, Switch::on),
                ephemeral: ephemeral.map_or_else(Switch::default, Switch::on),
                dedupe: if dedupe && !alone {
                    Switch::on(Default::default())
                } else {
                    Switch::default()
                },
            }
        })
}

/// The conversation as messages of a format.
pub fn write(events: &[Event], format: Format) -> Vec<Json> {
    let mut messages = vec![json!({"role": "user", "content": "start"})];
    for (turn, event) in events.iter().enumerate() {
        match event {
            Event::Prompt(text) => {
                messages.push(json!({"role": "user", "content": text.trim_end().to_owned() + "?"}))
            }
            Event::Answer { text, reasoning, calls } => match format {
                Format::OpenAiChat => write_openai(&mut messages, turn, text, *reasoning, calls),
                Format::Anthropic => write_anthropic(&mut messages, turn, text, *reasoning, calls),
            },
        }
    }
    messages
}

fn arguments(call: &Call) -> Json {
    let path = format!("src/file{}.ts", call.path);
    match call.lines {
        Some((start, end)) => json!({"path": path, "start_line": start, "end_line": end}),
        None => json!({"path": path}),
    }
}

fn content(call: &Call) -> Json {
    let text = call.result.text();
    if call.parts && !text.is_empty() {
        json!([{"type": "text", "text": text}])
    } else {
        text.into()
    }
}

fn write_openai(
    messages: &mut Vec<Json>,
    turn: usize,
    text: &str,
    reasoning: bool,
    calls: &[Call],
) {
    let id = |i: usize| format!("call_{turn}_{i}");
    let written: Vec<Json> = calls
        .iter()
        .enumerate()
        .map(|(i, call)| {
            let arguments = arguments(call).to_string();
            json!({"id": id(i), "type": "function", "function": {"name": call.tool, "arguments": arguments}})
        })
        .collect();
    let mut message = json!({"role": "assistant", "content": if calls.is_empty() { format!("{text}.") } else { text.to_owned() }});
    if reasoning {
        message["reasoning_content"] = "let me think".into();
    }
    if !calls.is_empty() {
        message["tool_calls"] = written.into();
    }
    messages.push(message);
    // Results may come in any order.
    for (i, call) in calls.iter().enumerate().rev() {
        let mut result = json!({"role": "tool", "tool_call_id": id(i), "content": content(call)});
        if call.ephemeral {
            result["metadata"] = json!({"ephemeral": true});
        }
        messages.push(result);
    }
}

fn write_anthropic(
    messages: &mut Vec<Json>,
    turn: usize,
    text: &str,
    reasoning: bool,
    calls: &[Call],
) {
    let id = |i: usize| format!("toolu_{turn}_{i}");
    let mut blocks = Vec::new();
    if reasoning {
        blocks.push(json!({"type": "thinking", "thinking": "let me think", "signature": "c2ln"}));
    }
    if calls.is_empty() || !text.trim().is_empty() {
        blocks.push(json!({"type": "text", "text": format!("{text}.")}));
    }
    for (i, call) in calls.iter().enumerate() {
        blocks.push(
            json!({"type": "tool_use", "id": id(i), "name": call.tool, "input": arguments(call)}),
        );
    }
    messages.push(json!({"role": "assistant", "content": blocks}));
    if calls.is_empty() {
        return;
    }
    let result = |(i, call): (usize, &Call)| {
        let mut block =
            json!({"type": "tool_result", "tool_use_id": id(i), "content": content(call)});
        if call.error {
            block["is_error"] = true.into();
        }
        block
    };
    let blocks: Vec<Json> = calls.iter().enumerate().map(result).collect();
    let mut message = json!({"role": "user", "content": blocks});
    if calls.iter().any(|call| call.ephemeral) {
        message["metadata"] = json!({"ephemeral": true});
    }
    messages.push(message);
}
