//! The declaration of an unnamed function, `export default function (): Options;`: the grammar knows none without a body.

use super::signatures::{MAX_PART, closing};
use crate::text::blank::Overwritten;
use std::borrow::Cow;
use std::ops::Range;

const WORDS: &str = "export default function";

/// Writes a body for the type that the function returns.
pub(super) fn with_bodies(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    for at in memchr::memmem::find_iter(text.as_bytes(), WORDS) {
        if let Some(range) = returned(text, at + WORDS.len()) {
            into.fill(range.clone(), b' ');
            into.write(range.start, "{");
            into.write(range.end - 1, "}");
        }
    }
    into.text()
}

/// Returns the range of `: Options;` behind type parameters and parameters.
fn returned(text: &str, start: usize) -> Option<Range<usize>> {
    let given = text.get(start..)?.trim_start();
    let types = if given.starts_with('<') { closing(given)? } else { 0 };
    let given = given.get(types..)?.trim_start();
    let parameters = closing(given).filter(|_| given.starts_with('('))?;
    let behind = given.get(parameters..)?.trim_start();
    let length = semicolon(behind.strip_prefix(':')?)?;
    let colon = text.len() - behind.len();
    Some(colon..colon + 1 + length + 1)
}

/// Returns the offset of the semicolon behind a type, or `None` if a body or another statement may be there.
fn semicolon(text: &str) -> Option<usize> {
    let mut before = b':';
    let mut at = 0;
    while at < MAX_PART {
        let is_open = b":|&>?".contains(&before);
        match text.as_bytes().get(at)? {
            b';' => return Some(at),
            b'{' | b'\n' if !is_open => return None,
            b'{' | b'(' | b'[' | b'<' => {
                at += closing(text.get(at..)?)?;
                before = b')';
                continue;
            }
            byte if !byte.is_ascii_whitespace() => before = *byte,
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::with_bodies;

    #[test]
    fn only_declarations_get_bodies() {
        for (text, expected) in [
            ("export default function (): A;", "export default function (){  }"),
            (
                "export default function<T>(a: T): {\n b: T;\n} | C;\n",
                "export default function<T>(a: T){  \n      \n     }\n",
            ),
        ] {
            assert_eq!(with_bodies(text), expected);
        }
        for same in [
            "export default function (): A {}",
            "export default function (): { a: B } { return b; }",
            "export default function () {}",
            "export default function (): A\nexport const b: C;",
            "export default function a(): A;",
            "export default function (",
        ] {
            assert_eq!(with_bodies(same), same);
        }
    }
}
