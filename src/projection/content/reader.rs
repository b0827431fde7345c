//! Content on demand: facts hold no text, so passes that must see some ask the host's own messages for it.

use crate::message::{Block, History, UseId};

/// Reads the texts of calls and results from where the host keeps them.
pub trait ContentReader {
    /// Gives the UTF-8 of a tool result's texts to `sink`, in chunks that may split characters; parts of a list one
    /// after the other.
    fn read_result(&self, block: &Block, sink: &mut dyn FnMut(&[u8]));

    /// Gives the JSON of all that a tool result holds, its images and files too, in the same way.
    fn read_whole(&self, block: &Block, sink: &mut dyn FnMut(&[u8]));

    /// Gives the UTF-8 of a call's arguments to `sink`, as JSON where they are an object, in the same way.
    fn read_arguments(&self, block: &Block, sink: &mut dyn FnMut(&[u8]));
}

/// Gives what tells a result from others: its text, or the JSON of all that it holds where it is not text alone.
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

/// The JSON of a call's arguments; `None` where there is no call, or its arguments are no UTF-8.
pub fn arguments(history: &History, id: UseId, reader: &dyn ContentReader) -> Option<String> {
    let mut bytes = Vec::new();
    let call = &history[history[id].call?];
    reader.read_arguments(call, &mut |chunk| bytes.extend_from_slice(chunk));
    String::from_utf8(bytes).ok()
}
