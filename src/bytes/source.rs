//! Where a file's bytes come from: piece by piece, and any piece again.

/// A file's bytes in chunks. The same index always gives the same bytes.
pub trait Source {
    /// Shows the `index`-th chunk to `sink`, or returns `false` behind the last one. No chunk is empty.
    fn chunk(&mut self, index: usize, sink: &mut dyn FnMut(&[u8])) -> bool;
}

/// Bytes in memory.
#[derive(Debug, Clone, Copy)]
pub struct Slices<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl<'a> Slices<'a> {
    /// `bytes` in chunks of `size`, which is at least 1.
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
