//! The same conversation in every format: the same results are cleared.

use crate::support::generate::{Call, Event, ResultText};
use crate::support::shape::results;
use crate::support::write::write;
use crate::support::{config, read_as, view_at};
use proptest::prelude::*;
use trimtab::formats::Format;
use trimtab::projection::Policy;

/// Call of a tool whose results may be cleared, with a result of 900 characters.
fn call(number: u8) -> Call {
    let result = ResultText::Any(format!("{number:3} words ").repeat(90));
    let (parts, ephemeral, error) = (false, false, false);
    Call {
        tool: "grep",
        path: number,
        lines: None,
        body: None,
        result,
        parts,
        images: 0,
        ephemeral,
        error,
    }
}

/// Prompts (`None`), and answers given as their number of calls and the length of their text in thousands of
/// characters. A prompt follows each answer without calls, which ends its turn: the Responses API marks the end of an
/// answer nowhere else.
fn events(words: &[Option<(u8, usize)>]) -> Vec<Event> {
    let mut number = 0;
    let event = |word: &Option<(u8, usize)>| match word {
        None => Event::Prompt("go on".to_owned()),
        Some((calls, thousands)) => {
            let text =
                if *thousands == 0 { "so".to_owned() } else { "words ".repeat(170 * thousands) };
            let calls = (0..*calls).map(|_| {
                number += 1;
                call(number)
            });
            Event::Answer { text, reasoning: false, calls: calls.collect() }
        }
    };
    let ends_turn = |word: &Option<(u8, usize)>| matches!(word, Some((0, _)));
    let with_prompt = |word| [Some(word), ends_turn(word).then_some(&None)];
    words.iter().flat_map(with_prompt).flatten().map(event).collect()
}

/// Indexes of the results that are cleared at a step, in the order of the conversation.
fn cleared(events: &[Event], format: Format, policy: &Policy, step: u32) -> Vec<usize> {
    let messages = write(events, format);
    let read = read_as(&messages, format);
    let view = view_at(&read, policy, step.min(read.history.steps()));
    let (before, after) = (results(&messages), results(&view.messages));
    (0..before.len()).filter(|i| before[*i].1 != after[*i].1).collect()
}

fn check(words: &[Option<(u8, usize)>], json: &str, step: u32) -> Vec<usize> {
    let (events, policy) = (events(words), Policy::from_json(json).unwrap());
    let of = |format: Format| cleared(&events, format, &policy, step);
    let first = of(Format::FIRST);
    for format in Format::ALL {
        assert_eq!(of(*format), first, "{} at step {step}: {json} {words:?}", format.name());
    }
    first
}

#[test]
fn the_clear_pass_asks_once_for_each_request() {
    let clear = |settings: &str| format!(r#"{{"clear":{{{settings}}}}}"#);
    let by_steps =
        clear(r#""trigger":{"type":"tool_uses","value":2},"keep":{"type":"steps","value":1}"#);
    let by_tokens = clear(
        r#""trigger":{"type":"input_tokens","value":2500},"keep":{"type":"tool_uses","value":1}"#,
    );
    // The text of an answer counts from the next request on, however many messages the answer has.
    let said_much = [Some((1, 0)), Some((1, 0)), Some((1, 8)), Some((1, 0))];
    let cases = [
        (vec![Some((1, 0)); 4], &by_steps, vec![0, 1]),
        (vec![Some((2, 0)), Some((2, 0)), Some((1, 0))], &by_steps, vec![0, 1, 2, 3]),
        (said_much[..3].to_vec(), &by_tokens, vec![0, 1]),
        (said_much.to_vec(), &by_tokens, vec![0, 1, 2]),
    ];
    for (words, json, expected) in cases {
        assert_eq!(check(&words, json, u32::MAX), expected, "{words:?} {json}");
    }
}

proptest! {
    #![proptest_config(config(60))]

    /// Includes steps before the last, where one message may also hold later steps.
    #[test]
    fn the_same_goes_in_every_format(
        words in prop::collection::vec(
            prop_oneof![1 => Just(None), 4 => (0..4u8, Just(0usize)).prop_map(Some)], 1..12,
        ),
        trigger in 0..8u32,
        keep in 0..4u32,
        kind in prop::sample::select(vec!["tool_uses", "steps", "turns"]),
        step in prop_oneof![Just(u32::MAX), 1..8u32],
    ) {
        let json = format!(
            r#"{{"clear":{{"trigger":{{"type":"tool_uses","value":{trigger}}},"keep":{{"type":"{kind}","value":{keep}}}}}}}"#
        );
        check(&words, &json, step);
    }
}
