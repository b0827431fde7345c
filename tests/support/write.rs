//! Writes conversations in each format. All are valid for their provider.

use super::generate::{Call, Event};
use serde_json::{Value as Json, json};
use trimtab::formats::Format;

/// The model's answer in one step, with the results of its calls.
struct Answer<'a> {
    turn: usize,
    text: &'a str,
    reasoning: bool,
    calls: &'a [Call],
}

/// Writes the conversation as messages of a format.
pub fn write(events: &[Event], format: Format) -> Vec<Json> {
    let mut messages = vec![prompt("start", format)];
    for (turn, event) in events.iter().enumerate() {
        match event {
            Event::Prompt(text) => messages.push(prompt(&format!("{}?", text.trim_end()), format)),
            Event::Answer { text, reasoning, calls } => {
                let answer = Answer { turn, text, reasoning: *reasoning, calls };
                match format {
                    Format::OpenAiChat => {
                        write_openai(&mut messages, turn, text, *reasoning, calls)
                    }
                    Format::Anthropic => {
                        instruct(&mut messages, turn);
                        write_anthropic(&mut messages, turn, text, *reasoning, calls)
                    }
                    Format::OpenAiResponses => messages.extend(answer.responses()),
                    Format::AiSdk => messages.extend(answer.ai_sdk()),
                    Format::AiSdkUi => answer.ai_sdk_ui(&mut messages),
                    Format::Gemini => answer.gemini(&mut messages),
                    Format::LangChain => messages.extend(answer.langchain()),
                }
            }
        }
    }
    messages
}

fn prompt(text: &str, format: Format) -> Json {
    match format {
        Format::AiSdkUi => {
            json!({"id": "u", "role": "user", "parts": [{"type": "text", "text": text}]})
        }
        Format::Gemini => json!({"role": "user", "parts": [{"text": text}]}),
        Format::LangChain => json!({"type": "human", "content": text}),
        Format::OpenAiChat | Format::Anthropic | Format::OpenAiResponses | Format::AiSdk => {
            json!({"role": "user", "content": text})
        }
    }
}

fn arguments(call: &Call) -> Json {
    let path = format!("src/file{}.ts", call.path);
    let mut arguments = match call.lines {
        Some((0, count)) => json!({"path": path, "offset": -i64::from(count)}),
        Some((start, end)) => json!({"path": path, "start_line": start, "end_line": end}),
        None => json!({"path": path}),
    };
    let Some(body) = call.body else { return arguments };
    let text = |what: &str, lines: u8| format!("{what} \"quoted\" líne\n").repeat(lines.into());
    if body.intent {
        arguments["intent"] = format!("to see {} of them", body.new).into();
    }
    let (old, new) = (text("old", body.old), text("new", body.new));
    match call.tool {
        "edit_file" if body.nested => {
            arguments["edits"] = json!([{"oldText": old, "newText": new}, {"at": 1.5, "oldText": "x", "newText": ""}]);
        }
        "edit_file" => {
            arguments["old_string"] = old.into();
            arguments["new_string"] = new.into();
        }
        "bash" => {
            arguments["command"] =
                format!("cat > {}.txt <<'EOF'\n{new}EOF", "f".repeat(body.old.into())).into()
        }
        "write_file" if body.nested => {
            arguments["patch"] = format!("*** Update File: b.ts\n{new}").into()
        }
        _ => arguments["content"] = new.into(),
    }
    arguments
}

fn content_of(call: &Call, format: Format) -> Json {
    let text = call.result.text();
    let images = images(call, format);
    if !images.is_empty() {
        let text = (!text.is_empty()).then(|| json!({"type": "text", "text": text}));
        return text.into_iter().chain(images).collect();
    }
    if call.parts && !text.is_empty() {
        json!([{"type": "text", "text": text}])
    } else {
        text.into()
    }
}

/// Images of a result in the format's form. A failed result has none: Anthropic accepts only text in it.
fn images(call: &Call, format: Format) -> Vec<Json> {
    let image = |number: u8| {
        let data = format!("iVBORw0KGgo{}{number}=", call.path);
        let url = format!("data:image/png;base64,{data}");
        match format {
            Format::Anthropic => {
                json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}})
            }
            Format::OpenAiResponses => json!({"type": "input_image", "image_url": url}),
            Format::AiSdk => json!({"type": "media", "data": data, "mediaType": "image/png"}),
            Format::Gemini => json!({"inlineData": {"mimeType": "image/png", "data": data}}),
            Format::OpenAiChat | Format::AiSdkUi | Format::LangChain => {
                json!({"type": "image_url", "image_url": {"url": url}})
            }
        }
    };
    let count = if call.error { 0 } else { call.images };
    (0..count).map(image).collect()
}

fn write_openai(
    messages: &mut Vec<Json>,
    turn: usize,
    text: &str,
    reasoning: bool,
    calls: &[Call],
) {
    let id = |i: usize| format!("call_{turn}_{i}");
    let written: Vec<Json> = calls
        .iter()
        .enumerate()
        .map(|(i, call)| {
            let arguments = arguments(call).to_string();
            json!({"id": id(i), "type": "function", "function": {"name": call.tool, "arguments": arguments}})
        })
        .collect();
    let mut message = json!({"role": "assistant", "content": if calls.is_empty() { format!("{text}.") } else { text.to_owned() }});
    if reasoning {
        message["reasoning_content"] = "let me think".into();
    }
    if !calls.is_empty() {
        message["tool_calls"] = written.into();
    }
    messages.push(message);
    // Results may come in any order.
    for (i, call) in calls.iter().enumerate().rev() {
        let mut result = json!({"role": "tool", "tool_call_id": id(i), "content": content_of(call, Format::OpenAiChat)});
        if call.ephemeral {
            result["metadata"] = json!({"ephemeral": true});
        }
        messages.push(result);
    }
}

/// Adds instructions before some answers that follow the user's text or results.
fn instruct(messages: &mut Vec<Json>, turn: usize) {
    if turn % 3 == 1 && messages.last().is_some_and(|last| last["role"] == "user") {
        messages.push(json!({"role": "system", "content": format!("be brief, {turn}")}));
    }
}

fn write_anthropic(
    messages: &mut Vec<Json>,
    turn: usize,
    text: &str,
    reasoning: bool,
    calls: &[Call],
) {
    let id = |i: usize| format!("toolu_{turn}_{i}");
    let mut blocks = Vec::new();
    if reasoning {
        blocks.push(json!({"type": "thinking", "thinking": "let me think", "signature": "c2ln"}));
    }
    if calls.is_empty() || !text.trim().is_empty() {
        blocks.push(json!({"type": "text", "text": format!("{text}.")}));
    }
    for (i, call) in calls.iter().enumerate() {
        blocks.push(
            json!({"type": "tool_use", "id": id(i), "name": call.tool, "input": arguments(call)}),
        );
    }
    messages.push(json!({"role": "assistant", "content": blocks}));
    if calls.is_empty() {
        return;
    }
    let result = |(i, call): (usize, &Call)| {
        let mut block = json!({"type": "tool_result", "tool_use_id": id(i), "content": content_of(call, Format::Anthropic)});
        if call.error {
            block["is_error"] = true.into();
        }
        block
    };
    let blocks: Vec<Json> = calls.iter().enumerate().map(result).collect();
    let mut message = json!({"role": "user", "content": blocks});
    if calls.iter().any(|call| call.ephemeral) {
        message["metadata"] = json!({"ephemeral": true});
    }
    messages.push(message);
}

impl Answer<'_> {
    fn id(&self, i: usize) -> String {
        format!("call_{}_{i}", self.turn)
    }

    /// Text next to calls may be empty; the last text of a turn may not.
    fn says(&self) -> Option<String> {
        (self.calls.is_empty() || !self.text.trim().is_empty()).then(|| format!("{}.", self.text))
    }

    /// The calls with their numbers, answered in reverse order, which is valid.
    fn answered(&self) -> impl Iterator<Item = (usize, &Call)> {
        self.calls.iter().enumerate().rev()
    }

    fn responses(&self) -> Vec<Json> {
        let mut items = Vec::new();
        if self.reasoning {
            items.push(json!({"type": "reasoning", "id": format!("rs_{}", self.turn), "summary": [], "encrypted_content": "b3Bh"}));
        }
        if let Some(text) = self.says() {
            let part = json!({"type": "output_text", "text": text, "annotations": []});
            items.push(
                json!({"type": "message", "role": "assistant", "id": format!("msg_{}", self.turn), "content": [part]}),
            );
        }
        for (i, call) in self.calls.iter().enumerate() {
            items.push(match shape(call) {
                0 => json!({"type": "shell_call", "call_id": self.id(i), "action": {"commands": ["ls"]}}),
                1 => json!({"type": "custom_tool_call", "call_id": self.id(i), "name": call.tool, "input": arguments(call).to_string()}),
                _ => json!({"type": "function_call", "call_id": self.id(i), "name": call.tool, "arguments": arguments(call).to_string()}),
            });
        }
        items.extend(self.answered().map(|(i, call)| response_output(self.id(i), call)));
        items
    }
}

impl Answer<'_> {
    fn mark(&self, message: &mut Json) {
        if self.calls.iter().any(|call| call.ephemeral) {
            message["metadata"] = json!({"ephemeral": true});
        }
    }

    fn ai_sdk(&self) -> Vec<Json> {
        let mut parts = Vec::new();
        if self.reasoning {
            let provider = if self.turn.is_multiple_of(2) { "anthropic" } else { "openai" };
            parts.push(json!({"type": "reasoning", "text": "hm", "providerOptions": {provider: {"signature": "c2ln"}}}));
        }
        parts.extend(self.says().map(|text| json!({"type": "text", "text": text})));
        for (i, call) in self.calls.iter().enumerate() {
            parts.push(json!({"type": "tool-call", "toolCallId": self.id(i), "toolName": call.tool, "input": arguments(call)}));
        }
        // Every second tool is the provider's own, with its result in the same message.
        let result = |(i, call): (usize, &Call)| json!({"type": "tool-result", "toolCallId": self.id(i), "toolName": call.tool, "output": model_output(call)});
        parts.extend(self.answered().filter(|(_, call)| shape(call) == 0).map(result));
        let results: Vec<Json> =
            self.answered().filter(|(_, call)| shape(call) != 0).map(result).collect();
        let mut messages = vec![json!({"role": "assistant", "content": parts})];
        if !results.is_empty() {
            let mut message = json!({"role": "tool", "content": results});
            self.mark(&mut message);
            messages.push(message);
        }
        messages
    }

    /// Consecutive steps are one message.
    fn ai_sdk_ui(&self, messages: &mut Vec<Json>) {
        let mut parts = vec![json!({"type": "step-start"})];
        if self.reasoning {
            parts.push(json!({"type": "reasoning", "text": "hm"}));
        }
        parts.extend(self.says().map(|text| json!({"type": "text", "text": text})));
        parts.extend(self.calls.iter().enumerate().map(|(i, call)| ui_part(self.id(i), call)));
        match messages.last_mut().filter(|message| message["role"] == "assistant") {
            Some(message) => {
                message["parts"].as_array_mut().expect("parts").extend(parts);
                self.mark(message);
            }
            None => {
                let mut message = json!({"id": "a", "role": "assistant", "parts": parts});
                self.mark(&mut message);
                messages.push(message);
            }
        }
    }

    fn gemini(&self, messages: &mut Vec<Json>) {
        // The model is not asked twice without a user message in between.
        if messages.last().is_some_and(|message| message["role"] == "model") {
            messages.push(prompt("and?", Format::Gemini));
        }
        let has_ids = self.turn.is_multiple_of(2);
        let mut parts = Vec::new();
        if self.reasoning {
            parts.push(json!({"text": "hm", "thought": true}));
        }
        parts.extend(self.says().map(|text| json!({"text": text})));
        for (i, call) in self.calls.iter().enumerate() {
            let mut part = json!({"functionCall": {"name": call.tool, "args": arguments(call)}});
            if has_ids {
                part["functionCall"]["id"] = self.id(i).into();
            }
            if self.reasoning && i == 0 {
                part["thoughtSignature"] = "c2ln".into();
            }
            parts.push(part);
        }
        messages.push(json!({"role": "model", "parts": parts}));
        let answer = |(i, call): (usize, &Call)| {
            let mut part =
                json!({"functionResponse": {"name": call.tool, "response": gemini_response(call)}});
            if has_ids {
                part["functionResponse"]["id"] = self.id(i).into();
            }
            let images = images(call, Format::Gemini);
            if !images.is_empty() {
                part["functionResponse"]["parts"] = images.into();
            }
            part
        };
        // Without ids, results are in the order of the calls.
        let answers: Vec<Json> = if has_ids {
            self.answered().map(answer).collect()
        } else {
            self.calls.iter().enumerate().map(answer).collect()
        };
        if !answers.is_empty() {
            let mut message = json!({"role": "user", "parts": answers});
            self.mark(&mut message);
            messages.push(message);
        }
    }

    fn langchain(&self) -> Vec<Json> {
        let form = |kind: &str, class: &str, mut body: Json| match self.turn % 3 {
            0 => json!({"type": kind, "data": body}),
            1 => {
                json!({"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", class], "kwargs": body})
            }
            _ => {
                body["type"] = kind.into();
                body
            }
        };
        let call = |(i, call): (usize, &Call)| json!({"id": self.id(i), "name": call.tool, "args": arguments(call), "type": "tool_call"});
        let calls: Vec<Json> = self.calls.iter().enumerate().map(call).collect();
        let text = self.says().unwrap_or_default();
        let content = if self.reasoning {
            json!([{"type": "thinking", "thinking": "hm", "signature": "c2ln"}, {"type": "text", "text": format!("{text}.")}])
        } else {
            text.into()
        };
        let mut messages = vec![form(
            "ai",
            "AIMessage",
            json!({"content": content, "tool_calls": calls, "additional_kwargs": {}}),
        )];
        for (i, call) in self.answered() {
            let status = if call.error { "error" } else { "success" };
            let mut body = json!({"content": content_of(call, Format::LangChain), "tool_call_id": self.id(i), "name": call.tool, "status": status, "artifact": {"raw": [1]}});
            if call.ephemeral {
                body["metadata"] = json!({"ephemeral": true});
            }
            messages.push(form("tool", "ToolMessage", body));
        }
        messages
    }
}

fn model_output(call: &Call) -> Json {
    let text = call.result.text();
    if !call.error && call.images > 0 {
        let mut value = images(call, Format::AiSdk);
        value.push(json!({"type": "text", "text": text}));
        return json!({"type": "content", "value": value});
    }
    match (call.error, call.parts, call.path) {
        (true, _, 0) => json!({"type": "error-json", "value": {"message": text}}),
        (true, ..) => json!({"type": "error-text", "value": text}),
        (_, true, 0) => {
            json!({"type": "content", "value": [{"type": "text", "text": text}, {"type": "media", "data": "AAAA", "mediaType": "image/png"}]})
        }
        (_, true, _) => json!({"type": "json", "value": {"lines": text}}),
        _ => json!({"type": "text", "value": text, "providerOptions": {"p": {"cached": true}}}),
    }
}

fn ui_part(id: String, call: &Call) -> Json {
    let mut part = json!({"type": format!("tool-{}", call.tool), "toolCallId": id, "state": "output-available", "input": arguments(call)});
    if call.tool == "ls" {
        part["type"] = "dynamic-tool".into();
        part["toolName"] = "ls".into();
    }
    let text = call.result.text();
    match (call.error, call.parts) {
        (true, _) => {
            part["state"] = "output-error".into();
            part["errorText"] = text.into();
        }
        (false, true) => part["output"] = json!({"lines": text}),
        (false, false) => part["output"] = text.into(),
    }
    if shape(call) == 0 {
        part["providerExecuted"] = true.into();
    }
    part
}

fn gemini_response(call: &Call) -> Json {
    let text = call.result.text();
    match (call.error, call.parts, call.path) {
        (true, ..) => json!({"error": text, "code": 2}),
        (_, true, 0) => json!({"result": text}),
        (_, true, _) => json!({"lines": text, "count": 3}),
        _ => json!({"output": text}),
    }
}

/// Number that distinguishes kinds of calls.
fn shape(call: &Call) -> u8 {
    if call.tool == "weird" { call.path % 2 } else { 2 }
}

fn response_output(id: String, call: &Call) -> Json {
    let text = call.result.text();
    let output = match (shape(call), call.parts) {
        (0, _) => {
            json!([{"stdout": text, "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}])
        }
        _ if call.images > 0 && !call.error => {
            let mut parts = images(call, Format::OpenAiResponses);
            parts.push(json!({"type": "input_text", "text": text}));
            parts.into()
        }
        (_, true) => json!([{"type": "input_text", "text": text}]),
        (_, false) => text.into(),
    };
    let kind = ["shell_call_output", "custom_tool_call_output", "function_call_output"];
    let mut item = json!({"type": kind[usize::from(shape(call))], "call_id": id, "output": output});
    if call.ephemeral {
        item["metadata"] = json!({"ephemeral": true});
    }
    item
}

/// Lengths at which a request is sent: before each answer, after a system message there, and at the end. A message to
/// which later answers are added, as in the AI SDK's UI format, is sent as a whole only after the last of them.
pub fn requests(events: &[Event], format: Format) -> Vec<usize> {
    let messages = write(events, format);
    let is_system = |message: &&Json| message["role"] == "system";
    let sent = |count: usize| {
        let before = write(&events[..count], format);
        let instructions = messages.get(before.len()..)?.iter().take_while(is_system).count();
        messages.starts_with(&before).then_some(before.len() + instructions)
    };
    let is_request =
        |count: &usize| matches!(events.get(*count), Some(Event::Answer { .. }) | None);
    let mut lengths: Vec<usize> = (1..=events.len()).filter(is_request).filter_map(sent).collect();
    lengths.retain(|length| *length > 0);
    lengths.dedup();
    lengths
}
