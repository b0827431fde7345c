//! Conversations and policies at random.

use proptest::prelude::*;
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
    pub tool: &'static str,
    pub path: u8,
    pub lines: Option<(u8, u8)>,
    pub result: ResultText,
    pub parts: bool,
    pub ephemeral: bool,
    pub error: bool,
}

#[derive(Debug, Clone)]
pub enum ResultText {
    /// The same text for the same number: duplicates happen.
    Numbered(u8, u16),
    Any(String),
}

impl ResultText {
    pub fn text(&self) -> String {
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
