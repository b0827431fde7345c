//! Random conversations and policies.

use proptest::prelude::*;
use trimtab::formats::Format;
use trimtab::projection::{
    AgePolicy, BudgetPolicy, ClearInputs, ClearKeep, ClearMeasure, ClearPolicy, ClearTrigger,
    ClipLimits, ClipPolicy, ClipUnit, DedupePolicy, EditsPolicy, EphemeralMode, EphemeralPolicy,
    EphemeralWhen, InputsPolicy, InputsWhat, KeepMeasure, ListsPolicy, PassSetting, Policy,
    ProtectPolicy, ReadsPolicy, ReasoningMode, RetirePolicy, Superseded, TokenAmount,
};

/// An event of a conversation.
#[derive(Debug, Clone)]
pub enum Event {
    Prompt(String),
    /// Text, whether there is reasoning, and calls with their results; an answer without calls ends the turn.
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
    /// Content of its long arguments; `write.rs` has the kinds.
    pub body: Option<Body>,
    pub result: ResultText,
    pub parts: bool,
    /// Number of images in the result, besides its text.
    pub images: u8,
    pub ephemeral: bool,
    pub error: bool,
}

/// Line counts of the replaced and the new text of a call, whether it states its intent, and whether it is nested.
#[derive(Debug, Clone, Copy)]
pub struct Body {
    pub old: u8,
    pub new: u8,
    pub intent: bool,
    pub nested: bool,
}

#[derive(Debug, Clone)]
pub enum ResultText {
    /// Equal text for equal numbers, so that duplicates occur.
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
        1 => (0..40usize).prop_map(|lines| ResultText::Any(format!(
            "File: a (structure)\nTotal lines: 900 | Preserved: 100 (11.1%)\n\n{}", "   1 | line\n".repeat(lines),
        ))),
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
    // Few files and ranges, so that the same lines are read repeatedly. Line 0 means the last lines.
    let lines = prop::option::of(prop::sample::select(vec![(1u8, 50u8), (51, 99), (0, 20)]));
    let images = prop_oneof![3 => Just(0u8), 1 => 1..3u8];
    let flags = (any::<bool>(), prop::bool::weighted(0.15), prop::bool::weighted(0.1));
    let body = (0..40u8, 0..40u8, any::<bool>(), any::<bool>())
        .prop_map(|(old, new, intent, nested)| Body { old, new, intent, nested });
    let body = prop::option::of(body);
    (tools, 0..3u8, lines, body, result_text(), flags, images).prop_map(
        |(tool, path, lines, body, result, (parts, ephemeral, error), images)| Call {
            tool,
            path,
            lines,
            body,
            result,
            parts,
            images,
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

fn clip() -> impl Strategy<Value = ClipPolicy> {
    let unit = prop::sample::select(vec![ClipUnit::Chars, ClipUnit::Lines, ClipUnit::Tokens]);
    let tools = prop::option::of(Just(vec!["bash".into(), "read_file".into(), "weird".into()]));
    (unit, 40..600u32, 0..99u32, tools, any::<bool>()).prop_map(
        |(unit, most, share, tools, per_tool)| {
            let max = if unit == ClipUnit::Lines { most / 20 } else { most };
            let head = Some(max / 2 * share / 100);
            let tail = Some(max / 2 * (99 - share) / 100);
            let own =
                ClipLimits { unit: ClipUnit::Chars, max: Some(50), head: Some(9), tail: None };
            let per_tool = per_tool.then(|| ("grep".to_owned(), own)).into_iter().collect();
            ClipPolicy { unit, max: Some(max), head, tail, tools, per_tool }
        },
    )
}

pub fn clear() -> impl Strategy<Value = ClearPolicy> {
    let trigger = prop_oneof![
        (0..2000u32).prop_map(|value| (ClearMeasure::InputTokens, f64::from(value))),
        (0..9u32).prop_map(|value| (ClearMeasure::ToolUses, f64::from(value))),
        (0..100u32).prop_map(|value| (ClearMeasure::WindowFraction, f64::from(value) / 100.0)),
    ]
    .prop_map(|(measure, value)| ClearTrigger { measure, value });
    let measure =
        prop::sample::select(vec![KeepMeasure::ToolUses, KeepMeasure::Steps, KeepMeasure::Turns]);
    let keep = (measure, 0..5u32).prop_map(|(measure, value)| ClearKeep { measure, value });
    let down_to = prop::option::of(0..1500u32);
    let inputs = prop_oneof![
        2 => Just(ClearInputs::None),
        1 => Just(ClearInputs::All),
        1 => Just(ClearInputs::Of(vec!["bash".to_owned(), "edit_file".to_owned()])),
    ];
    (trigger, keep, 0..400u32, any::<bool>(), down_to, (any::<bool>(), inputs)).prop_map(
        |(trigger, keep, clear_at_least, exclude, down_to, (clear_errors, clear_tool_inputs))| {
            ClearPolicy {
                clear_tool_inputs,
                trigger,
                keep,
                down_to,
                clear_at_least: TokenAmount(clear_at_least),
                clear_errors,
                exclude_tools: if exclude { vec!["bash".to_owned()] } else { Vec::new() },
                ..ClearPolicy::default()
            }
        },
    )
}

fn age() -> impl Strategy<Value = AgePolicy> {
    (0..8u32, 0..60u32, any::<bool>(), any::<bool>()).prop_map(
        |(max_tool_output_age, max_tool_output_tokens, preserve_recent_files, exclude)| AgePolicy {
            max_tool_output_age,
            max_tool_output_tokens,
            preserve_recent_files,
            summarize_on_truncate: false,
            exclude_tools: if exclude { vec!["bash".to_owned()] } else { Vec::new() },
        },
    )
}

fn reads() -> impl Strategy<Value = ReadsPolicy> {
    let superseded = prop::sample::select(vec![Superseded::Keep, Superseded::Clear]);
    (0..7u32, superseded)
        .prop_map(|(max_file_reads, superseded)| ReadsPolicy { max_file_reads, superseded })
}

fn inputs() -> impl Strategy<Value = InputsPolicy> {
    let what = prop::sample::select(vec![InputsWhat::All, InputsWhat::Old]);
    let tools = prop::option::of(Just(vec!["bash".into(), "edit_file".into(), "weird".into()]));
    (0..6u32, 64..400u32, tools, what).prop_map(|(after, max_chars, tools, what)| InputsPolicy {
        after,
        max_chars,
        tools,
        what,
    })
}

fn switch<T: std::fmt::Debug + Clone>(
    settings: impl Strategy<Value = T>,
) -> impl Strategy<Value = PassSetting<T>> {
    prop::option::of(settings).prop_map(|on| on.map_or_else(PassSetting::default, PassSetting::on))
}

/// Batches of any size, at any price: most pay off at once.
pub fn retire() -> impl Strategy<Value = RetirePolicy> {
    let price = prop::sample::select(vec![0.0, 1.0, 11.5, 49.0]);
    let missing = prop::sample::select(vec![0.0, 1.0, 20.0, 100.0]);
    let at_least = prop::sample::select(vec![0u32, 50, 300]);
    (missing, any::<bool>(), at_least, 0..90u32, price).prop_map(
        |(missing, old_texts, at_least, expected_steps, rewrite_cost)| RetirePolicy {
            missing,
            old_texts,
            at_least,
            expected_steps,
            rewrite_cost,
            ..RetirePolicy::default()
        },
    )
}

/// Adds the retire pass, and removes the passes that it cannot be combined with.
fn with_retire(policy: Policy, retire: RetirePolicy) -> Policy {
    Policy {
        retire: PassSetting::on(retire),
        reasoning: policy.reasoning,
        ephemeral: policy.ephemeral,
        budget: policy.budget,
        protect: policy.protect,
        clear_at_least: policy.clear_at_least,
        recall: policy.recall,
        window: policy.window,
        ..Policy::default()
    }
}

/// Every pass on or off, with its settings. Stubs have no summaries, since those are distinguished from results by
/// state alone.
pub fn policy() -> impl Strategy<Value = Policy> {
    let when = prop::sample::select(vec![EphemeralWhen::AfterTurn, EphemeralWhen::Now]);
    let stub = when.prop_map(|when| EphemeralPolicy { mode: EphemeralMode::Stub, when });
    let lists = (0..4u32).prop_map(|keep| ListsPolicy { keep, tools: None });
    let budget = (0..2000u32, prop::option::of(0..2000u32), 0..3u32).prop_map(
        |(max_tokens, down_to, keep_steps)| BudgetPolicy { max_tokens, down_to, keep_steps },
    );
    let protect = (
        prop::sample::select(vec![("", ""), ("bash", ""), ("", "src/*.ts"), ("grep", "**")]),
        prop::sample::select(vec![20_000, 300, 0]),
        prop::sample::select(vec![
            "",
            "",
            "call_1_0 call_2_1 call_5_0",
            "toolu_0_0 toolu_2_1 toolu_5_0",
        ]),
    )
        .prop_map(|((tool, path), failure_tokens, pinned)| ProtectPolicy {
            tools: Some(tool.to_owned()).filter(|tool| !tool.is_empty()).into_iter().collect(),
            paths: Some(path.to_owned()).filter(|path| !path.is_empty()).into_iter().collect(),
            pinned: pinned.split_whitespace().map(str::to_owned).collect(),
            failure_tokens,
        });
    let some = (switch(stub), switch(clear()), switch(age()), switch(reads()), switch(lists));
    let more = (switch(clip()), switch(Just(DedupePolicy {})), switch(budget), protect);
    let edits = (0..6u32, 2..5u32).prop_map(|(after, at_least)| EditsPolicy { after, at_least });
    let modes = vec![
        ReasoningMode::Keep,
        ReasoningMode::Keep,
        ReasoningMode::Drop,
        ReasoningMode::AppendOnly,
    ];
    let calls = (switch(edits), switch(inputs()), prop::sample::select(modes));
    let together = (some, more, calls, prop::sample::select(vec![0u32, 0, 50, 300]), any::<bool>())
        .prop_map(
            |(
                (ephemeral, clear, age, reads, lists),
                (clip, dedupe, budget, protect),
                (edits, inputs, reasoning),
                clear_at_least,
                recall,
            )| Policy {
                edits,
                inputs,
                reasoning: Some(reasoning),
                ephemeral,
                clear,
                age,
                reads,
                lists,
                clip,
                dedupe,
                budget,
                protect,
                clear_at_least: TokenAmount(clear_at_least),
                recall,
                window: 3000,
                ..Policy::default()
            },
        );
    let together =
        (together, prop::option::weighted(0.3, retire())).prop_map(|(policy, retire)| {
            retire.map_or(policy.clone(), |retire| with_retire(policy, retire))
        });
    // Removal is used alone.
    let when = prop::sample::select(vec![EphemeralWhen::AfterTurn, EphemeralWhen::Now]);
    let removal = when.prop_map(|when| Policy {
        ephemeral: PassSetting::on(EphemeralPolicy { mode: EphemeralMode::Remove, when }),
        ..Policy::default()
    });
    prop_oneof![9 => together, 1 => removal]
}
