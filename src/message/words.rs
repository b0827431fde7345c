//! The field names and the literal values that wire formats are made of, each declared once.
//!
//! Both cross the boundary as numbers; the host's side gets the spellings from [`Key::ALL`] and [`Word::ALL`].

macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[allow(missing_docs)] // Each variant is its spelling.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum $name { $($variant),+ }

        impl $name {
            /// Every one, in the order of their numbers.
            pub const ALL: &[$name] = &[$($name::$variant),+];

            /// As it is spelled on the wire.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }

            /// The one with this spelling.
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
        Ephemeral = "ephemeral", ReasoningContent = "reasoning_content", Thinking = "thinking",
        Reasoning = "reasoning", Refusal = "refusal",
        Path = "path", FilePath = "file_path", FilePathCamel = "filePath", FilePathLower = "filepath", File = "file",
        Filename = "filename", FileName = "file_name", TargetFile = "target_file", AbsolutePath = "absolute_path",
        NotebookPath = "notebook_path", Paths = "paths", FilePaths = "file_paths", Files = "files",
        Offset = "offset", Limit = "limit", StartLine = "start_line", EndLine = "end_line",
        StartLineCamel = "startLine", EndLineCamel = "endLine", Start = "start", End = "end",
        ViewRange = "view_range", LineRange = "line_range", LineNumber = "line_number",
        Command = "command", Cmd = "cmd", Pattern = "pattern", Query = "query", Patch = "patch", Diff = "diff",
        Audio = "audio", FunctionCall = "function_call",
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
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, Word};

    #[test]
    fn spellings_lead_back() {
        assert!(Key::ALL.iter().enumerate().all(|(i, key)| *key as usize == i));
        assert!(Word::ALL.iter().all(|word| Word::from_text(word.text()) == Some(*word)));
        assert!(Key::ALL.iter().all(|key| Key::from_text(key.text()) == Some(*key)));
    }
}
