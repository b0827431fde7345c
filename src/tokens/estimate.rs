//! The estimate by the number of bytes.

/// Estimated tokens of an image, document or other file: the maximum that providers charge for one image of ordinary
/// size (Anthropic, "Vision": an image of 1.15 megapixels is about 1,600 tokens). A file's bytes never cross the
/// boundary.
pub const FILE_TOKENS: u64 = 1600;

/// UTF-8 bytes of text per token. This is the rule of the read tool whose limits the engine uses. It is an estimate for
/// every model.
pub const BYTES_PER_TOKEN: f64 = 3.5;

/// Estimated tokens of a text of `bytes` UTF-8 bytes, by [`BYTES_PER_TOKEN`], rounded up.
pub fn estimate_tokens(bytes: u64) -> u64 {
    bytes.saturating_mul(2).div_ceil(7)
}

/// Maximum UTF-8 bytes of a text that is estimated as `tokens` tokens.
pub fn estimate_bytes(tokens: u64) -> u64 {
    tokens.saturating_mul(7) / 2
}

#[cfg(test)]
mod tests {
    use super::{estimate_bytes, estimate_tokens};

    #[test]
    fn rounds_up() {
        for (bytes, tokens) in [(0, 0), (1, 1), (3, 1), (4, 2), (7, 2), (8, 3), (3500, 1000)] {
            assert_eq!(estimate_tokens(bytes), tokens, "{bytes} bytes");
        }
    }

    #[test]
    fn so_many_bytes_and_no_more_take_so_many_tokens() {
        for tokens in [0, 1, 2, 3, 24, 1000, 1 << 40] {
            let bytes = estimate_bytes(tokens);
            assert_eq!(estimate_tokens(bytes), tokens, "{tokens} tokens");
            assert_eq!(estimate_tokens(bytes + 1), tokens + 1, "{tokens} tokens");
        }
    }
}
