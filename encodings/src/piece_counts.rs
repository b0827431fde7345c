//! Counts of the pieces that texts repeat: most pieces of a text are a few words, and the tables of a vocabulary are too large
//! for the processor's near caches.

/// So many places for pieces of each size: powers of two, 64 and 160 KB.
const PLACES: usize = 4096;

/// A piece of up to eight bytes.
#[derive(Clone, Copy, Default)]
struct Short {
    piece: u64,
    /// 0 where nothing is known.
    length: u32,
    count: u32,
}

/// A piece of up to [`LONGEST`] bytes, its length in the last one.
#[derive(Clone, Copy, Default)]
struct Long {
    piece: [u64; 4],
    count: u32,
}

const LONGEST: usize = 31;

/// Two tables with one place for each piece: the newest stays. A place holds the piece itself, so that counts are exact.
pub struct PieceCounts {
    short: Vec<Short>,
    long: Vec<Long>,
}

impl Default for PieceCounts {
    fn default() -> Self {
        Self { short: vec![Short::default(); PLACES], long: vec![Long::default(); PLACES] }
    }
}

impl PieceCounts {
    /// The count of a piece, made where it is not known.
    #[inline(always)]
    pub fn count(&mut self, piece: &[u8], make: impl FnOnce() -> usize) -> usize {
        match piece.len() {
            3..=8 => self.count_short(piece, make),
            9..=LONGEST => self.count_long(piece, make),
            _ => make(),
        }
    }

    #[inline(always)]
    fn count_short(&mut self, piece: &[u8], make: impl FnOnce() -> usize) -> usize {
        let (key, length) = (short_key(piece), piece.len() as u32);
        let hash = (key ^ u64::from(length)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let Some(place) = self.short.get_mut((hash >> 52) as usize & (PLACES - 1)) else {
            return make();
        };
        if place.piece != key || place.length != length {
            let count = make() as u32;
            *place = Short { piece: key, length, count };
        }
        place.count as usize
    }

    #[inline]
    fn count_long(&mut self, piece: &[u8], make: impl FnOnce() -> usize) -> usize {
        let Some(key) = long_key(piece) else { return make() };
        let hash = key.iter().fold(0_u64, |hash, &word| {
            (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
        });
        let Some(place) = self.long.get_mut((hash >> 52) as usize & (PLACES - 1)) else {
            return make();
        };
        if place.piece != key {
            *place = Long { piece: key, count: make() as u32 };
        }
        place.count as usize
    }
}

/// The bytes of a piece of 3 to 8 bytes, as one number.
#[inline(always)]
pub fn short_key(piece: &[u8]) -> u64 {
    match (piece.first_chunk(), piece.last_chunk()) {
        (Some(first), Some(last)) => {
            // They overlap, where both have the same bits.
            let shift = 8 * (piece.len() - 4) as u32;
            u64::from(u32::from_le_bytes(*first))
                | u64::from(u32::from_le_bytes(*last)).wrapping_shl(shift)
        }
        _ => piece.iter().rev().fold(0, |key, &byte| (key << 8) | u64::from(byte)),
    }
}

#[inline]
fn long_key(piece: &[u8]) -> Option<[u64; 4]> {
    let mut bytes = [0_u8; LONGEST + 1];
    bytes.get_mut(..piece.len())?.copy_from_slice(piece);
    *bytes.last_mut()? = piece.len() as u8;
    let mut words = [0; 4];
    for (word, chunk) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(*chunk.first_chunk()?);
    }
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_pieces_are_not_counted_again() {
        let mut counts = PieceCounts::default();
        let mut made = 0;
        for piece in ["abc", "abc\0", "abc", "abc\0"] {
            let count = counts.count(piece.as_bytes(), || {
                made += 1;
                piece.len()
            });
            assert_eq!(count, piece.len());
        }
        assert_eq!(made, 2);
        let long = [b'a'; LONGEST + 1];
        assert_eq!(counts.count(&long, || 7), 7);
        assert_eq!(counts.count(&long, || 8), 8);
        assert_eq!(counts.count(&long[1..], || 7), 7);
        assert_eq!(counts.count(&long[1..], || 8), 7);
    }
}
