//! Content on demand: facts hold no text, so passes that must see some ask the host's own messages for it.

use crate::message::{Block, History, UseId};

/// Reads the texts of calls and results from where the host keeps them.
pub trait ContentReader {
    /// Gives the UTF-8 of a tool result's texts to `sink`, in chunks that may split characters; parts of a list one
    /// after the other.
    fn read_result(&self, block: &Block, sink: &mut dyn FnMut(&[u8]));

    /// Gives the UTF-8 of a call's arguments to `sink`, as JSON where they are an object, in the same way.
    fn read_arguments(&self, block: &Block, sink: &mut dyn FnMut(&[u8]));
}

/// The JSON of a call's arguments; `None` where there is no call, or its arguments are no UTF-8.
pub fn arguments(history: &History, id: UseId, reader: &dyn ContentReader) -> Option<String> {
    let mut bytes = Vec::new();
    let call = &history[history[id].call?];
    reader.read_arguments(call, &mut |chunk| bytes.extend_from_slice(chunk));
    String::from_utf8(bytes).ok()
}
