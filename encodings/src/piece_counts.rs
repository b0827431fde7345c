//! A cache of token counts of frequent pieces. Most pieces of a text are a few thousand words. Caching them avoids
//! merging and the tables of the vocabulary, which are too large for the processor's near caches.

use crate::count_table::CountTable;

/// Caches pieces of up to 31 bytes, in 1.2 MB: as many as occur in some megabytes of code.
pub struct PieceCounts {
    short: CountTable<1>,
    middle: CountTable<2>,
    long: CountTable<4>,
}

impl Default for PieceCounts {
    fn default() -> Self {
        Self { short: CountTable::new(16), middle: CountTable::new(15), long: CountTable::new(12) }
    }
}

impl PieceCounts {
    /// Returns the count of the piece of `text` from `start` to `end`. Calls `make` if it is not cached.
    #[inline(always)]
    pub fn count(
        &mut self,
        text: &[u8],
        start: usize,
        end: usize,
        make: impl FnOnce(&[u8]) -> usize,
    ) -> usize {
        let make = || make(text.get(start..end).unwrap_or_default());
        match end - start {
            length if length <= CountTable::<1>::LONGEST => {
                self.short.count(text, start, end, make)
            }
            length if length <= CountTable::<2>::LONGEST => {
                self.middle.count(text, start, end, make)
            }
            length if length <= CountTable::<4>::LONGEST => self.long.count(text, start, end, make),
            _ => make(),
        }
    }
}
