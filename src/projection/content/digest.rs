//! The digest of a content, worked out while it is read for something else.

use crate::text::{Digest, Digester};

/// What takes the chunks of a content.
pub type Sink<'s> = &'s mut dyn FnMut(&[u8]);

/// Digests what `read` gives, and passes it on to `sink`.
pub fn digested(read: impl FnOnce(Sink<'_>), sink: Sink<'_>) -> Digest {
    let mut digester = Digester::default();
    read(&mut |chunk| {
        digester.add_chunk(chunk);
        sink(chunk);
    });
    digester.finish()
}
