//! Access to a file's bytes in chunks, each of which can be read repeatedly.

/// A file's bytes in chunks. The same index always gives the same bytes. All chunks have the same size except the last,
/// and except those of a text of the host.
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

/// Returns the size of a source in bytes. The end of a file is searched for: 8 GB take 40 chunks.
pub fn byte_count(source: &mut dyn Source) -> u64 {
    if source.is_decoded() {
        return (0..).map_while(|index| length(source, index)).sum();
    }
    let Some(size) = length(source, 0) else { return 0 };
    // The last chunk known to be there, its length, and a later index that may be past the end.
    let (mut last, mut tail, mut end) = (0, size, 1_usize);
    while let Some(length) = length(source, end) {
        (last, tail) = (end, length);
        let Some(next) = end.checked_mul(2) else { break };
        end = next;
    }
    while end - last > 1 {
        let middle = last + (end - last) / 2;
        match length(source, middle) {
            Some(length) => (last, tail) = (middle, length),
            None => end = middle,
        }
    }
    last as u64 * size + tail
}

/// Returns the length of a chunk in bytes; `None` after the last one.
fn length(source: &mut dyn Source, index: usize) -> Option<u64> {
    let mut bytes = 0;
    source.chunk(index, &mut |chunk| bytes = chunk.len() as u64).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::{Slices, Source, byte_count};

    /// Bytes of which it is counted how often they are read.
    struct Counted<'a> {
        slices: Slices<'a>,
        reads: usize,
    }

    impl Source for Counted<'_> {
        fn chunk(&mut self, index: usize, sink: &mut dyn FnMut(&[u8])) -> bool {
            self.reads += 1;
            self.slices.chunk(index, sink)
        }
    }

    #[test]
    fn the_end_is_found_in_few_reads() {
        let bytes = [0; 5000];
        for length in (0..70).chain([127, 128, 129, 1000, 4095, 4096, 4097, 5000]) {
            for size in [1, 2, 3, 64, 6000] {
                let slices = Slices::new(&bytes[..length], size);
                let mut source = Counted { slices, reads: 0 };
                assert_eq!(byte_count(&mut source), length as u64, "{length} bytes by {size}");
                assert!(source.reads <= 27, "{length} bytes by {size}: {} reads", source.reads);
            }
        }
    }
}
