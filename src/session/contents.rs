//! Reads the contents of results and calls from the host's messages.

use crate::formats::{Messages, Places};
use crate::message::Block;
use crate::projection::ContentReader;

/// Messages, and the positions of content in them.
pub struct Contents<'m, M> {
    /// The messages.
    pub messages: &'m M,
    /// The positions of content in their format.
    pub places: &'static Places,
}

impl<M: Messages> ContentReader for Contents<'_, M> {
    fn read_result(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.places.read_result(&self.messages.peeked(block.message), block.place, sink);
    }

    fn read_whole(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.places.read_whole(&self.messages.peeked(block.message), block.place, sink);
    }

    fn read_arguments(&self, block: &Block, sink: &mut dyn FnMut(&[u8])) {
        self.places.read_arguments(&self.messages.peeked(block.message), block.place, sink);
    }
}
