//! The contents of a history, block by block, and its tokens by kind.

use super::block::{BlockKind, Role};
use super::history::{BlockId, History, Message};
use super::names::NameId;
use super::newer_reads::{Lines, NewerReads, lines_key};
use super::origin::Origin;
use super::stable_merge_sort::in_order;
use super::timeline::FileTimelines;
use serde::Serialize;

/// Estimated tokens by kind of content.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct TokensByKind {
    /// All tokens.
    pub total: u64,
    /// System and developer messages.
    pub system: u64,
    /// Text of the user.
    pub user: u64,
    /// Text of the model.
    pub assistant_text: u64,
    /// Reasoning of the model.
    pub reasoning: u64,
    /// Tool calls with their arguments.
    pub tool_calls: u64,
    /// Tool results.
    pub tool_results: u64,
    /// Files and blocks of unknown kinds.
    pub other: u64,
}

/// A message with its blocks, in a form shared by all formats.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct MessageFacts {
    /// The role of the message.
    pub role: Role,
    /// Number of steps up to and including this message.
    pub step: u32,
    /// Whether it ends a turn: a prompt of the user, or the end of an answer that calls no tool.
    pub ends_turn: bool,
    /// The blocks, in their order in the message.
    pub blocks: Vec<BlockFacts>,
}

/// A file that a call names, with the requested lines.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct FileLines {
    /// The file.
    pub path: String,
    /// The first requested line, from 1; absent for the whole file.
    pub start_line: Option<u32>,
    /// The last requested line; absent if the range is open.
    pub end_line: Option<u32>,
}

/// Facts about one block.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct BlockFacts {
    /// The message's position in the history.
    pub message: usize,
    /// The block's position in its message.
    pub block: usize,
    /// The role of the message.
    pub role: Role,
    /// The kind of block.
    pub kind: BlockKind,
    /// The name of the tool, for calls and results.
    pub tool: Option<String>,
    /// The kind of tool, for calls and results.
    pub origin: Option<Origin>,
    /// The first file that the call names.
    pub path: Option<String>,
    /// All files that the call names.
    pub files: Vec<FileLines>,
    /// The first requested line, from 1.
    pub start_line: Option<u32>,
    /// The last requested line; absent if the range is open.
    pub end_line: Option<u32>,
    /// The start of the command or pattern.
    pub command: Option<String>,
    /// The start of the call's stated purpose (`intent`).
    pub intent: Option<String>,
    /// The id of the tool use.
    pub call_id: Option<String>,
    /// The number of its tool use, counted in the order of first appearance.
    pub tool_use: Option<usize>,
    /// The step; for a result, that of its call.
    pub step: u32,
    /// Estimated tokens.
    pub tokens: u64,
    /// UTF-8 bytes.
    pub bytes: u64,
    /// UTF-16 units.
    pub utf16: u64,
    /// Lines.
    pub lines: u64,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Whether it is removed after its turn.
    pub ephemeral: bool,
    /// Whether the provider ran the tool itself.
    pub provider_executed: bool,
    /// Whether the call's input is a text instead of JSON arguments.
    pub takes_text: bool,
    /// Whether it is a call with its result, or a result with its call.
    pub is_paired: bool,
    /// Whether it is the provider's own compaction, which replaces everything before it.
    pub is_compaction: bool,
    /// Whether it is a read whose files were all changed later, or whose lines later reads also show.
    pub is_superseded: bool,
}

/// The messages of a history, in order, with their blocks.
pub fn message_facts(history: &History) -> Vec<MessageFacts> {
    let mut blocks = block_facts(history).into_iter();
    let of = |(index, message): (usize, &Message)| MessageFacts {
        role: message.role,
        step: message.step,
        ends_turn: message.ends_turn,
        blocks: blocks.by_ref().take(history.blocks_of(index).1.len()).collect(),
    };
    history.messages().iter().enumerate().map(of).collect()
}

/// All blocks of a history, in order.
pub fn block_facts(history: &History) -> Vec<BlockFacts> {
    let mut facts: Vec<BlockFacts> =
        (0..history.blocks().len()).map(|index| facts_of(history, index)).collect();
    mark_superseded(history, &mut facts);
    facts
}

impl TokensByKind {
    /// Sums up a history, starting at the provider's own compaction if there is one.
    pub fn of(history: &History) -> Self {
        let mut sums = Self::default();
        for block in history.blocks().iter().skip(history.start().0) {
            sums.total += block.tokens;
            *sums.share(history.messages()[block.message].role, block.kind) += block.tokens;
        }
        sums
    }

    fn share(&mut self, role: Role, kind: BlockKind) -> &mut u64 {
        match (kind, role) {
            (BlockKind::ToolCall, _) => &mut self.tool_calls,
            (BlockKind::ToolResult, _) => &mut self.tool_results,
            (BlockKind::Reasoning, _) => &mut self.reasoning,
            (BlockKind::File | BlockKind::Unknown, _) => &mut self.other,
            (BlockKind::Text, Role::System) => &mut self.system,
            (BlockKind::Text, Role::Assistant) => &mut self.assistant_text,
            (BlockKind::Text, Role::User | Role::Tool) => &mut self.user,
        }
    }
}

fn facts_of(history: &History, index: usize) -> BlockFacts {
    let block = &history.blocks()[index];
    let message = &history.messages()[block.message];
    let one = block.tool_use.map(|id| &history[id]);
    let is_result = block.kind == BlockKind::ToolResult;
    let files: Vec<FileLines> = one
        .map_or(&[][..], |one| &one.files)
        .iter()
        .map(|file| file_lines(history, file))
        .collect();
    let first = files.first();
    BlockFacts {
        message: block.message,
        block: history.position(BlockId(index)),
        role: message.role,
        kind: block.kind,
        tool: one.map(|one| history.names().text(one.tool).to_owned()),
        origin: one.map(|one| one.origin),
        path: first.map(|file| file.path.clone()),
        start_line: first.and_then(|file| file.start_line),
        end_line: first.and_then(|file| file.end_line),
        files,
        command: one.and_then(|one| one.command.clone()),
        intent: one.and_then(|one| one.intent.clone()),
        call_id: one.and_then(|one| one.id.clone()),
        tool_use: block.tool_use.map(|id| id.0),
        step: one.map_or(message.step, |one| one.step),
        tokens: block.tokens,
        bytes: block.size.bytes,
        utf16: block.size.utf16,
        lines: block.size.lines(),
        is_error: is_result && one.is_some_and(|one| one.is_error),
        ephemeral: is_result && one.is_some_and(|one| one.ephemeral),
        provider_executed: one.is_some_and(|one| one.provider_executed),
        takes_text: one.is_some_and(|one| one.takes_text),
        is_paired: one.is_some_and(|one| one.call.is_some() && one.result.is_some()),
        is_compaction: history.is_compaction(BlockId(index)),
        is_superseded: false,
    }
}

fn file_lines(history: &History, (path, lines): &(NameId, Option<(u32, u32)>)) -> FileLines {
    FileLines {
        path: history.names().text(*path).to_owned(),
        start_line: lines.map(|(first, _)| first),
        end_line: lines.map(|(_, last)| last).filter(|last| *last != u32::MAX),
    }
}

/// Marks superseded reads. A read is superseded if each of its files was changed later, or a later read covers the same
/// lines.
fn mark_superseded(history: &History, facts: &mut [BlockFacts]) {
    let files = FileTimelines::at(history, u32::MAX, &[]);
    let mut keys: Vec<Vec<u64>> = vec![Vec::new(); history.names().len()];
    for read in history.uses().iter().filter(|one| one.origin == Origin::Read) {
        for (path, lines) in &read.files {
            keys[path.index()].push(lines_key(whole(*lines)));
        }
    }
    let by_lines: Vec<_> = keys.into_iter().map(|keys| in_order(keys.into_iter())).collect();
    let mut newer: Vec<NewerReads<'_>> = by_lines.iter().map(|keys| NewerReads::of(keys)).collect();
    for (i, fact) in facts.iter_mut().enumerate().rev() {
        let block = &history.blocks()[i];
        let is_result = block.kind == BlockKind::ToolResult;
        let Some(id) = block.tool_use.filter(|_| is_result) else { continue };
        let read = &history[id];
        if read.origin != Origin::Read || read.is_error {
            continue;
        }
        let is_overtaken = |(path, lines): &(NameId, Lines)| {
            files.of(*path).changed_after(BlockId(i))
                || newer[path.index()].showing(whole(*lines)).is_some()
        };
        fact.is_superseded = !read.files.is_empty() && read.files.iter().all(is_overtaken);
        if read.shows_its_lines() {
            read.files.iter().for_each(|(path, lines)| newer[path.index()].add(whole(*lines), id));
        }
    }
}

/// Converts an open range from line 1 on to the whole file.
fn whole(lines: Lines) -> Lines {
    lines.filter(|lines| *lines != (1, u32::MAX))
}
