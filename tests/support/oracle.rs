//! When a provider accepts a history: written from the providers' rules, not from the engine.

use serde_json::Value as Json;
use std::collections::BTreeSet;
use trimtab::formats::Format;

/// Why the provider would refuse the messages; empty when it accepts them.
pub fn problems(messages: &[Json], format: Format) -> Vec<String> {
    match format {
        Format::OpenAiChat => openai(messages),
        Format::Anthropic => anthropic(messages),
        Format::OpenAiResponses => responses(messages),
    }
}

/// OpenAI: "An assistant message with 'tool_calls' must be followed by tool messages responding to each
/// 'tool_call_id'", "messages with role 'tool' must be a response to a preceding message with 'tool_calls'", and
/// `tool_calls` must not be empty.
fn openai(messages: &[Json]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut open: BTreeSet<String> = BTreeSet::new();
    for (i, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().unwrap_or("");
        if role != "tool" && !open.is_empty() {
            problems.push(format!("{i}: calls {open:?} are unanswered"));
            open.clear();
        }
        match role {
            "tool" => {
                let id = message["tool_call_id"].as_str().unwrap_or("").to_owned();
                if !open.remove(&id) {
                    problems.push(format!("{i}: result of no open call {id}"));
                }
                if !(message["content"].is_string()
                    || message["content"].as_array().is_some_and(|p| !p.is_empty()))
                {
                    problems.push(format!("{i}: a result needs content"));
                }
            }
            "assistant" => {
                let calls = message
                    .get("tool_calls")
                    .map(|calls| calls.as_array().cloned().unwrap_or_default());
                if calls.as_ref().is_some_and(Vec::is_empty) {
                    problems.push(format!("{i}: tool_calls is empty"));
                }
                if calls.is_none() && message["content"].as_str().unwrap_or("").is_empty() {
                    problems.push(format!("{i}: the assistant says nothing"));
                }
                open = calls
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|c| c["id"].as_str().map(str::to_owned))
                    .collect();
            }
            "user" | "system" => {}
            other => problems.push(format!("{i}: role {other}")),
        }
    }
    if !open.is_empty() {
        problems.push(format!("end: calls {open:?} are unanswered"));
    }
    problems
}

/// Anthropic: "`tool_use` ids were found without `tool_result` blocks immediately after"; results come before other
/// blocks; "all messages must have non-empty content"; "text content blocks must be non-empty". Consecutive messages
/// of one role are taken as one.
fn anthropic(messages: &[Json]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut open: BTreeSet<String> = BTreeSet::new();
    for (i, message) in messages.iter().enumerate() {
        let blocks = match &message["content"] {
            Json::String(text) => vec![serde_json::json!({"type": "text", "text": text})],
            Json::Array(blocks) => blocks.clone(),
            _ => Vec::new(),
        };
        if blocks.is_empty() {
            problems.push(format!("{i}: content is empty"));
        }
        let mut other_seen = false;
        for block in &blocks {
            match block["type"].as_str().unwrap_or("") {
                "tool_result" => {
                    let id = block["tool_use_id"].as_str().unwrap_or("").to_owned();
                    if message["role"] != "user" || other_seen || !open.remove(&id) {
                        problems.push(format!("{i}: result {id} answers no call right before it"));
                    }
                }
                kind => {
                    other_seen = true;
                    if kind == "text" && block["text"].as_str().unwrap_or("").is_empty() {
                        problems.push(format!("{i}: empty text block"));
                    }
                }
            }
        }
        if !open.is_empty() {
            problems.push(format!("{i}: calls {open:?} have no result in the next message"));
        }
        open = blocks
            .iter()
            .filter(|block| block["type"] == "tool_use")
            .filter_map(|block| block["id"].as_str().map(str::to_owned))
            .collect();
    }
    if !open.is_empty() {
        problems.push(format!("end: calls {open:?} are unanswered"));
    }
    problems
}

/// OpenAI: "No tool output found for function call ...", "No tool call found for function call output with call_id
/// ...", and "Item ... of type 'reasoning' was provided without its required following item".
fn responses(items: &[Json]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut open: BTreeSet<(String, String)> = BTreeSet::new();
    let mut reasoned = false;
    for (i, item) in items.iter().enumerate() {
        let kind = item["type"].as_str().unwrap_or("message");
        let id = item["call_id"].as_str().unwrap_or("").to_owned();
        let is_models = kind.ends_with("_call") || item["role"] == "assistant";
        if reasoned && !is_models {
            problems.push(format!("{i}: the reasoning before it lost its follower"));
        }
        reasoned = kind == "reasoning";
        if let Some(call) = kind.strip_suffix("_output") {
            if !open.remove(&(call.to_owned(), id)) {
                problems.push(format!("{i}: output of no open call"));
            }
            if !(item["output"].is_string()
                || item["output"].as_array().is_some_and(|o| !o.is_empty()))
            {
                problems.push(format!("{i}: no output"));
            }
        } else if kind.ends_with("_call") {
            open.insert((kind.to_owned(), id));
        } else if kind == "message" && !(item["content"].is_string() || item["content"].is_array())
        {
            problems.push(format!("{i}: a message needs content"));
        }
    }
    if reasoned || !open.is_empty() {
        problems.push(format!("end: {open:?} unanswered, or reasoning at the end"));
    }
    problems
}
