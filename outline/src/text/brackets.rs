//! Finds the bracket that closes another.

/// What a byte does to the number of open brackets.
#[derive(Clone, Copy)]
pub(crate) enum Turn {
    Opens,
    Closes,
    Neither,
}

#[cfg(any(feature = "c", feature = "cpp"))]
pub(crate) const ROUND: [u8; 2] = *b"()";

/// Returns the offset behind the bracket that closes one opened before a text, if it is in the text.
#[cfg(any(feature = "c", feature = "cpp"))]
pub(crate) fn closing(text: &str) -> Option<usize> {
    closing_of(text, ROUND, &mut 1)
}

/// Like [`closing`], for `open` brackets of a pair, to which it adds those that the text opens. Those in quotes do not
/// count.
#[cfg(any(feature = "c", feature = "cpp", feature = "csharp"))]
pub(crate) fn closing_of(text: &str, pair: [u8; 2], open: &mut usize) -> Option<usize> {
    let mut quotes = Quotes::default();
    end(text.bytes(), open, |byte| match byte {
        _ if quotes.hold(byte) => Turn::Neither,
        _ if byte == pair[0] => Turn::Opens,
        _ if byte == pair[1] => Turn::Closes,
        _ => Turn::Neither,
    })
}

/// The quotes that are open in code of C.
#[cfg(any(feature = "c", feature = "cpp", feature = "csharp"))]
#[derive(Default)]
struct Quotes {
    open: Option<u8>,
    is_escaped: bool,
    last: u8,
}

#[cfg(any(feature = "c", feature = "cpp", feature = "csharp"))]
impl Quotes {
    /// Returns whether the next byte is a quote or in quotes.
    fn hold(&mut self, byte: u8) -> bool {
        let was_open = self.open.is_some();
        if self.is_escaped {
            self.is_escaped = false;
        } else if was_open {
            self.is_escaped = byte == b'\\';
            self.open = self.open.filter(|own| *own != byte);
        } else if byte == b'"' || byte == b'\'' && !self.last.is_ascii_alphanumeric() {
            // Not that in `1'000` or `don't`.
            self.open = Some(byte);
        }
        self.last = byte;
        was_open || self.open.is_some()
    }
}

/// Returns the offset behind the byte after which no bracket is open, if there were `open` before the first.
pub(crate) fn end(
    bytes: impl Iterator<Item = u8>,
    open: &mut usize,
    mut turn: impl FnMut(u8) -> Turn,
) -> Option<usize> {
    for (index, byte) in bytes.enumerate() {
        match turn(byte) {
            Turn::Opens => *open += 1,
            Turn::Closes => *open = open.checked_sub(1)?,
            Turn::Neither => {}
        }
        if *open == 0 {
            return Some(index + 1);
        }
    }
    None
}

#[cfg(all(test, any(feature = "c", feature = "cpp")))]
mod tests {
    use super::closing;

    #[test]
    fn brackets_in_quotes_do_not_count() {
        for text in ["a)", "(a))", "\")\")", "\"\\\")\", '(', '\\'')", "1'0, (2)) + '(')", "don't)"]
        {
            let end = text.find(") + ").map_or(text.len(), |at| at + 1);
            assert_eq!(closing(text), Some(end), "{text}");
        }
        for text in ["a", "\")\"", "(a)", "')'"] {
            assert_eq!(closing(text), None, "{text}");
        }
    }
}
