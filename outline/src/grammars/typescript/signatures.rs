//! Generic call signatures below a member without a semicolon: the grammar would take `<K>(value: K): X` for type arguments
//! of the member's type.

use crate::text::blank::Overwritten;
use crate::text::brackets::{Turn, end};
use crate::text::line::lines;
use std::borrow::Cow;

/// Maximum bytes of the type parameters and of the parameters of a signature.
pub(super) const MAX_PART: usize = 2000;

/// Writes a semicolon before each such signature, into its indentation.
pub(super) fn separated(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    let mut above = Above::default();
    for (begin, line) in lines(text) {
        let code = line.trim_start();
        let start = begin + line.len() - code.len();
        let is_first = || text.get(start..).is_some_and(is_signature);
        if code.starts_with('<') && start > begin && above.ends_member() && is_first() {
            into.fill(start - 1..start, b';');
        }
        above.pass(code);
    }
    into.text()
}

/// The last line of code above a line.
#[derive(Default)]
struct Above<'t> {
    code: &'t str,
    /// That above the text of the last comment that began: it may begin behind code.
    before_comment: &'t str,
}

impl<'t> Above<'t> {
    fn pass(&mut self, line: &'t str) {
        let begins_comment = line.contains("/*");
        if begins_comment {
            self.before_comment = if line.starts_with('/') { self.code } else { line };
        }
        // The lines within a comment may be any text: which they were is known at its end.
        if line.ends_with("*/") && !begins_comment {
            self.code = self.before_comment;
        } else if !line.is_empty() && !line.starts_with('/') {
            self.code = line;
        }
    }

    fn ends_member(&self) -> bool {
        let code = ["//", "/*"].iter().fold(self.code, before).trim_end();
        let is_end = |last: char| last.is_alphanumeric() || "_$)]}>\"'`".contains(last);
        code.ends_with(is_end) && !code.ends_with("=>")
    }
}

/// Returns the part of a text before a mark.
fn before<'t>(text: &'t str, mark: &&str) -> &'t str {
    text.split(mark).next().unwrap_or_default()
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
pub(super) fn closing(text: &str) -> Option<usize> {
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
        let comment = "\n * <K>(v: K): X".repeat(2000);
        let documented = |end| format!("a: X{end}\n /**{comment}\n */\n <K>(v: K): X");
        assert!(separated(&documented("")).ends_with("*/\n;<K>(v: K): X"));
        assert_eq!(separated(&documented(";")), documented(";"));
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
