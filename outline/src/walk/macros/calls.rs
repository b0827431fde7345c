//! Calls of macros that are no declarations: those that span lines, and those with a type among their arguments, which a
//! parser takes for the beginning of a function that ends with the file.

use super::words::{closing_of, code_of, is_macro, is_word};
use crate::walk::line::{Line, MAX_LINE};
use std::ops::Range;

/// Maximum lines of a macro's call.
const MAX_CALL: usize = 40;
/// Words that begin a type, or a part of a declaration.
const TYPES: [&str; 19] = [
    "auto", "bool", "char", "class", "const", "double", "enum", "float", "inline", "int", "long",
    "short", "signed", "static", "struct", "typename", "union", "unsigned", "void",
];
const LITERALS: [&str; 4] = ["NULL", "false", "nullptr", "true"];

/// Returns the end of a macro's call that begins a line and spans several lines: `DEFINE_FLAG(int, limit, 10,`,
/// `"text");`. It defines nothing that a parser could see.
pub(super) fn of_lines(lines: &[Line]) -> Option<usize> {
    let (name, _) = lines.first()?.1.split_once('(')?;
    let call = call(lines).filter(|_| is_macro(name))?;
    let next = lines.get(call.lines).map_or("", |&(_, next)| next);
    let is_call =
        call.behind == ";" || call.behind.is_empty() && !next.trim_start().starts_with(['{', ':']);
    (call.lines > 1 && is_call).then_some(call.end)
}

/// Returns what is blanked of a call with a type and a value among its arguments: `FLAG(limit, int, 10);`. Neither a
/// declaration nor a call of a function has both. At the beginning of a line the name stays, as a statement.
pub(super) fn with_types(text: &str, lines: &[Line]) -> Option<Range<usize>> {
    let &(begin, first) = lines.first()?;
    let name = first.split('(').next()?;
    let is_name = |c: char| is_word(c) || c == ':';
    let is_called = !name.trim().is_empty() && name.trim().chars().all(is_name);
    let call = call(lines).filter(|_| is_called)?;
    let open = begin + name.len() + 1;
    let close = call.end.checked_sub(call.behind.len() + 1)?;
    let given = text.get(open..close)?;
    if code_of(call.behind) != ";" || !are_type_and_value(given) {
        return None;
    }
    let indentation = name.len() - name.trim_start().len();
    let start = if indentation == 0 { open } else { begin + indentation };
    Some(start..if indentation == 0 { close } else { close + 1 })
}

/// A call: its number of lines, the end of the last one, and what is there behind the bracket.
struct Call<'t> {
    lines: usize,
    end: usize,
    behind: &'t str,
}

/// Returns the call whose first bracket is in the first of these lines.
fn call<'t>(lines: &[Line<'t>]) -> Option<Call<'t>> {
    let (_, mut rest) = lines.first()?.1.split_once('(')?;
    let mut open = 1_usize;
    for (index, &(begin, line)) in lines.iter().take(MAX_CALL).enumerate() {
        if line.len() > MAX_LINE || line.starts_with('#') && index > 0 {
            return None;
        }
        if index > 0 {
            rest = line;
        }
        if let Some(end) = closing_of(rest, &mut open) {
            let behind = rest.get(end..)?;
            return Some(Call { lines: index + 1, end: begin + line.len(), behind });
        }
    }
    None
}

/// Returns whether one of the arguments is a type, another a value, and none a parameter with a default value.
fn are_type_and_value(given: &str) -> bool {
    let given = arguments(given);
    let is_parameter = |each: &&str| each.contains('=') && !each.starts_with(['"', '\'', '{']);
    given.iter().any(|each| is_type(each))
        && given.iter().any(|each| is_value(each))
        && !given.iter().any(|each| is_parameter(&each))
}

/// Returns the arguments between brackets; those in inner brackets belong to one.
fn arguments(given: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut open) = (0, 0_usize);
    let mut quote = None;
    let mut is_escaped = false;
    for (at, byte) in given.bytes().enumerate() {
        match (quote, byte) {
            _ if is_escaped => is_escaped = false,
            (Some(_), b'\\') => is_escaped = true,
            (Some(own), _) if own == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => open += 1,
            (None, b')' | b']' | b'}') => open = open.saturating_sub(1),
            (None, b',') if open == 0 => {
                found.push(given.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    found.push(given.get(start..).unwrap_or_default().trim());
    found
}

fn is_type(argument: &str) -> bool {
    let word = argument.split(|c: char| !is_word(c)).next().unwrap_or_default();
    // `int(3)` is a value.
    let is_cast = argument.get(word.len()..).is_some_and(|rest| rest.starts_with(['(', '{']));
    TYPES.contains(&word) && !is_cast || argument.len() > 1 && argument.ends_with(['*', '&'])
}

fn is_value(argument: &str) -> bool {
    let number = argument.trim_start_matches(['-', '.']);
    argument.starts_with(['"', '\'', '{'])
        || number.starts_with(|c: char| c.is_ascii_digit())
        || LITERALS.contains(&argument)
}

#[cfg(test)]
mod tests {
    use super::with_types;
    use crate::walk::line::lines;

    fn shown(text: &str) -> Option<&str> {
        with_types(text, &lines(text)).and_then(|range| text.get(range))
    }

    #[test]
    fn calls_with_types_and_values_are_told_from_declarations() {
        let cases = [
            ("FLAG(a, int, 0);", "a, int, 0"),
            ("flag(a, const char*, \"\"); // a", "a, const char*, \"\""),
            ("FLAG(\"a, \\\"b\", a::B&);", "\"a, \\\"b\", a::B&"),
            ("a::FLAG(int, f(1, 2),\n  .5);", "int, f(1, 2),\n  .5"),
            ("  FLAG(a, struct b, nullptr);", "FLAG(a, struct b, nullptr)"),
            ("FLAG(a, void (*)(int), -1);", "a, void (*)(int), -1"),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), Some(expected), "{text}");
        }
        for text in [
            "Foo(int a, int b = 0);",
            "Foo(int, char*);",
            "call(a, 0);",
            "call(sizeof(int), 0);",
            "call(int(3), 0);",
            "FLAG(a, int, 0) {",
            "FLAG(a, int, 0)",
            "int f(int, 0);",
            "FLAG(a, int, 0",
            "FLAG(a, int,\n#ifdef B\n0);",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
