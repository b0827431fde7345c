//! Rules for when a provider accepts a history, written from the providers' documentation, not from the engine.

use serde_json::Value as Json;
use std::collections::BTreeSet;
use trimtab::formats::Format;

/// Returns why the provider would reject the messages; empty if it accepts them.
pub fn problems(messages: &[Json], format: Format) -> Vec<String> {
    match format {
        Format::OpenAiChat => openai(messages),
        Format::Anthropic => anthropic(messages),
        Format::OpenAiResponses => responses(messages),
        Format::AiSdk => ai_sdk(messages),
        Format::AiSdkUi => ai_sdk_ui(messages),
        Format::Gemini => gemini(messages),
        Format::LangChain => langchain(messages),
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
/// blocks; "all messages must have non-empty content"; "text content blocks must be non-empty". Consecutive messages of
/// one role count as one. Everything before a compaction with content is ignored; `compaction_block_misplaced`: a
/// signed compaction must be the first block.
fn anthropic(messages: &[Json]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut open: BTreeSet<String> = BTreeSet::new();
    let start = messages.iter().enumerate().rev().find_map(|(i, message)| {
        let blocks = message["content"].as_array()?;
        let is_one = |block: &Json| block["type"] == "compaction" && block["content"].is_string();
        let block = blocks.iter().rposition(is_one)?;
        Some((i, block, blocks[block]["signature"].is_string()))
    });
    if let Some((i, block, true)) = start
        && (i, block) != (0, 0)
    {
        problems.push(format!("{i}: a signed compaction is not the first block"));
    }
    for (i, message) in messages.iter().enumerate().skip(start.map_or(0, |(i, ..)| i)) {
        let blocks = match &message["content"] {
            Json::String(text) => vec![serde_json::json!({"type": "text", "text": text})],
            Json::Array(blocks) => blocks.clone(),
            _ => Vec::new(),
        };
        if blocks.is_empty() {
            problems.push(format!("{i}: content is empty"));
        }
        let role = |at: Option<usize>| at.and_then(|at| messages.get(at)).map(|one| &one["role"]);
        if message["role"] == "system" {
            let end = (i..messages.len()).find(|at| messages[*at]["role"] != "system");
            let start = (0..i).rev().find(|at| messages[*at]["role"] != "system");
            let precedes = end.is_none() || role(end).is_some_and(|role| role == "assistant");
            if !precedes || role(start).is_none_or(|role| role != "user") {
                problems.push(format!(
                    "{i}: role 'system' must follow a 'user' message and precede an 'assistant'"
                ));
            }
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

fn ids(list: &Json, of: impl Fn(&Json) -> bool, key: &str) -> BTreeSet<String> {
    let entries = list.as_array().into_iter().flatten().filter(|entry| of(entry));
    entries.filter_map(|entry| entry[key].as_str().map(str::to_owned)).collect()
}

/// AI SDK: `convertToLanguageModelPrompt` throws `MissingToolResultsError` for calls without result; the schema of
/// `ToolResultPart` requires an `output` of a known type with its value; providers reject empty content.
fn ai_sdk(messages: &[Json]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut open = BTreeSet::new();
    for (i, message) in messages.iter().enumerate() {
        let content = &message["content"];
        if content.as_array().is_some_and(Vec::is_empty) || content.as_str() == Some("") {
            problems.push(format!("{i}: content is empty"));
        }
        if message["role"] == "assistant" {
            open.extend(ids(content, |part| part["type"] == "tool-call", "toolCallId"));
        }
        for part in
            content.as_array().into_iter().flatten().filter(|part| part["type"] == "tool-result")
        {
            if !open.remove(part["toolCallId"].as_str().unwrap_or("")) {
                problems.push(format!("{i}: result of no open call"));
            }
            let value = &part["output"]["value"];
            let is_valid = match part["output"]["type"].as_str() {
                Some("text" | "error-text") => value.is_string(),
                Some("json" | "error-json") => part["output"].get("value").is_some(),
                Some("content") => value.is_array(),
                Some("execution-denied") => true,
                _ => false,
            };
            if !is_valid {
                problems.push(format!("{i}: output {}", part["output"]));
            }
        }
        if message["role"] != "assistant" && !open.is_empty() {
            problems.push(format!("{i}: {open:?} unanswered"));
        }
    }
    if !open.is_empty() {
        problems.push(format!("end: {open:?} unanswered"));
    }
    problems
}

/// AI SDK: `validateUIMessages` requires at least one part, and an output if the state says so;
/// `convertToModelMessages` accepts each call id once.
fn ai_sdk_ui(messages: &[Json]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for (i, message) in messages.iter().enumerate() {
        let parts = message["parts"].as_array().cloned().unwrap_or_default();
        if parts.is_empty() {
            problems.push(format!("{i}: no parts"));
        }
        for part in parts.iter().filter(|part| part.get("toolCallId").is_some()) {
            let is_valid = match part["state"].as_str() {
                Some("output-available") => {
                    part.get("output").is_some() && part.get("errorText").is_none()
                }
                Some("output-error") => {
                    part["errorText"].is_string() && part.get("output").is_none()
                }
                _ => true,
            };
            if !is_valid || !seen.insert(part["toolCallId"].to_string()) {
                problems.push(format!("{i}: part {part}"));
            }
        }
    }
    problems
}

/// Gemini: "the number of function response parts is equal to the number of function call parts of the function call
/// turn", a "function call turn comes immediately after a user turn or after a function response turn", a function
/// response turn immediately after a function call turn; `response` is an object; no content is empty.
fn gemini(contents: &[Json]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let named =
        |part: &Json, key: &str| part.get(key).map(|one| format!("{}:{}", one["name"], one["id"]));
    for (i, content) in contents.iter().enumerate() {
        let parts = content["parts"].as_array().cloned().unwrap_or_default();
        if parts.is_empty() {
            problems.push(format!("{i}: no parts"));
        }
        let list = |key: &str| {
            let mut names: Vec<String> = parts.iter().filter_map(|part| named(part, key)).collect();
            names.sort();
            names
        };
        if list("functionResponse") != open {
            problems.push(format!("{i}: {open:?} are not answered one by one"));
        }
        if parts
            .iter()
            .filter_map(|p| p.get("functionResponse"))
            .any(|r| !r["response"].is_object())
        {
            problems.push(format!("{i}: a response is no object"));
        }
        open = list("functionCall");
        if !open.is_empty() && i > 0 && contents[i - 1]["role"] == "model" {
            problems.push(format!("{i}: calls after a content of the model"));
        }
    }
    if !open.is_empty() {
        problems.push(format!("end: {open:?} unanswered"));
    }
    problems
}

/// LangChain forwards messages to a provider: the rules of chat messages apply, and an empty list of calls counts as
/// none.
fn langchain(messages: &[Json]) -> Vec<String> {
    let chat = |message: &Json| {
        let class = message["id"][2].as_str().unwrap_or("");
        let is_tool = message["type"] == "tool" || class == "ToolMessage";
        let is_human = message["type"] == "human";
        let body = ["data", "kwargs"].iter().find_map(|key| message.get(*key)).unwrap_or(message);
        let role = if is_tool {
            "tool"
        } else if is_human {
            "user"
        } else {
            "assistant"
        };
        let mut chat = serde_json::json!({"role": role, "content": body["content"], "tool_call_id": body["tool_call_id"]});
        if body["tool_calls"].as_array().is_some_and(|calls| !calls.is_empty()) {
            chat["tool_calls"] = body["tool_calls"].clone();
        }
        if let (true, Some(parts)) = (role == "assistant", body["content"].as_array()) {
            chat["content"] = format!("{} parts", parts.len()).into();
        }
        chat
    };
    openai(&messages.iter().map(chat).collect::<Vec<Json>>())
}

/// Whether a view is valid as it is, but not without a call that should not be in it: Anthropic's system messages need
/// certain messages beside them.
pub fn is_needed(view: &[Json], id: &str, format: Format) -> bool {
    let is_of = |block: &Json| block["id"] == id || block["tool_use_id"] == id;
    let without = view.iter().filter_map(|message| {
        let mut message = message.clone();
        let blocks = message["content"].as_array_mut();
        let is_left = blocks.is_none_or(|blocks| {
            let all = blocks.len();
            blocks.retain(|block| !is_of(block));
            // Reasoning goes with the calls that it led to.
            let is_left = |block: &Json| {
                blocks.len() == all
                    || !block["type"].as_str().is_some_and(|kind| kind.ends_with("thinking"))
            };
            blocks.iter().any(is_left)
        });
        is_left.then_some(message)
    });
    let without: Vec<Json> = without.collect();
    format == Format::Anthropic && !problems(&without, format).is_empty()
}
