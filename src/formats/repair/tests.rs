use super::{
    Findings, NewValue, RepairEdit, RepairEntry, RepairItem, RepairStep, ValidityRule, check,
};
use crate::formats::Format;
use crate::message::{History, JsonValue};
use ValidityRule::*;
use serde_json::{Value as Json, json};

fn findings(format: Format, messages: &Json) -> Findings {
    let list: &[Json] = messages.as_array().map_or(&[], Vec::as_slice);
    let mut history = History::default();
    for message in list {
        let draft = format.read(&JsonValue::from(message)).ok();
        assert!(draft.is_some(), "not {}: {message}", format.name());
        draft.into_iter().for_each(|draft| history.push(draft));
    }
    check(format, &history, |index| JsonValue(list.get(index)))
}

fn problems(format: Format, messages: &Json) -> Vec<(usize, ValidityRule)> {
    findings(format, messages).problems.iter().map(|one| (one.index, one.rule)).collect()
}

fn chat_call(ids: &[&str]) -> Json {
    let call = |id: &&str| json!({"id": id, "type": "function", "function": {"name": "read", "arguments": "{}"}});
    json!({"role": "assistant", "content": null, "tool_calls": ids.iter().map(call).collect::<Vec<_>>()})
}

fn chat_result(id: &str) -> Json {
    json!({"role": "tool", "tool_call_id": id, "content": "text"})
}

fn uses(ids: &[&str]) -> Json {
    let block = |id: &&str| json!({"type": "tool_use", "id": id, "name": "read", "input": {}});
    json!({"role": "assistant", "content": ids.iter().map(block).collect::<Vec<_>>()})
}

fn results(ids: &[&str]) -> Json {
    let block = |id: &&str| json!({"type": "tool_result", "tool_use_id": id, "content": "text"});
    json!({"role": "user", "content": ids.iter().map(block).collect::<Vec<_>>()})
}

fn user() -> Json {
    json!({"role": "user", "content": "go on"})
}

fn answer() -> Json {
    json!({"role": "assistant", "content": "done"})
}

fn system() -> Json {
    json!({"role": "system", "content": "be brief"})
}

#[test]
fn what_openai_refuses() {
    let cases: &[(Json, &[(usize, ValidityRule)])] = &[
        (json!([user(), chat_call(&["a", "b"]), chat_result("b"), chat_result("a")]), &[]),
        (json!([chat_call(&["a"]), chat_result("a"), chat_call(&["a"]), chat_result("a")]), &[]),
        (json!([user(), chat_call(&["a", "b"]), chat_result("b")]), &[(1, UnansweredCall)]),
        (json!([user(), chat_result("a")]), &[(1, OrphanResult)]),
        (json!([chat_call(&["a"]), chat_result("a"), chat_result("a")]), &[(2, DuplicateResult)]),
        (json!([chat_call(&["a"]), user(), chat_result("a")]), &[(2, ResultOrder)]),
        (json!([chat_result("a"), chat_call(&["a"])]), &[(0, ResultOrder)]),
        (json!([chat_call(&["a", "a"]), chat_result("a"), chat_result("a")]), &[(0, DuplicateId)]),
        (json!([chat_call(&[""]), chat_result("")]), &[(0, MissingId), (1, MissingId)]),
        (json!([{"role": "assistant", "content": "a", "tool_calls": []}]), &[(0, EmptyToolCalls)]),
        (json!([{"role": "assistant", "content": null}]), &[(0, EmptyContent)]),
        (json!([{"role": "assistant", "content": null, "refusal": "no"}]), &[]),
        (json!([{"role": "user", "content": []}]), &[(0, EmptyContent)]),
        (json!([{"role": "function", "name": "f", "content": "old style"}]), &[]),
    ];
    for (messages, expected) in cases {
        assert_eq!(problems(Format::OpenAiChat, messages), *expected, "{messages}");
    }
}

#[test]
fn what_anthropic_refuses() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let use_a = json!({"type": "tool_use", "id": "a", "name": "read", "input": {}});
    let result_a = json!({"type": "tool_result", "tool_use_id": "a", "content": "text"});
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let searched = json!({"role": "assistant", "content": [
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
    ]});
    let directive = json!({"role": "system", "content": [], "output_config": {"effort": "low"}});
    let cases: &[(Json, &[(usize, ValidityRule)])] = &[
        (json!([user(), uses(&["a", "b"]), results(&["b", "a"]), user()]), &[]),
        (json!([user(), uses(&["a"])]), &[(1, UnansweredCall)]),
        (json!([user(), results(&["a"])]), &[(1, OrphanResult)]),
        (json!([user(), uses(&["a"]), results(&["a", "a"])]), &[(2, DuplicateResult)]),
        (json!([user(), uses(&["a"]), user(), results(&["a"])]), &[(3, ResultOrder)]),
        (
            json!([user(), uses(&["a"]), {"role": "user", "content": [text("x"), result_a]}]),
            &[(2, ResultsNotFirst)],
        ),
        (json!([user(), {"role": "assistant", "content": [use_a, result_a]}]), &[(1, ResultRole)]),
        (json!([{"role": "user", "content": [text("x"), use_a]}]), &[(0, CallRole)]),
        (
            json!([user(), {"role": "assistant", "content": [use_a, text("x")]}, results(&["a"])]),
            &[(1, CallsNotLast)],
        ),
        (
            json!([user(), uses(&["a"]), results(&["a"]), uses(&["a"]), results(&["a"])]),
            &[(3, DuplicateId)],
        ),
        (json!([user(), uses(&["a.b:1"]), results(&["a.b:1"])]), &[(1, InvalidId)]),
        (json!([user(), uses(&[""]), results(&[""])]), &[(1, MissingId), (2, MissingId)]),
        (json!([user(), {"role": "assistant", "content": []}, user()]), &[(1, EmptyContent)]),
        (json!([user(), {"role": "assistant", "content": ""}]), &[]),
        (json!([user(), {"role": "assistant", "content": [text(" \n")]}]), &[(1, EmptyText)]),
        (json!([user(), {"role": "assistant", "content": [thinking]}]), &[(1, ReasoningLast)]),
        (json!([{"role": "assistant", "content": "hi"}]), &[(0, FirstRole)]),
        (json!([user(), system(), uses(&["a"]), results(&["a"]), system()]), &[]),
        (json!([system(), system(), user()]), &[(0, FirstRole), (1, FirstRole)]),
        (json!([system(), uses(&["a"]), results(&["a"])]), &[(0, FirstRole)]),
        (json!([user(), uses(&["a"]), system()]), &[(1, UnansweredCall)]),
        (json!([user(), system(), system(), answer()]), &[]),
        (json!([user(), system(), user(), answer()]), &[(1, SystemOrder)]),
        (json!([user(), system(), system(), user()]), &[(1, SystemOrder), (2, SystemOrder)]),
        (json!([user(), answer(), system(), answer()]), &[(2, SystemOrder)]),
        (json!([user(), answer(), system()]), &[(2, SystemOrder)]),
        (json!([user(), searched, system(), answer()]), &[]),
        (json!([user(), answer(), directive, user(), directive, user()]), &[]),
        (json!([user(), uses(&["a"]), system(), results(&["a"])]), &[(3, ResultOrder)]),
    ];
    for (messages, expected) in cases {
        assert_eq!(problems(Format::Anthropic, messages), *expected, "{messages}");
    }
}

#[test]
fn results_of_servers_follow_their_calls() {
    let text = json!({"type": "text", "text": "found"});
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let call = json!({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}});
    let result = |kind: &str| json!({"type": kind, "tool_use_id": "s", "content": []});
    let said = |blocks: &[&Json]| json!({"role": "assistant", "content": blocks});
    let kinds = [
        "mcp_tool_result",
        "web_search_tool_result",
        "web_fetch_tool_result",
        "code_execution_tool_result",
        "bash_code_execution_tool_result",
        "text_editor_code_execution_tool_result",
        "advisor_tool_result",
        "tool_search_tool_result",
        "brand_new_tool_result",
    ];
    for kind in kinds {
        let result = result(kind);
        let own = match kind {
            "mcp_tool_result" => {
                json!({"type": "mcp_tool_use", "id": "s", "name": "q", "input": {}})
            }
            _ => call.clone(),
        };
        let compaction = json!({"type": "compaction", "content": "so far"});
        let cases: &[(Json, &[(usize, ValidityRule)])] = &[
            (json!([user(), said(&[&own, &result, &text])]), &[]),
            (json!([user(), said(&[&own]), said(&[&result, &text])]), &[]),
            (json!([user(), said(&[&own]), user()]), &[]),
            (json!([user(), said(&[&text, &result])]), &[(1, OrphanResult)]),
            (json!([user(), said(&[&result]), user()]), &[(1, OrphanResult)]),
            (json!([user(), said(&[&result, &own]), user()]), &[(1, OrphanResult)]),
            (json!([user(), said(&[&thinking, &result, &text])]), &[(1, OrphanResult)]),
            (
                json!([user(), said(&[&text, &result]), system(), answer()]),
                &[(1, OrphanResult), (2, SystemOrder)],
            ),
            (
                json!([user(), said(&[&own, &result, &result]), system()]),
                if kind == "mcp_tool_result" { &[(1, OrphanResult)] } else { &[] },
            ),
            (
                json!([user(), said(&[&call]), said(&[&compaction]), said(&[&result, &text])]),
                &[(3, OrphanResult)],
            ),
        ];
        for (messages, expected) in cases {
            assert_eq!(problems(Format::Anthropic, messages), *expected, "{messages}");
        }
    }
}

#[test]
fn signed_messages_keep_their_ids_and_others_give_way() {
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let call = json!({"type": "tool_use", "id": "a", "name": "read", "input": {}});
    let signed = json!({"role": "assistant", "content": [thinking, call]});
    let one = json!([user(), uses(&["a"]), results(&["a"]), signed, results(&["a"])]);
    assert_eq!(problems(Format::Anthropic, &one), [(1, DuplicateId)]);
    let both = findings(
        Format::Anthropic,
        &json!([user(), signed, results(&["a"]), signed, results(&["a"])]),
    );
    assert_eq!(both.problems.len(), 1);
    assert!(!both.problems[0].repairable && both.repairs.is_empty());
    assert!(both.entries.iter().all(|entry| matches!(entry, RepairEntry::Keep { .. })));
}

#[test]
fn new_ids_come_from_content_and_place() {
    let messages = json!([
        chat_call(&["a", "a", "a_2", ""]),
        chat_result("a"),
        chat_result("a"),
        chat_result("a_2"),
        chat_result("")
    ]);
    let ids: Vec<String> = findings(Format::OpenAiChat, &messages)
        .entries
        .iter()
        .flat_map(|entry| match entry {
            RepairEntry::Copy { edits, .. } => edits.clone(),
            _ => Vec::new(),
        })
        .filter_map(|edit| match edit {
            RepairEdit::Set { value: NewValue::Text(value), .. } => Some(value),
            _ => None,
        })
        .collect();
    assert_eq!(ids, ["a_3", "call_0_3", "a_3", "call_0_3"]);
}

#[test]
fn a_message_of_results_is_moved_whole_and_one_with_more_is_left_behind() {
    let entries =
        findings(Format::Anthropic, &json!([user(), uses(&["a"]), user(), results(&["a"])]))
            .entries;
    let kept = |message| RepairEntry::Keep { message };
    assert_eq!(entries, [kept(0), kept(1), kept(3), kept(2)]);

    let mixed = json!({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "a", "content": "text"}, {"type": "text", "text": "and"}
    ]});
    let entries =
        findings(Format::Anthropic, &json!([user(), uses(&["a"]), user(), mixed])).entries;
    let part = |index| RepairItem::Keep {
        message: 3,
        from: vec![RepairStep::Field("content"), RepairStep::Item(index)],
        edits: Vec::new(),
    };
    let only = |index| RepairEntry::Copy {
        message: 3,
        edits: vec![RepairEdit::Arrange {
            path: vec![RepairStep::Field("content")],
            items: vec![part(index)],
        }],
    };
    assert_eq!(entries, [kept(0), kept(1), only(0), kept(2), only(1)]);
}

#[test]
fn what_the_others_refuse() {
    let go = || json!({"role": "user", "parts": [{"text": "go"}]});
    let call =
        |id: &str| json!({"type": "function_call", "call_id": id, "name": "ls", "arguments": "{}"});
    let output = |id: &str| json!({"type": "function_call_output", "call_id": id, "output": ""});
    let model = |name: &str| json!({"role": "model", "parts": [{"functionCall": {"name": name, "args": {}}}]});
    let answer = |name: &str| json!({"role": "user", "parts": [{"functionResponse": {"name": name, "response": {}}}]});
    let part = |state: &str| json!({"type": "tool-ls", "toolCallId": "a", "state": state, "input": {}, "output": 1});
    let ui = |part: &Json| json!({"id": "m", "role": "assistant", "parts": [part]});
    let with_id = json!({"role": "model", "parts": [{"functionCall": {"id": "a", "name": "ls", "args": {}}}]});
    let core = json!({"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "a", "toolName": "ls", "input": {}}]});
    let ai =
        json!({"type": "ai", "content": "", "tool_calls": [{"id": "a", "name": "ls", "args": {}}]});
    let screen = json!({"type": "computer_call", "call_id": "a", "action": {}});
    type Case<'a> = (Format, Json, &'a [(usize, ValidityRule)]);
    let cases: &[Case] = &[
        (Format::OpenAiResponses, json!([call("a"), user(), output("a")]), &[]),
        (Format::OpenAiResponses, json!([output("a"), call("a")]), &[(0, ResultOrder)]),
        (
            Format::OpenAiResponses,
            json!([call("a"), call("b"), output("b")]),
            &[(0, UnansweredCall)],
        ),
        (Format::OpenAiResponses, json!([{"type": "reasoning"}, user()]), &[(0, ReasoningLast)]),
        (Format::OpenAiResponses, json!([screen]), &[(0, UnansweredCall)]),
        (Format::AiSdk, json!([core, user()]), &[(0, UnansweredCall)]),
        (Format::AiSdkUi, json!([ui(&part("output-available"))]), &[]),
        (Format::AiSdkUi, json!([ui(&part("input-available"))]), &[(0, UnansweredCall)]),
        (Format::Gemini, json!([go(), model("ls"), answer("ls")]), &[]),
        (Format::Gemini, json!([go(), model("ls"), answer("cat")]), &[(2, ResultName)]),
        // A response without the id of its call is matched by name.
        (Format::Gemini, json!([go(), with_id, answer("ls")]), &[]),
        (Format::Gemini, json!([model("ls"), answer("ls")]), &[(0, CallOrder)]),
        (Format::LangChain, json!([ai]), &[(0, UnansweredCall)]),
    ];
    for (format, messages, expected) in cases {
        assert_eq!(problems(*format, messages), *expected, "{messages}");
    }
    let left = findings(Format::OpenAiResponses, &json!([screen]));
    assert!(!left.problems[0].repairable && left.entries == [RepairEntry::Keep { message: 0 }]);
}

#[test]
fn a_call_without_an_id_is_named_by_its_tool() {
    let go = json!({"role": "user", "parts": [{"text": "go"}]});
    let call = json!({"role": "model", "parts": [{"functionCall": {"name": "ls", "args": {}}}]});
    let answer =
        json!({"role": "user", "parts": [{"functionResponse": {"name": "cat", "response": {}}}]});
    let said = |messages: Json| -> Vec<String> {
        findings(Format::Gemini, &messages).problems.into_iter().map(|one| one.message).collect()
    };
    assert_eq!(said(json!([go, call, go])), ["the call of ls has no result"]);
    assert_eq!(said(json!([go, answer])), ["there is no call of cat"]);
    assert_eq!(
        said(json!([go, call, answer])),
        ["the result names another tool than the call of ls"]
    );
}

#[test]
fn two_calls_with_one_id_are_answered_in_their_order() {
    let use_of = |name: &str| json!({"type": "tool_use", "id": "a", "name": name, "input": {}});
    let messages = json!([user(), {"role": "assistant", "content": [use_of("ls"), use_of("cat")]}, results(&["a", "a"])]);
    let list: &[Json] = messages.as_array().map_or(&[], Vec::as_slice);
    let mut history = History::default();
    for message in list {
        let draft = Format::Anthropic.read(&JsonValue::from(message)).ok();
        draft.into_iter().for_each(|draft| history.push(draft));
    }
    let halves: Vec<_> = history.blocks().iter().filter_map(|block| block.tool_use).collect();
    assert_eq!(halves.iter().map(|id| id.0).collect::<Vec<_>>(), [0, 1, 0, 1]);
    // The repair gives the second call and the second result one new id.
    let ids: Vec<String> = set_texts(&findings(Format::Anthropic, &messages));
    assert_eq!(ids, ["a_2", "a_2"]);
}

/// Returns the texts that a repair sets, in the order of the history.
fn set_texts(findings: &Findings) -> Vec<String> {
    fn of(edits: &[RepairEdit]) -> Vec<String> {
        let texts = |edit: &RepairEdit| match edit {
            RepairEdit::Set { value: NewValue::Text(text), .. } => vec![text.clone()],
            RepairEdit::Arrange { items, .. } => items.iter().flat_map(inside).collect(),
            _ => Vec::new(),
        };
        edits.iter().flat_map(texts).collect()
    }
    fn inside(item: &RepairItem) -> Vec<String> {
        match item {
            RepairItem::Keep { edits, .. } => of(edits),
            RepairItem::New { .. } => Vec::new(),
        }
    }
    let texts = |entry: &RepairEntry| match entry {
        RepairEntry::Copy { edits, .. } | RepairEntry::New { edits, .. } => of(edits),
        RepairEntry::Keep { .. } => Vec::new(),
    };
    findings.entries.iter().flat_map(texts).collect()
}

/// Number of calls at which an algorithm that compares all pairs takes minutes.
const MANY: usize = 10_000;

#[test]
fn many_calls_in_one_message_take_time_in_proportion() {
    let same: Vec<&str> = vec!["a"; MANY];
    let numbers: Vec<String> = (0..MANY).map(|i| format!("c{i}")).collect();
    let own: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let none: Vec<&str> = vec![""; MANY];
    let part = |kind: &str, id: &str| json!({"type": kind, "toolCallId": id, "toolName": "ls", "input": {}, "output": {"type": "text", "value": "x"}});
    let parts = |kind: &str| own.iter().map(|id| part(kind, id)).collect::<Vec<_>>();
    let gemini = |kind: &str| {
        let part = json!({kind: {"name": "ls", "args": {}, "response": {"output": "x"}}});
        vec![part; MANY]
    };
    let item = |kind: &'static str| {
        own.iter().map(move |id| json!({"type": kind, "call_id": id, "name": "ls", "arguments": "{}", "output": "x"}))
    };
    let run: Vec<Json> = own.iter().map(|id| chat_result(id)).collect();
    let chat: Vec<Json> = std::iter::once(chat_call(&own)).chain(run).collect();
    let cases: Vec<(Format, Json, usize)> = vec![
        (Format::Anthropic, json!([user(), uses(&same), results(&same)]), MANY - 1),
        (Format::Anthropic, json!([user(), uses(&own), results(&own)]), 0),
        (Format::Anthropic, json!([user(), uses(&own), user()]), MANY),
        (Format::Anthropic, json!([user(), results(&own)]), MANY),
        (Format::Anthropic, json!([user(), uses(&none), results(&none)]), 2 * MANY),
        (Format::OpenAiChat, json!(chat), 0),
        (Format::OpenAiChat, json!([chat_call(&same), user()]), 2 * MANY - 1),
        (
            Format::AiSdk,
            json!([{"role": "assistant", "content": parts("tool-call")}, {"role": "tool", "content": parts("tool-result")}]),
            0,
        ),
        (
            Format::Gemini,
            json!([{"role": "user", "parts": [{"text": "go"}]}, {"role": "model", "parts": gemini("functionCall")}, {"role": "user", "parts": gemini("functionResponse")}]),
            0,
        ),
        (
            Format::OpenAiResponses,
            json!(item("function_call").chain(item("function_call_output")).collect::<Vec<_>>()),
            0,
        ),
    ];
    for (format, messages, expected) in cases {
        let start = std::time::Instant::now();
        assert_eq!(findings(format, &messages).problems.len(), expected, "{}", format.name());
        let taken = start.elapsed();
        assert!(taken.as_secs() < 30, "{} took {taken:?}", format.name());
    }
}
