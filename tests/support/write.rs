//! Conversations written down in each format. All are valid for their provider.

use super::generate::{Call, Event};
use serde_json::{Value as Json, json};
use trimtab::formats::Format;

/// What the model said in one step, with the results of its calls.
struct Answer<'a> {
    turn: usize,
    text: &'a str,
    reasoning: bool,
    calls: &'a [Call],
}

/// The conversation as messages of a format.
pub fn write(events: &[Event], format: Format) -> Vec<Json> {
    let mut messages = vec![json!({"role": "user", "content": "start"})];
    for (turn, event) in events.iter().enumerate() {
        match event {
            Event::Prompt(text) => {
                messages.push(json!({"role": "user", "content": text.trim_end().to_owned() + "?"}))
            }
            Event::Answer { text, reasoning, calls } => {
                let answer = Answer { turn, text, reasoning: *reasoning, calls };
                match format {
                    Format::OpenAiChat => {
                        write_openai(&mut messages, turn, text, *reasoning, calls)
                    }
                    Format::Anthropic => {
                        write_anthropic(&mut messages, turn, text, *reasoning, calls)
                    }
                    Format::OpenAiResponses => messages.extend(answer.responses()),
                }
            }
        }
    }
    messages
}

fn arguments(call: &Call) -> Json {
    let path = format!("src/file{}.ts", call.path);
    match call.lines {
        Some((start, end)) => json!({"path": path, "start_line": start, "end_line": end}),
        None => json!({"path": path}),
    }
}

fn content(call: &Call) -> Json {
    let text = call.result.text();
    if call.parts && !text.is_empty() {
        json!([{"type": "text", "text": text}])
    } else {
        text.into()
    }
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
        let mut result = json!({"role": "tool", "tool_call_id": id(i), "content": content(call)});
        if call.ephemeral {
            result["metadata"] = json!({"ephemeral": true});
        }
        messages.push(result);
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
        let mut block =
            json!({"type": "tool_result", "tool_use_id": id(i), "content": content(call)});
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

    /// What is said beside calls can be nothing; a last word cannot.
    fn says(&self) -> Option<String> {
        (self.calls.is_empty() || !self.text.trim().is_empty()).then(|| format!("{}.", self.text))
    }

    /// The calls with their numbers, answered in the opposite order: any is legal.
    fn answered(&self) -> impl Iterator<Item = (usize, &Call)> {
        self.calls.iter().enumerate().rev()
    }

    fn responses(&self) -> Vec<Json> {
        let mut items = Vec::new();
        if self.reasoning {
            items.push(json!({"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "b3Bh"}));
        }
        if let Some(text) = self.says() {
            let part = json!({"type": "output_text", "text": text, "annotations": []});
            items.push(
                json!({"type": "message", "role": "assistant", "id": "msg", "content": [part]}),
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

/// A number that tells kinds of calls apart.
fn shape(call: &Call) -> u8 {
    if call.tool == "weird" { call.path % 2 } else { 2 }
}

fn response_output(id: String, call: &Call) -> Json {
    let text = call.result.text();
    let output = match (shape(call), call.parts) {
        (0, _) => {
            json!([{"stdout": text, "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}])
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
