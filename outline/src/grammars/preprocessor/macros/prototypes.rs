//! Macros of C around a part of a function's declaration, which only they make valid: its type
//! (`GLOBAL(void)` above `reset(int size)`), or its parameters (`int reset OF((int size));`).

use super::words::{MAX_LINE, is_function_below, is_macro};
use crate::text::brackets::closing;
use crate::text::line::{Line, is_word};
use std::ops::Range;

/// Maximum lines of parameters.
const MAX_PARAMETERS: usize = 20;

/// Returns what is around the type of the function below, if a line is `GLOBAL(void)`.
pub(super) fn around_type(line: &str, next: &str) -> Option<[Range<usize>; 2]> {
    let (name, rest) = line.split_once('(')?;
    let given = rest.strip_suffix(')')?;
    let is_type = |c: char| is_word(c) || matches!(c, ' ' | '*');
    let is_around = is_macro(name.trim()) && !given.is_empty() && given.chars().all(is_type);
    let last = line.len() - 1;
    (is_around && is_function_below(next)).then(|| [0..name.len() + 1, last..last + 1])
}

/// Returns the macro around the parameters of a prototype that begins at the first of these lines, and its bracket:
/// `OF(` and `)` of `int reset OF((int));`.
pub(super) fn around_parameters(text: &str, lines: &[Line]) -> Option<[Range<usize>; 2]> {
    let &(begin, first) = lines.first()?;
    if !first.contains("((") {
        return None;
    }
    let &(last, line) =
        lines.iter().take(MAX_PARAMETERS).take_while(|(_, line)| line.len() <= MAX_LINE).last()?;
    let [open, close] = around_parameters_of(text.get(begin..last + line.len())?)?;
    Some([begin + open.start..begin + open.end, begin + close.start..begin + close.end])
}

fn around_parameters_of(line: &str) -> Option<[Range<usize>; 2]> {
    let open = line.find("((")?;
    let before = line.get(..open)?.trim_end();
    let declared = before.trim_end_matches(is_word);
    let start = declared.len();
    let word = before.get(start..)?;
    let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let declared_to = declared.trim_end();
    let (of_type, name) =
        declared_to.rsplit_once(|c: char| !is_word(c)).unwrap_or(("", declared_to));
    let is_declared = declared.ends_with([' ', '\t']) && !name.is_empty() && !is_macro(name);
    // In lower case too behind a pointer's type and a name: `row *next _PRx((row *of));`.
    let is_marked = word.starts_with('_') && !of_type.is_empty();
    let end = open + 1 + closing(line.get(open + 1..)?)?;
    let is_closed =
        line.get(..end)?.ends_with("))") && line.get(end..)?.trim_start().starts_with(';');
    let is_mark = !word.is_empty() && word.chars().all(is_upper) || is_marked;
    let is_around = is_mark && is_declared && is_closed;
    is_around.then(|| [start..open + 1, end - 1..end])
}

#[cfg(test)]
mod tests {
    use super::{around_parameters_of, around_type};

    #[test]
    fn finds_what_is_around_types_and_parameters() {
        assert_eq!(around_type("GLOBAL(void)", "reset(int size)"), Some([0..7, 11..12]));
        assert_eq!(around_type("METHODDEF(struct a *)", "f (a b)"), Some([0..10, 20..21]));
        assert_eq!(around_type("  LOCAL( int )", "  reset( int size )"), Some([0..8, 13..14]));
        for (line, next) in [("DEFINE(X)", "int f();"), ("CALL(\"a\")", "f()"), ("CALL()", "f()")] {
            assert_eq!(around_type(line, next), None, "{line}");
        }
        assert_eq!(around_parameters_of("int reset OF((int size));"), Some([10..13, 23..24]));
        assert_eq!(around_parameters_of("reset P_((int size));"), Some([6..9, 19..20]));
        assert_eq!(around_parameters_of("row *next _PRx((row *of));"), Some([10..15, 24..25]));
        assert_eq!(
            around_parameters_of("char* a P_((const b* c, d (*)(e)));"),
            Some([8..11, 33..34])
        );
        for line in [
            "int a = MAX((b), c);",
            "f((int)a);",
            "int f(A((b)));",
            "return A((b)) + 1;",
            "else _f((b));",
            "int naïve((b));",
        ] {
            assert!(around_parameters_of(line).is_none(), "{line}");
        }
    }
}
