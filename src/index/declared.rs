//! Finds the name that a line defines, without an outline: the one after `fn`, `class` and similar keywords.

/// Keywords before the name they define, in the most common languages.
const KEYWORDS: [&str; 24] = [
    "class",
    "const",
    "def",
    "define",
    "defmodule",
    "enum",
    "fn",
    "func",
    "fun",
    "function",
    "impl",
    "interface",
    "let",
    "macro",
    "macro_rules",
    "module",
    "mod",
    "namespace",
    "object",
    "protocol",
    "record",
    "struct",
    "trait",
    "type",
];

/// Words that may precede the keyword. Any other word before a keyword means that the line defines nothing.
const MODIFIERS: [&str; 21] = [
    "abstract",
    "async",
    "crate",
    "declare",
    "default",
    "export",
    "extern",
    "final",
    "in",
    "inline",
    "internal",
    "open",
    "override",
    "private",
    "protected",
    "pub",
    "public",
    "sealed",
    "static",
    "super",
    "unsafe",
];

/// Returns the name that a line defines.
///
/// Variables count only if the line is not indented: local ones cannot be referenced elsewhere.
pub(crate) fn declared_name(line: &str) -> Option<&str> {
    let is_indented = line.starts_with([' ', '\t']);
    let mut rest = line.trim_start().trim_start_matches('#');
    loop {
        let (word, behind) =
            split_word(rest.trim_start_matches([' ', '\t', '(', ')', '*', '!', '&']))?;
        if KEYWORDS.contains(&word) {
            let is_variable = matches!(word, "const" | "let");
            let name = split_word(behind.trim_start_matches([' ', '\t', '*', '!']))?.0;
            let is_more = KEYWORDS.contains(&name) || MODIFIERS.contains(&name);
            if is_more {
                rest = behind;
                continue;
            }
            return (!(is_variable && is_indented)).then_some(name);
        }
        if !MODIFIERS.contains(&word) {
            return None;
        }
        rest = behind;
    }
}

/// Splits off the identifier at the beginning of a text.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let end =
        text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::declared_name;

    #[test]
    fn definitions_of_many_languages() {
        let cases: &[(&str, Option<&str>)] = &[
            ("pub(crate) fn each_term(text: &str) {", Some("each_term")),
            ("export async function load(path) {", Some("load")),
            ("export default class Reader {", Some("Reader")),
            ("    def read(self):", Some("read")),
            ("public static final class Inner {", Some("Inner")),
            ("func main() {", Some("main")),
            ("#define MAX_SIZE 10", Some("MAX_SIZE")),
            ("macro_rules! vec_of {", Some("vec_of")),
            ("export const limit = 3", Some("limit")),
            ("pub const fn new() -> Self {", Some("new")),
            ("  const local = 3", None),
            ("  let local = 3", None),
            ("// the function that reads", None),
            ("return class_of(x)", None),
            ("the type of it", None),
            ("", None),
            ("fn", None),
            ("}", None),
        ];
        for (line, name) in cases {
            assert_eq!(declared_name(line), *name, "{line:?}");
        }
    }
}
