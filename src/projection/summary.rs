//! What is worth keeping of a cleared result: read from its content, without a model.

use super::Source;
use super::stub::what_it_was;
use crate::message::{BlockId, History, Origin, UseId};
use crate::output::{KeyInfo, KeyInfoReader, Outcome, OutputKind};

/// The key facts of an output, of which `read` gives the UTF-8 in chunks.
pub fn key_info(origin: Origin, read: impl FnOnce(&mut dyn FnMut(&[u8]))) -> KeyInfo {
    KeyInfoReader::new(output_kind(origin)).read(read)
}

fn output_kind(origin: Origin) -> OutputKind {
    match origin {
        Origin::Search => OutputKind::Matches,
        Origin::Read | Origin::List => OutputKind::Content,
        _ => OutputKind::Log,
    }
}

/// The key facts of a result in one line; empty where there are none.
pub fn key_facts(origin: Origin, block: BlockId, source: &dyn Source) -> String {
    let kind = output_kind(origin);
    // Of what files hold a line tells nothing.
    if kind == OutputKind::Content {
        return String::new();
    }
    let reader = KeyInfoReader::new(kind).without_paths();
    reader.read(|sink| source.read_result(block, sink)).to_line()
}

/// What a result was and the key facts of it, in one line: document "Rolling Context", `summarizeToolOutput`. Of
/// ephemeral content it says the size alone. How it went is said where the output or its format says it.
pub fn summary_text(history: &History, id: UseId, block: BlockId, source: &dyn Source) -> String {
    let one = &history[id];
    let what = what_it_was(history, one);
    let size = history[block].size;
    let lines = if size.lines() == 1 { "line" } else { "lines" };
    let start = format!("{what}, {} chars, {} {lines}", size.utf16, size.lines());
    if one.ephemeral {
        return format!("{start}: ephemeral");
    }
    let info = key_info(one.origin, |sink| source.read_result(block, sink));
    let outcome = if one.is_error { Outcome::Failed } else { info.outcome };
    let mut facts: Vec<String> = outcome.word().map(str::to_owned).into_iter().collect();
    facts.extend(info.facts());
    if !info.paths.is_empty() {
        facts.push(format!("files: {}", info.paths.join(", ")));
    }
    if facts.is_empty() { start } else { format!("{start}: {}", facts.join("; ")) }
}
