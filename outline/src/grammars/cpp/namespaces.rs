//! Beginnings of namespaces with more than a name: attributes and macros (`namespace std VISIBILITY(default) {`), `inline` in
//! a path (`namespace a::inline b {`), and macros that stand for the word (`INLINE_NAMESPACE v1 {`). A parser takes these
//! for the name or for a function, and loses the namespace or what it declares.

use crate::grammars::preprocessor::macros::{MAX_LINE, code_of, given, is_in_comment, is_macro};
use crate::text::blank::Overwritten;
use crate::text::line::{Line, is_word, lines};
use std::borrow::Cow;
use std::ops::Range;

const WORD: &str = "namespace";

/// Returns the text with only the names of its namespaces; every other byte keeps its position.
pub(super) fn named(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    let lines = lines(text);
    let mut is_comment = false;
    for (index, &(begin, line)) in lines.iter().enumerate() {
        if !is_comment && !line.starts_with('#') && line.len() <= MAX_LINE {
            let mut fill = |range: Range<usize>| {
                into.fill(begin + range.start..begin + range.end, b' ');
            };
            heads(line).into_iter().for_each(&mut fill);
            if let Some(word) = macro_for_word(line, lines.get(index + 1)) {
                into.write(begin + word.start, WORD);
                into.fill(begin + word.start + WORD.len()..begin + word.end, b' ');
            }
        }
        is_comment = is_in_comment(line, is_comment);
    }
    into.text()
}

/// Returns what is more than a name after each word `namespace` of a line.
fn heads(line: &str) -> Vec<Range<usize>> {
    let code = code_of(line);
    let words = code.match_indices(WORD).filter(|(at, _)| {
        let before = code.get(..*at).unwrap_or_default();
        let behind = code.get(at + WORD.len()..).unwrap_or_default();
        let is_whole = !before.ends_with(is_word) && !behind.starts_with(is_word);
        is_whole && !before.trim_end().ends_with("using")
    });
    words.filter_map(|(at, _)| head(code, at + WORD.len())).flatten().collect()
}

/// A name, a macro or an attribute after the word, and its arguments.
struct Part {
    name: Range<usize>,
    arguments: Range<usize>,
}

/// Returns what is more than a name between an offset and a bracket.
fn head(code: &str, start: usize) -> Option<Vec<Range<usize>>> {
    let mut hidden = Vec::new();
    let mut parts: Vec<Part> = Vec::new();
    let mut is_path = false;
    let mut at = start;
    loop {
        let rest = code.get(at..)?;
        let text = rest.trim_start();
        let begin = at + rest.len() - text.len();
        at = begin;
        if text.starts_with("[[") {
            at += text.find("]]")? + 2;
            hidden.push(begin..at);
        } else if text.starts_with("::") {
            at += 2;
            is_path = true;
        } else if text.is_empty() || text.starts_with('{') {
            break;
        } else {
            let length = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
            let (word, after) = text.split_at_checked(length).filter(|_| length > 0)?;
            at += length;
            match parts.last_mut().filter(|_| is_path) {
                _ if word == "inline" => hidden.push(begin..at),
                Some(path) => (path.name.end, path.arguments, is_path) = (at, at..at, false),
                None => {
                    let end = at + given(after);
                    parts.push(Part { name: begin..at, arguments: at..end });
                    at = end;
                }
            }
        }
    }
    let name = name_of(&parts, code)?;
    for (index, part) in parts.iter().enumerate() {
        let start = if index == name { part.arguments.start } else { part.name.start };
        hidden.push(start..part.arguments.end);
    }
    hidden.retain(|range| !range.is_empty());
    Some(hidden)
}

/// Returns which part is the name: one that is no macro, or else the last one without arguments.
fn name_of(parts: &[Part], code: &str) -> Option<usize> {
    let text = |part: &Part| code.get(part.name.clone()).unwrap_or_default();
    let is_name = |part: &Part| text(part) != "__attribute__";
    let is_plain = |part: &Part| is_name(part) && part.arguments.is_empty();
    parts
        .iter()
        .position(|part| is_plain(part) && !is_macro(text(part)))
        .or_else(|| parts.iter().rposition(is_plain))
        .or_else(|| parts.iter().rposition(is_name))
}

/// Returns the macro that stands for the word before a name and a bracket: `INLINE_NAMESPACE v1 {`.
fn macro_for_word(line: &str, next: Option<&Line>) -> Option<Range<usize>> {
    let code = line.trim_start();
    let length = code.find(|c: char| !is_word(c))?;
    let (word, after) = code.split_at_checked(length)?;
    let name = after.get(given(after)..)?.trim_start();
    let rest = code_of(name.trim_start_matches(|c| is_word(c) || c == ':')).trim();
    let opens = match rest {
        "" => next.is_some_and(|(_, next)| next.trim_start().starts_with('{')),
        _ => rest.starts_with('{'),
    };
    let is_named = name.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let begin = line.len() - code.len();
    let is_word_of_it = is_macro(word) && word.contains("NAMESPACE");
    (is_word_of_it && is_named && opens).then(|| begin..line.len() - name.len())
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn only_names_of_namespaces_stay() {
        let cases = [
            ("namespace a::inline b {", "namespace a::       b {"),
            ("namespace a API {", "namespace a     {"),
            ("namespace API a {", "namespace     a {"),
            ("namespace std API(default)\n{", "namespace std             \n{"),
            ("namespace a::b API(1) {", "namespace a::b        {"),
            ("namespace A(1, (2)) {", "namespace A         {"),
            ("namespace [[x]] a {", "namespace       a {"),
            (
                "inline namespace a __attribute__((b)) { }",
                "inline namespace a                    { }",
            ),
            ("namespace __attribute__((b)) __a {", "namespace                    __a {"),
            ("namespace a { namespace b API {", "namespace a { namespace b     {"),
            ("INLINE_NAMESPACE v1 {", "namespace        v1 {"),
            ("  A_NAMESPACE(1)  v1 // b\n  {", "  namespace       v1 // b\n  {"),
        ];
        for (text, expected) in cases {
            assert_eq!(named(text), expected, "{text}");
        }
        for same in [
            "namespace a {",
            "namespace a::b\n{",
            "namespace {",
            "namespace API {",
            "namespace a = b API;",
            "using namespace a;",
            "namespaces a API {",
            "// namespace a API {",
            "/*\nnamespace a API {\n*/",
            "#define A namespace a API {",
            "INLINE_NAMESPACE(a) {",
            "A_NAMESPACE a;",
            "A_NAMESPACE a\nint b;",
            "A b {",
        ] {
            assert_eq!(named(same), same);
        }
    }
}
