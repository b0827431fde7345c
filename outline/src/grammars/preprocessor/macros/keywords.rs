//! Macros before a word that begins a declaration: `EXPORT template <class T>`, `EXPORT class Reader {`. A parser takes
//! them for a type.

use super::words::{SPECIFIERS, first_word, is_macro};
use crate::text::brackets::closing;
use crate::text::line::is_word;
use std::ops::Range;

/// Returns the macros at the beginning of a line, or behind words such as `static`, if such a word follows.
pub(super) fn before_keyword(line: &str) -> Option<Range<usize>> {
    let mut code = line.trim_start();
    while SPECIFIERS.contains(&first_word(code).0) {
        code = first_word(code).1.trim_start();
    }
    let mut rest = code;
    loop {
        let (word, behind) = first_word(rest);
        if !is_macro(word) {
            break;
        }
        let given = behind.strip_prefix('(').map(closing);
        let given = given.map_or(Some(0), |end| end.map(|end| end + 1))?;
        rest = behind.get(given..)?.trim_start();
    }
    let (word, behind) = first_word(rest);
    let behind = behind.trim_start();
    let is_declared = match word {
        "template" => behind.starts_with('<'),
        "extern" => behind.starts_with("template"),
        "friend" => true,
        "class" | "enum" | "struct" | "union" => is_named(behind),
        _ => false,
    };
    let start = line.len() - code.len();
    (is_declared && rest.len() < code.len()).then(|| start..line.len() - rest.len())
}

/// Returns whether there are only names, or nothing, before the body, and only names before the bases or the end of a type.
fn is_named(text: &str) -> bool {
    if text.starts_with('{') {
        return true;
    }
    let behind = text.trim_start_matches(|c: char| is_word(c) || c == ' ');
    let is_base = behind.starts_with(':') && !behind.starts_with("::");
    behind.len() < text.len() && (behind.is_empty() || is_base || behind.starts_with(['{', ';']))
}

#[cfg(test)]
mod tests {
    use super::before_keyword;

    #[test]
    fn macros_before_words_of_declarations() {
        let cases = [
            ("EXPORT template <class T>", "EXPORT "),
            ("  EXPORT API(2) class A final : B {", "EXPORT API(2) "),
            ("EXPORT enum class A {", "EXPORT "),
            ("static EXPORT struct {", "EXPORT "),
            ("EXPORT friend class A;", "EXPORT "),
            ("EXPORT extern template class A<int>;", "EXPORT "),
        ];
        for (line, expected) in cases {
            assert_eq!(before_keyword(line).and_then(|range| line.get(range)), Some(expected));
        }
        for line in [
            "class A {",
            "EXPORT int f();",
            "EXPORT struct a *f();",
            "static struct {",
            "extern template class A<int>;",
            "STACK(A template <class T>",
            "Export template <class T>",
        ] {
            assert_eq!(before_keyword(line), None, "{line}");
        }
    }
}
