//! Tests of Bats: `@test "reads a file" {`. They are written as functions, whose code the grammar knows.

use crate::text::blank::Overwritten;
use crate::text::line::Line;

pub(crate) const WORD: &str = "@test";

/// Writes `xxxxxxxxxx() {` for `@test "reads" {`.
pub(super) fn overwrite(lines: &[Line], into: &mut Overwritten) {
    for &(start, line) in lines {
        let Some(title) = title(line) else { continue };
        let begin = start + line.len() - line.trim_start().len();
        let end = start + line.len() - title.behind.len();
        into.fill(begin..end, b'x');
        into.fill(end - 2..end - 1, b'(');
        into.fill(end - 1..end, b')');
    }
}

/// The title of a test, with its quotes, and the line behind it.
pub(crate) struct Title<'t> {
    pub text: &'t str,
    behind: &'t str,
}

/// Returns the title of the test that a line begins.
pub(crate) fn title(line: &str) -> Option<Title<'_>> {
    let given = line.trim_start().strip_prefix(WORD)?;
    let text = given.trim_start();
    let first = text.chars().next().filter(|_| text.len() < given.len())?;
    let length = match first {
        '"' | '\'' => 1 + closing(text.get(1..)?, first)? + 1,
        _ => text.find(" {")?,
    };
    let (title, behind) = text.split_at_checked(length)?;
    behind.trim_start().starts_with('{').then_some(Title { text: title, behind })
}

/// Returns the offset of the quote that closes a text.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    text.find(|letter| {
        let is_end = letter == quote && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        is_end
    })
}

#[cfg(test)]
mod tests {
    use super::{overwrite, title};
    use crate::text::blank::Overwritten;
    use crate::text::line::lines;

    #[test]
    fn tests_are_written_as_functions() {
        let text = "@test \"a \\\"b\\\" {\" {\n  @test 'c' { d; }\n@test e {\n@test \"f\"\n@tests \"g\" {\n";
        let mut into = Overwritten::new(text);
        overwrite(&lines(text), &mut into);
        let expected =
            "xxxxxxxxxxxxxxx() {\n  xxxxxxx() { d; }\nxxxxx() {\n@test \"f\"\n@tests \"g\" {\n";
        assert_eq!(into.text(), expected);
        assert_eq!(title("@test 'c' {").map(|title| title.text), Some("'c'"));
    }
}
