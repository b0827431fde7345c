//! Messages of other frameworks and of older versions. Some of them would parse as one of the supported formats, but
//! their tool results would silently be neither counted nor cleared. They are rejected with an error that says what the
//! message is and how to convert it.

use crate::message::{BlockDraft, BlockKind, BlockPath, Key, Kind, MessageDraft, Value, Word};

const OPENAI_AGENTS: &str = "an item of OpenAI Agents: `toResponsesItems(items)` of trimtab/openai-agents makes `openai-responses` items";
const MASTRA: &str = "a stored message of Mastra: `convertMessages(messages).to('AIV5.Model')` of @mastra/core/agent \
    makes `ai-sdk` messages";
const LLAMA_INDEX: &str = "a message of LlamaIndex: `OpenAI.toOpenAIMessage(messages)` of @llamaindex/openai makes \
    `openai-chat` messages";
const CAMEL_CASE: &str = "a message of TanStack AI (see trimtab/tanstack), AG-UI, Mistral or Cohere: rename `toolCalls` and `toolCallId` to \
    `tool_calls` and `tool_call_id` for `openai-chat` messages";
const PI: &str = "a message of pi: trimtab/pi takes them";
const AGENT_CLIENT: &str = "an update of the Agent Client Protocol: pass the agent's own messages";
const UNTYPED: &str = "a message with parts that have no `type` (Bedrock Converse, Strands, Haystack): make `openai-chat` messages of it";
const AI_SDK_4: &str = "a message of AI SDK 4 or assistant-ui: `convertMessages(messages, 'ai-sdk', { format })` of trimtab/formats, with \
    format 'ai-sdk-ui' for UI messages, else 'ai-sdk'";
const RAW_OUTPUT: &str = "a message whose `output` is no `{ type, value }` of `ai-sdk`, or one of Cline (see trimtab/cline)";
const SNAKE_CASE: &str = "Gemini's REST form: `convertMessages(messages, 'gemini', { format: 'gemini' })` of trimtab/formats";
const AGENT_EVENT: &str = "an event of Google's ADK: pass its `content`";
const PYDANTIC: &str =
    "a message of Pydantic AI: `VercelAIAdapter.dump_messages` of it makes `ai-sdk-ui` messages";
const STREAM_PART: &str = "a part of an AI SDK stream: pass messages";
const HOLDS_PARTS: &str = "a message of Semantic Kernel, Microsoft's agents, LlamaIndex for Python or Zed (`contents`, `items`, `blocks`, \
    `segments`): make `openai-chat` messages of it";
const PYTHON_FIELDS: &str = "a message of LlamaIndex for Python (`additional_kwargs` beside a `role`): make `openai-chat` messages of it";
const AG2: &str = "a message of AG2: make `openai-chat` messages of it";
const CALL_PARTS: &str = "a message of goose or another agent whose parts have a `toolCall` or `toolResult`: make `openai-chat` messages of it";
const TANSTACK_UI: &str = "a UI message of TanStack AI, or a result with `content` in place of `output`: use \
    `convertMessagesToModelMessages` of @tanstack/ai";
const ASSISTANTS: &str = "an object of OpenAI's Assistants API: keep `openai-responses` items";
const OBJECT_CONTENT: &str = "a message of MCP (an object for its `content`, or `toolUseId`): `content` is a text or a list, and `tool_use_id` an id";
const OPENCODE: &str = "a message of opencode: trimtab/opencode takes them";
const RECORD: &str =
    "a record around a message: pass the message, or use `readTranscript` of trimtab/transcripts";

/// Identifies a message of an unsupported format. Returns a description of it and of how to convert it.
pub fn foreign<V: Value>(message: &V) -> Option<&'static str> {
    if let Some(what) = record(message) {
        return Some(what);
    }
    let content = message.field(Key::Content);
    let is_item = message.field(Key::Type).kind() == Kind::Text;
    if is_item && has(message, &[Key::CallIdCamel]) {
        return Some(OPENAI_AGENTS);
    }
    if content.kind() == Kind::Object && content.field_count() > 0 {
        return Some(object_content(&content, message));
    }
    beside_content(message).or_else(|| elsewhere(message, &content)).or_else(|| {
        let is_said = message.field(Key::Role).kind() == Kind::Text;
        let lists = [(content, is_said), (message.field(Key::Parts), false)];
        lists.iter().find_map(|(list, typed)| {
            let part = |i| foreign_part(message, &list.item(i), *typed);
            (0..list.len()).find_map(part)
        })
    })
}

/// Like [`foreign`], for a message that a format has read. A message that the format fully understood gets a shorter
/// check.
pub fn foreign_as_read<V: Value>(message: &V, draft: &MessageDraft) -> Option<&'static str> {
    if draft.blocks.is_empty() || draft.blocks.iter().any(is_doubtful) {
        // The values that the format read are watched already.
        foreign(&message.unwatched())
    } else {
        beside_content(message)
    }
}

fn is_doubtful(block: &BlockDraft) -> bool {
    let is_nothing = block.size.bytes == 0;
    match (&block.call, &block.result) {
        (Some(call), _) => call.id.is_none() || is_nothing,
        (None, Some(result)) => result.id.is_none() || is_nothing || !result.editable,
        (None, None) => {
            let is_part = matches!(block.place, BlockPath::Item(_));
            block.kind == BlockKind::Unknown
                || is_part && is_nothing && block.kind == BlockKind::Text
        }
    }
}

/// Identifies entries without a role that wrap a message.
fn record<V: Value>(entry: &V) -> Option<&'static str> {
    if has(entry, &[Key::Role]) {
        return None;
    }
    let marks = [
        (Key::SessionUpdate, AGENT_CLIENT),
        (Key::Info, OPENCODE),
        (Key::Message, RECORD),
        (Key::Payload, RECORD),
    ];
    marks.iter().find(|(key, _)| has(entry, &[*key])).map(|(_, what)| *what)
}

/// Identifies messages whose parts are in a field that no supported format reads.
fn elsewhere<V: Value>(message: &V, content: &V) -> Option<&'static str> {
    let holders = [Key::Contents, Key::Items, Key::Blocks, Key::Segments];
    match message.field(Key::Object).word() {
        Some(Word::ThreadMessage | Word::ThreadRunStep) => Some(ASSISTANTS),
        _ if has(message, &[Key::ToolResponses]) => Some(AG2),
        _ => (content.kind() == Kind::Absent && has(message, &holders)).then_some(HOLDS_PARTS),
    }
}

/// Identifies messages whose `content` is an object. In Google's ADK the role is in that object.
fn object_content<V: Value>(content: &V, message: &V) -> &'static str {
    if !has(content, &[Key::Parts]) {
        OBJECT_CONTENT
    } else if has(message, &[Key::Role]) {
        MASTRA
    } else {
        AGENT_EVENT
    }
}

/// Identifies tool calls in fields beside the message's text.
fn beside_content<V: Value>(message: &V) -> Option<&'static str> {
    if !message.has_any(Key::BESIDE_CONTENT) {
        return None;
    }
    if has(message, &[Key::ToolInvocations]) {
        return Some(AI_SDK_4);
    }
    if has(message, &[Key::ToolCallsCamel, Key::ToolCallIdCamel]) {
        let role = message.field(Key::Role);
        return Some(match role.word() {
            Some(_) => CAMEL_CASE,
            None if role.kind() == Kind::Text => PI,
            None if message.field(Key::Type).kind() == Kind::Text => STREAM_PART,
            None => AGENT_CLIENT,
        });
    }
    let holds = |field, keys: &[Key]| {
        let holder = message.field(field);
        holder.kind() == Kind::Object && has(&holder, keys)
    };
    if holds(Key::Options, &[Key::ToolCallCamel, Key::ToolResultCamel]) {
        return Some(LLAMA_INDEX);
    }
    // In LangChain, which has such a field too, messages have a type in place of a role.
    let is_python = holds(Key::AdditionalKwargs, &[Key::ToolCalls, Key::ToolCallId])
        && has(message, &[Key::Role]);
    is_python.then_some(PYTHON_FIELDS)
}

/// Identifies parts of an unsupported format. `is_typed`: whether every supported format with such a list gives each
/// part a `type`.
fn foreign_part<V: Value>(message: &V, part: &V, is_typed: bool) -> Option<&'static str> {
    let has = |any| has(part, any);
    let kind = part.field(Key::Type);
    match kind.word() {
        Some(Word::ToolInvocation) => Some(AI_SDK_4),
        Some(Word::ToolCallPart) if has(&[Key::Args]) && !has(&[Key::Input]) => Some(AI_SDK_4),
        Some(Word::ToolResultPart) if has(&[Key::Result]) && !has(&[Key::Output]) => Some(AI_SDK_4),
        Some(Word::ToolResultPart) if has(&[Key::Content]) && !has(&[Key::Output]) => {
            Some(TANSTACK_UI)
        }
        Some(Word::ToolCallPart) if has(&[Key::Arguments]) && !has(&[Key::Input]) => {
            Some(TANSTACK_UI)
        }
        Some(Word::ToolResultPart) => {
            is_raw(message, &part.field(Key::Output)).then_some(RAW_OUTPUT)
        }
        Some(Word::Text) => (part.field(Key::Text).kind() == Kind::Object).then_some(ASSISTANTS),
        Some(Word::ToolResult) if has(&[Key::ToolUseIdCamel]) => Some(OBJECT_CONTENT),
        Some(_) => None,
        None if kind.kind() == Kind::Text && has(&[Key::ToolCallCamel, Key::ToolResultCamel]) => {
            Some(CALL_PARTS)
        }
        None if kind.kind() == Kind::Text => (is_typed && has(&[Key::Arguments])).then_some(PI),
        None if has(&[Key::FunctionCall, Key::FunctionResponseSnake]) => Some(SNAKE_CASE),
        None if has(&[Key::PartKind]) => Some(PYDANTIC),
        None => (is_typed && part.kind() == Kind::Object).then_some(UNTYPED),
    }
}

/// Returns whether an `output` is not in AI SDK form. An `output` that is a text is valid: older AI SDK versions wrote
/// it, and it is read and repaired. Cline's messages have it too; their `createdAt` tells them apart.
fn is_raw<V: Value>(message: &V, output: &V) -> bool {
    match output.kind() {
        Kind::Absent => false,
        Kind::Text => has(message, &[Key::CreatedAt]),
        _ => output.field(Key::Type).kind() != Kind::Text,
    }
}

fn has<V: Value>(holder: &V, any: &[Key]) -> bool {
    any.iter().any(|key| holder.field(*key).kind() != Kind::Absent)
}

#[cfg(test)]
mod tests {
    use crate::formats::{Format, detect};
    use crate::message::{JsonValue, Problem, ProblemCode};
    use serde_json::{Value as Json, json};

    fn rows() -> Vec<(&'static str, Json)> {
        let ai_sdk = |part: Json| json!({"role": "assistant", "content": [part]});
        vec![
            (
                "OpenAI Agents",
                json!({"type": "function_call", "callId": "a", "name": "ls", "arguments": "{}"}),
            ),
            (
                "OpenAI Agents",
                json!({"type": "function_call_result", "callId": "a", "name": "ls", "status": "completed", "output": {"type": "text", "text": "x"}}),
            ),
            ("OpenAI Agents", json!({"type": "shell_call_output", "callId": "a", "output": []})),
            (
                "Mastra",
                json!({"id": "m", "role": "assistant", "createdAt": "2026", "content": {"format": 2, "parts": [{"type": "text", "text": "x"}]}}),
            ),
            (
                "TanStack AI",
                json!({"role": "assistant", "content": null, "toolCalls": [{"id": "a", "type": "function", "function": {"name": "ls", "arguments": "{}"}}]}),
            ),
            ("TanStack AI", json!({"role": "tool", "content": "x", "toolCallId": "a"})),
            (
                "LlamaIndex",
                json!({"role": "assistant", "content": "", "options": {"toolCall": [{"id": "a", "name": "ls", "input": {}}]}}),
            ),
            (
                "LlamaIndex",
                json!({"role": "user", "content": "x", "options": {"toolResult": {"id": "a", "result": "x", "isError": false}}}),
            ),
            (
                "LlamaIndex for Python",
                json!({"role": "assistant", "content": "", "additional_kwargs": {"tool_calls": [{"id": "a", "type": "function", "function": {"name": "ls", "arguments": "{}"}}]}}),
            ),
            (
                "LlamaIndex for Python",
                json!({"role": "tool", "content": "x", "additional_kwargs": {"tool_call_id": "a", "name": "ls"}}),
            ),
            (
                "goose or another agent",
                json!({"role": "user", "content": [{"type": "toolResult", "toolResult": {"toolUseId": "a", "content": [{"text": "x"}]}}]}),
            ),
            (
                "Bedrock Converse",
                json!({"role": "assistant", "content": [{"text": "x"}, {"toolUse": {"toolUseId": "a", "name": "ls", "input": {}}}]}),
            ),
            (
                "Bedrock Converse",
                json!({"role": "user", "content": [{"toolResult": {"toolUseId": "a", "content": [{"text": "x"}]}}]}),
            ),
            (
                "AI SDK 4",
                json!({"id": "m", "role": "assistant", "content": "x", "toolInvocations": [{"state": "result", "toolCallId": "a", "toolName": "ls", "args": {}, "result": "x"}]}),
            ),
            (
                "AI SDK 4",
                json!({"id": "m", "role": "assistant", "parts": [{"type": "tool-invocation", "toolInvocation": {"state": "call", "toolCallId": "a", "toolName": "ls", "args": {}}}]}),
            ),
            (
                "AI SDK 4",
                ai_sdk(
                    json!({"type": "tool-call", "toolCallId": "a", "toolName": "ls", "args": {"path": "."}}),
                ),
            ),
            (
                "AI SDK 4",
                json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "ls", "result": "x"}]}),
            ),
            (
                "Gemini's REST form",
                json!({"role": "model", "parts": [{"function_call": {"name": "ls", "args": {}}}]}),
            ),
            (
                "Gemini's REST form",
                json!({"role": "user", "parts": [{"function_response": {"name": "ls", "response": {}}}]}),
            ),
            (
                "Assistants API",
                json!({"id": "m", "object": "thread.message", "role": "user", "content": [{"type": "text", "text": {"value": "x", "annotations": []}}]}),
            ),
            ("MCP", json!({"role": "user", "content": {"type": "text", "text": "x"}})),
            (
                "MCP",
                json!({"role": "user", "content": [{"type": "tool_result", "toolUseId": "a", "content": [{"type": "text", "text": "x"}]}]}),
            ),
            (
                "an object for its `content`",
                json!({"role": "tool", "tool_call_id": "a", "content": {"stdout": "x"}}),
            ),
            (
                "Pydantic AI",
                json!({"kind": "response", "parts": [{"part_kind": "tool-call", "tool_name": "ls", "args": "{}", "tool_call_id": "a"}]}),
            ),
            (
                "Haystack",
                json!({"role": "assistant", "meta": {}, "content": [{"tool_call": {"tool_name": "ls", "arguments": {}, "id": "a"}}]}),
            ),
            ("Haystack", json!({"role": "user", "content": [{"text": "x"}]})),
            (
                "Cline",
                json!({"id": "m", "createdAt": 1, "role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "ls", "output": "x"}]}),
            ),
            (
                "`{ type, value }`",
                json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "ls", "output": {"x": 1}}]}),
            ),
            (
                "of pi",
                json!({"role": "assistant", "content": [{"type": "toolCall", "id": "a", "name": "ls", "arguments": {}}]}),
            ),
            (
                "of pi",
                json!({"role": "toolResult", "toolCallId": "a", "toolName": "ls", "content": [{"type": "text", "text": "x"}]}),
            ),
            (
                "Agent Client Protocol",
                json!({"sessionUpdate": "tool_call", "toolCallId": "a", "title": "x"}),
            ),
            (
                "Agent Client Protocol",
                json!({"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "x"}}),
            ),
            (
                "ADK",
                json!({"author": "user", "content": {"role": "user", "parts": [{"text": "x"}]}}),
            ),
            (
                "opencode",
                json!({"info": {"id": "m", "role": "user"}, "parts": [{"type": "text", "text": "x"}]}),
            ),
            (
                "readTranscript",
                json!({"type": "user", "message": {"role": "user", "content": "x"}}),
            ),
            ("readTranscript", json!({"type": "response_item", "payload": {"type": "message"}})),
            (
                "Semantic Kernel",
                json!({"role": "tool", "items": [{"content_type": "function_result", "id": "a", "result": "x"}]}),
            ),
            (
                "Microsoft's agents",
                json!({"role": "assistant", "contents": [{"$type": "functionCall", "callId": "a", "name": "ls"}]}),
            ),
            (
                "LlamaIndex for Python",
                json!({"role": "user", "additional_kwargs": {}, "blocks": [{"block_type": "text", "text": "x"}]}),
            ),
            (
                "Zed",
                json!({"role": "assistant", "segments": [{"type": "text", "text": "x"}], "tool_uses": []}),
            ),
            (
                "AG2",
                json!({"role": "tool", "content": "x", "tool_responses": [{"tool_call_id": "a", "role": "tool", "content": "x"}]}),
            ),
            (
                "goose",
                json!({"role": "user", "content": [{"type": "toolResponse", "id": "a", "toolResult": {"status": "success", "value": []}}]}),
            ),
            (
                "TanStack AI",
                json!({"id": "m", "role": "assistant", "parts": [{"type": "tool-call", "id": "a", "name": "ls", "arguments": "{}"}]}),
            ),
            (
                "TanStack AI",
                json!({"id": "m", "role": "assistant", "parts": [{"type": "tool-result", "toolCallId": "a", "content": "x"}]}),
            ),
            (
                "`content` in place of `output`",
                json!({"role": "user", "content": [{"type": "tool-result", "tool_use_id": "a", "content": "x"}]}),
            ),
            ("Assistants API", json!({"object": "thread.message", "role": "user", "content": []})),
            (
                "Assistants API",
                json!({"object": "thread.message", "role": "user", "content": [{"type": "image_file", "image_file": {"file_id": "f"}}]}),
            ),
            (
                "Assistants API",
                json!({"object": "thread.run.step", "type": "tool_calls", "step_details": {}}),
            ),
            (
                "AI SDK stream",
                json!({"type": "tool-output-available", "toolCallId": "a", "output": "x"}),
            ),
            (
                "AI SDK stream",
                json!({"type": "tool-call", "toolCallId": "a", "toolName": "ls", "input": {}}),
            ),
        ]
    }

    #[test]
    fn every_framework_is_named_and_refused() {
        for (framework, message) in rows() {
            let problem = detect(|_| JsonValue::from(&message), 1).err();
            assert_eq!(
                problem.as_ref().map(Problem::code),
                Some(ProblemCode::UnknownFormat),
                "{message}"
            );
            let text = problem.map(|problem| problem.to_string()).unwrap_or_default();
            assert!(text.starts_with("messages[0] is ") && text.contains(framework), "{text}");
            for format in Format::ALL {
                assert!(format.read(&JsonValue::from(&message)).is_err(), "{format:?} {message}");
            }
        }
    }

    /// Messages of real clients that resemble foreign ones and are accepted.
    #[test]
    fn what_is_understood_is_not_refused() {
        let messages = [
            json!({"role": "user", "content": [{"type": "text", "text": ""}, {"type": "brand_new", "x": 1}]}),
            json!({"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "ls", "arguments": {}}}]}),
            json!({"role": "tool", "tool_name": "ls", "content": "x"}),
            json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "ls", "output": "x"}]}),
            json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "ls", "output": {"type": "brand-new"}}]}),
            json!({"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "ls", "input": {}}, {"type": "brand_new_tool_result", "tool_use_id": "a", "content": {"type": "x"}}]}),
            json!({"type": "human", "content": [{"type": "text", "text": "x"}, {"cachePoint": {"type": "default"}}]}),
            json!({"role": "model", "parts": [{"executableCode": {"code": "1"}}, {"brandNew": {}}]}),
            json!({"type": "mcp_call", "id": "a", "name": "ls", "arguments": "{}", "output": "x"}),
            json!({"role": "user", "content": "x", "message": "y", "createdAt": 1}),
            json!({"role": "user", "content": "x", "items": [], "contents": []}),
            json!({"role": "user", "content": "x", "additional_kwargs": {}}),
            json!({"type": "ai", "content": "x", "additional_kwargs": {"tool_calls": [{"id": "a", "type": "function", "function": {"name": "ls", "arguments": "{}"}}]}}),
            json!({"role": "assistant", "content": null}),
            json!({"role": "tool", "tool_call_id": "a", "content": [{"type": "document", "document": {"data": "x"}}]}),
            json!({"role": "assistant", "content": [{"type": "thinking", "thinking": [{"type": "text", "text": "x"}]}], "tool_calls": []}),
            json!({"role": "tool", "parts": [{"functionResponse": {"name": "ls", "response": {"output": "x"}}}]}),
            json!({"id": "m", "role": "assistant", "parts": [{"type": "tool-call", "toolCallId": "a", "state": "output-available", "input": {}, "output": "x"}]}),
        ];
        for message in messages {
            assert!(detect(|_| JsonValue::from(&message), 1).is_ok(), "{message}");
        }
    }

    /// A list whose first messages were detected as another format.
    #[test]
    fn also_behind_messages_of_any_format() {
        for (framework, message) in rows() {
            let prompt = json!({"role": "user", "content": "go"});
            let list = [prompt, message];
            let problem =
                detect(|i| JsonValue(list.get(i)), 2).err().map(|problem| problem.to_string());
            assert!(problem.as_ref().is_some_and(|text| text.contains(framework)), "{problem:?}");
        }
    }
}
