//! Earlier decisions stay: projections that repeat them, over generated conversations in every format.

use crate::support::binding::Host;
use crate::support::generate::{Body, Call, Event, ResultText, events, format, policy, retire};
use crate::support::shape::{calls, not_shortened, results};
use crate::support::write::{requests, write};
use crate::support::{Read, View, oracle, read, read_as, view_repeating};
use proptest::prelude::*;
use trimtab::formats::Format;
use trimtab::message::{Block, BlockKind};
use trimtab::projection::{
    Ask, Engine, EphemeralMode, EphemeralPolicy, Finder, Found, PassName, PassSetting, PlannedEdit,
    Policy, ReasoningMode, Replacement, RetirePolicy, SavedEdit,
};

fn config() -> ProptestConfig {
    crate::support::config(500)
}

fn removes(policy: &Policy) -> bool {
    policy.ephemeral.settings().is_some_and(|settings| settings.mode == EphemeralMode::Remove)
}

fn newest(read: &Read<'_>, policy: &Policy, decided: &[PlannedEdit]) -> View {
    view_repeating(read, policy, read.history.steps(), decided)
}

fn saved(read: &Read<'_>, edits: &[PlannedEdit]) -> Vec<[u32; 11]> {
    let decision = |edit: &PlannedEdit| SavedEdit::of(&read.history, edit, None);
    edits.iter().filter_map(decision).map(SavedEdit::to_numbers).collect()
}

fn loaded(read: &Read<'_>, state: &[[u32; 11]]) -> Vec<PlannedEdit> {
    let finder = Finder::new(&read.history, PassName::puts);
    let edit = |numbers: &[u32; 11]| match finder
        .find(&SavedEdit::from_numbers(numbers).expect("a decision"))
    {
        Some(Found::Edit(edit)) => Some(edit),
        _ => None,
    };
    let mut edits: Vec<PlannedEdit> = state.iter().filter_map(edit).collect();
    edits.sort_by_key(|edit| edit.block);
    edits
}

/// Whether the second edit cuts all texts of a call of which the first cut those that it replaced.
fn cuts_more(earlier: &PlannedEdit, now: &PlannedEdit) -> bool {
    let old_only = |edit: &PlannedEdit| match edit.replacement {
        Replacement::Trimmed(trim) => Some(trim.old_only),
        _ => None,
    };
    let is_same = (earlier.block, earlier.pass) == (now.block, now.pass);
    is_same
        && now.pass == PassName::Retire
        && (old_only(earlier), old_only(now)) == (Some(true), Some(false))
}

/// The edits of each request's view, made twice.
fn made_twice(
    events: &[Event],
    format: Format,
    policy: &Policy,
) -> Vec<(Vec<PlannedEdit>, Vec<PlannedEdit>)> {
    let messages = write(events, format);
    let mut engine = Engine::default();
    let mut twice = |length: usize| {
        let read = read_as(&messages[..length], format);
        let mut make = || {
            let ask = Ask { policy, step: None, sticky: true, idle: 0.0, prefix: 0 };
            engine.project(&read.history, ask, &read.contents());
            engine.plan().edits().to_vec()
        };
        (make(), make())
    };
    requests(events, format).into_iter().map(&mut twice).collect()
}

proptest! {
    #![proptest_config(config())]

    /// Decisions stay at every later step; the text that an edit put into its file may be cut after the text that it
    /// replaced. New edits come in batches that are worth rewriting the cache, every view is
    /// valid, and pointers name results that are shown.
    #[test]
    fn decisions_stay(events in events(14), format in format(), policy in policy()) {
        prop_assume!(!removes(&policy));
        let messages = write(&events, format);
        let mut decided: Vec<PlannedEdit> = Vec::new();
        for length in requests(&events, format) {
            let read = read_as(&messages[..length], format);
            let view = newest(&read, &policy, &decided);
            let saves = |edit: &PlannedEdit| read.history.blocks()[edit.block.0].tokens - edit.tokens;
            // A pointer may be replaced by a stub when the result that it names is cleared too.
            let is_gone = |edit: &&PlannedEdit| !view.decided.contains(edit) && !view.decided.iter().any(|now| cuts_more(edit, now));
            let gone: Vec<&PlannedEdit> = decided.iter().filter(is_gone).collect();
            for edit in &gone {
                let is_cleared = |id| view.decided.iter().any(|now| now.tool_use == id && matches!(now.replacement, Replacement::Cleared(_)));
                let of = edit.replacement.names();
                prop_assert!(of.is_some() && is_cleared(edit.tool_use) && is_cleared(of), "{edit:?} is gone");
            }
            let is_new = |edit: &&PlannedEdit| !decided.contains(edit);
            let waits = |edit: &&PlannedEdit| {
                !matches!(edit.pass, PassName::Clear | PassName::Budget | PassName::Retire | PassName::Reasoning)
            };
            let new: Vec<&PlannedEdit> = view.decided.iter().filter(is_new).filter(waits).collect();
            let given_up: u64 = gone.iter().map(|edit| saves(edit)).sum();
            let worth = new.iter().map(|edit| saves(edit)).sum::<u64>().saturating_sub(given_up);
            // Edits do not wait for a batch if the view does not fit without clearing.
            let must_fit = policy.budget.settings().is_some_and(|budget| {
                let cleared = view.decided.iter().filter(|edit| edit.pass == PassName::Budget);
                let given_back: u64 = cleared.map(saves).sum();
                !budget.allows(read.history.tokens() - view.tokens_saved + worth + given_back)
            });
            prop_assert!(new.is_empty() || must_fit || worth >= u64::from(policy.clear_at_least.0));
            prop_assert_eq!(oracle::problems(&view.messages, format), Vec::<String>::new());
            let shown_tokens = read_as(&view.messages, format).history.tokens();
            prop_assert_eq!(read.history.tokens() - view.tokens_saved, shown_tokens);
            let (originals, shown) = (results(&messages[..length]), results(&view.messages));
            let at = |block: usize| {
                let blocks = &read.history.blocks()[..block];
                blocks.iter().filter(|b| b.kind == trimtab::message::BlockKind::ToolResult).count()
            };
            for edit in &view.decided {
                let Some(of) = edit.replacement.names() else { continue };
                let named = at(read.history.uses()[of.0].result.expect("shown").0);
                prop_assert_eq!(&shown[named], &originals[named], "{:?}", edit);
            }
            decided = view.decided;
        }
    }

    /// Decisions that another policy takes over are counted by the texts that it shows, and none costs more than what it
    /// replaces.
    #[test]
    fn decisions_of_another_policy(events in events(14), format in format(), made in policy(), policy in policy()) {
        prop_assume!(!removes(&made) && !removes(&policy));
        let mut host = Host::new(format);
        host.follow(&write(&events, format), false);
        host.send(&made, 0.0);
        host.restart(&made);
        let view = host.send(&policy, 0.0);
        let plan = host.engine.plan();
        let costly = plan.edits().iter().find(|edit| edit.tokens > edit.tokens_before);
        prop_assert_eq!(costly, None);
        let shown_tokens = read_as(&view, format).history.tokens();
        prop_assert_eq!(host.history().tokens() - plan.saved(), shown_tokens);
    }

    /// The retire pass edits in batches worth their rewrite and never reverts them, but may cut more of a call; between
    /// batches the view only grows at its end.
    #[test]
    fn what_is_retired_goes_in_batches(events in events(20), format in format(), settings in retire()) {
        // A message of this format grows during its turn.
        prop_assume!(format != Format::AiSdkUi);
        let at_least = u64::from(settings.at_least);
        let policy = Policy { retire: PassSetting::on(settings), window: 1_000_000, ..Policy::default() };
        let messages = write(&events, format);
        let mut before: Option<View> = None;
        for length in requests(&events, format) {
            let read = read_as(&messages[..length], format);
            let decided = before.as_ref().map_or(&[][..], |view| view.decided.as_slice());
            let view = newest(&read, &policy, decided);
            let earlier = |edit: &PlannedEdit| decided.iter().find(|earlier| cuts_more(earlier, edit));
            let saved = |edit: &PlannedEdit| {
                earlier(edit).map_or(read.history.blocks()[edit.block.0].tokens, |earlier| earlier.tokens) - edit.tokens
            };
            let new = || view.decided.iter().filter(|edit| !decided.contains(edit));
            prop_assert_eq!(view.decided.len(), decided.len() + new().filter(|edit| earlier(edit).is_none()).count());
            let shown_tokens = read_as(&view.messages, format).history.tokens();
            prop_assert_eq!(read.history.tokens() - view.tokens_saved, shown_tokens);
            if new().count() == 0 {
                let same = before.iter().flat_map(|view| &view.messages).zip(&view.messages).all(|(old, new)| old == new);
                prop_assert!(same);
            } else {
                prop_assert!(new().map(saved).sum::<u64>() >= at_least);
            }
            before = Some(view);
        }
    }

    /// A request that is made again, because it failed, has the same view.
    #[test]
    fn a_view_made_again_is_the_same(events in events(20), format in format(), policy in policy()) {
        // A message of this format grows during its turn.
        prop_assume!(format != Format::AiSdkUi);
        for (first, again) in made_twice(&events, format, &policy) {
            prop_assert_eq!(again, first);
        }
    }

    /// Append-only: everything before the last reasoning of a view is the same as in the previous request.
    #[test]
    fn nothing_changes_before_reasoning(events in events(14), format in format(), policy in policy()) {
        // A message of this format grows during its turn.
        prop_assume!(format != Format::AiSdkUi);
        let policy = Policy { reasoning: Some(ReasoningMode::AppendOnly), ephemeral: PassSetting::default(), ..policy };
        let messages = write(&events, format);
        let mut before: Option<View> = None;
        for length in requests(&events, format) {
            let read = read_as(&messages[..length], format);
            let decided = before.as_ref().map_or(&[][..], |view| view.decided.as_slice());
            let view = newest(&read, &policy, decided);
            let is_reasoning = |block: &Block| block.kind == BlockKind::Reasoning;
            let last = read.history.blocks().iter().rfind(|block| is_reasoning(block)).map_or(0, |block| block.message);
            let same = before.iter().flat_map(|view| &view.messages).zip(&view.messages).take(last);
            for (old, new) in same {
                prop_assert_eq!(old, new);
            }
            before = Some(view);
        }
    }

    /// Whatever is changed in a saved state, its views are valid and their arguments are valid shortened arguments.
    #[test]
    fn changed_states_do_no_harm(events in events(10), format in format(), policy in policy(), changes in prop::collection::vec((0usize..99, 0usize..11, prop_oneof![0u32..9, any::<u32>()]), 1..9)) {
        prop_assume!(!removes(&policy) && policy.reasoning != Some(ReasoningMode::Drop));
        let messages = write(&events, format);
        let read = read_as(&messages, format);
        let mut state = saved(&read, &newest(&read, &policy, &[]).decided);
        let count = state.len();
        for (at, field, number) in changes.into_iter().filter(|_| count > 0) {
            state[at % count][field] = number;
        }
        let finder = Finder::new(&read.history, PassName::puts);
        let found = state.iter().filter_map(|numbers| match finder.find(&SavedEdit::from_numbers(numbers)?)? {
            Found::Edit(edit) => Some(edit),
            Found::Stub(..) => None,
        });
        let mut edits: Vec<PlannedEdit> = found.collect();
        edits.sort_by_key(|edit| edit.block);
        edits.dedup_by_key(|edit| edit.block);
        let view = newest(&read, &policy, &edits).messages;
        prop_assert_eq!(oracle::problems(&view, format), Vec::<String>::new());
        for (before, after) in calls(&messages).iter().zip(calls(&view)) {
            prop_assert_eq!(not_shortened(before, &after), None);
        }
    }

    /// Law 16 for state: a state that was saved and loaded leads to the same decisions.
    #[test]
    fn state_survives_saving(events in events(14), format in format(), policy in policy(), cut in 1usize..40) {
        let messages = write(&events, format);
        let before = read_as(&messages[..cut.min(messages.len())], format);
        let decided = newest(&before, &policy, &[]).decided;
        let whole = read_as(&messages, format);
        prop_assert_eq!(&loaded(&before, &saved(&before, &decided)), &decided);
        let loaded = loaded(&whole, &saved(&before, &decided));
        prop_assert_eq!(newest(&whole, &policy, &loaded).messages, newest(&whole, &policy, &decided).messages);
    }

    /// If a host cuts off the beginning, decisions are found again by the ids of their results, and the view is valid.
    #[test]
    fn decisions_move_with_their_results(events in events(14), policy in policy()) {
        prop_assume!(!removes(&policy));
        let messages = write(&events, Format::OpenAiChat);
        let before = read(&messages);
        prop_assume!(before.format == Format::OpenAiChat);
        let view = newest(&before, &policy, &[]);
        let state = saved(&before, &view.decided);
        let cut = messages.iter().rposition(|message| message["role"] == "user").unwrap_or(0);
        let mut shorter = vec![serde_json::json!({"role": "user", "content": "Summary of what came before."})];
        shorter.extend_from_slice(&messages[cut..]);
        let after = read_as(&shorter, Format::OpenAiChat);
        let moved = loaded(&after, &state);
        // Reasoning has no id, only a position, so similar reasoning at that position may be found instead.
        let stays = |edit: &&PlannedEdit| edit.message >= cut && edit.pass != PassName::Reasoning && edit.replacement.rests_on().is_none_or(|of| {
            before.history.uses()[of.0].result.is_some_and(|block| before.history.blocks()[block.0].message >= cut)
        });
        let found = moved.iter().filter(|edit| edit.pass != PassName::Reasoning);
        prop_assert_eq!(found.count(), view.decided.iter().filter(stays).count());
        let moved = newest(&after, &policy, &moved);
        prop_assert_eq!(oracle::problems(&moved.messages, Format::OpenAiChat), Vec::<String>::new());
    }
}

#[test]
fn a_pass_that_is_off_decides_nothing() {
    let call = |id: &str| serde_json::json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function", "function": {"name": "ls", "arguments": "{}"}}]});
    let result = |id: &str| serde_json::json!({"role": "tool", "tool_call_id": id, "content": "x".repeat(1000)});
    let messages: Vec<_> =
        ["a", "b", "c", "d", "e"].iter().flat_map(|id| [call(id), result(id)]).collect();
    let read = read(&messages);
    let policy = Policy::from_json(r#"{"lists":{"keep":1}}"#).expect("a policy");
    let decided = newest(&read, &policy, &[]).decided;
    assert_eq!(decided.len(), 4);
    assert!(decided.iter().all(|edit| matches!(edit.replacement, Replacement::Cleared(_))));
    assert_eq!(newest(&read, &Policy::default(), &decided).edits, 0);
}

#[test]
fn numbers_that_are_no_decision() {
    assert_eq!(SavedEdit::from_numbers(&[]), None);
    assert_eq!(SavedEdit::from_numbers(&[0; 10]), None);
    assert_eq!(SavedEdit::from_numbers(&[u32::MAX; 11]), None);
    assert!(SavedEdit::from_numbers(&[0; 11]).is_some());
    let messages = write(&[], Format::OpenAiChat);
    let nothing = read_as(&messages, Format::OpenAiChat);
    assert!(loaded(&nothing, &[[0; 11]]).is_empty());
}

fn call(tool: &'static str, lines: u16) -> Call {
    Call {
        tool,
        path: 0,
        lines: None,
        body: None,
        result: ResultText::Numbered(0, lines),
        parts: false,
        images: 0,
        ephemeral: false,
        error: false,
    }
}

fn answer(reasoning: bool, calls: Vec<Call>) -> Event {
    Event::Answer { text: String::new(), reasoning, calls }
}

/// What a view does is no reason for the next one to do more: found by the law above, in up to 34,000 cases.
#[test]
fn views_made_again_that_were_not_the_same() {
    let free =
        RetirePolicy { missing: 0.0, rewrite_cost: 0.0, expected_steps: 2, ..Default::default() };
    let retiring =
        |retire: RetirePolicy| Policy { retire: PassSetting::on(retire), ..Policy::default() };

    // The stub of a failed ephemeral edit tells the failure, so its call stays whole.
    let body = Body { old: 4, new: 0, intent: false, nested: false };
    let failed = Call { ephemeral: true, error: true, body: Some(body), ..call("edit_file", 8) };
    let screenshot = Call { images: 1, ..call("bash", 0) };
    let events = [
        answer(false, vec![screenshot.clone()]),
        answer(false, vec![failed]),
        answer(false, vec![]),
    ];
    let policy = retiring(free.clone());
    let failure = (events.to_vec(), Format::AiSdk, policy);

    // The removal of ephemeral content takes reasoning with it, which the retire pass need not spare.
    let ephemeral = Call { ephemeral: true, ..screenshot };
    let first = answer(false, vec![call("write_file", 4), ephemeral]);
    let events = [first, answer(true, vec![call("bash", 9)]), answer(false, vec![])];
    let policy = Policy {
        reasoning: Some(ReasoningMode::Drop),
        ephemeral: PassSetting::on(EphemeralPolicy::default()),
        ..retiring(RetirePolicy { old_texts: false, ..free })
    };
    let reasoning = (events.to_vec(), Format::LangChain, policy);

    // What goes along leaves less to rewrite after an earlier result.
    let texts = |old, new| Some(Body { old, new, intent: true, nested: false });
    let edit = || call("edit_file", 40);
    let command = Call { body: texts(31, 5), ..call("bash", 4) };
    let last = Call { lines: Some((1, 50)), body: texts(0, 17), ..call("read_file", 41) };
    let events = [answer(false, vec![command, edit(), edit()]), answer(false, vec![last])];
    let retire =
        RetirePolicy { missing: 20.0, old_texts: false, expected_steps: 2, ..Default::default() };
    let along = (events.to_vec(), Format::OpenAiChat, retiring(retire));

    let differs = |(events, format, policy): &(Vec<Event>, Format, Policy)| {
        let views = made_twice(events, *format, policy);
        assert!(views.iter().any(|(first, _)| !first.is_empty()), "{format:?}: nothing is edited");
        views.iter().any(|(first, again)| first != again)
    };
    let differing: Vec<Format> = [failure, reasoning, along]
        .iter()
        .filter(|case| differs(case))
        .map(|case| case.1)
        .collect();
    assert_eq!(differing, []);
}
