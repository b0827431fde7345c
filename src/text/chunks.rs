//! Text whose UTF-8 arrives in chunks.

/// Collects what `read` writes to its sink: the UTF-8 of a whole text, in chunks that may split characters.
pub fn collected(read: impl FnOnce(&mut dyn FnMut(&[u8]))) -> String {
    let mut bytes = Vec::new();
    read(&mut |chunk| bytes.extend_from_slice(chunk));
    String::from_utf8(bytes).unwrap_or_default()
}

/// Returns the text up to the first byte that is not UTF-8: without the part of a character that a cut left at the end.
pub fn valid_start(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or(""),
    }
}
