//! Roles, kinds of blocks, and positions of blocks in a message.

use super::value::words::Key;
use serde::Serialize;

/// The role of a message. A `developer` message is a system message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions of the host.
    System,
    /// The user, or tool results in formats that put them into user messages.
    User,
    /// The model.
    Assistant,
    /// A tool's answer.
    Tool,
}

/// The kind of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum BlockKind {
    /// Plain text.
    Text,
    /// The model's reasoning, signed or not: opaque.
    Reasoning,
    /// A tool call.
    ToolCall,
    /// A tool result.
    ToolResult,
    /// An image, document, audio or other file: opaque.
    File,
    /// Any other content, which the engine does not know: opaque.
    Unknown,
}

/// The position of a block in its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockPath {
    /// No position inside the message: the message as a whole, or information about its other blocks.
    Message,
    /// A second form of a call in the same message; it is removed with the call.
    Copy,
    /// The message's whole `content`.
    Content,
    /// Part `i` of the message.
    Item(u32),
    /// `tool_calls[i]`.
    Call(u32),
    /// This field of the message.
    Field(Key),
    /// The whole message, whose content or arguments are in this field.
    Whole(Key),
    /// Part `i`, whose text is in this field of its content.
    Part(u32, Key),
    /// This field of part `i`, which also contains the block's call.
    Shared(u32, Key),
    /// The `content` of the object in this field of the message.
    Inside(Key),
    /// Part `i` of the `content` of the object in this field.
    InsideItem(Key, u32),
    /// `tool_calls[i]` of the object in this field of the message.
    InsideCall(Key, u32),
}

/// When reasoning may be removed from a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Removable {
    /// Never: it is not reasoning, or the provider may require it.
    #[default]
    Never,
    /// After its turn.
    AfterTurn,
    /// After its turn, if the turn had no calls: DeepSeek and Moonshot refuse calls without their reasoning in all
    /// later requests.
    WithoutCalls,
}
