//! Words of C and C++ code, and the brackets between them.

use crate::text::brackets::closing;
use crate::text::line::is_word;
use std::ops::Range;

/// Maximum bytes of a line that is searched for macros.
pub(crate) const MAX_LINE: usize = 2000;

/// Words before a declaration that are not its type.
pub(super) const SPECIFIERS: [&str; 13] = [
    "const",
    "constexpr",
    "explicit",
    "extern",
    "friend",
    "inline",
    "mutable",
    "register",
    "static",
    "thread_local",
    "typedef",
    "virtual",
    "volatile",
];
/// Words between the parameters and the body of a function.
pub(super) const QUALIFIERS: [&str; 5] = ["const", "noexcept", "override", "final", "volatile"];
pub(super) const TAGGED: [&str; 4] = ["class", "enum", "struct", "union"];
/// Words of compilers that are not attributes.
const OPERATORS: [&str; 5] =
    ["__alignof__", "__asm__", "__attribute__", "__complex__", "__typeof__"];
/// A word of a declaration, and the arguments in brackets after it if it is a macro call.
pub(super) struct Word {
    pub name: Range<usize>,
    pub arguments: Range<usize>,
}

/// Returns whether a word can be the name of a class.
pub(super) fn is_name(word: &str) -> bool {
    !SPECIFIERS.contains(&word) && !TAGGED.contains(&word) && !matches!(word, "final" | "alignas")
}

/// Returns the words at the beginning of a line, and the character after the last one. Comments are passed over.
pub(super) fn words(line: &str) -> (Vec<Word>, Option<char>) {
    let mut words = Vec::new();
    let mut at = linkage(line).max(attribute(line)).max(template(line));
    loop {
        let rest = line.get(at..).unwrap_or_default();
        let text = behind_comments(rest.trim_start_matches([' ', '\t', '*', '&']));
        at += rest.len() - text.len();
        let length = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
        if length == 0 || text.starts_with(|c: char| c.is_ascii_digit()) {
            return (words, text.chars().next());
        }
        let length = length + qualified(text.get(length..).unwrap_or_default());
        let (name, end) = (at..at + length, at + length);
        let after = text.get(length..).unwrap_or_default();
        let arguments = after
            .strip_prefix('(')
            .filter(|_| takes_arguments(text.get(..length).unwrap_or_default()));
        let closed = arguments.and_then(|arguments| {
            let end = closing(arguments)?;
            let behind = arguments.get(end..)?.trim_start_matches([' ', '\t', '*', '&']);
            (behind.is_empty() || behind.starts_with(is_word)).then_some(end + 1)
        });
        at = end + closed.unwrap_or(0);
        words.push(Word { name, arguments: end..at });
        if after.starts_with('(') && closed.is_none() {
            return (words, Some('('));
        }
    }
}

/// Returns a text without the comments and the signs of pointers that it begins with.
fn behind_comments(text: &str) -> &str {
    let mut text = text;
    while let Some(comment) = text.strip_prefix("/*") {
        let rest = behind_comment(comment).unwrap_or_default();
        text = rest.trim_start_matches([' ', '\t', '*', '&']);
    }
    if text.starts_with("//") { "" } else { text }
}

/// Returns whether a bracket after a word before a declaration encloses arguments: `alignas(16)`, `API(2)`.
fn takes_arguments(word: &str) -> bool {
    word == "alignas" || is_macro(word)
}

/// Returns the length of `template <typename T = List<int>>` at the beginning of a line.
fn template(line: &str) -> usize {
    let Some(given) = line.trim_start().strip_prefix("template") else { return 0 };
    let given = given.trim_start();
    let mut open = 0_usize;
    for (index, byte) in given.bytes().enumerate() {
        match byte {
            b'<' => open += 1,
            b'>' => open = open.saturating_sub(1),
            _ => {}
        }
        if open == 0 {
            return if index == 0 { 0 } else { line.len() - given.len() + index + 1 };
        }
    }
    0
}

/// Returns the length of `[[nodiscard]]` at the beginning of a line.
fn attribute(line: &str) -> usize {
    let is_first = line.trim_start().starts_with("[[");
    line.find("]]").filter(|_| is_first).map_or(0, |end| end + 2)
}

/// Returns the length of `extern "C"` at the beginning of a line.
fn linkage(line: &str) -> usize {
    let rest = line.trim_start().strip_prefix("extern");
    rest.and_then(|rest| rest.trim_start().strip_prefix("\"C\""))
        .map_or(0, |rest| line.len() - rest.len())
}

/// Returns the length of what belongs to a name after its first word: `::string`, `<int, Other<int>>`.
fn qualified(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let more = match rest.strip_prefix("::") {
            Some(rest) => 2 + rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()),
            None => parameters(rest).unwrap_or(0),
        };
        if more == 0 {
            return at;
        }
        at += more;
    }
}

/// Returns the length of the parameters of a template.
fn parameters(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    // Of `decltype(...)`.
    let mut inner = 0_usize;
    for (index, char) in text.char_indices() {
        match char {
            ';' | '{' | '}' | '=' => return None,
            '(' => inner += 1,
            ')' => inner = inner.checked_sub(1)?,
            _ if inner > 0 => {}
            '<' => open += 1,
            '>' => open = open.checked_sub(1)?,
            _ => {}
        }
        if open == 0 {
            return (char == '>').then_some(index + 1);
        }
    }
    None
}

/// Beginnings of macros that declare something, in capitals or not (`DECLARE_FUNCTIONS_only(X)`).
pub(super) const DECLARING: [&str; 3] = ["DECLARE_", "DEFINE_", "IMPLEMENT_"];

/// Returns whether a word is a macro: in capitals, with the suffix of an export (`ZSTDLIBv06_API`), an attribute of a
/// compiler (`__device__`), or one that stands for `inline` (`forceinline`).
pub(crate) fn is_macro(word: &str) -> bool {
    let is_export = word.ends_with("_API") || word.ends_with("_EXPORT");
    let is_compilers = word.starts_with("__") && word.ends_with("__") && !OPERATORS.contains(&word);
    let is_upper = word.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_');
    let is_capital = word.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && word.bytes().any(|c| c.is_ascii_uppercase());
    let is_inline = word.ends_with("inline") && word != "inline" && !word.starts_with("__");
    word.len() > 2 && (is_compilers || is_inline || is_capital && (is_export || is_upper))
}

/// Returns whether a word behind a function's parameters is a macro: in any spelling if a system's header defines it
/// (`__wur`).
pub(super) fn is_mark(word: &str) -> bool {
    is_macro(word) || word.starts_with("__") && !OPERATORS.contains(&word)
}

/// Returns the length of a macro's arguments at the beginning of a text, with the blanks before them: ` ((1))`.
pub(crate) fn given(text: &str) -> usize {
    let open = text.trim_start().strip_prefix('(');
    let end = open.and_then(|open| Some(text.len() - open.len() + closing(open)?));
    end.unwrap_or_default()
}

/// Returns whether a line begins with the name of a function, whose type is above it.
pub(super) fn is_function_below(line: &str) -> bool {
    match words(line) {
        (names, Some('(')) if names.len() == 1 => {
            let name = line.split('(').next().unwrap_or_default().trim();
            !is_macro(name) && !name.contains("::") && !is_in_brackets(line, &names)
        }
        _ => false,
    }
}

/// Returns whether the name that follows the words of a line is in brackets: `int (*read(void))(int);`.
pub(super) fn is_in_brackets(line: &str, words: &[Word]) -> bool {
    let end = words.last().map_or(0, |last| last.name.end.max(last.arguments.end));
    let rest = line.get(end..).unwrap_or_default().trim_start_matches([' ', '*']);
    rest.starts_with("(*") || is_pointer(rest)
}

/// Returns whether a text begins with the name of a pointer to a function: `(*name)(`, `(CONVENTION *name)(`.
pub(super) fn is_pointer(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('(') else { return false };
    let end = || inside.get(closing(inside)?..);
    inside.trim_start_matches(is_word).trim_start().starts_with('*')
        && end().is_some_and(|behind| behind.trim_start().starts_with('('))
}

/// Returns a line's code before its comments.
pub(crate) fn code_of(line: &str) -> &str {
    let code = line.split("//").next().unwrap_or_default();
    code.split("/*").next().unwrap_or_default().trim_end()
}

/// Returns a line's code without comments and blanks.
pub(super) fn without_blanks(line: &str) -> String {
    code_of(line).split_whitespace().collect()
}

/// Returns the word that a text begins with, perhaps an empty one, and the rest.
pub(crate) fn first_word(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !is_word(c)).unwrap_or(text.len()))
}

/// Returns what follows the end of a comment that is open.
pub(crate) fn behind_comment(text: &str) -> Option<&str> {
    text.split_once("*/").map(|(_, rest)| rest)
}

/// Returns whether a comment is open at the end of a line.
pub(crate) fn is_in_comment(line: &str, is_open: bool) -> bool {
    let code = if is_open { line } else { line.split("//").next().unwrap_or_default() };
    match (code.rfind("/*"), code.rfind("*/")) {
        (Some(open), Some(close)) => open > close,
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => is_open,
    }
}
