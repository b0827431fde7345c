//! Long output keeps its head and its tail: document "Smart Tool History", bash output.

use super::source::StubFacts;
use super::stub::StubKey;
use super::{Pass, PassName, Replacement, Source, View};
use crate::message::{BlockId, Origin, ToolUse, UseId};
use crate::output::ERROR_HEAD_BYTES;
use crate::text::{HeadTail, Measure, TextSize, truncation_mark};
use crate::tokens::estimate_tokens;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Settings of the clip pass: document "Smart Tool History", `bash_truncate`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClipPolicy {
    /// What `max`, `head` and `tail` count. Default `chars`, which are UTF-16 units.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClipUnit>"))]
    pub unit: ClipUnit,
    /// The longest output that stays whole. Default 10,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max: Option<u32>,
    /// How much is kept from its beginning. Default a fifth of `max`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub head: Option<u32>,
    /// How much is kept from its end. Default a fifth of `max`. Both together are at most half of `max`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub tail: Option<u32>,
    /// The tools whose output is clipped, `*` for all. Default: those that run commands, and those of `perTool`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub tools: Option<Vec<String>>,
    /// Other limits for single tools, by name.
    #[cfg_attr(
        all(test, not(target_arch = "wasm32")),
        ts(optional, as = "Option<BTreeMap<String, ClipLimits>>")
    )]
    pub per_tool: BTreeMap<String, ClipLimits>,
}

/// How much of an output stays.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClipLimits {
    /// What the others count. Default `chars`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<ClipUnit>"))]
    pub unit: ClipUnit,
    /// The longest output that stays whole. Default 10,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max: Option<u32>,
    /// How much is kept from its beginning. Default a fifth of `max`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub head: Option<u32>,
    /// How much is kept from its end. Default a fifth of `max`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub tail: Option<u32>,
}

/// What a limit counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum ClipUnit {
    /// UTF-16 units.
    #[default]
    Chars,
    /// Lines.
    Lines,
    /// Estimated tokens.
    Tokens,
}

/// What a clipped output keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipEnds {
    unit: ClipUnit,
    head: u32,
    tail: u32,
}

impl ClipLimits {
    fn max(self) -> u32 {
        self.max.unwrap_or(10_000)
    }

    /// What stays of an output that is too long.
    pub fn ends(self) -> ClipEnds {
        let fifth = self.max() / 5;
        let (head, tail) = (self.head.unwrap_or(fifth), self.tail.unwrap_or(fifth));
        ClipEnds { unit: self.unit, head, tail }
    }

    /// Whether what stays is at most half of the limit, so that it is never long enough to be clipped again.
    fn is_sound(self) -> bool {
        let ClipEnds { head, tail, .. } = self.ends();
        u64::from(head) + u64::from(tail) <= u64::from(self.max()) / 2
    }

    fn is_long(self, size: TextSize) -> bool {
        let length = match self.unit {
            ClipUnit::Chars => size.utf16,
            ClipUnit::Lines => size.lines(),
            ClipUnit::Tokens => estimate_tokens(size.bytes),
        };
        length > u64::from(self.max())
    }
}

impl ClipEnds {
    /// Whether a failure is still known as one by the words that stay.
    fn keep_error_head(self) -> bool {
        match self.unit {
            ClipUnit::Chars => self.head as usize >= ERROR_HEAD_BYTES,
            ClipUnit::Lines => self.head >= 1,
            ClipUnit::Tokens => self.head as usize * 3 >= ERROR_HEAD_BYTES,
        }
    }

    fn reader(self) -> HeadTail {
        let bytes = |tokens: u32| tokens as usize * 7 / 2;
        match self.unit {
            ClipUnit::Chars => {
                HeadTail::new(Measure::Units, self.head as usize, self.tail as usize)
            }
            ClipUnit::Lines => {
                HeadTail::new(Measure::Lines, self.head as usize, self.tail as usize)
            }
            ClipUnit::Tokens => HeadTail::new(Measure::Bytes, bytes(self.head), bytes(self.tail)),
        }
    }
}

impl Pass for ClipPolicy {
    fn run(&self, view: &mut View<'_>) {
        let history = view.history;
        let by_name = self.tools.is_some() || !self.per_tool.is_empty();
        let limits_of = |one: &ToolUse| match by_name
            .then(|| self.limits_for(history.names().text(one.tool)))
            .flatten()
        {
            None if self.tools.is_none() && one.origin == Origin::Shell => Some(self.shared()),
            found => found,
        };
        let is_long = |one: &ToolUse, limits: ClipLimits| {
            one.result.is_some_and(|block| limits.is_long(history[block].size))
        };
        let takes = |one: &ToolUse, limits: ClipLimits| {
            // Without their first words a failure and a view would no longer be known as such.
            (!(one.is_error || one.partial_result) || limits.ends().keep_error_head())
                && one.text_only
                && one.editable
                && !one.is_stub
                && is_long(one, limits)
        };
        let long: Vec<(UseId, ClipEnds)> = view
            .survivors()
            .filter(|(id, _)| !view.plan.is_referred(*id))
            .filter_map(|(id, one)| Some((id, limits_of(one).filter(|l| takes(one, *l))?.ends())))
            .collect();
        for (id, ends) in long {
            self.clip(view, id, ends);
        }
    }
}

impl ClipPolicy {
    /// A reason why these settings cannot be used.
    pub fn problem(&self) -> Option<String> {
        let is_sound = self.shared().is_sound() && self.per_tool.values().all(|l| l.is_sound());
        (!is_sound).then(|| {
            "clip.head and clip.tail together must be at most half of clip.max, for every tool"
                .to_owned()
        })
    }

    fn shared(&self) -> ClipLimits {
        ClipLimits { unit: self.unit, max: self.max, head: self.head, tail: self.tail }
    }

    /// The limits of a tool that is clipped by name.
    fn limits_for(&self, tool: &str) -> Option<ClipLimits> {
        let is_listed =
            || self.tools.as_ref().is_some_and(|list| list.iter().any(|t| t == tool || t == "*"));
        self.per_tool.get(tool).copied().or_else(|| is_listed().then(|| self.shared()))
    }

    /// The limits of a tool that is clipped.
    pub fn limits_of(&self, tool: &str) -> ClipLimits {
        self.limits_for(tool).unwrap_or_else(|| self.shared())
    }

    fn clip(&self, view: &mut View<'_>, id: UseId, ends: ClipEnds) {
        let clipped: StubFacts = view.stub(id, |recall| StubKey::Clipped { ends, recall });
        if clipped.is_worth {
            let tokens = u64::from(clipped.tokens);
            view.plan.replace(view.history, id, PassName::Clip, Replacement::Clipped, tokens);
        }
    }
}

/// Head and tail of a result, and what is left out between them.
pub fn clipped_text(
    block: BlockId,
    size: TextSize,
    ends: ClipEnds,
    reference: &dyn Fn() -> Option<String>,
    source: &dyn Source,
) -> String {
    let mut reader = ends.reader();
    source.read_result(block, &mut |chunk| reader.add_chunk(chunk));
    let (head, tail) = reader.finish();
    let back = reference().map(|text| format!("; recall {text}")).unwrap_or_default();
    format!("{head}\n\n{}\n\n{tail}", truncation_mark(size, &back))
}
