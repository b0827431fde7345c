//! Who speaks, what a piece of a message is, and where it stands.

use super::value::words::Key;
use serde::Serialize;

/// Who a message is from. A `developer` message is a system message.
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
    /// The person, or tool results in formats that put them there.
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
    /// A call of a tool.
    ToolCall,
    /// The answer to a call.
    ToolResult,
    /// An image, document, audio or other file: opaque.
    File,
    /// Anything this engine does not know: opaque.
    Unknown,
}

/// Where a block stands in its message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockPath {
    /// Nowhere that could be named: what it tells stands beside the other blocks.
    Message,
    /// It is another form of a call of the message, which goes with it.
    Copy,
    /// It is the message's whole `content`.
    Content,
    /// The `i`-th part of the message.
    Item(u32),
    /// `tool_calls[i]`.
    Call(u32),
    /// It is this field of the message.
    Field(Key),
    /// It is the whole message, which has its content or arguments in this field.
    Whole(Key),
    /// The `i`-th part, whose text stands deeper, in this field of its content.
    Part(u32, Key),
    /// It is this field of the `i`-th part, which is the block's call too.
    Shared(u32, Key),
    /// It is the `content` of the object in this field of the message.
    Inside(Key),
    /// The `i`-th part of that content.
    InsideItem(Key, u32),
    /// `tool_calls[i]` of the object in this field of the message.
    InsideCall(Key, u32),
}

/// When reasoning may be left out of what is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Removable {
    /// Never: it is no reasoning, or the provider may ask for it.
    #[default]
    Never,
    /// When its turn is over.
    AfterTurn,
    /// When its turn is over and had no calls: DeepSeek and Moonshot refuse calls without their reasoning in all later
    /// requests.
    WithoutCalls,
}
