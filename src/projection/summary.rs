//! Summarizes a result in one line, without a model.

use super::content::reader::ContentReader;
use super::replacement::key_facts::key_info;
use super::replacement::subject::subject;
use super::replacement::texts::whole_amount;
use crate::message::{BlockId, History, UseId};
use crate::output::Outcome;
use crate::text::joined;

/// The subject and the key facts of a result, in one line. Source: document "Rolling Context", `summarizeToolOutput`.
/// For ephemeral content it contains only the size. The outcome is included if the output or its format states it, and
/// omitted if they contradict each other: a result that begins with `Error:` counts as failed, but may be the log of a
/// passing test.
pub fn summary_text(
    history: &History,
    id: UseId,
    block: BlockId,
    reader: &dyn ContentReader,
) -> String {
    let tool_use = &history[id];
    let what = subject(history, tool_use);
    let facts = &history[block];
    let mut start = format!("{what}, {}", whole_amount(facts));
    if facts.media.count == 0 {
        let lines = facts.size.lines();
        start += &format!(", {lines} {}", if lines == 1 { "line" } else { "lines" });
    }
    if tool_use.ephemeral {
        return format!("{start}: ephemeral");
    }
    let info = key_info(tool_use.origin, &|sink| reader.read_result(facts, sink));
    let has_passed = info.outcome == Outcome::Succeeded
        || info.exit_status == Some(0)
        || info.passed.is_some() && info.failed.or(info.exit_status).unwrap_or(0) == 0;
    let outcome = match info.outcome {
        _ if tool_use.is_error && info.begins_with_error && has_passed => Outcome::Unknown,
        _ if tool_use.is_error => Outcome::Failed,
        outcome => outcome,
    };
    let mut facts: Vec<String> = outcome.word().map(str::to_owned).into_iter().collect();
    facts.extend(info.facts());
    if facts.is_empty() { start } else { format!("{start}: {}", joined(&facts, "; ")) }
}
