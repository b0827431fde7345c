//! The field names and literal values of the wire formats, each declared once.
//!
//! Both cross the boundary as numbers; the host's side gets the spellings from [`Key::ALL`] and [`Word::ALL`].

use std::ops::RangeInclusive;

macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[allow(missing_docs)] // The variants are named after their spellings.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $name { $($variant),+ }

        impl $name {
            /// All variants, in the order of their numbers.
            pub const ALL: &[$name] = &[$($name::$variant),+];

            /// The spelling in the wire formats.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            /// The variant with this spelling.
            pub fn from_text(text: &str) -> Option<Self> {
                match text { $($text => Some($name::$variant),)+ _ => None }
            }
        }
    };
}

spelled! {
    /// A field of a message or a block.
    Key {
        Role = "role", Content = "content", ToolCalls = "tool_calls", ToolCallId = "tool_call_id", Name = "name",
        Id = "id", Type = "type", Text = "text", Function = "function", Arguments = "arguments", Custom = "custom",
        Input = "input", ToolUseId = "tool_use_id", IsError = "is_error", Metadata = "metadata",
        Ephemeral = "ephemeral",
        // Key::REASONING
        ReasoningContent = "reasoning_content", Thinking = "thinking", Reasoning = "reasoning",
        ThinkingBlocks = "thinking_blocks", ReasoningDetails = "reasoning_details",
        Refusal = "refusal",
        Path = "path", FilePath = "file_path", FilePathCamel = "filePath", FilePathLower = "filepath", File = "file",
        Filename = "filename", FileName = "file_name", TargetFile = "target_file", AbsolutePath = "absolute_path",
        NotebookPath = "notebook_path", Paths = "paths", FilePaths = "file_paths", Files = "files",
        Offset = "offset", Limit = "limit", Column = "column", StartLine = "start_line", EndLine = "end_line",
        StartLineCamel = "startLine", EndLineCamel = "endLine", Start = "start", End = "end",
        ViewRange = "view_range", LineRange = "line_range", LineNumber = "line_number",
        Command = "command", Cmd = "cmd", Pattern = "pattern", Query = "query", Patch = "patch", Diff = "diff",
        Output = "output", CallId = "call_id", Action = "action", Operation = "operation", Status = "status",
        Stdout = "stdout", Stderr = "stderr", Commands = "commands", Image = "image", Source = "source",
        Parts = "parts", ToolName = "toolName", ProviderExecuted = "providerExecuted",
        State = "state", ErrorText = "errorText", Value = "value",
        FunctionCallCamel = "functionCall", FunctionResponse = "functionResponse", Args = "args", Response = "response",
        Thought = "thought", ThoughtSignature = "thoughtSignature", InlineData = "inlineData", FileData = "fileData",
        Error = "error", Result = "result", Intent = "intent",
        Data = "data", Kwargs = "kwargs", GetType = "_getType",
        Audio = "audio", FunctionCall = "function_call",
        Lc = "lc", Outcome = "outcome", ExitCode = "exit_code", Approval = "approval",
        ProviderOptions = "providerOptions", ProviderMetadata = "providerMetadata",
        CallProviderMetadata = "callProviderMetadata", Anthropic = "anthropic", Bedrock = "bedrock", Openrouter = "openrouter", Summary = "summary",
        Signature = "signature", ToolMetadata = "toolMetadata", CallIdCamel = "callId",
        // Key::BESIDE_CONTENT
        ToolInvocations = "toolInvocations", ToolCallsCamel = "toolCalls", ToolCallIdCamel = "toolCallId",
        Options = "options", AdditionalKwargs = "additional_kwargs",
        ExtraContent = "extra_content", ToolCallCamel = "toolCall", ToolResultCamel = "toolResult", ToolUseCamel = "toolUse",
        FunctionResponseSnake = "function_response", MediaType = "mediaType", MimeType = "mimeType",
        PartKind = "part_kind", ToolUseIdCamel = "toolUseId", SessionUpdate = "sessionUpdate", CreatedAt = "createdAt",
        Message = "message", Payload = "payload", Info = "info", OutputConfig = "output_config",
        Contents = "contents", Items = "items", Blocks = "blocks", Segments = "segments",
        ToolResponses = "tool_responses", ImageUrl = "image_url", Object = "object",
        // Key::GEMINI
        Google = "google", GoogleVertex = "googleVertex", Vertex = "vertex",
    }
}

/// Neighbours in [`Key::ALL`], which [`Value::has_any`](super::access::Value::has_any) looks for in one call.
impl Key {
    /// The fields of a message that hold reasoning.
    pub const REASONING: RangeInclusive<Key> = Key::ReasoningContent..=Key::ReasoningDetails;
    /// The fields in which messages of other frameworks hold calls and results.
    pub const BESIDE_CONTENT: RangeInclusive<Key> = Key::ToolInvocations..=Key::AdditionalKwargs;
    /// The provider options in which the AI SDK keeps Gemini's signatures.
    pub const GEMINI: RangeInclusive<Key> = Key::Google..=Key::Vertex;

    /// The fields of a range.
    pub fn within(range: &RangeInclusive<Key>) -> &'static [Key] {
        Self::ALL.get(*range.start() as usize..=*range.end() as usize).unwrap_or_default()
    }
}

spelled! {
    /// A literal value of a `role` or `type` field.
    Word {
        System = "system", Developer = "developer", User = "user", Assistant = "assistant", Tool = "tool",
        Function = "function", Text = "text", ImageUrl = "image_url", InputAudio = "input_audio", File = "file",
        Refusal = "refusal", ToolUse = "tool_use", ToolResult = "tool_result", Thinking = "thinking",
        RedactedThinking = "redacted_thinking", Image = "image", Document = "document",
        SearchResult = "search_result", ServerToolUse = "server_tool_use", McpToolUse = "mcp_tool_use",
        McpToolResult = "mcp_tool_result", WebSearchToolResult = "web_search_tool_result",
        ContainerUpload = "container_upload", Compaction = "compaction", Custom = "custom",
        Message = "message", InputText = "input_text", OutputText = "output_text", InputImage = "input_image",
        InputFile = "input_file", Reasoning = "reasoning", ItemReference = "item_reference",
        FunctionCall = "function_call", FunctionCallOutput = "function_call_output",
        CustomToolCall = "custom_tool_call", CustomToolCallOutput = "custom_tool_call_output",
        LocalShellCall = "local_shell_call", LocalShellCallOutput = "local_shell_call_output",
        ShellCall = "shell_call", ShellCallOutput = "shell_call_output",
        ApplyPatchCall = "apply_patch_call", ApplyPatchCallOutput = "apply_patch_call_output",
        ComputerCall = "computer_call", ComputerCallOutput = "computer_call_output",
        ComputerScreenshot = "computer_screenshot", Audio = "audio",
        // One white pixel, which replaces a screenshot (js/src/history/apply.ts).
        BlankScreen = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mP4DwABAQEAHLCMmQAAAABJRU5ErkJggg==",
        ThreadMessage = "thread.message", ThreadRunStep = "thread.run.step",
        Failed = "failed", Incomplete = "incomplete", Error = "error",
        ToolInvocation = "tool-invocation", ToolCallPart = "tool-call", ToolResultPart = "tool-result", ToolApprovalRequest = "tool-approval-request",
        ToolApprovalResponse = "tool-approval-response", ReasoningFile = "reasoning-file",
        DynamicTool = "dynamic-tool", StepStart = "step-start", Json = "json", Content = "content",
        ErrorText = "error-text", ErrorJson = "error-json", ExecutionDenied = "execution-denied",
        Media = "media", ReasoningContent = "reasoning_content", ImageData = "image-data", FileData = "file-data", ImageUrlPart = "image-url",
        FileUrl = "file-url", FileId = "file-id", FileReference = "file-reference",
        ImageFileId = "image-file-id", ImageFileReference = "image-file-reference", OutputAvailable = "output-available", OutputError = "output-error",
        OutputDenied = "output-denied", ApprovalResponded = "approval-responded",
        Model = "model", Human = "human", Ai = "ai", Generic = "generic", Remove = "remove",
        Constructor = "constructor",
        HumanMessage = "HumanMessage", AiMessage = "AIMessage", SystemMessage = "SystemMessage",
        ToolMessage = "ToolMessage", FunctionMessage = "FunctionMessage", ChatMessage = "ChatMessage",
        HumanMessageChunk = "HumanMessageChunk", AiMessageChunk = "AIMessageChunk",
        SystemMessageChunk = "SystemMessageChunk", ToolMessageChunk = "ToolMessageChunk",
        FunctionMessageChunk = "FunctionMessageChunk", ChatMessageChunk = "ChatMessageChunk",
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Word};

    #[test]
    fn ranges_hold_the_fields_that_they_are_named_for() {
        let names = |range| Key::within(&range).iter().map(|key| key.text()).collect::<Vec<_>>();
        assert_eq!(
            names(Key::REASONING),
            ["reasoning_content", "thinking", "reasoning", "thinking_blocks", "reasoning_details"]
        );
        assert_eq!(
            names(Key::BESIDE_CONTENT),
            ["toolInvocations", "toolCalls", "toolCallId", "options", "additional_kwargs"]
        );
    }

    #[test]
    fn spellings_lead_back() {
        assert!(Key::ALL.iter().enumerate().all(|(i, key)| *key as usize == i));
        assert!(Word::ALL.iter().all(|word| Word::from_text(word.text()) == Some(*word)));
        assert!(Key::ALL.iter().all(|key| Key::from_text(key.text()) == Some(*key)));
    }
}
