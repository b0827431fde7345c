//! Parts of declarations of C++ that the grammar does not know: the class of a pointer to a member
//! (`int (Parser::*read)(int) const`), default values in braces (`int read(Options options = {})`), and some attributes.

use crate::text::brackets::closing;
use crate::text::line::is_word;
use std::ops::Range;

/// Returns the classes of the pointers to members in a line, and the `const` behind the last one's parameters.
pub(super) fn classes(line: &str) -> Vec<Range<usize>> {
    let classes = line.match_indices("::*").filter_map(|(at, _)| class_before(line, at));
    let mut found: Vec<Range<usize>> = classes.collect();
    let code = line.trim_end_matches(';');
    if !found.is_empty() && code.ends_with(") const") {
        found.push(code.len() - "const".len()..code.len());
    }
    found
}

/// Returns the default values in braces in a line, with their `=`: those of parameters, not of the members and entries that
/// an initializer names (`.a = {1}`, `[0] = {1}`).
pub(super) fn defaults(line: &str) -> Vec<Range<usize>> {
    let is_of_parameter = |at: &usize| {
        let before = line.get(..*at).unwrap_or_default().trim_end();
        let above = before.trim_end_matches(is_word);
        let is_type = |last: char| is_word(last) || ">&*(,".contains(last);
        above.len() < before.len() && above.trim_end().ends_with(is_type)
    };
    let signs = line.match_indices('=').map(|(at, _)| at).filter(is_of_parameter);
    let values = signs.filter_map(|at| {
        let value = line.get(at + 1..)?.trim_start();
        let inner = value.strip_prefix('{')?;
        let end = inner.find(['{', '}'])?;
        let behind = inner.get(end..)?.strip_prefix('}')?;
        let is_last = behind.trim_start().starts_with([',', ')']);
        is_last.then(|| at..line.len() - behind.len())
    });
    values.collect()
}

/// Returns the attributes of a compiler whose arguments are more than a word: `__declspec(uuid("..."))`.
pub(super) fn attributes(line: &str) -> Vec<Range<usize>> {
    const WORD: &str = "__declspec(";
    let found = line.match_indices(WORD).filter_map(|(at, _)| {
        let start = at + WORD.len();
        let end = start + closing(line.get(start..)?)?;
        let is_plain = line.get(start..end - 1)?.trim().chars().all(is_word);
        (!is_plain).then_some(at..end)
    });
    found.collect()
}

/// Returns the class before the `::*` at an offset, and the colons.
fn class_before(line: &str, at: usize) -> Option<Range<usize>> {
    let before = line.get(..at)?;
    let mut open = 0_usize;
    let mut start = at;
    for (index, byte) in before.bytes().enumerate().rev() {
        match byte {
            b'>' => open += 1,
            b'<' if open > 0 => open -= 1,
            _ if open > 0 => {}
            b':' => {}
            _ if is_word(char::from(byte)) => {}
            _ => break,
        }
        start = index;
    }
    let is_type = before.get(..start)?.ends_with(['(', ' ', ',', '<']);
    (start < at && open == 0 && is_type).then_some(start..at + 2)
}

#[cfg(test)]
mod tests {
    use super::{attributes, classes, defaults};

    #[test]
    fn attributes_with_more_than_a_word() {
        let line = "struct __declspec(uuid(\"a-b\")) __declspec(novtable) A {";
        assert_eq!(attributes(line), vec![7..30_usize]);
    }

    #[test]
    fn default_values_of_parameters() {
        let line = "int read(A a = {}, B b = {1}, C c = D{}) { int e = {2}; }";
        let found: Vec<&str> = defaults(line).into_iter().map(|each| &line[each]).collect();
        assert_eq!(found, ["= {}", "= {1}"]);
        for none in
            ["int a[] = {{1}, 2};", "  .a = {1},", "[0] = {1},", "x = {.a = {1}, .b = {2}};"]
        {
            assert!(defaults(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn classes_before_pointers() {
        let cases: [(&str, &[&str]); 5] = [
            ("typedef int (A::*F)(const int*);", &["A::"]),
            ("typedef R (b::A<T, U>::*F)(A1) const;", &["b::A<T, U>::", "const"]),
            ("void f(int A::*a, int (B::*)(int)) {", &["A::", "B::"]),
            ("struct F<R (T::*)(A)> {", &["T::"]),
            ("int a = b ::* c;", &[]),
        ];
        for (line, expected) in cases {
            let found: Vec<&str> = classes(line).into_iter().map(|each| &line[each]).collect();
            assert_eq!(found, expected, "{line}");
        }
    }
}
