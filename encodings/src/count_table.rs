//! A fixed-size cache of token counts of short pieces of text.

/// An entry: the bytes of a piece, padded with 0xff (which no text has), and its count in the last byte; 0 if the entry
/// is free. Because an entry holds the piece itself, counts are exact.
type Place<const WORDS: usize> = [u64; WORDS];

/// Bit offset of the count in the last word.
const COUNT: u32 = 56;

/// Multiplier that spreads differences in any bit to the upper ones (Knuth's multiplicative hashing, with the golden
/// ratio).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Entries in pairs, one pair for each hash. A new piece takes the first entry of the pair and moves its content to the
/// second.
pub struct CountTable<const WORDS: usize> {
    places: Vec<Place<WORDS>>,
    /// Shift that reduces a hash to an index.
    shift: u32,
}

impl<const WORDS: usize> CountTable<WORDS> {
    /// Longest piece that fits an entry, in bytes.
    pub const LONGEST: usize = 8 * WORDS - 1;

    /// Creates a table with two to the power of `bits` entries.
    pub fn new(bits: u32) -> Self {
        Self { places: vec![[0; WORDS]; 1 << bits], shift: u64::BITS - bits }
    }

    /// Returns the count of the piece of `text` from `start` to `end`, which has at most [`CountTable::LONGEST`] bytes.
    /// Calls `make` if it is not cached.
    #[inline(always)]
    pub fn count(
        &mut self,
        text: &[u8],
        start: usize,
        end: usize,
        make: impl FnOnce() -> usize,
    ) -> usize {
        let piece = place_of::<WORDS>(text, start, end);
        let first = (hash(&piece) >> self.shift) as usize & !1;
        for at in [first, first + 1] {
            if let Some(count) = self.places.get(at).and_then(|place| known(place, &piece)) {
                return count;
            }
        }
        let count = make();
        self.keep(first, piece, count);
        count
    }

    #[inline(never)]
    fn keep(&mut self, first: usize, mut piece: Place<WORDS>, count: usize) {
        let (Ok(count), Some(last)) = (u8::try_from(count), piece.last_mut()) else { return };
        *last |= u64::from(count) << COUNT;
        let Some(place) = self.places.get_mut(first) else { return };
        let before = std::mem::replace(place, piece);
        if let Some(second) = self.places.get_mut(first + 1) {
            *second = before;
        }
    }
}

/// Returns the count of an entry if it belongs to the piece.
#[inline(always)]
fn known<const WORDS: usize>(place: &Place<WORDS>, piece: &Place<WORDS>) -> Option<usize> {
    let last = place.last()? ^ piece.last()?;
    let others = place.iter().zip(piece).take(WORDS - 1);
    let start = last << (u64::BITS - COUNT);
    let different = others.fold(start, |different, (one, other)| different | (one ^ other));
    let count = last >> COUNT;
    (different == 0 && count != 0).then_some(count as usize)
}

#[inline(always)]
fn hash<const WORDS: usize>(piece: &Place<WORDS>) -> u64 {
    piece.iter().fold(0, |hash: u64, word| (hash.rotate_left(5) ^ word).wrapping_mul(SPREAD))
}

/// Returns the entry of a piece, without its count.
#[inline(always)]
fn place_of<const WORDS: usize>(text: &[u8], start: usize, end: usize) -> Place<WORDS> {
    let mut place = match text.get(start..start + 8 * WORDS) {
        Some(bytes) => whole_words(bytes, end - start),
        None => last_words(text.get(start..end).unwrap_or_default()),
    };
    if let Some(last) = place.last_mut() {
        *last &= (1 << COUNT) - 1;
    }
    place
}

/// Reads beyond the piece and masks the rest, which is faster than reading single bytes.
#[inline(always)]
fn whole_words<const WORDS: usize>(bytes: &[u8], length: usize) -> Place<WORDS> {
    let mut place = [0; WORDS];
    for (at, (word, bytes)) in place.iter_mut().zip(bytes.chunks_exact(8)).enumerate() {
        let left = length.saturating_sub(8 * at);
        let behind = if left < 8 { u64::MAX << (8 * left) } else { 0 };
        *word = bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)) | behind;
    }
    place
}

/// Reads a piece at the end of the text.
#[inline(never)]
fn last_words<const WORDS: usize>(piece: &[u8]) -> Place<WORDS> {
    let mut place = [u64::MAX; WORDS];
    for (word, bytes) in place.iter_mut().zip(piece.chunks(8)) {
        *word = bytes.iter().rev().fold(u64::MAX, |word, &byte| (word << 8) | u64::from(byte));
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts every piece; returns the number of pieces that were not cached.
    fn made<const WORDS: usize>(table: &mut CountTable<WORDS>, text: &str, length: usize) -> usize {
        let mut made = 0;
        for start in 0..=text.len() - length {
            let count = table.count(text.as_bytes(), start, start + length, || {
                made += 1;
                length
            });
            assert_eq!(count, length, "{start}");
        }
        made
    }

    #[test]
    fn what_is_known_is_not_counted_again() {
        let mut table = CountTable::<2>::new(10);
        // Pieces inside the text and at its end, which are read differently.
        assert_eq!(made(&mut table, "abcabcabcabcabcabcabcabc", 3), 3);
        assert_eq!(made(&mut table, "abcabc", 3), 0);
        assert_eq!(made(&mut table, "abcabcabcabcabcabcabcabcab", 15), 3);
        assert_eq!(made(&mut table, "abcabcabcabcabcab", 15), 0);
    }

    #[test]
    fn what_stands_behind_a_piece_is_not_in_it() {
        let mut table = CountTable::<1>::new(4);
        for (text, end, count) in [("ab\0\0\0\0\0\0", 2, 2), ("ab\0\0\0\0\0\0", 3, 3), ("ab", 2, 2)]
        {
            assert_eq!(table.count(text.as_bytes(), 0, end, || end), count);
        }
        assert_eq!(table.count(b"ab\0", 0, 3, || unreachable!("it is known")), 3);
    }

    #[test]
    fn the_two_newest_of_a_hash_stay_and_large_counts_are_not_kept() {
        // Two entries: every piece has the same pair.
        let mut table = CountTable::<1>::new(1);
        let mut count =
            |piece: &str, count| table.count(piece.as_bytes(), 0, piece.len(), || count);
        assert_eq!((count("a", 1), count("b", 2), count("a", 9), count("b", 9)), (1, 2, 1, 2));
        assert_eq!((count("c", 3), count("c", 9)), (3, 3));
        assert_eq!((count("d", 300), count("d", 301), count("c", 9)), (300, 301, 3));
    }
}
