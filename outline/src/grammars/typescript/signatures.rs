//! Generic call signatures below a member without a semicolon: the grammar would take `<K>(value: K): X` for type arguments
//! of the member's type.

use crate::text::blank::Overwritten;
use crate::text::brackets::{Turn, end};
use crate::text::line::{Line, lines};
use std::borrow::Cow;

/// Maximum lines of comments above a signature, and bytes of its type parameters and of its parameters.
const MAX_COMMENT: usize = 60;
const MAX_PART: usize = 2000;

/// Writes a semicolon before each such signature, into its indentation.
pub(super) fn separated(text: &str) -> Cow<'_, str> {
    let lines = lines(text);
    let mut into = Overwritten::new(text);
    for (index, &(begin, line)) in lines.iter().enumerate() {
        let code = line.trim_start();
        let start = begin + line.len() - code.len();
        let is_first = || text.get(start..).is_some_and(is_signature);
        if code.starts_with('<') && start > begin && is_first() && follows(&lines, index) {
            into.fill(start - 1..start, b';');
        }
    }
    into.text()
}

/// Returns whether the code above a line may end a member.
fn follows(lines: &[Line], index: usize) -> bool {
    let above = lines.get(..index).unwrap_or_default().iter().rev().take(MAX_COMMENT);
    let mut is_within = false;
    // From below, a comment begins with its end. Its lines may be any text.
    let mut is_comment = |line: &str| {
        let is_end = line.ends_with("*/") && !line.contains("/*");
        let is_part = is_within || is_end || line.is_empty() || line.starts_with('/');
        is_within = (is_within || is_end) && !line.contains("/*");
        is_part
    };
    let code = above.map(|&(_, line)| line.trim()).find(|line| !is_comment(line));
    let code = code.and_then(|code| code.split("//").next()).unwrap_or_default().trim_end();
    let is_end = |last: char| last.is_alphanumeric() || "_$)]}>\"'`".contains(last);
    code.ends_with(is_end) && !code.ends_with("=>")
}

/// Returns whether a text begins with `<K>(value: K):`.
fn is_signature(text: &str) -> bool {
    let is_type = text.get(1..).is_some_and(|rest| {
        rest.trim_start().starts_with(|first: char| first.is_alphabetic() || "_$".contains(first))
    });
    let behind = || {
        let given = text.get(closing(text)?..)?.trim_start();
        given.get(closing(given).filter(|_| given.starts_with('('))?..)
    };
    is_type && behind().is_some_and(|rest| rest.trim_start().starts_with(':'))
}

/// Returns the offset behind the bracket that closes the one with which a text begins.
fn closing(text: &str) -> Option<usize> {
    let mut before = b' ';
    end(text.bytes().take(MAX_PART), &mut 0, |byte| {
        let turn = match byte {
            b'<' | b'(' | b'[' | b'{' => Turn::Opens,
            b'>' if before == b'=' => Turn::Neither,
            b'>' | b')' | b']' | b'}' => Turn::Closes,
            _ => Turn::Neither,
        };
        before = byte;
        turn
    })
}

#[cfg(test)]
mod tests {
    use super::separated;

    #[test]
    fn signatures_are_separated_from_members_and_nothing_else() {
        let cases = [
            ("{\n a: X\n <K>(v: K): X", "{\n a: X\n;<K>(v: K): X"),
            (
                "a(): X[] // b\n /* c\n * d */\n <K>(): X",
                "a(): X[] // b\n /* c\n * d */\n;<K>(): X",
            ),
            (
                "a: \"b\"\n  <A = () => B<C>,\n  D>(\n  ): X",
                "a: \"b\"\n ;<A = () => B<C>,\n  D>(\n  ): X",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(separated(text), expected);
        }
        for same in [
            "{\n <K>(v: K): X",
            "a: X;\n <K>(v: K): X",
            "a =\n <K>(v: K): X => v",
            "a: () =>\n <K>(v: K): X",
            "a\n < b(c): d",
            "a\n <b>(c)",
            "a\n<K>(v: K): X",
            "a: X;\n /**\n Reads it\n */\n <K>(v: K): X",
            "a\n <K",
        ] {
            assert_eq!(separated(same), same);
        }
    }
}
