//! The plain-text estimate.

/// The estimate for an image, document or other file: what providers charge at most for one image of ordinary
/// size (Anthropic, "Vision": an image of 1.15 megapixels is about 1,600 tokens). Its bytes never cross.
pub const FILE_TOKENS: u64 = 1600;

/// Tokens of a text of `bytes` UTF-8 bytes: `bytes / 3.5`, rounded up.
///
/// 3.5 bytes a token is the rule of the read tool whose limits this engine keeps; it is an estimate for every model.
pub fn estimate_tokens(bytes: u64) -> u64 {
    bytes.saturating_mul(2).div_ceil(7)
}

#[cfg(test)]
mod tests {
    use super::estimate_tokens;

    #[test]
    fn rounds_up() {
        for (bytes, tokens) in [(0, 0), (1, 1), (3, 1), (4, 2), (7, 2), (8, 3), (3500, 1000)] {
            assert_eq!(estimate_tokens(bytes), tokens, "{bytes} bytes");
        }
    }
}
