//! Classes of characters: the subset of Unicode properties that the encodings' patterns use.

/// The classes that patterns distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Control characters, format characters and unassigned code points.
    Control = 0,
    /// `\p{Lu}`, `\p{Lt}`.
    Upper = 1,
    /// `\p{Ll}`.
    Lower = 2,
    /// `\p{Lm}`, `\p{Lo}`: letters without case.
    Caseless = 3,
    /// `\p{M}`.
    Mark = 4,
    /// `\p{N}`.
    Number = 5,
    /// `\p{P}`, `\p{S}`.
    Sign = 6,
    /// `\s`.
    Space = 7,
}

impl Kind {
    /// `\p{L}`.
    #[inline(always)]
    pub fn is_letter(self) -> bool {
        matches!(self, Kind::Upper | Kind::Lower | Kind::Caseless)
    }

    /// `[^\s\p{L}\p{N}]`.
    #[inline(always)]
    pub fn is_neither(self) -> bool {
        matches!(self, Kind::Sign | Kind::Control | Kind::Mark)
    }
}

/// The layout is described in `build.rs`.
static KINDS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/kinds.bin"));
const BLOCKS: usize = 0x1100;

const ALL: [Kind; 8] = [
    Kind::Control,
    Kind::Upper,
    Kind::Lower,
    Kind::Caseless,
    Kind::Mark,
    Kind::Number,
    Kind::Sign,
    Kind::Space,
];

static ASCII: [Kind; 128] = ascii();

const fn ascii() -> [Kind; 128] {
    let mut kinds = [Kind::Control; 128];
    let mut at = 0;
    while at < 128 {
        kinds[at] = match at as u8 {
            b'A'..=b'Z' => Kind::Upper,
            b'a'..=b'z' => Kind::Lower,
            b'0'..=b'9' => Kind::Number,
            b' ' | b'\t'..=b'\r' => Kind::Space,
            b'!'..=b'~' => Kind::Sign,
            _ => Kind::Control,
        };
        at += 1;
    }
    kinds
}

/// A character of a text.
#[derive(Debug, Clone, Copy)]
pub struct Char {
    /// Its class.
    pub kind: Kind,
    /// Its end, in bytes.
    pub end: usize,
}

/// Returns the character that begins at `at`; `None` at the end.
#[inline(always)]
pub fn char_at(text: &[u8], at: usize) -> Option<Char> {
    let first = *text.get(at)?;
    match ASCII.get(first as usize) {
        Some(&kind) => Some(Char { kind, end: at + 1 }),
        None => Some(beyond_ascii(text, at)),
    }
}

/// Returns the UTF-8 code point that begins at `at`, and its end.
#[inline]
pub fn code_point(text: &[u8], at: usize) -> (u32, usize) {
    let byte = |offset: usize| u32::from(text.get(at + offset).copied().unwrap_or_default());
    let tail = |offset: usize| byte(offset) & 0x3f;
    match byte(0) {
        first @ 0..=0x7f => (first, at + 1),
        first @ 0x80..=0xdf => (((first & 0x1f) << 6) | tail(1), at + 2),
        first @ 0xe0..=0xef => (((first & 0x0f) << 12) | (tail(1) << 6) | tail(2), at + 3),
        first => (((first & 0x07) << 18) | (tail(1) << 12) | (tail(2) << 6) | tail(3), at + 4),
    }
}

#[inline(never)]
fn beyond_ascii(text: &[u8], at: usize) -> Char {
    let (code, end) = code_point(text, at);
    let block = KINDS.get((code >> 8) as usize).copied().unwrap_or_default();
    let place = BLOCKS + ((block as usize) << 8) + (code & 0xff) as usize;
    let number = KINDS.get(place).copied().unwrap_or_default();
    Char { kind: ALL.get(number as usize).copied().unwrap_or(Kind::Control), end }
}

/// Returns the end of a run of characters for which `is` is true.
#[inline(always)]
pub fn run(text: &[u8], mut at: usize, is: impl Fn(Kind) -> bool) -> usize {
    while let Some(char) = char_at(text, at)
        && is(char.kind)
    {
        at = char.end;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_as_in_the_table() {
        for code in 0..128_u8 {
            let char = char_at(&[code], 0).map(|char| char.kind);
            assert_eq!(char, Some(beyond_ascii(&[code], 0).kind), "{code:#x}");
        }
    }

    #[test]
    fn kinds_of_characters() {
        let cases = [
            ('ß', Kind::Lower),
            ('ǅ', Kind::Upper),
            ('日', Kind::Caseless),
            ('ー', Kind::Caseless),
            ('\u{301}', Kind::Mark),
            ('½', Kind::Number),
            ('—', Kind::Sign),
            ('😀', Kind::Sign),
            ('\u{3000}', Kind::Space),
            ('\u{85}', Kind::Space),
            ('\u{feff}', Kind::Control),
            ('\u{10ffff}', Kind::Control),
        ];
        for (c, kind) in cases {
            let mut buffer = [0; 4];
            let text = c.encode_utf8(&mut buffer).as_bytes();
            let char = char_at(text, 0);
            assert_eq!(char.map(|char| (char.kind, char.end)), Some((kind, text.len())), "{c:?}");
        }
    }
}
