//! The laws of the design as property tests over generated conversations in every format.

use crate::support::generate::{Event, clear, events, format, policy};
use crate::support::shape::{
    calls, drop_reasoning, ends_in_tool, has_call, not_shortened, results, skeleton,
};
use crate::support::write::{requests, write};
use crate::support::{oracle, read, read_as, view, view_at, view_repeating};
use proptest::prelude::*;
use serde_json::Value as Json;
use trimtab::formats::Format;
use trimtab::message::{BlockKind, History, Origin, Role, TokensByKind, ToolUse, block_facts};
use trimtab::projection::{
    AgePolicy, EphemeralMode, EphemeralPolicy, EphemeralWhen, ExcludedCalls, PassName, PassSetting,
    Policy, ReasoningMode,
};

fn config() -> ProptestConfig {
    crate::support::config(1000)
}

fn dedupe_only() -> Policy {
    Policy { dedupe: PassSetting::on(Default::default()), ..Policy::default() }
}

/// Excluded Gemini calls that stay until the current turn ends, because their signature covers the calls beside them.
fn signs_others(messages: &[Json], format: Format, excluded: &[String]) -> Vec<String> {
    let ends = |message: &Json| {
        message["role"] == "user" && !ends_in_tool(message)
            || message["role"] == "model" && !has_call(message)
    };
    let of_turn = messages
        .iter()
        .skip(messages.iter().rposition(ends).unwrap_or(0))
        .filter(|_| format == Format::Gemini);
    let waits = |message: &Json| {
        let calls: Vec<&Json> = message["parts"]
            .as_array()?
            .iter()
            .filter(|part| part.get("functionCall").is_some())
            .collect();
        let id = |part: &Json| part["functionCall"]["id"].as_str().unwrap_or("").to_owned();
        let stays = calls.iter().any(|part| !excluded.contains(&id(part)));
        let signed = calls.iter().find(|part| part.get("thoughtSignature").is_some())?;
        (stays && excluded.contains(&id(signed))).then(|| id(signed))
    };
    of_turn.filter_map(waits).collect()
}

/// Number of steps in the current turn without a signed call, which Gemini may refuse.
fn unsigned_steps(messages: &[Json], format: Format) -> usize {
    let is_prompt = |message: &Json| message["role"] == "user" && !ends_in_tool(message);
    let turn = messages.iter().rposition(is_prompt).unwrap_or(0);
    if messages.last().is_some_and(|last| last["role"] == "model" && !has_call(last)) {
        // The turn is over: no request is made from this history.
        return 0;
    }
    let is_signed = |message: &&Json| message.to_string().contains("thoughtSignature");
    let steps = messages[turn..].iter().filter(|message| has_call(message));
    if format == Format::Gemini { steps.filter(|step| !is_signed(step)).count() } else { 0 }
}

/// Text of the user and the model missing from a view. Text beside Gemini calls, or at the end before calls, may go.
fn lost_words(messages: &[Json], view: &[Json], format: Format) -> Vec<String> {
    let stays = |message: &&Json| format != Format::Gemini || !has_call(message);
    let said: Vec<String> = messages.iter().filter(stays).flat_map(words).collect();
    let mut shown: Vec<String> = view.iter().filter(stays).flat_map(words).collect();
    let last = messages.last().filter(|last| last["role"] != "user" || ends_in_tool(last));
    if last.is_some_and(|last| words(last).is_empty() || ends_in_tool(last))
        && said.starts_with(&shown)
    {
        shown.clone_from(&said);
    }
    let is_lost = |(i, word): &(usize, &String)| shown.get(*i) != Some(*word);
    said.iter().enumerate().filter(is_lost).map(|(_, word)| word.clone()).collect()
}

/// Whether the last block is text of the model.
fn ends_in_words(messages: &[Json], format: Format) -> bool {
    let read = crate::support::read_as(messages, format);
    let last = read.history.blocks().iter().rfind(|block| !block.is_nothing());
    last.is_some_and(|last| {
        read.history.messages()[last.message].role == Role::Assistant
            && last.kind == BlockKind::Text
    })
}

/// The texts of a message that are not reasoning, calls or results.
fn words(message: &Json) -> Vec<String> {
    let body = ["data", "kwargs"].iter().find_map(|key| message.get(*key)).unwrap_or(message);
    if body.get("tool_call_id").is_some() {
        return Vec::new();
    }
    let is_text = |part: &&Json| match part["type"].as_str() {
        Some(kind) => kind == "text" || kind == "output_text",
        None => part["thought"] != true,
    };
    let parts = [&body["content"], &body["parts"]].into_iter().find_map(Json::as_array);
    let texts = parts.into_iter().flatten().filter(is_text).map(|part| &part["text"]);
    let texts = texts.chain([&body["content"]]).filter_map(Json::as_str);
    texts.filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// Id of the call that a pointer names.
fn named_by(text: &str) -> Option<&str> {
    let rest = text.split("returned identical content to call ID ").nth(1)?;
    rest.split(". Review").next()
}

proptest! {
    #![proptest_config(config())]

    /// Law 1: a valid history has valid views, for every policy and format.
    #[test]
    fn views_of_valid_histories_are_valid(events in events(14), format in format(), policy in policy()) {
        let messages = write(&events, format);
        prop_assert_eq!(oracle::problems(&messages, format), Vec::<String>::new());
        let view = view(&messages, &policy).messages;
        prop_assert_eq!(oracle::problems(&view, format), Vec::<String>::new());
    }

    /// A history with a call fits only one format, and every later message is read in it.
    #[test]
    fn formats_are_told_apart(events in events(14), format in format()) {
        let messages = write(&events, format);
        let called = events.iter().any(|event| matches!(event, Event::Answer { calls, .. } if !calls.is_empty()));
        prop_assume!(called);
        prop_assert_eq!(read(&messages).format, format);
    }

    /// Laws 2, 3 and 15: without removal, messages keep their number, order, ids and every other field.
    #[test]
    fn only_the_content_of_results_changes(events in events(14), format in format(), policy in policy()) {
        let ephemeral = policy.ephemeral.settings().map(|settings| EphemeralPolicy { mode: Default::default(), ..settings.clone() });
        let policy = Policy { ephemeral: ephemeral.map_or_else(PassSetting::default, PassSetting::on), ..policy };
        let messages = write(&events, format);
        let view = view(&messages, &policy).messages;
        let drops = policy.reasoning == Some(ReasoningMode::Drop);
        let bare = |message: &Json| {
            let mut bare = skeleton(message);
            if drops { drop_reasoning(&mut bare, false); }
            bare
        };
        let before: Vec<Json> = messages.iter().map(bare).collect();
        let after: Vec<Json> = view.iter().map(bare).collect();
        prop_assert_eq!(before, after);
        for (before, after) in calls(&messages).iter().zip(calls(&view)) {
            prop_assert_eq!(not_shortened(before, &after), None);
        }
    }

    /// The files, lines and commands that the engine reads from calls are the same in a view.
    #[test]
    fn facts_of_calls_stay(events in events(14), format in format(), policy in policy()) {
        prop_assume!(policy.ephemeral.settings().is_none_or(|one| one.mode == Default::default()));
        let messages = write(&events, format);
        let view = view(&messages, &policy).messages;
        let (before, after) = (read(&messages), crate::support::read_as(&view, format));
        for (one, other) in before.history.uses().iter().zip(after.history.uses()) {
            let named = |read: &crate::support::Read<'_>, one: &trimtab::message::ToolUse| -> Vec<_> {
                one.files.iter().map(|(path, lines)| (read.history.names().text(*path).to_owned(), *lines)).collect()
            };
            prop_assert_eq!(named(&before, one), named(&after, other));
            prop_assert_eq!((&one.command, one.origin, one.step), (&other.command, other.origin, other.step));
        }
    }

    /// Failures, recent calls, and calls of protected tools keep their arguments.
    #[test]
    fn what_calls_say_stays_for_a_while(events in events(20), format in format(), after in 0u32..8) {
        let json = format!(r#"{{"inputs":{{"after":{after},"maxChars":64}},"edits":{{"after":{after}}},"protect":{{"tools":["write_file"]}}}}"#);
        let policy = Policy::from_json(&json).expect("a policy");
        let messages = write(&events, format);
        let read = read(&messages);
        let sizes = |read: &crate::support::Read<'_>| -> Vec<u64> {
            let size = |one: &trimtab::message::ToolUse| read.history.blocks()[one.call.expect("a call").0].size.bytes;
            read.history.uses().iter().map(size).collect()
        };
        let view = view(&messages, &policy);
        let shown = sizes(&crate::support::read_as(&view.messages, format));
        let mut edits = 0;
        for ((one, before), after_bytes) in read.history.uses().iter().zip(sizes(&read)).zip(shown) {
            let is_young = read.history.steps() - one.step <= after;
            let is_meant = matches!(one.origin, Origin::Edit | Origin::Write) && read.history.names().text(one.tool) != "write_file";
            if is_young || one.is_error || !is_meant {
                prop_assert_eq!(before, after_bytes);
            }
            edits += usize::from(before != after_bytes);
        }
        prop_assert_eq!(edits, view.edits);
    }

    /// Reasoning of past turns is dropped where the provider accepts that. The current turn keeps its reasoning, and
    /// unsigned reasoning stays beside calls.
    #[test]
    fn reasoning_goes_after_its_turn(events in events(14), format in format()) {
        let policy = Policy { reasoning: Some(ReasoningMode::Drop), ..Policy::default() };
        let messages = write(&events, format);
        let view = view(&messages, &policy).messages;
        let is_prompt = |i: &usize| {
            let is_user = messages[*i]["role"] == "user" && !ends_in_tool(&messages[*i]);
            is_user && !i.checked_sub(1).is_some_and(|before| ends_in_tool(&messages[before]))
        };
        let start = (0..messages.len()).rev().find(is_prompt).unwrap_or(0);
        let has_rule = matches!(format, Format::OpenAiChat | Format::Anthropic | Format::AiSdk | Format::AiSdkUi | Format::Gemini);
        let mut expected = messages.clone();
        let starts: Vec<usize> = (0..messages.len()).filter(|i| *i == 0 || is_prompt(i)).collect();
        for (turn, from) in starts.iter().enumerate().filter(|(_, from)| has_rule && **from < start) {
            let turn = *from..starts.get(turn + 1).copied().unwrap_or(messages.len());
            let has_calls = messages[turn.clone()].iter().any(has_call);
            for message in &mut expected[turn] {
                drop_reasoning(message, has_calls);
            }
        }
        prop_assert_eq!(view, expected);
    }

    /// Law 5: a pointer names an identical result that the view shows in full.
    #[test]
    fn pointers_lead_to_what_is_shown(events in events(14), format in format(), policy in policy()) {
        let ephemeral = policy.ephemeral.settings().map(|settings| EphemeralPolicy { mode: Default::default(), ..settings.clone() });
        let ephemeral = ephemeral.map_or_else(PassSetting::default, PassSetting::on);
        let policy = Policy { dedupe: PassSetting::on(Default::default()), ephemeral, ..policy };
        let messages = write(&events, format);
        let originals = results(&messages);
        let shown = results(&view(&messages, &policy).messages);
        prop_assert_eq!(originals.len(), shown.len());
        for ((id, text), (_, original)) in shown.iter().zip(&originals) {
            let Some(named) = named_by(text) else { continue };
            let visible = shown.iter().find(|(known, _)| known == named).map(|(_, text)| text);
            prop_assert_eq!(visible, Some(original), "{} points to {}", id, named);
        }
    }

    /// Law 5: a pointer to another read of the same lines names one that the view shows in full.
    #[test]
    fn rereads_lead_to_what_is_shown(events in events(20), format in format(), policy in policy(), most in 0u32..7) {
        let superseded = trimtab::projection::Superseded::Keep;
        let reads = trimtab::projection::ReadsPolicy { max_file_reads: most, superseded };
        let ephemeral = EphemeralPolicy { when: EphemeralWhen::Now, ..EphemeralPolicy::default() };
        let policy = Policy { reads: PassSetting::on(reads), ephemeral: PassSetting::on(ephemeral), ..policy };
        let messages = write(&events, format);
        let read = read(&messages);
        let originals = results(&messages);
        let shown = results(&view(&messages, &policy).messages);
        let uses = read.history.uses();
        // Results by position: not every format has ids.
        let blocks = read.history.blocks();
        let at = |one: &trimtab::message::ToolUse| {
            blocks[..one.result.unwrap().0].iter().filter(|block| block.kind == BlockKind::ToolResult).count()
        };
        for one in uses.iter().filter(|one| shown[at(one)].1.starts_with("[Re-read of ")) {
            // The last lines of a file are none that are known, and so not the same.
            let mut same: Vec<_> = uses.iter().filter(|other| {
                other.files == one.files && other.origin == Origin::Read
                    && !other.is_error && !other.ephemeral && !other.partial_request
            }).collect();
            same.sort_by_key(|other| other.result);
            let pointer = &shown[at(one)].1;
            let named = if pointer.contains("first read above") { same.first() } else { same.last() };
            let named = at(named.expect("a read"));
            prop_assert_eq!(&shown[named], &originals[named], "{}", pointer);
        }
    }

    /// Law 8: projecting a view again gives the same view. The engine has no record of its edits, only the text.
    #[test]
    fn projecting_again_changes_nothing(events in events(14), format in format(), policy in policy()) {
        let messages = write(&events, format);
        let once = view(&messages, &policy).messages;
        let twice = view(&once, &policy).messages;
        prop_assert_eq!(once, twice);
    }

    /// Law 8: what failed reads as a failure in the view too, in formats with a flag for it and without, and nothing else
    /// does. Only the stub of ephemeral content says nothing of it.
    #[test]
    fn failures_stay_failures(events in events(14), format in format(), mut policy in policy()) {
        policy.protect.failure_tokens = 0;
        // Removed calls would shift the others.
        policy.ephemeral = PassSetting::default();
        policy.exclude = None;
        let messages = write(&events, format);
        let history = read(&messages).history;
        let shown = read_as(&view(&messages, &policy).messages, format).history;
        let failed = |history: &History| history.uses().iter().map(|one| one.is_error).collect::<Vec<_>>();
        prop_assert_eq!(failed(&history), failed(&shown));
    }

    /// Law 9: the same input gives the same view, whatever was read before.
    #[test]
    fn views_do_not_depend_on_what_came_before(events in events(14), format in format(), policy in policy(), cut in 0usize..40) {
        let messages = write(&events, format);
        let whole = read(&messages);
        let mut grown = crate::support::read_as(&messages, whole.format);
        grown.history.truncate(cut.min(messages.len()));
        for message in &messages[cut.min(messages.len())..] {
            grown.history.push(whole.format.read(&trimtab::message::JsonValue::from(message)).expect("the same format"));
        }
        let step = whole.history.steps();
        prop_assert_eq!(grown.history.tokens(), whole.history.tokens());
        prop_assert_eq!(view_at(&grown, &policy, step).messages, view_at(&whole, &policy, step).messages);
    }

    /// Law 7: results that the clear pass cleared stay cleared, and each batch saves at least `clear_at_least`.
    #[test]
    fn clears_come_in_batches_and_stay(events in events(14), format in format(), settings in clear()) {
        let at_least = u64::from(settings.clear_at_least.0);
        let policy = Policy { clear: PassSetting::on(settings), ..Policy::default() };
        let messages = write(&events, format);
        let mut before = view(&messages[..1], &policy);
        // Answers of OpenAI Responses that follow one another are one answer.
        let continues = |length: usize| format == Format::OpenAiResponses && messages[length - 1]["role"] == "assistant";
        let is_request = |length: &usize| *length == messages.len() || !continues(*length);
        for length in requests(&events, format).into_iter().filter(is_request) {
            let after = view(&messages[..length], &policy);
            let kept = before.messages.iter().zip(&after.messages).all(|(old, new)| old == new);
            prop_assert!(kept || after.tokens_saved >= before.tokens_saved + at_least);
            prop_assert!(after.edits >= before.edits);
            before = after;
        }
    }

    /// Laws 10 and 11: the report's tokens are those of the view, and no edit costs more than what it replaces.
    #[test]
    fn tokens_add_up_and_only_shrink(events in events(14), format in format(), policy in policy()) {
        let messages = write(&events, format);
        let before = read(&messages).history.tokens();
        let view = view(&messages, &policy);
        let after = crate::support::read_as(&view.messages, format);
        prop_assert_eq!(before - view.tokens_saved, after.history.tokens());
        prop_assert!(after.history.tokens() <= before);
        prop_assert_eq!(TokensByKind::of(&after.history).total, after.history.tokens());
    }

    /// Law 12: failures, excluded tools, recent results, and the newest read of each edited file are never cleared.
    #[test]
    fn the_protected_stays(events in events(14), format in format(), age in 0u32..8) {
        let settings = AgePolicy { max_tool_output_age: age, exclude_tools: vec!["bash".into()], ..AgePolicy::default() };
        let policy = Policy { age: PassSetting::on(settings), ..Policy::default() };
        let messages = write(&events, format);
        let read = read(&messages);
        let shown = results(&view(&messages, &policy).messages);
        let originals = results(&messages);
        let uses = read.history.uses();
        for one in uses {
            let of_file = |other: &&trimtab::message::ToolUse| match (other.files.first(), one.files.first()) {
                (Some(theirs), Some(ours)) => theirs.0 == ours.0,
                _ => false,
            };
            let done = |other: &&trimtab::message::ToolUse| !other.is_error;
            let edited = uses.iter().filter(of_file).filter(done).any(|o| matches!(o.origin, Origin::Edit | Origin::Write));
            // The newest read is the one with the latest result: results need not be in the order of their calls.
            let newer = uses.iter().filter(of_file).filter(done).any(|o| o.origin == Origin::Read && o.result > one.result);
            let newest_read = one.origin == Origin::Read && edited && !newer;
            let is_young = read.history.steps() - one.step <= age;
            let is_excluded = read.history.names().text(one.tool) == "bash";
            if is_young || is_excluded || one.is_error || newest_read {
                let at = read.history.blocks()[..one.result.unwrap().0].iter().filter(|b| b.kind == BlockKind::ToolResult).count();
                prop_assert_eq!(&shown[at], &originals[at]);
            }
        }
    }

    /// Law 21: a pinned call and its result are in the view byte for byte under every policy, except that ephemeral
    /// content is still removed.
    #[test]
    fn the_pinned_stays(events in events(14), format in format(), mut policy in policy(), which in any::<u64>()) {
        let messages = write(&events, format);
        let read = read(&messages);
        let chosen = |(at, one): (usize, &ToolUse)| one.id.clone().filter(|_| which >> (at % 64) & 1 == 1);
        let pinned: Vec<String> = read.history.uses().iter().enumerate().filter_map(chosen).collect();
        let free = view_at(&read, &policy, read.history.steps()).decided;
        policy.protect.pinned.clone_from(&pinned);
        // Also if it was edited before it was pinned.
        let repeated = view_repeating(&read, &policy, read.history.steps(), &free);
        let planned = view_at(&read, &policy, read.history.steps());
        for edit in planned.decided.iter().chain(&repeated.decided) {
            let Some(id) = edit.tool_use else { continue };
            let one = &read.history[id];
            let is_pinned = one.id.as_ref().is_some_and(|id| pinned.contains(id));
            prop_assert!(!is_pinned || edit.pass == PassName::Ephemeral, "{edit:?}");
        }
    }

    /// Law 22: an excluded call and its result are in no view. The rest is valid and nothing points to the call; calls
    /// beside it stay, pinned ones stay unchanged, and a call that leaves the list is shown again.
    #[test]
    fn the_excluded_goes_whole(events in events(14), format in format(), mut policy in policy(), which in any::<u64>(), pins in any::<u64>()) {
        let messages = write(&events, format);
        let read = read(&messages);
        let step = read.history.steps();
        let ids = |bits: u64| read.history.uses().iter().enumerate().filter(move |(at, _)| bits >> (at % 64) & 1 == 1)
            .filter_map(|(_, one)| one.id.clone());
        let excluded: Vec<String> = ids(which & !pins).collect();
        policy.protect.pinned = ids(pins).collect();
        let before = view_at(&read, &policy, step).decided;
        let without = policy.clone();
        policy.exclude = Some(ExcludedCalls(excluded.clone()));

        // A final answer may be followed by another answer without a prompt.
        let is_answer = |event: &Event, last: bool| matches!(event, Event::Answer { calls, .. } if !last || calls.is_empty());
        let speaks_twice = events.windows(2).any(|two| is_answer(&two[0], true) && is_answer(&two[1], false));
        let waits = signs_others(&messages, format, &excluded);
        let removes = policy.ephemeral.settings().is_some_and(|one| one.mode == EphemeralMode::Remove);
        // Also if the call was edited or pointed to before it was excluded.
        for view in [view_at(&read, &policy, step), view_repeating(&read, &policy, step, &before)] {
            prop_assert_eq!(oracle::problems(&view.messages, format), Vec::<String>::new());
            prop_assert!(unsigned_steps(&view.messages, format) <= unsigned_steps(&messages, format));
            let text = Json::from(view.messages.clone()).to_string();
            for id in ids(u64::MAX) {
                let is_there = text.contains(&format!("\"{id}\"")) || text.contains(&format!("call ID {id}."));
                let stays = waits.contains(&id) || is_there && oracle::is_needed(&view.messages, &id, format);
                let goes = excluded.contains(&id) && !stays;
                prop_assert!(is_there != goes || removes && !is_there, "{id} in {text}");
            }
            for edit in &view.decided {
                let id = edit.tool_use.and_then(|id| read.history[id].id.as_ref());
                prop_assert!(edit.pass == PassName::Ephemeral || !id.is_some_and(|id| policy.protect.pinned.contains(id)), "{edit:?}");
            }
            prop_assert_eq!(lost_words(&messages, &view.messages, format), Vec::<String>::new());
            prop_assert!(speaks_twice || !ends_in_words(&view.messages, format) || ends_in_words(&messages, format));
            let after = crate::support::read_as(&view.messages, format);
            prop_assert_eq!(read.history.tokens() - view.tokens_saved, after.history.tokens());

            let back = view_repeating(&read, &without, step, &view.decided);
            let text = Json::from(back.messages).to_string();
            for id in &excluded {
                prop_assert!(removes || text.contains(&format!("\"{id}\"")), "{id} is not back");
            }
        }
    }

    /// Law 13: two identical results both stay if a successful write to the file lies between them.
    #[test]
    fn news_is_not_called_a_duplicate(events in events(14), format in format()) {
        let messages = write(&events, format);
        let read = read(&messages);
        let shown = results(&view(&messages, &dedupe_only()).messages);
        let uses = read.history.uses();
        let by_id = |id: &str| uses.iter().position(|one| one.id.as_deref() == Some(id));
        let in_order: Vec<usize> = read.history.blocks().iter().filter(|b| b.kind == BlockKind::ToolResult).map(|b| b.tool_use.unwrap().0).collect();
        for (at, (_, text)) in shown.iter().enumerate() {
            let Some(named) = named_by(text) else { continue };
            let (from, to) = (by_id(named), Some(in_order[at]));
            let (Some(from), Some(to)) = (from, to) else { panic!("{text}") };
            let (first, last) = (uses[from].result, uses[to].result);
            let writes = uses.iter().filter(|one| matches!(one.origin, Origin::Edit | Origin::Write) && !one.is_error);
            let between = |one: &&trimtab::message::ToolUse| one.result > first && one.result < last;
            prop_assert!(!writes.filter(between).any(|write| write.files.first().is_some_and(|file| uses[to].files.first().is_some_and(|read| read.0 == file.0))));
        }
    }

    /// Law 14: after its turn, a view holds nothing of an ephemeral result.
    #[test]
    fn ephemeral_content_is_gone(events in events(14), format in format(), policy in policy()) {
        // Stub or removal; with stubs, other passes are on too.
        let mode = policy.ephemeral.settings().map(|settings| settings.mode).unwrap_or_default();
        let ephemeral = EphemeralPolicy { when: EphemeralWhen::Now, mode };
        let policy = Policy { ephemeral: PassSetting::on(ephemeral), ..policy };
        let messages = write(&events, format);
        let view = view(&messages, &policy).messages;
        let after = crate::support::read_as(&view, format);
        for one in after.history.uses().iter().filter(|one| one.ephemeral) {
            let size = after.history.blocks()[one.result.expect("answered").0].size;
            let most = if one.is_error { "Error: ".len() as u64 + 43 } else { 43 };
            prop_assert!(size.bytes <= most, "{} bytes are left", size.bytes);
        }
    }

    /// Every block's tokens are in exactly one share, and inspection never panics.
    #[test]
    fn inspection_accounts_for_everything(events in events(14), format in format()) {
        let messages = write(&events, format);
        let read = read(&messages);
        let t = TokensByKind::of(&read.history);
        let parts = t.system + t.user + t.assistant_text + t.reasoning + t.tool_calls + t.tool_results + t.other;
        prop_assert_eq!(parts, t.total);
        let blocks = block_facts(&read.history);
        let of_tools = || blocks.iter().filter(|b| matches!(b.kind, BlockKind::ToolCall | BlockKind::ToolResult));
        prop_assert_eq!(of_tools().map(|b| b.tokens).sum::<u64>(), t.tool_calls + t.tool_results);
        prop_assert!(of_tools().all(|b| b.is_paired));
        prop_assert_eq!(of_tools().filter(|b| b.kind == BlockKind::ToolResult).count(), results(&messages).len());
    }
}

/// Found by `projecting_again_changes_nothing`: when edits wait for a batch, more clearing must not save less.
#[test]
fn what_must_fit_does_not_wait() {
    let call = |i: usize| serde_json::json!({"role": "assistant", "content": "", "tool_calls": [{"id": format!("c{i}"), "type": "function", "function": {"name": "bash", "arguments": "{}"}}]});
    let result = |i: usize, size: usize| serde_json::json!({"role": "tool", "tool_call_id": format!("c{i}"), "content": "x".repeat(size)});
    let messages = [call(0), result(0, 1000), call(1), result(1, 3000), call(2), result(2, 1500)];
    let policy = Policy::from_json(r#"{"clip":{"max":800,"head":200,"tail":200,"tools":["bash"]},"budget":{"maxTokens":0,"keepSteps":1},"clearAtLeast":400}"#).expect("a policy");
    let once = view(&messages, &policy).messages;
    assert_eq!(once, view(&once, &policy).messages);
}
