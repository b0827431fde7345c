//! What is worth keeping of a cleared result: read from its content, without a model.

use super::Source;
use super::stub::what_it_was;
use crate::message::{BlockId, ERROR_HEAD_BYTES, History, Origin, UseId, looks_like_error};
use crate::text::{KeyInfo, KeyInfoReader, OutputKind};

/// The key facts of an output, of which `read` gives the UTF-8 in chunks.
pub fn key_info(origin: Origin, read: impl FnOnce(&mut dyn FnMut(&[u8]))) -> KeyInfo {
    read_key_info(KeyInfoReader::new(output_kind(origin)), read)
}

fn output_kind(origin: Origin) -> OutputKind {
    match origin {
        Origin::Search => OutputKind::Matches,
        Origin::Read | Origin::List => OutputKind::Content,
        _ => OutputKind::Log,
    }
}

fn read_key_info(mut reader: KeyInfoReader, read: impl FnOnce(&mut dyn FnMut(&[u8]))) -> KeyInfo {
    let mut start = Vec::new();
    read(&mut |chunk| {
        let room = ERROR_HEAD_BYTES.saturating_sub(start.len()).min(chunk.len());
        start.extend_from_slice(&chunk[..room]);
        reader.add_chunk(chunk);
    });
    let mut info = reader.finish();
    if looks_like_error(&start) {
        info.success = false;
        info.matches = None;
    }
    info
}

/// The key facts of a result in one line; empty where there are none.
pub fn key_facts(origin: Origin, block: BlockId, source: &dyn Source) -> String {
    let kind = output_kind(origin);
    // Of what files hold a line tells nothing.
    if kind == OutputKind::Content {
        return String::new();
    }
    let reader = KeyInfoReader::new(kind).without_paths();
    read_key_info(reader, |sink| source.read_result(block, sink)).to_line()
}

/// What a result was and the key facts of it, in one line: document "Rolling Context", `summarizeToolOutput`. Of
/// ephemeral content it says the size alone.
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
    let is_good = info.success && !one.is_error;
    let mut facts = vec![if is_good { "succeeded" } else { "failed" }.to_owned()];
    facts.extend(Some(info.to_line()).filter(|line| !line.is_empty()));
    if !info.paths.is_empty() {
        facts.push(format!("files: {}", info.paths.join(", ")));
    }
    format!("{start}: {}", facts.join("; "))
}
