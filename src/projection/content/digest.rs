//! Computes the digest of a content while it is read for another purpose.

use crate::text::{Digest, Digester};

/// Receives the chunks of a content.
pub type Sink<'s> = &'s mut dyn FnMut(&[u8]);

/// Digests what `read` provides, and passes it on to `sink`.
pub fn digested(read: impl FnOnce(Sink<'_>), sink: Sink<'_>) -> Digest {
    let mut digester = Digester::default();
    read(&mut |chunk| {
        digester.add_chunk(chunk);
        sink(chunk);
    });
    digester.finish()
}
