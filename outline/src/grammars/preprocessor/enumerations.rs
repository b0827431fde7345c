//! Definitions of macros among the items of an enumeration: `A,` above `#define A A`. The grammars do not know them there.
//! They are blanked before parsing; the walk finds them in the text.

use super::macros::{
    MAX_LINE, behind_comment, first_word, given, is_definition, is_in_comment, is_macro,
};
use crate::text::blank::Overwritten;
use crate::text::line::{is_word, lines};
use std::borrow::Cow;

const WORD: &str = "enum";
/// Words before a name that take arguments, and are no macros.
const ATTRIBUTES: [&str; 3] = ["__attribute__", "__declspec", "alignas"];

/// Returns the text without the definitions of macros in enumerations.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    if !text.contains(WORD) {
        return into.text();
    }
    let mut at = At::Outside;
    let mut is_comment = false;
    // Whether the line above ends with a backslash, and whether it is blanked.
    let mut continues = false;
    let mut is_hidden = false;
    for (begin, line) in lines(text) {
        let is_directive = continues || !is_comment && line.trim_start().starts_with('#');
        let begins = !continues && !is_comment && at == At::Inside && is_definition(line);
        is_hidden = continues && is_hidden || begins;
        if is_hidden {
            into.fill(begin..begin + line.len(), b' ');
        } else if !is_directive && line.len() <= MAX_LINE {
            at = at.behind_line(line, is_comment);
        }
        is_comment = is_in_comment(line, is_comment);
        continues = is_directive && line.ends_with('\\');
    }
    into.text()
}

/// Where the text before an offset ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Outside,
    /// Behind the word, before the bracket.
    Head,
    Inside,
}

impl At {
    /// Returns where a line ends that begins here, or in a comment here.
    fn behind_line(self, line: &str, is_comment: bool) -> Self {
        let mut at = self;
        let mut left = if is_comment { behind_comment(line) } else { Some(line) };
        while let Some(rest) = left {
            let (code, comment) = split_at_comment(rest);
            at = at.behind(code);
            left = comment.strip_prefix("/*").and_then(behind_comment);
        }
        at
    }

    /// Returns where code ends that begins here.
    fn behind(self, code: &str) -> Self {
        let (mut at, mut rest) = (self, code);
        while let Some(next) = at.next(rest) {
            (at, rest) = next;
        }
        at
    }

    /// Returns what comes next in a text, and the text behind that; `None` if nothing does.
    fn next(self, text: &str) -> Option<(Self, &str)> {
        match self {
            Self::Outside => behind_word(text).map(|rest| (Self::Head, rest)),
            Self::Head => Self::in_head(text.trim_start()),
            Self::Inside => text.split_once('}').map(|(_, rest)| (Self::Outside, rest)),
        }
    }

    /// Passes over a part of a head, which has names, attributes and a type: `enum API Kind : int {`.
    fn in_head(text: &str) -> Option<(Self, &str)> {
        let (word, rest) = first_word(text);
        if !word.is_empty() {
            let is_mark = is_macro(word) || ATTRIBUTES.contains(&word);
            let arguments = if is_mark { given(rest) } else { 0 };
            return Some((Self::Head, rest.get(arguments..)?));
        }
        let sign = text.chars().next()?;
        let at = match sign {
            '{' => Self::Inside,
            ':' | '[' | ']' => Self::Head,
            _ => Self::Outside,
        };
        Some((at, text.get(sign.len_utf8()..)?))
    }
}

/// Returns a text up to its first comment, and the rest.
fn split_at_comment(text: &str) -> (&str, &str) {
    let is_comment =
        |at: usize| text.get(at + 1..).is_some_and(|rest| rest.starts_with(['*', '/']));
    let mut slashes = text.match_indices('/').map(|(at, _)| at);
    text.split_at(slashes.find(|&at| is_comment(at)).unwrap_or(text.len()))
}

/// Returns what follows the first word `enum`.
fn behind_word(text: &str) -> Option<&str> {
    text.match_indices(WORD).find_map(|(at, _)| {
        let (before, rest) = (text.get(..at)?, text.get(at + WORD.len()..)?);
        (!before.ends_with(is_word) && !rest.starts_with(is_word)).then_some(rest)
    })
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn only_macros_in_enumerations_are_blanked() {
        let cases = [
            ("enum a {\n  A,\n#define A A\n};", "enum a {\n  A,\n           \n};"),
            ("typedef enum {\n# define A \\\n  1\n  B", "typedef enum {\n            \n   \n  B"),
            (
                "enum API(1) a : int\n{ /*\n*/ A,\n#define A 1",
                "enum API(1) a : int\n{ /*\n*/ A,\n           ",
            ),
            ("enum { /* } */ A // }\n#define A 1", "enum { /* } */ A // }\n           "),
            ("enum [[a]] b // c\n{\n\t#define A 1", "enum [[a]] b // c\n{\n            "),
            ("enum a f(enum b c); enum d {\n#define A", "enum a f(enum b c); enum d {\n         "),
        ];
        for (text, expected) in cases {
            assert_eq!(blanked(text), expected);
        }
        for same in [
            "#define A 1\nenum a { A };\n#define B 1",
            "enum a f(int b) {\n#define A 1\n}",
            "enum a *f {\n#define A 1\n}",
            "enum a { A, /* } // */ B /* b */ };\n#define A 1",
            "struct enums {\n#define A 1\n};",
            "#define B enum {\n#define A 1\n",
            "// enum {\n#define A 1\n",
            "enum {\n  A, /*\n#define A 1\n*/ };",
            "enum {\n#if B\n#undef A\n#endif\n};",
        ] {
            assert_eq!(blanked(same), same);
        }
    }
}
