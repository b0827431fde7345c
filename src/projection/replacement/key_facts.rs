//! Key facts of a cleared result, extracted from its content without a model.

use crate::message::Origin;
use crate::output::{KeyInfo, KeyInfoReader, OutputKind};
use crate::text::ReadText;

/// The key facts of an output.
pub fn key_info(origin: Origin, read: ReadText<'_>) -> KeyInfo {
    KeyInfoReader::new(output_kind(origin)).read(read)
}

fn output_kind(origin: Origin) -> OutputKind {
    match origin {
        Origin::Search => OutputKind::Matches,
        Origin::Read | Origin::List => OutputKind::Content,
        _ => OutputKind::Log,
    }
}

/// The key facts of a result in one line; empty if there are none.
pub fn key_facts(origin: Origin, read: ReadText<'_>) -> String {
    let kind = output_kind(origin);
    // No line of a file's content is a key fact.
    if kind == OutputKind::Content {
        return String::new();
    }
    KeyInfoReader::new(kind).read(read).to_line()
}
