//! Macros in the definitions of types: the calling convention of a function (`typedef void (APIENTRY *name)(int);`), and
//! macros that take the name (`typedef CALLBACK(void, name)(int);`).

use super::calls::{arguments, call, is_type};
use super::words::{SPECIFIERS, given, is_macro, is_mark, is_pointer};
use crate::text::line::{Line, is_word};
use std::ops::Range;

/// Words before brackets that a parser knows.
const KNOWN: [&str; 6] =
    ["__attribute__", "__declspec", "__typeof__", "alignas", "decltype", "typeof"];

/// Returns the macro of a calling convention before the name of a pointer to a function, with its arguments.
pub(super) fn before_pointer(line: &str) -> Option<Range<usize>> {
    let is_type = line.trim_start().starts_with("typedef ");
    // The type may be on the line above.
    let may_end = is_type || line.starts_with('(');
    let find = |(at, _)| {
        let found = convention(line, at + 1)?;
        let is_open =
            found.has_parameters && (is_type || !found.is_any) || may_end && !found.is_any;
        is_open.then_some(found.word)
    };
    line.match_indices('(').find_map(find)
}

/// What may be a calling convention.
struct Convention {
    word: Range<usize>,
    /// Whether only its position tells that it is one.
    is_any: bool,
    /// Whether parameters follow the name; they may be on the next line.
    has_parameters: bool,
}

/// Returns the macro of `CONVENTION *name)(` or `* CONVENTION name)(` at an offset.
fn convention(line: &str, open: usize) -> Option<Convention> {
    let is_star = |c: char| matches!(c, ' ' | '*');
    let inside = line.get(open..)?;
    let text = inside.trim_start_matches(is_star);
    let (word, after) = text.split_at_checked(text.find(|c: char| !is_word(c))?)?;
    let given = given(after);
    let rest = after.get(given..)?;
    let name = rest.trim_start_matches(is_star);
    let behind = name.trim_start_matches(is_word);
    let is_named = behind.len() < name.len() && name.len() < rest.len();
    let behind = behind.trim_start().strip_prefix(')').filter(|_| is_named)?.trim_start();
    // Only a macro can be before a pointer.
    let is_apart = !line.get(..open - 1)?.ends_with(is_word);
    let is_before_star = || is_apart && !word.is_empty() && rest.trim_start().starts_with('*');
    let has_parameters = behind.starts_with('(');
    let is_any = !is_mark(word);
    if !has_parameters && !behind.is_empty()
        || is_any && word != "__attribute__" && !is_before_star()
    {
        return None;
    }
    let start = open + inside.len() - text.len();
    Some(Convention { word: start..start + word.len() + given, is_any, has_parameters })
}

/// Returns what is blanked of a macro that a type's definition begins with: of one that takes the name, all around it, so
/// that the macro stays as its type; of one that takes a type or a note, the brackets or all.
pub(super) fn around_name(text: &str, lines: &[Line]) -> Option<[Range<usize>; 2]> {
    let &(begin, line) = lines.first()?;
    let code = line.trim_start().strip_prefix("typedef ")?.trim_start();
    let word = code.get(..code.find(|c: char| !is_word(c))?).filter(|word| !word.is_empty())?;
    let brackets = code.get(word.len()..)?.trim_start();
    let is_called = brackets.starts_with('(') && !KNOWN.contains(&word);
    let call = is_called.then(|| call(lines)).flatten()?;
    let start = begin + line.len() - code.len();
    let open = begin + line.len() - brackets.len();
    let end = call.end.checked_sub(call.behind.len())?;
    let given = text.get(open + 1..end.checked_sub(1)?)?;
    let behind = call.behind.trim_start();
    if let Some(name) = name_of(given) {
        let is_end = behind.is_empty() || behind.starts_with([';', '(']);
        return is_end.then(|| [open..open + 1 + name.start, open + 1 + name.end..end]);
    }
    let is_before = !is_macro(word) && is_declaration(behind);
    let hidden = if is_before { start } else { open }..end;
    (is_before || is_pointer(behind)).then_some([hidden, end..end])
}

/// Returns where the name is that a macro takes with a type, and perhaps with parameters: `void, name`, `name, int, (int)`.
fn name_of(given: &str) -> Option<Range<usize>> {
    let all = arguments(given);
    let plain = |&(start, argument): &(usize, &str)| {
        let name = argument.trim_start_matches(['*', '&', ' ']);
        let is_name = name.chars().all(is_word) && !name.is_empty() && !is_type(argument);
        let behind = given.get(start..)?;
        let begin = start + behind.find(name)?;
        is_name.then(|| begin..begin + name.len())
    };
    let second = all.get(1)?;
    plain(second)
        .or_else(|| all.iter().skip(1).rev().find_map(plain))
        .or_else(|| all.first().and_then(plain))
}

/// Returns whether a text begins with a type and a name.
fn is_declaration(text: &str) -> bool {
    let mut words = text.split([' ', '*']).filter(|word| !word.is_empty());
    let is_type = |word: &str| word.chars().all(is_word) && !SPECIFIERS.contains(&word);
    words.next().is_some_and(is_type) && words.next().is_some_and(|name| name.starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::{around_name, before_pointer};
    use crate::text::line::lines;

    #[test]
    fn conventions_before_names() {
        let cases = [
            ("typedef int (API *f)(int);", "API"),
            ("typedef int (API(1) *f)(int);", "API(1)"),
            ("typedef int (* __user f)(int);", "__user"),
            ("typedef int (__attribute__((a)) *f)(int);", "__attribute__((a))"),
            ("typedef int (api *f)(int);", "api"),
            ("  int (API *f)(int);", "API"),
            ("typedef CHECKED(a) int (API *f)(int);", "API"),
        ];
        for (line, expected) in cases {
            assert_eq!(before_pointer(line).and_then(|range| line.get(range)), Some(expected));
        }
        for line in [
            "typedef int (*f)(int);",
            "typedef int (f)(int);",
            "typedef int f(api *a);",
            "typedef int (* const f)(int);",
            "typedef int (A::*f)(int);",
            "int (api *f)(int);",
            "f(API *a)",
            "x = (API *)(y);",
        ] {
            assert_eq!(before_pointer(line), None, "{line}");
        }
    }

    #[test]
    fn macros_around_names_of_types() {
        let cases = [
            ("typedef CALL(void, name)(int);", "typedef CALL       name (int);"),
            ("typedef CALL(a *, *name, (b, c));", "typedef CALL       name         ;"),
            ("typedef CALL (void, name)(int);", "typedef CALL        name (int);"),
            ("typedef CALL(name, int, (int));", "typedef CALL name             ;"),
            ("typedef CALL(a<b, c>, name)(int);", "typedef CALL          name (int);"),
            ("typedef CALL(int) (*name)(int);", "typedef CALL      (*name)(int);"),
            ("typedef Check(a > 0) long name;", "typedef              long name;"),
            ("typedef CALL(void,\n  name)(int);", "typedef CALL      \n  name (int);"),
        ];
        for (text, expected) in cases {
            let found = around_name(text, &lines(text)).unwrap_or_default();
            assert_eq!(crate::text::blank::blank(text, &found), expected);
        }
        for text in [
            "typedef METHOD(name)(int);",
            "typedef METHOD(name)(a *b);",
            "typedef int (name)(int);",
            "typedef decltype(f(a, b)) name;",
            "typedef int name(a, b);",
            "typedef __attribute__((a)) int name;",
        ] {
            assert_eq!(around_name(text, &lines(text)), None, "{text}");
        }
    }
}
