//! Long shell output keeps its head and its tail: document "Smart Tool History", bash output.

use super::source::{StubFacts, StubKey};
use super::{Cache, Pass, PassName, Replacement, Source, View};
use crate::message::{BlockId, ERROR_HEAD_BYTES, History, Origin, ToolUse, UseId};
use crate::text::{HeadTail, TextSize};
use serde::{Deserialize, Serialize};

/// Settings of the clip pass: document "Smart Tool History", `bash_truncate`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ClipPolicy {
    /// The longest output, in UTF-16 units, that stays whole. Default 10,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_chars: u32,
    /// UTF-16 units kept from its beginning. Default 2,000.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub head_chars: u32,
    /// UTF-16 units kept from its end. Default 2,000. Both together are at most half of `maxChars`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub tail_chars: u32,
    /// The tools whose output is clipped. Default: those that run commands.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, type = "string[] | null"))]
    pub tools: Option<Vec<String>>,
}

impl Default for ClipPolicy {
    fn default() -> Self {
        Self { max_chars: 10_000, head_chars: 2000, tail_chars: 2000, tools: None }
    }
}

impl Pass for ClipPolicy {
    fn run(&self, view: &mut View<'_>) {
        let history = view.history;
        let is_long = |one: &ToolUse| {
            one.result.is_some_and(|block| {
                history.blocks()[block.0].size.utf16 > u64::from(self.max_chars)
            })
        };
        // Without its first words a failure would no longer be known as one.
        let may_lose_head =
            |one: &ToolUse| !one.is_error || self.head_chars as usize >= ERROR_HEAD_BYTES;
        let takes = |one: &ToolUse| {
            may_lose_head(one)
                && one.text_only
                && one.editable
                && !one.is_stub
                && self.takes(view, one)
                && is_long(one)
        };
        let long: Vec<UseId> = view
            .survivors()
            .filter(|(id, one)| takes(one) && !view.plan.is_referred(*id))
            .map(|(id, _)| id)
            .collect();
        for id in long {
            self.clip(view, id);
        }
    }
}

impl ClipPolicy {
    fn takes(&self, view: &View<'_>, one: &ToolUse) -> bool {
        match &self.tools {
            Some(tools) => tools.iter().any(|tool| tool == view.history.names().text(one.tool)),
            None => one.origin == Origin::Shell,
        }
    }

    fn clip(&self, view: &mut View<'_>, id: UseId) {
        let Some(block) = view.history.uses()[id.0].result else { return };
        let clipped = self.stub(view.history, id, block, view.source, view.cache);
        if clipped.is_worth {
            view.plan.replace(
                view.history,
                id,
                PassName::Clip,
                Replacement::Clipped,
                u64::from(clipped.tokens),
            );
        }
    }

    /// What stands in for a clipped result under these settings; its text is in the cache.
    pub fn stub(
        &self,
        history: &History,
        id: UseId,
        block: BlockId,
        source: &dyn Source,
        cache: &mut Cache,
    ) -> StubFacts {
        let size = history.blocks()[block.0].size;
        let key = StubKey::Clipped { head: self.head_chars, tail: self.tail_chars };
        cache.stub(id, key, || size, || self.text(block, size, source))
    }

    fn text(&self, block: BlockId, size: TextSize, source: &dyn Source) -> String {
        let mut ends = HeadTail::new(self.head_chars as usize, self.tail_chars as usize);
        source.read_result(block, &mut |chunk| ends.add_chunk(chunk));
        let (head, tail) = ends.finish();
        let (chars, lines) = (grouped(size.utf16), grouped(size.lines()));
        let lines = if size.lines() == 1 { "1 line".to_owned() } else { format!("{lines} lines") };
        format!("{head}\n\n... [truncated: {chars} chars total, {lines}] ...\n\n{tail}")
    }
}

/// `45,231`
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_in_threes() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1000, "1,000"), (45_231, "45,231"), (1_234_567, "1,234,567")]
        {
            assert_eq!(grouped(number), text);
        }
    }
}
