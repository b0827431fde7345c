//! SHA-256 of texts, by which the engine recognises equal results.

use sha2::{Digest as _, Sha256};

/// A SHA-256 digest of a text's UTF-8 bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of a whole text.
    pub fn of(text: &str) -> Self {
        let mut digester = Digester::default();
        digester.add_chunk(text.as_bytes());
        digester.finish()
    }

    /// The digest as 64 lower-case hexadecimal digits.
    pub fn to_hex(self) -> String {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble & 15)]);
        self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(*byte)]).collect()
    }

    /// The bytes.
    pub fn bytes(self) -> [u8; 32] {
        self.0
    }

    /// The first 32 bits.
    pub fn start(self) -> u32 {
        u32::from_be_bytes([self.0[0], self.0[1], self.0[2], self.0[3]])
    }

    /// The first eight hexadecimal digits, which are enough to distinguish the results of one history.
    pub fn short(self) -> String {
        let mut digits = self.to_hex();
        digits.truncate(8);
        digits
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_hex())
    }
}

/// Computes the digest of a text chunk by chunk.
#[derive(Default)]
pub struct Digester(Sha256);

impl Digester {
    /// Adds the next bytes of the text.
    pub fn add_chunk(&mut self, chunk: &[u8]) {
        self.0.update(chunk);
    }

    /// Returns the digest of everything added.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::Digest;

    #[test]
    fn matches_the_published_vectors() {
        // FIPS 180-2, appendix B.1, and the digest of the empty text.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(Digest::of("abc").to_hex(), abc);
        assert_eq!(Digest::of("").to_hex(), empty);
    }
}
