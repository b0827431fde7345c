//! Colours of terminals in a line as printed.

/// Returns a line without the colours that it begins with.
pub fn behind_colour(line: &[u8]) -> &[u8] {
    match line {
        [0x1b, b'[', rest @ ..] => {
            let end = memchr::memchr(b'm', rest).map_or(rest.len(), |at| at + 1);
            behind_colour(&rest[end..])
        }
        _ => line,
    }
}
