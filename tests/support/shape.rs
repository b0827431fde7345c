//! Locations of editable content in each format, written from the providers' references, not from the engine.

use serde_json::Value as Json;

/// A tool result in a message.
struct Found<'a> {
    id: String,
    content: &'a mut Json,
    /// Whether the provider ran the tool: the result must be returned unchanged.
    is_opaque: bool,
}

/// Returns the text of every tool result in order, with its call's id if it has one.
pub fn results(messages: &[Json]) -> Vec<(String, String)> {
    let mut list = Vec::new();
    for message in messages {
        visit(&mut message.clone(), &mut |found| list.push((found.id, text(found.content))));
    }
    list
}

/// Returns a message without the content that an edit may change.
pub fn skeleton(message: &Json) -> Json {
    let mut bare = message.clone();
    visit(&mut bare, &mut |found| {
        if !found.is_opaque {
            *found.content = Json::Null;
        }
    });
    visit_calls(&mut bare, &mut |arguments| *arguments = Json::Null);
    // Gemini stores a result's images next to its response.
    for part in bare.get_mut("parts").and_then(Json::as_array_mut).into_iter().flatten() {
        if let Some(answer) = part.get_mut("functionResponse").and_then(Json::as_object_mut) {
            answer.shift_remove("parts");
        }
    }
    bare
}

/// Returns the arguments of every call that an edit may change, in order.
pub fn calls(messages: &[Json]) -> Vec<Json> {
    let mut list = Vec::new();
    for message in messages {
        visit_calls(&mut message.clone(), &mut |arguments| list.push(arguments.clone()));
    }
    list
}

/// Whether a message ends in a call or a result.
pub fn ends_in_tool(message: &Json) -> bool {
    let last = [&message["content"], &message["parts"]].into_iter().find_map(Json::as_array);
    let is_tool = |part: &Json| {
        part.get("toolCallId").is_some()
            || part.get("functionResponse").is_some()
            || part.get("functionCall").is_some()
            || matches!(part["type"].as_str(), Some("tool_use" | "tool_result"))
    };
    message["role"] == "tool" || last.and_then(|parts| parts.last()).is_some_and(is_tool)
}

/// Whether a message has a call.
pub fn has_call(message: &Json) -> bool {
    let parts = [&message["content"], &message["parts"]].into_iter().find_map(Json::as_array);
    let is_call = |part: &Json| {
        let is_other = part.get("toolCallId").is_some() && part["type"] != "tool-result";
        is_other || part.get("functionCall").is_some() || part["type"] == "tool_use"
    };
    message["tool_calls"].as_array().is_some_and(|calls| !calls.is_empty())
        || parts.is_some_and(|parts| parts.iter().any(is_call))
}

/// Removes reasoning that the provider does not require for a finished turn, if something is left, and returns the
/// number of removed parts. In a turn with calls, only signed reasoning is removed.
pub fn drop_reasoning(message: &mut Json, has_calls: bool) -> usize {
    let stays = |part: &Json| {
        let options = part.get("providerOptions").or(part.get("providerMetadata"));
        options.map_or(has_calls, |options| options.get("anthropic").is_none())
    };
    let can_go = |part: &Json| match part["type"].as_str() {
        Some("thinking") => !has_calls || part.get("signature").is_some(),
        Some("redacted_thinking") => true,
        Some("reasoning") => !stays(part),
        None => part["thought"] == true && part.get("thoughtSignature").is_none(),
        _ => false,
    };
    for key in ["content", "parts"] {
        let Some(parts) = message.get_mut(key).and_then(Json::as_array_mut) else { continue };
        let rest: Vec<Json> = parts.iter().filter(|part| !can_go(part)).cloned().collect();
        if rest.iter().any(|part| part["type"] != "step-start" && part["type"] != "reasoning") {
            let count = parts.len() - rest.len();
            *parts = rest;
            return count;
        }
        return 0;
    }
    let fields = message.as_object_mut().unwrap();
    let says =
        fields.contains_key("tool_calls") || fields.get("content").is_some_and(|text| text != "");
    let is_chat = fields.contains_key("role");
    usize::from(is_chat && says && !has_calls && fields.shift_remove("reasoning_content").is_some())
}

fn text(content: &Json) -> String {
    let part = |part: &Json| {
        ["text", "stdout", "stderr"].iter().filter_map(|key| part[key].as_str()).collect::<String>()
    };
    match content {
        Json::String(text) => text.clone(),
        Json::Array(parts) => parts.iter().map(part).collect(),
        Json::Object(fields) if fields.contains_key("value") => text(&content["value"]),
        Json::Object(fields) if fields.len() == 1 => text(&content[fields.keys().next().unwrap()]),
        other => other.to_string(),
    }
}

/// Calls `see` with each tool result's content, in order.
fn visit(message: &mut Json, see: &mut dyn FnMut(Found<'_>)) {
    let text_of = |value: &Json| value.as_str().unwrap_or("").to_owned();
    let kind = text_of(&message["type"]);
    for holder in ["data", "kwargs"] {
        if message.get(holder).is_some() {
            message[holder]["type"] = "tool".into();
            return visit(&mut message[holder], see);
        }
    }
    if message["tool_call_id"].is_string() {
        let id = text_of(&message["tool_call_id"]);
        see(Found { id, content: &mut message["content"], is_opaque: false });
    } else if kind.ends_with("_output") {
        let id = text_of(&message["call_id"]);
        see(Found { id, content: &mut message["output"], is_opaque: false });
    }
    let is_models = message["role"] == "assistant";
    for key in ["content", "parts"] {
        for part in message.get_mut(key).and_then(Json::as_array_mut).into_iter().flatten() {
            visit_part(part, is_models, see);
        }
    }
}

fn visit_part(part: &mut Json, is_models: bool, see: &mut dyn FnMut(Found<'_>)) {
    let text_of = |value: &Json| value.as_str().unwrap_or("").to_owned();
    if part["type"] == "tool_result" {
        let id = text_of(&part["tool_use_id"]);
        see(Found { id, content: &mut part["content"], is_opaque: false });
    } else if part["type"] == "tool-result" {
        let id = text_of(&part["toolCallId"]);
        see(Found { id, content: &mut part["output"], is_opaque: is_models });
    } else if let Some(answer) = part.get_mut("functionResponse") {
        let id = text_of(&answer["id"]);
        see(Found { id, content: &mut answer["response"], is_opaque: false });
    } else if part["type"] != "tool-call" && part.get("toolCallId").is_some() {
        let (id, is_opaque) = (text_of(&part["toolCallId"]), part["providerExecuted"] == true);
        let key = if part["state"] == "output-error" { "errorText" } else { "output" };
        see(Found { id, content: &mut part[key], is_opaque });
    }
}

/// Calls `see` with the arguments of each call, except calls that are signed or the provider's own, and arguments that
/// are not JSON.
fn visit_calls(message: &mut Json, see: &mut dyn FnMut(&mut Json)) {
    for holder in ["data", "kwargs"] {
        if message.get(holder).is_some() {
            return visit_calls(&mut message[holder], see);
        }
    }
    if message["type"] == "function_call" {
        return see(&mut message["arguments"]);
    }
    for call in message.get_mut("tool_calls").and_then(Json::as_array_mut).into_iter().flatten() {
        match call.get_mut("function") {
            Some(function) => see(&mut function["arguments"]),
            None => see(&mut call["args"]),
        }
    }
    for key in ["content", "parts"] {
        for part in message.get_mut(key).and_then(Json::as_array_mut).into_iter().flatten() {
            let is_call = part["type"] == "tool_use"
                || part["type"] == "tool-call"
                || (part["type"] != "tool-result" && part.get("toolCallId").is_some());
            let is_fixed = part.get("providerExecuted").is_some()
                || part.get("providerOptions").is_some()
                || part.get("thoughtSignature").is_some();
            if is_call && !is_fixed {
                see(&mut part["input"]);
            } else if let Some(call) = part.get_mut("functionCall").filter(|_| !is_fixed) {
                see(&mut call["args"]);
            }
        }
    }
}

/// Returns why arguments are not a valid shortened form of others; `None` if they are.
pub fn not_shortened(before: &Json, after: &Json) -> Option<String> {
    if before == after {
        return None;
    }
    let size = |json: &Json| json.as_str().map_or_else(|| json.to_string().len(), str::len);
    // Each shortened text is at most half as long (checked below); the whole is shorter.
    if size(before) <= size(after) {
        return Some(format!("{} bytes of {}", size(after), size(before)));
    }
    match (before, after) {
        (Json::String(one), Json::String(other)) => {
            let parse = |text: &str| serde_json::from_str::<Json>(text).ok();
            match (parse(one), parse(other)) {
                (Some(one), Some(other)) => other_text("", &one, &other),
                _ => Some(format!("no JSON: {other}")),
            }
        }
        _ => other_text("", before, after),
    }
}

fn other_text(key: &str, before: &Json, after: &Json) -> Option<String> {
    match (before, after) {
        (Json::Object(one), Json::Object(other)) => {
            if !one.keys().eq(other.keys()) {
                return Some(format!("keys {after}"));
            }
            one.iter().zip(other).find_map(|((key, one), (_, other))| other_text(key, one, other))
        }
        (Json::Array(one), Json::Array(other)) if one.len() == other.len() => {
            one.iter().zip(other).find_map(|(one, other)| other_text(key, one, other))
        }
        (Json::String(one), Json::String(other)) if one != other => {
            let chars = one.encode_utf16().count();
            let head = other.split('\u{2026}').next().unwrap();
            let is_cut = one.starts_with(head.trim_end())
                && other.ends_with(&format!(" [{} chars]", grouped(chars)))
                && chars > 64
                && one.len() >= 2 * other.len();
            let is_note = other.starts_with("[Edits to src/file")
                && other.ends_with("\n[Full diff available in ground truth]");
            (key == "path" || key == "patch" || !(is_cut || is_note))
                .then(|| format!("{key}: {one} -> {other}"))
        }
        _ => (before != after).then(|| format!("{key}: {before} -> {after}")),
    }
}

fn grouped(number: usize) -> String {
    if number < 1000 {
        number.to_string()
    } else {
        format!("{},{:03}", number / 1000, number % 1000)
    }
}
