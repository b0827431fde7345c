//! The tokens of an encoding, indexed by bytes and by id.

use crate::merge::Ranks;

/// The data written by `build.rs`, and tables over it.
pub struct Vocabulary {
    /// All tokens, shortest first.
    bytes: &'static [u8],
    /// The length of each token, by id.
    lengths: &'static [u8],
    /// The offset of each token in `bytes`, by id.
    starts: Vec<u32>,
    /// Ids of one-byte and two-byte tokens.
    singles: Vec<u32>,
    pairs: Vec<u32>,
    /// Longer tokens by a hash of their bytes, each in the first free slot from its index on.
    slots: Vec<Slot>,
    mask: usize,
}

/// A token of three bytes or more.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// Its bytes if there are at most eight; else a hash of them.
    key: u64,
    id: u32,
    /// 0 if the slot is free.
    length: u32,
}

/// Tokens of up to this many bytes are stored in their slots.
const INLINE: usize = 8;
const ABSENT: u32 = u32::MAX;

impl Vocabulary {
    /// Builds the tables over the data written by `build.rs`, in one pass.
    pub fn new(written: &'static [u8]) -> Self {
        let (count, rest) = written.split_first_chunk().unwrap_or((&[0; 4], &[]));
        let count = (u32::from_le_bytes(*count) as usize).min(rest.len());
        let (lengths, bytes) = rest.split_at(count);
        let size = (2 * count).next_power_of_two();
        let mut vocabulary = Self {
            bytes,
            lengths,
            starts: starts(lengths),
            singles: vec![ABSENT; 1 << 8],
            pairs: vec![ABSENT; 1 << 16],
            slots: vec![Slot::default(); size],
            mask: size - 1,
        };
        for id in 0..count as u32 {
            vocabulary.add(id);
        }
        vocabulary
    }

    fn add(&mut self, id: u32) {
        match self.token(id) {
            None => {}
            Some(&[byte]) => self.singles[byte as usize] = id,
            Some(&[one, other]) => self.pairs[pair(one, other)] = id,
            Some(token) => {
                let (key, hash) = key(token);
                let length = token.len() as u32;
                let mut at = hash & self.mask;
                while self.slots[at].length != 0 {
                    at = (at + 1) & self.mask;
                }
                self.slots[at] = Slot { key, id, length };
            }
        }
    }

    /// Returns the bytes of a token.
    #[inline]
    pub fn token(&self, id: u32) -> Option<&'static [u8]> {
        let start = *self.starts.get(id as usize)? as usize;
        let length = *self.lengths.get(id as usize)? as usize;
        self.bytes.get(start..start + length).filter(|token| !token.is_empty())
    }

    #[inline]
    fn find(&self, token: &[u8]) -> Option<u32> {
        let (key, hash) = key(token);
        let mut at = hash & self.mask;
        loop {
            let slot = self.slots[at];
            if slot.length == 0 {
                return None;
            }
            if slot.key == key && slot.length as usize == token.len() {
                let is_known = token.len() <= INLINE || self.token(slot.id) == Some(token);
                if is_known {
                    return Some(slot.id);
                }
            }
            at = (at + 1) & self.mask;
        }
    }
}

impl Ranks for Vocabulary {
    #[inline]
    fn rank(&self, token: &[u8]) -> Option<u32> {
        match *token {
            [] => None,
            [byte] => self.singles.get(byte as usize).copied().filter(|&id| id != ABSENT),
            [one, other] => self.pairs.get(pair(one, other)).copied().filter(|&id| id != ABSENT),
            _ => self.find(token),
        }
    }
}

#[inline]
fn pair(one: u8, other: u8) -> usize {
    ((one as usize) << 8) | other as usize
}

/// Returns the offset of each token. Tokens are ordered by length, then by id.
fn starts(lengths: &[u8]) -> Vec<u32> {
    let mut next = [0_u32; 257];
    for &length in lengths {
        next[length as usize + 1] += u32::from(length);
    }
    for length in 1..next.len() {
        next[length] += next[length - 1];
    }
    let start = |&length: &u8| {
        let start = next[length as usize];
        next[length as usize] += u32::from(length);
        start
    };
    lengths.iter().map(start).collect()
}

/// Returns the key of a token of three bytes or more in its slot, and its hash. Texts determine what is looked up, but
/// only tokens are in the table, so no text can make it slow.
#[inline]
fn key(token: &[u8]) -> (u64, usize) {
    let key = match (token.first_chunk(), token.last_chunk()) {
        (Some(first), Some(last)) if token.len() > INLINE => long_key(token, *first, *last),
        _ => short_key(token),
    };
    let hash = (key ^ token.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (key, (hash ^ (hash >> 32)) as usize)
}

/// Returns the bytes of a token of 3 to 8 bytes as one number.
#[inline(always)]
fn short_key(token: &[u8]) -> u64 {
    match (token.first_chunk(), token.last_chunk()) {
        (Some(first), Some(last)) => {
            // The two parts may overlap; there they have the same bits.
            let shift = 8 * (token.len() - 4) as u32;
            u64::from(u32::from_le_bytes(*first))
                | u64::from(u32::from_le_bytes(*last)).wrapping_shl(shift)
        }
        _ => token.iter().rev().fold(0, |key, &byte| (key << 8) | u64::from(byte)),
    }
}

#[inline]
fn long_key(token: &[u8], first: [u8; 8], last: [u8; 8]) -> u64 {
    let mix = |hash: u64, word: [u8; 8]| {
        (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x517c_c1b7_2722_0a95)
    };
    let middle = token.get(8..).unwrap_or_default().chunks_exact(8);
    let words = middle.filter_map(|word| word.first_chunk().copied());
    mix(words.fold(mix(0, first), mix), last)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three tokens of different lengths, an id without a token, and two of one length.
    static WRITTEN: &[u8] = b"\x07\0\0\0\x03\x01\0\x02\x0a\x02\x09abcdabcdefghi0123456789";

    #[test]
    fn tokens_are_found_by_bytes_and_by_id() {
        let vocabulary = Vocabulary::new(WRITTEN);
        let tokens: [(&[u8], u32); 6] =
            [(b"a", 1), (b"bc", 3), (b"da", 5), (b"bcd", 0), (b"efghi0123", 6), (b"456789", 9)];
        for (token, id) in &tokens[..5] {
            assert_eq!(vocabulary.rank(token), Some(*id), "{token:?}");
            assert_eq!(vocabulary.token(*id), Some(*token));
        }
        assert_eq!(vocabulary.rank(tokens[5].0), None);
        assert_eq!(vocabulary.token(2), None);
        assert_eq!(vocabulary.token(7), None);
        assert_eq!(vocabulary.rank(b""), None);
    }

    #[test]
    fn lengths_keep_keys_apart() {
        assert_ne!(key(b"ab\0").1, key(b"ab\0\0").1);
        assert_eq!(key(b"abcdefgh").0, u64::from_le_bytes(*b"abcdefgh"));
        assert_eq!(key(b"abcde").0, u64::from_le_bytes(*b"abcde\0\0\0"));
        assert_ne!(key(b"abcdefghi").0, key(b"abcdefghj").0);
    }
}
