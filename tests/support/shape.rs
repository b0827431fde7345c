//! Where the formats keep what an edit may change: written from the providers' references, not from the engine.

use serde_json::Value as Json;

/// The text of every tool result in a list of messages, with its call's id.
pub fn results(messages: &[Json]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for message in messages {
        visit(&mut message.clone(), &mut |id, content| found.push((id.to_owned(), text(content))));
    }
    found
}

/// A message with everything that an edit may change taken out.
pub fn skeleton(message: &Json) -> Json {
    let mut bare = message.clone();
    visit(&mut bare, &mut |_, content| *content = Json::Null);
    bare
}

fn text(content: &Json) -> String {
    let part = |part: &Json| {
        ["text", "stdout", "stderr"].iter().filter_map(|key| part[key].as_str()).collect::<String>()
    };
    match content {
        Json::String(text) => text.clone(),
        Json::Array(parts) => parts.iter().map(part).collect(),
        _ => String::new(),
    }
}

/// Shows each tool result's content with its call's id.
fn visit(message: &mut Json, see: &mut dyn FnMut(&str, &mut Json)) {
    let text_of = |value: &Json| value.as_str().unwrap_or("").to_owned();
    if message["role"] == "tool" && message["tool_call_id"].is_string() {
        see(&text_of(&message["tool_call_id"]), &mut message["content"]);
    } else if text_of(&message["type"]).ends_with("_output") {
        see(&text_of(&message["call_id"]), &mut message["output"]);
    } else if let Some(blocks) = message.get_mut("content").and_then(Json::as_array_mut) {
        for block in blocks.iter_mut().filter(|block| block["type"] == "tool_result") {
            see(&text_of(&block["tool_use_id"]), &mut block["content"]);
        }
    }
}
