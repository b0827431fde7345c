//! Words that the grammar knows in few places: `in` and `out` before type parameters, a type parameter `type`, `global`,
//! and escaped backquotes in the types of templates.

use super::super::script::is_name_part;
use crate::text::blank::{Overwritten, blank};
use std::borrow::Cow;
use std::ops::Range;

/// Words before a declaration.
const BEFORE: [&str; 4] = ["abstract", "declare", "default", "export"];
/// Words of declarations with type parameters.
const DECLARING: [&str; 3] = ["class", "interface", "type"];
/// Maximum bytes of type parameters.
const MAX_PARAMETERS: usize = 2000;

/// Blanks `in` and `out` of `interface Store<in out State> {`.
pub(super) fn without_variance(text: &str) -> Cow<'_, str> {
    let mut start = 0;
    let mut found = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(open) = parameters_of(line) {
            found.extend(variances(text, start + open));
        }
        start += line.len();
    }
    blank(text, &found)
}

/// Writes `global:{` for the `global {` of `declare module 'a' { global {...} }`: the grammar knows it only behind
/// `declare`.
pub(super) fn with_global(text: &str) -> Cow<'_, str> {
    const WORD: &str = "global {";
    let mut into = Overwritten::new(text);
    for at in memchr::memmem::find_iter(text.as_bytes(), WORD) {
        let before = text.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
        if before.is_empty() || before.ends_with(['\n', '{', '}', ';']) {
            into.write(at + WORD.len() - 2, ":");
        }
    }
    into.text()
}

/// Returns the offset in a line of the type parameters that a declaration has there.
fn parameters_of(line: &str) -> Option<usize> {
    let open = line.find('<')?;
    let mut words = line.get(..open)?.split_whitespace().skip_while(|word| BEFORE.contains(word));
    let declares = words.next().is_some_and(|word| DECLARING.contains(&word));
    (declares && words.next().is_some() && words.next().is_none()).then_some(open + 1)
}

/// Returns the words before the type parameters from an offset on.
fn variances(text: &str, start: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = 1_usize;
    let mut before = b'<';
    let mut is_first = true;
    for (index, byte) in text.bytes().enumerate().skip(start).take(MAX_PARAMETERS) {
        match byte {
            b'<' | b'(' | b'[' | b'{' => open += 1,
            b'>' if before == b'=' => {}
            b'>' | b')' | b']' | b'}' => open -= 1,
            _ if is_first && !byte.is_ascii_whitespace() => {
                found.extend(text.get(index..).map(variance).map(|length| index..index + length));
            }
            _ => {}
        }
        if open == 0 {
            break;
        }
        is_first = open == 1 && (byte == b',' || is_first && byte.is_ascii_whitespace());
        before = byte;
    }
    found
}

/// Returns the length of `in`, `out` or both at the beginning of a type parameter.
fn variance(parameter: &str) -> usize {
    let mut rest = parameter;
    while let Some((word, behind)) = rest.split_once(' ') {
        let next = behind.split(|c: char| !c.is_alphanumeric() && !"_$".contains(c)).next();
        let is_name = next.is_some_and(|next| !next.is_empty() && next != "extends");
        if !matches!(word, "in" | "out") || !is_name {
            break;
        }
        rest = behind;
    }
    parameter.len() - rest.len()
}

/// Replaces the letter of each `type` that is a name, in a file that names a type parameter so (`Narrow<type>`).
pub(super) fn without_type_names(text: &str) -> Cow<'_, str> {
    const WORD: &str = "type";
    if !["<type>", "<type,", "<type extends "].iter().any(|each| text.contains(each)) {
        return Cow::Borrowed(text);
    }
    let mut into = Overwritten::new(text);
    for (at, _) in text.match_indices(WORD) {
        let behind = text.get(at + WORD.len()..).unwrap_or_default();
        let is_name =
            behind.trim_start().starts_with(['>', ',', '=', ')', ';', ']', '|', '&', '['])
                || behind.starts_with(" extends ");
        let before = text.get(..at).unwrap_or_default();
        let is_word = !before.ends_with(is_name_part);
        if is_name && is_word {
            into.fill(at..at + 1, b'T');
        }
    }
    into.text()
}

/// Replaces escaped backquotes.
pub(super) fn without_backquotes(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    for at in memchr::memmem::find_iter(text.as_bytes(), "\\`") {
        let before = text.get(..at).unwrap_or_default();
        let is_escaped = (before.len() - before.trim_end_matches('\\').len()) % 2 == 0;
        if is_escaped {
            into.fill(at..at + 2, b'_');
        }
    }
    into.text()
}

#[cfg(test)]
mod tests {
    use super::{without_backquotes, without_type_names, without_variance};

    #[test]
    fn words_are_blanked_where_they_are_no_names() {
        let cases = [
            ("interface A<in out B> {", "interface A<       B> {"),
            (
                "export type A<out B = () => C,\n  in D> =",
                "export type A<    B = () => C,\n     D> =",
            ),
            ("export declare abstract class A<out B>", "export declare abstract class A<    B>"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_variance(text), expected);
        }
        for same in
            ["type A<out> = out", "type A<out extends B> = C", "type A = B<C> in D", "f<in A>()"]
        {
            assert_eq!(without_variance(same), same);
        }
        let text = "type A<type> = type | { type: B<type>, subtype: 1 }\nimport type C from 'type'";
        let named =
            "type A<Type> = Type | { type: B<Type>, subtype: 1 }\nimport type C from 'type'";
        assert_eq!(without_type_names(text), named);
        assert_eq!(without_backquotes("`a\\`b\\\\`"), "`a__b\\\\`");
    }
}
