//! Calls of macros that are no declarations: those that span lines, and those with a type among their arguments, which a
//! parser takes for the beginning of a function that ends with the file.

use super::words::{MAX_LINE, QUALIFIERS, code_of, first_word, is_macro, words};
use crate::text::brackets::{ROUND, closing, closing_of};
use crate::text::line::{Line, is_word};
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

/// Returns the end of an indented call that spans several lines and marks the declaration below: `DEPRECATED(`, `"Use "`,
/// `"open().")` above `void read(int size);`.
pub(super) fn above_declaration(lines: &[Line]) -> Option<usize> {
    let (name, _) = lines.first()?.1.trim_start().split_once('(')?;
    let call = is_macro(name).then(|| call(lines)).flatten()?;
    let next = lines.get(call.lines)?.1.trim_start();
    let is_declared = match first_word(next).0 {
        "" => next.is_empty() || next.starts_with(['~', '[', '/', '#', '}']),
        word => !QUALIFIERS.contains(&word),
    };
    (call.lines > 1 && code_of(call.behind).is_empty() && is_declared).then_some(call.end)
}

/// Returns what is around a declaration in a macro's call: `DEPRECATED(` and `, "Use open().")` of
/// `DEPRECATED(void read(int size), "Use open().");`.
pub(super) fn around_declaration(text: &str, lines: &[Line]) -> Option<[Range<usize>; 2]> {
    let &(begin, first) = lines.first()?;
    let (name, _) = first.split_once('(')?;
    let call = is_macro(name.trim_start()).then(|| call(lines)).flatten()?;
    let open = begin + name.len() + 1;
    let close = call.end.checked_sub(call.behind.len() + 1)?;
    let given = text.get(open..close)?;
    let &(comma, last) = arguments(given).last()?;
    let declared = given.get(..comma)?.strip_suffix(',')?.trim();
    let next = lines.get(call.lines).map_or("", |&(_, next)| next.trim_start());
    let behind = code_of(call.behind).trim_start();
    let is_end = behind.starts_with([';', '{']) || behind.is_empty() && next.starts_with('{');
    let is_around = last.starts_with('"') && is_end && is_prototype(declared);
    is_around.then(|| [begin..open, open + comma - 1..close + 1])
}

/// Returns whether a text is a type, a name, and parameters up to its end or its qualifiers.
fn is_prototype(text: &str) -> bool {
    let (names, stop) = words(text);
    let (_, behind) = text.rsplit_once(')').unwrap_or_default();
    names.len() > 1
        && stop == Some('(')
        && behind.split_whitespace().all(|word| QUALIFIERS.contains(&word))
}

/// Returns what is blanked of a call in the first of these lines.
pub(super) fn hidden(text: &str, lines: &[Line]) -> Option<Range<usize>> {
    with_types(text, lines).or_else(|| behind_title(text, lines)).or_else(|| template(text, lines))
}

/// Returns a template's parameters and their concepts in the macro of a library that has them before C++20:
/// `template(typename T)(requires copyable<T>)`.
fn template(text: &str, lines: &[Line]) -> Option<Range<usize>> {
    let &(begin, first) = lines.first()?;
    let given = first.trim_start().strip_prefix("template(")?;
    let start = begin + first.len() - given.len();
    let rest = text.get(start..)?;
    let near = (0..char::MAX.len_utf8()).find_map(|less| rest.get(..MAX_LINE - less));
    let rest = near.unwrap_or(rest);
    let concepts = rest.get(closing(rest)?..)?.trim_start().strip_prefix('(')?;
    let end = rest.len() - concepts.len() + closing(concepts)?;
    Some(start - "template(".len()..start + end)
}

/// Returns what is blanked of a call with a type and a value among its arguments: `FLAG(limit, int, 10);`. Neither a
/// declaration nor a call of a function has both. At the beginning of a line the name stays, as a statement.
fn with_types(text: &str, lines: &[Line]) -> Option<Range<usize>> {
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

/// Returns what is behind the title or the name of a test whose code follows:
/// `TEMPLATE_TEST_CASE("reads", "[tag]", int, float) {`, `BOOST_AUTO_TEST_CASE(reads, *timeout(1)) {`. A parser takes the
/// last type and the code for a value.
fn behind_title(text: &str, lines: &[Line]) -> Option<Range<usize>> {
    let &(begin, first) = lines.first()?;
    let name = first.split('(').next()?;
    let is_test = is_macro(name.trim_start()) && name.contains("TEST");
    let call = is_test.then(|| call(lines)).flatten()?;
    let next = lines.get(call.lines).map_or("", |&(_, next)| next.trim_start());
    let is_open = call.behind.trim_start().starts_with('{')
        || code_of(call.behind).is_empty() && next.starts_with('{');
    let open = begin + name.len() + 1;
    let close = call.end.checked_sub(call.behind.len() + 1)?;
    let given = text.get(open..close)?;
    let all = arguments(given);
    let is_text = |argument: &(usize, &str)| argument.1.starts_with('"');
    let title = all.iter().position(is_text);
    // Of a second text, only one that is not the last: it is a tag.
    let is_name = |argument: &&(usize, &str)| argument.1.chars().all(is_word);
    let mut behind = all.iter().skip(title.unwrap_or_default() + 1);
    let (behind, _) = match title {
        Some(title) => behind.next().filter(|next| !is_text(next) || all.len() > title + 2),
        None => behind.find(|argument| !is_name(argument)),
    }?;
    is_open.then(|| open + behind - 1..close)
}

/// A call: its number of lines, the end of the last one, and what is there behind the bracket.
pub(super) struct Call<'t> {
    pub lines: usize,
    pub end: usize,
    pub behind: &'t str,
}

/// Returns the call whose first bracket is in the first of these lines.
pub(super) fn call<'t>(lines: &[Line<'t>]) -> Option<Call<'t>> {
    let (_, mut rest) = lines.first()?.1.split_once('(')?;
    let mut open = 1_usize;
    for (index, &(begin, line)) in lines.iter().take(MAX_CALL).enumerate() {
        if line.len() > MAX_LINE || line.starts_with('#') && index > 0 {
            return None;
        }
        if index > 0 {
            rest = line;
        }
        if let Some(end) = closing_of(rest, ROUND, &mut open) {
            let behind = rest.get(end..)?;
            return Some(Call { lines: index + 1, end: begin + line.len(), behind });
        }
    }
    None
}

/// Returns whether one of the arguments is a type, another a value, and none a parameter with a default value.
fn are_type_and_value(given: &str) -> bool {
    let given = arguments(given);
    let has = |is: &dyn Fn(&str) -> bool| given.iter().any(|(_, each)| is(each));
    has(&is_type)
        && has(&is_value)
        && !has(&|each| each.contains('=') && !each.starts_with(['"', '\'', '{']))
}

/// Returns the arguments between brackets, and where each begins behind its comma; those in inner brackets belong to one.
pub(super) fn arguments(given: &str) -> Vec<(usize, &str)> {
    let mut commas = Vec::new();
    let mut open = 0_usize;
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
            (None, b',') if open == 0 => commas.push(at),
            (None, _) => {}
        }
    }
    let starts = std::iter::once(0).chain(commas.iter().map(|comma| comma + 1));
    let ends = commas.iter().copied().chain([given.len()]);
    let argument = |(start, end)| (start, given.get(start..end).unwrap_or_default().trim());
    starts.zip(ends).map(argument).collect()
}

pub(super) fn is_type(argument: &str) -> bool {
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
    use super::{behind_title, with_types};
    use crate::text::line::lines;

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

    #[test]
    fn types_behind_titles_are_told_from_tags() {
        let behind = |text| behind_title(text, &lines(text)).and_then(|range| text.get(range));
        let text = "TEMPLATE_TEST_CASE(\"a, b\", \"[c]\", int,\n  float) {";
        assert_eq!(behind(text), Some(", \"[c]\", int,\n  float"));
        assert_eq!(behind("A_TEST(F, \"a\", T)\n{"), Some(", T"));
        assert_eq!(behind("A_TEST_CASE(a, F, *b(1)) {"), Some(", *b(1)"));
        for text in [
            "TEST_CASE(\"a\", \"[b]\") {",
            "TEST_CASE(\"a\") {",
            "TEST(A, B) {",
            "TEST_CASE(\"a\", int);",
            "CASE(\"a\", int) {",
        ] {
            assert_eq!(behind(text), None, "{text}");
        }
    }
}
