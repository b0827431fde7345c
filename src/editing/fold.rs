//! Texts folded over the differences that models often get wrong, with a map back to the original bytes.

use std::ops::Range;

/// The differences to ignore.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Alike {
    /// Spaces, tabs and line ends, of any kind and number, including none.
    pub whitespace: bool,
    /// `\n`, `\"`, `\u0041`, `&lt;` and the characters they represent.
    pub escapes: bool,
    /// Typographic quotes, dashes and spaces, and their ASCII equivalents.
    pub typography: bool,
}

/// A folded text. Line ends are always folded to line feeds.
#[derive(Debug, Default)]
pub(super) struct Folded {
    /// The folded text.
    pub bytes: Vec<u8>,
    /// For each byte, the range of original bytes it represents.
    origins: Vec<(u32, u32)>,
}

impl Folded {
    /// Folds a text of less than 4 GB.
    pub fn of(source: &[u8], alike: Alike) -> Self {
        let mut folded = Self::default();
        let mut position = 0;
        let mut after_return = false;
        while let Some(byte) = source.get(position) {
            // Most characters of a file are the same in every folding.
            if byte.is_ascii_alphanumeric() {
                folded.bytes.push(*byte);
                folded.origins.push((position as u32, position as u32 + 1));
                position += 1;
                after_return = false;
                continue;
            }
            let (read, len) = read_char(&source[position..], alike.escapes);
            let origin = position..position + len;
            position += len;
            // The line feed of a CRLF was folded with its carriage return, whose range now includes it.
            if after_return && read == Read::Char('\n') {
                folded.extend_last(origin.end);
                after_return = false;
                continue;
            }
            after_return = read == Read::Char('\r');
            folded.push(read, origin, alike);
        }
        folded
    }

    /// Returns the range of original bytes that a range of folded bytes represents.
    pub fn source_range(&self, range: Range<usize>) -> Option<Range<usize>> {
        let first = self.origins.get(range.start)?;
        let last = self.origins.get(range.end.checked_sub(1)?)?;
        Some(first.0 as usize..last.1 as usize)
    }

    fn push(&mut self, read: Read, origin: Range<usize>, alike: Alike) {
        let mut buffer = [0; 4];
        let bytes: &[u8] = match read {
            Read::Byte(byte) => &[byte],
            Read::Char(c) => {
                let c = if alike.typography { plain(c) } else { c };
                if alike.whitespace && is_blank(c) {
                    return;
                }
                let c = if c == '\r' { '\n' } else { c };
                c.encode_utf8(&mut buffer).as_bytes()
            }
        };
        self.bytes.extend_from_slice(bytes);
        let origin = (origin.start as u32, origin.end as u32);
        self.origins.extend(bytes.iter().map(|_| origin));
    }

    fn extend_last(&mut self, end: usize) {
        if let Some(last) = self.origins.last_mut()
            && self.bytes.last() == Some(&b'\n')
        {
            last.1 = end as u32;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Read {
    Char(char),
    /// A byte that is not valid UTF-8.
    Byte(u8),
}

fn read_char(bytes: &[u8], escapes: bool) -> (Read, usize) {
    if escapes && let Some((c, len)) = escape(bytes) {
        return (Read::Char(c), len);
    }
    if let Some(byte @ 0..0x80) = bytes.first() {
        return (Read::Char(char::from(*byte)), 1);
    }
    let head = &bytes[..bytes.len().min(4)];
    let first = head.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
    match first {
        Some(c) => (Read::Char(c), c.len_utf8()),
        None => (Read::Byte(head.first().copied().unwrap_or(0)), 1),
    }
}

/// Returns the character that a leading escape represents, and the length of the escape in bytes.
fn escape(bytes: &[u8]) -> Option<(char, usize)> {
    const ENTITIES: &[(&[u8], char)] =
        &[(b"&lt;", '<'), (b"&gt;", '>'), (b"&amp;", '&'), (b"&quot;", '"'), (b"&#39;", '\'')];
    if bytes.first() == Some(&b'&') {
        let (entity, c) = ENTITIES.iter().find(|(entity, _)| bytes.starts_with(entity))?;
        return Some((*c, entity.len()));
    }
    if bytes.first() != Some(&b'\\') {
        return None;
    }
    let c = match bytes.get(1)? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'u' => return unicode_escape(bytes),
        other @ (b'"' | b'\'' | b'\\' | b'/' | b'`' | b'$') => char::from(*other),
        _ => return None,
    };
    Some((c, 2))
}

fn unicode_escape(bytes: &[u8]) -> Option<(char, usize)> {
    let digits = std::str::from_utf8(bytes.get(2..6)?).ok()?;
    let code = u32::from_str_radix(digits, 16).ok()?;
    Some((char::from_u32(code)?, 6))
}

fn plain(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{2032}' => '\'',
        '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{2033}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{00A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{3000}' => ' ',
        other => other,
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200B}' | '\u{FEFF}')
}
