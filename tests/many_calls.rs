//! Checking and repairing take time in proportion to the calls of a message.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use serde_json::{Value as Json, json};
use trimtab::formats::Format;
use trimtab::formats::repair::{Findings, check};
use trimtab::message::{History, JsonValue};

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

/// With this many calls in one message, whatever looks at each pair of them takes minutes.
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
