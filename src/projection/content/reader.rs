//! Contents on demand: facts contain no text, so passes that need a text read it from the host's messages.

use crate::message::{Block, History, UseId};

/// Reads the texts of calls and results from where the host keeps them.
pub trait ContentReader {
    /// Writes the UTF-8 of a tool result's texts to `sink`, in chunks that may split characters. The texts of a list of
    /// parts follow each other.
    fn read_result(&self, block: &Block, sink: &mut dyn FnMut(&[u8]));

    /// Writes the JSON of a tool result's whole content, images and files included, to `sink` in such chunks.
    fn read_whole(&self, block: &Block, sink: &mut dyn FnMut(&[u8]));

    /// Writes the UTF-8 of a call's arguments to `sink` in such chunks; arguments that are an object are written as
    /// JSON.
    fn read_arguments(&self, block: &Block, sink: &mut dyn FnMut(&[u8]));
}

/// Writes the content that identifies a result to `sink`: its text, or the JSON of its whole content if it is not only
/// text.
pub fn read_telling(
    history: &History,
    id: UseId,
    block: &Block,
    reader: &dyn ContentReader,
    sink: &mut dyn FnMut(&[u8]),
) {
    if history[id].text_only {
        reader.read_result(block, sink)
    } else {
        reader.read_whole(block, sink)
    }
}

/// The JSON of a call's arguments; `None` if there is no call, or if its arguments are not UTF-8.
pub fn arguments(history: &History, id: UseId, reader: &dyn ContentReader) -> Option<String> {
    let call = &history[history[id].call?];
    collected(|sink| reader.read_arguments(call, sink))
}

/// The texts of a tool result; `None` if they are not UTF-8.
pub fn result_text(block: &Block, reader: &dyn ContentReader) -> Option<String> {
    collected(|sink| reader.read_result(block, sink))
}

fn collected(read: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Option<String> {
    let mut bytes = Vec::new();
    read(&mut |chunk| bytes.extend_from_slice(chunk));
    String::from_utf8(bytes).ok()
}
