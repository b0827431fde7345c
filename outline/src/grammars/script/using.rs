//! Declarations of what is closed again (`using file = open()`). The grammar of TypeScript does not know them, and
//! neither grammar reads `using` as a name.

use super::is_name_part;
use crate::text::blank::Overwritten;
use std::borrow::Cow;

const WORD: &str = "using";
const BLANKS: [char; 2] = [' ', '\t'];

/// Writes `const` for `using` and for `await using`, and `_sing` for a name.
pub(crate) fn overwritten(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    for at in memchr::memmem::find_iter(text.as_bytes(), WORD) {
        let (before, word) = text.split_at_checked(at).unwrap_or_default();
        let behind = word.strip_prefix(WORD).unwrap_or_default();
        if let Some(start) = declaration(before, behind) {
            into.fill(start..at, b' ');
            into.write(at, "const");
        } else if !before.ends_with(is_name_part) && !behind.starts_with(is_name_part) {
            into.fill(at..at + 1, b'_');
        }
    }
    into.text()
}

/// Returns where the declaration with a `using` between two texts begins: there, or at the `await` before it. None does
/// if the word is a name.
fn declaration(before: &str, behind: &str) -> Option<usize> {
    let plain = before.trim_end_matches(BLANKS);
    let outer = plain.strip_suffix("await").filter(|_| plain.len() < before.len());
    let outer = outer.unwrap_or(before);
    let begin = outer.trim_end_matches(BLANKS);
    let head = begin.strip_suffix('(').map(|head| head.trim_end_matches(BLANKS));
    let is_loop = head.is_some_and(|head| head.ends_with("for") || head.ends_with("for await"));
    let is_begin =
        begin.is_empty() || begin.ends_with(['\n', '{', '}', ';']) || begin.ends_with("*/");

    let named = behind.trim_start_matches(BLANKS);
    let rest = named.trim_start_matches(is_name_part);
    let has_name = named.len() < behind.len() && rest.len() < named.len();
    let after = rest.trim_start();
    let is_given = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
    let is_declared = is_given
        || is_begin && after.starts_with(':')
        || is_loop && after.len() < rest.len() && after.starts_with("of ");
    (has_name && is_declared && (is_begin || is_loop)).then_some(outer.len())
}

#[cfg(test)]
mod tests {
    use super::overwritten;

    #[test]
    fn declarations_are_constants_and_names_are_others() {
        let cases = [
            ("using a = b;{await  using c: D = e}", "const a = b;{       const c: D = e}"),
            ("/** a */ using b = c", "/** a */ const b = c"),
            ("for (using a of b) {\n\tusing c = d", "for (const a of b) {\n\tconst c = d"),
            ("for await (await using a of b)", "for await (      const a of b)"),
        ];
        for (text, expected) in cases {
            assert_eq!(overwritten(text), expected);
        }
        let names = [
            "using = 1; using.a = 2; using(a) == 3",
            "using\na = 1",
            "const using = 1, b = using",
            "using in a; using == b; using a == b",
            "for (using of using) for (using in a)",
            "f(using => 1)",
        ];
        for text in names {
            assert_eq!(overwritten(text), text.replace("using", "_sing"));
        }
        for same in ["unusing a = 1", "using1 = 2", "$using", "using_"] {
            assert_eq!(overwritten(same), same);
        }
    }
}
