//! Access to a file's bytes in chunks, each of which can be read repeatedly.

/// A file's bytes in chunks. The same index always gives the same bytes.
pub trait Source {
    /// Passes the `index`-th chunk to `sink`, or returns `false` after the last one. Chunks are never empty.
    fn chunk(&mut self, index: usize, sink: &mut dyn FnMut(&[u8])) -> bool;

    /// Whether the bytes are the UTF-8 of a text of the host, and not those of a file.
    fn is_decoded(&self) -> bool {
        false
    }
}

/// Bytes in memory.
#[derive(Debug, Clone, Copy)]
pub struct Slices<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl<'a> Slices<'a> {
    /// Splits `bytes` into chunks of `size`, which is at least 1.
    pub fn new(bytes: &'a [u8], size: usize) -> Self {
        Self { bytes, size: size.max(1) }
    }
}

impl Source for Slices<'_> {
    fn chunk(&mut self, index: usize, sink: &mut dyn FnMut(&[u8])) -> bool {
        let Some(chunk) = self.bytes.chunks(self.size).nth(index) else { return false };
        sink(chunk);
        true
    }
}
