//! Finds the bracket that closes another.

/// What a byte does to the number of open brackets.
#[derive(Clone, Copy)]
pub(crate) enum Turn {
    Opens,
    Closes,
    Neither,
}

/// Returns the offset behind the bracket that closes one opened before a text, if it is in the text.
#[cfg(any(feature = "c", feature = "cpp"))]
pub(crate) fn closing(text: &str) -> Option<usize> {
    closing_of(text, &mut 1)
}

/// Like [`closing`], for `open` brackets, to which it adds those that the text opens.
#[cfg(any(feature = "c", feature = "cpp"))]
pub(crate) fn closing_of(text: &str, open: &mut usize) -> Option<usize> {
    end(text.bytes(), open, |byte| match byte {
        b'(' => Turn::Opens,
        b')' => Turn::Closes,
        _ => Turn::Neither,
    })
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
