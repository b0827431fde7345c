//! Where the formats keep what an edit may change: written from the providers' references, not from the engine.

use serde_json::Value as Json;

/// A tool result's place in a message.
struct Found<'a> {
    id: String,
    content: &'a mut Json,
    /// What the provider ran itself goes back to it as it came.
    is_opaque: bool,
}

/// The text of every tool result in a list of messages, in order, with its call's id where it has one.
pub fn results(messages: &[Json]) -> Vec<(String, String)> {
    let mut list = Vec::new();
    for message in messages {
        visit(&mut message.clone(), &mut |found| list.push((found.id, text(found.content))));
    }
    list
}

/// A message with everything that an edit may change taken out.
pub fn skeleton(message: &Json) -> Json {
    let mut bare = message.clone();
    visit(&mut bare, &mut |found| {
        if !found.is_opaque {
            *found.content = Json::Null;
        }
    });
    bare
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

/// Shows each tool result's content, in order.
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
