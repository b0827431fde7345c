//! Messages of other frameworks, and of older versions. Some read like messages of a format here, so that nothing of them
//! would be counted or cleared, and nobody would be told: they are refused, with what they are and what converts them.

use crate::message::{BlockDraft, BlockKind, Key, Kind, MessageDraft, Value, Word};

const OPENAI_AGENTS: &str = "an item of OpenAI Agents (`callId`): trimtab/openai-agents takes its models, and `toResponsesItems(items)` of it makes \
    `openai-responses` items";
const MASTRA: &str = "a stored message of Mastra: `convertMessages(messages).to('AIV5.Model')` of @mastra/core/agent \
    makes `ai-sdk` messages";
const LLAMA_INDEX: &str = "a message of LlamaIndex: `OpenAI.toOpenAIMessage(messages)` of @llamaindex/openai makes \
    `openai-chat` messages";
const CAMEL_CASE: &str = "a message of TanStack AI, AG-UI or Mistral's client (`toolCalls`, `toolCallId`): trimtab/tanstack takes \
    TanStack's; others are `openai-chat` messages under `tool_calls` and `tool_call_id`";
const CONVERSE: &str = "a message of Bedrock Converse: keep `ai-sdk` or `langchain` messages, whose clients send them to it";
const AI_SDK_4: &str = "a message of AI SDK 4: `convertMessages(messages, 'ai-sdk', { format })` of trimtab/formats makes \
    `ai-sdk` messages, with format 'ai-sdk-ui' for UI messages, else 'ai-sdk'";
const SNAKE_CASE: &str = "Gemini's REST form: `convertMessages(messages, 'gemini', { format: 'gemini' })` of \
    trimtab/formats makes `gemini` messages";

/// What a message is that no format here has, and what converts it.
pub fn foreign<V: Value>(message: &V) -> Option<&'static str> {
    let content = message.field(Key::Content);
    let is_item = message.field(Key::Type).kind() == Kind::Text;
    if is_item && has(message, &[Key::CallIdCamel]) {
        return Some(OPENAI_AGENTS);
    }
    if content.kind() == Kind::Object && has(&content, &[Key::Parts]) {
        return Some(MASTRA);
    }
    beside_content(message).or_else(|| {
        let lists = [content, message.field(Key::Parts)];
        lists.iter().find_map(|list| (0..list.len()).find_map(|i| foreign_part(&list.item(i))))
    })
}

/// The same where a format has read the message: what it understood all of needs no closer look.
pub fn foreign_as_read<V: Value>(message: &V, draft: &MessageDraft) -> Option<&'static str> {
    if draft.blocks.iter().any(is_doubtful) {
        // What the format read is watched already.
        foreign(&message.unwatched())
    } else {
        beside_content(message)
    }
}

fn is_doubtful(block: &BlockDraft) -> bool {
    let id = match (&block.call, &block.result) {
        (Some(call), _) => &call.id,
        (None, Some(result)) => &result.id,
        (None, None) => return block.kind == BlockKind::Unknown,
    };
    id.is_none() || block.size.bytes == 0
}

/// Calls that stand beside a message's text.
fn beside_content<V: Value>(message: &V) -> Option<&'static str> {
    if has(message, &[Key::ToolInvocations]) {
        return Some(AI_SDK_4);
    }
    if has(message, &[Key::ToolCallsCamel, Key::ToolCallIdCamel]) {
        return Some(CAMEL_CASE);
    }
    let options = message.field(Key::Options);
    let keys = [Key::ToolCallCamel, Key::ToolResultCamel];
    (options.kind() == Kind::Object && has(&options, &keys)).then_some(LLAMA_INDEX)
}

fn foreign_part<V: Value>(part: &V) -> Option<&'static str> {
    let is_old = match part.field(Key::Type).word() {
        Some(Word::ToolInvocation) => true,
        Some(Word::ToolCallPart) => has(part, &[Key::Args]) && !has(part, &[Key::Input]),
        Some(Word::ToolResultPart) => has(part, &[Key::Result]) && !has(part, &[Key::Output]),
        Some(_) => false,
        None if has(part, &[Key::ToolUseCamel, Key::ToolResultCamel]) => return Some(CONVERSE),
        None if has(part, &[Key::FunctionCall, Key::FunctionResponseSnake]) => {
            return Some(SNAKE_CASE);
        }
        None => false,
    };
    is_old.then_some(AI_SDK_4)
}

fn has<V: Value>(holder: &V, any: &[Key]) -> bool {
    any.iter().any(|key| holder.field(*key).kind() != Kind::Absent)
}

#[cfg(test)]
mod tests {
    use crate::formats::{Format, detect};
    use crate::message::{JsonValue, Problem};
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
        ]
    }

    #[test]
    fn every_framework_is_named_and_refused() {
        for (framework, message) in rows() {
            let problem = detect(|_| JsonValue::from(&message), 1).err();
            assert_eq!(problem.as_ref().map(Problem::code), Some("unknown_format"), "{message}");
            let text = problem.map(|problem| problem.to_string()).unwrap_or_default();
            assert!(text.starts_with("messages[0] is ") && text.contains(framework), "{text}");
            for format in Format::ALL {
                assert!(format.read(&JsonValue::from(&message)).is_err(), "{format:?} {message}");
            }
        }
    }

    /// The same list, once its first messages were taken for another format's.
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
