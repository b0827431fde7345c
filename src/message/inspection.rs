//! What a history holds, for people: tokens by kind, the largest results, reads that repeat, calls without answer.

use super::order::ordered;
use super::{Block, BlockKind, History, NameId, Origin, Role, ToolUse};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// Everything `inspect` knows of a history. Tokens are estimates.
#[derive(Debug, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// The wire format's name.
    pub format: String,
    /// How many messages.
    pub messages: usize,
    /// How many assistant messages.
    pub steps: u32,
    /// Tokens by what they are spent on.
    pub tokens: TokensByKind,
    /// Tool results by tool, most tokens first.
    pub tools: Vec<ToolShare>,
    /// The ten largest tool results, largest first.
    pub largest: Vec<BlockFacts>,
    /// Files read more than once, most tokens first.
    pub repeated_reads: Vec<RepeatedRead>,
    /// Reads that a newer read covers or an edit of the file outdates.
    pub superseded_reads: ResultTotal,
    /// Calls without a result.
    pub unanswered_calls: Vec<Unpaired>,
    /// Results without a call.
    pub orphan_results: Vec<Unpaired>,
    /// Every block, in order.
    pub blocks: Vec<BlockFacts>,
}

/// Tokens by what they are spent on.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct TokensByKind {
    /// All of them.
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

/// One tool's results.
#[derive(Debug, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct ToolShare {
    /// The tool's name.
    pub tool: String,
    /// How many results.
    pub results: usize,
    /// Their tokens.
    pub tokens: u64,
}

/// A file that was read more than once.
#[derive(Debug, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct RepeatedRead {
    /// The file.
    pub path: String,
    /// How many reads.
    pub reads: usize,
    /// Tokens of all of them but the newest.
    pub tokens: u64,
}

/// Results and their tokens.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct ResultTotal {
    /// How many.
    pub results: usize,
    /// Their tokens.
    pub tokens: u64,
}

/// Half of a tool use.
#[derive(Debug, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct Unpaired {
    /// The message it stands in.
    pub message: usize,
    /// The tool's name; empty when unknown.
    pub tool: String,
    /// Its id; empty when it has none.
    pub id: String,
}

/// One block, for people and pages.
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
    /// Who the message is from.
    pub role: Role,
    /// What the block is.
    pub kind: BlockKind,
    /// The tool, on calls and results.
    pub tool: Option<String>,
    /// The tool's kind of work, on calls and results.
    pub origin: Option<Origin>,
    /// The first file that the call names.
    pub path: Option<String>,
    /// The first line asked for, from 1.
    pub start_line: Option<u32>,
    /// The last line asked for; absent where the range is open.
    pub end_line: Option<u32>,
    /// The start of the command or pattern.
    pub command: Option<String>,
    /// The start of what the call says that it is for (`intent`).
    pub intent: Option<String>,
    /// The id of the tool use.
    pub call_id: Option<String>,
    /// The step it belongs to: for a result, that of its call.
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
    /// Whether it goes after its turn.
    pub ephemeral: bool,
}

const LARGEST: usize = 10;

impl Inspection {
    /// Looks a history over.
    pub fn of(history: &History, format: &str) -> Self {
        let blocks: Vec<BlockFacts> =
            (0..history.blocks().len()).map(|i| block_facts(history, i)).collect();
        Self {
            format: format.to_owned(),
            messages: history.messages().len(),
            steps: history.steps(),
            tokens: TokensByKind::of(history),
            tools: tool_shares(&blocks),
            largest: largest_results(&blocks),
            repeated_reads: repeated_reads(history),
            superseded_reads: superseded_reads(history),
            unanswered_calls: unpaired(history, |one| one.call.filter(|_| one.result.is_none())),
            orphan_results: unpaired(history, |one| one.result.filter(|_| one.call.is_none())),
            blocks,
        }
    }
}

impl TokensByKind {
    /// Adds up a history.
    pub fn of(history: &History) -> Self {
        let mut sums = Self::default();
        for block in history.blocks() {
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

fn block_facts(history: &History, index: usize) -> BlockFacts {
    let block = &history.blocks()[index];
    let message = &history.messages()[block.message];
    let one = block.tool_use.map(|id| &history.uses()[id.0]);
    let is_result = block.kind == BlockKind::ToolResult;
    let file = one.and_then(|one| one.files.first());
    let lines = file.and_then(|(_, lines)| *lines);
    BlockFacts {
        message: block.message,
        block: history.position(super::BlockId(index)),
        role: message.role,
        kind: block.kind,
        tool: one.map(|one| history.names().text(one.tool).to_owned()),
        origin: one.map(|one| one.origin),
        path: file.map(|(path, _)| history.names().text(*path).to_owned()),
        start_line: lines.map(|(first, _)| first),
        end_line: lines.map(|(_, last)| last).filter(|last| *last != u32::MAX),
        command: one.and_then(|one| one.command.clone()),
        intent: one.and_then(|one| one.intent.clone()),
        call_id: one.and_then(|one| one.id.clone()),
        step: one.map_or(message.step, |one| one.step),
        tokens: block.tokens,
        bytes: block.size.bytes,
        utf16: block.size.utf16,
        lines: block.size.lines(),
        is_error: is_result && one.is_some_and(|one| one.is_error),
        ephemeral: is_result && one.is_some_and(|one| one.ephemeral),
    }
}

fn largest_results(blocks: &[BlockFacts]) -> Vec<BlockFacts> {
    let results: Vec<&BlockFacts> =
        blocks.iter().filter(|block| block.kind == BlockKind::ToolResult).collect();
    ordered(results, |block| u64::MAX - block.tokens).into_iter().take(LARGEST).cloned().collect()
}

fn tool_shares(blocks: &[BlockFacts]) -> Vec<ToolShare> {
    let mut shares: Vec<ToolShare> = Vec::new();
    for block in blocks.iter().filter(|block| block.kind == BlockKind::ToolResult) {
        let tool = block.tool.as_deref().unwrap_or("");
        let known = shares.iter().position(|share| share.tool == tool);
        let at = known.unwrap_or_else(|| {
            shares.push(ToolShare { tool: tool.to_owned(), results: 0, tokens: 0 });
            shares.len() - 1
        });
        shares[at].results += 1;
        shares[at].tokens += block.tokens;
    }
    ordered(shares, |share| u64::MAX - share.tokens)
}

/// Answered tool uses with their results, oldest result first.
fn answered(history: &History) -> impl DoubleEndedIterator<Item = (&ToolUse, &Block)> {
    let results = history.blocks().iter().filter(|block| block.kind == BlockKind::ToolResult);
    results.filter_map(|block| block.tool_use.map(|id| (&history.uses()[id.0], block)))
}

fn repeated_reads(history: &History) -> Vec<RepeatedRead> {
    let mut order: Vec<NameId> = Vec::new();
    let mut reads: HashMap<NameId, Vec<u64>> = HashMap::new();
    for (one, block) in
        answered(history).filter(|(one, _)| one.origin == Origin::Read && one.files.len() == 1)
    {
        let path = one.files[0].0;
        let seen = reads.entry(path).or_insert_with(|| {
            order.push(path);
            Vec::new()
        });
        seen.push(block.tokens);
    }
    let repeated: Vec<RepeatedRead> = order
        .into_iter()
        .filter_map(|path| {
            let tokens = reads.get(&path).filter(|tokens| tokens.len() > 1)?;
            let older = tokens[..tokens.len() - 1].iter().sum();
            Some(RepeatedRead {
                path: history.names().text(path).to_owned(),
                reads: tokens.len(),
                tokens: older,
            })
        })
        .collect();
    ordered(repeated, |read| u64::MAX - read.tokens)
}

/// Walks back from the newest result: a read is superseded when every file of it was changed later, or is covered by
/// a later read of the same lines or more.
fn superseded_reads(history: &History) -> ResultTotal {
    let mut changed: HashSet<NameId> = HashSet::new();
    let mut shown: HashMap<NameId, Vec<(u32, u32)>> = HashMap::new();
    let mut total = ResultTotal::default();
    for (one, block) in answered(history).rev().filter(|(one, _)| !one.is_error) {
        if matches!(one.origin, Origin::Edit | Origin::Write) {
            changed.extend(one.files.iter().map(|(path, _)| *path));
        }
        if one.origin != Origin::Read || one.files.is_empty() {
            continue;
        }
        let covered = |(path, lines): &(NameId, Option<(u32, u32)>)| {
            let (first, last) = lines.unwrap_or((1, u32::MAX));
            let later = shown.get(path).map_or(&[][..], Vec::as_slice);
            changed.contains(path) || later.iter().any(|(from, to)| *from <= first && *to >= last)
        };
        if one.files.iter().all(covered) {
            total.results += 1;
            total.tokens += block.tokens;
        }
        for (path, lines) in &one.files {
            shown.entry(*path).or_default().push(lines.unwrap_or((1, u32::MAX)));
        }
    }
    total
}

fn unpaired(history: &History, half: impl Fn(&ToolUse) -> Option<super::BlockId>) -> Vec<Unpaired> {
    let found = history.uses().iter().filter_map(|one| half(one).map(|block| (one, block)));
    found
        .map(|(one, block)| Unpaired {
            message: history.blocks()[block.0].message,
            tool: history.names().text(one.tool).to_owned(),
            id: one.id.clone().unwrap_or_default(),
        })
        .collect()
}
