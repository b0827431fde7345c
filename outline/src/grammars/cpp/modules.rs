//! Modules of C++20, which the grammar does not know: it takes `export class Shape {` for a function and loses the
//! declarations in `export {`. The directives and the word `export` are blanked before parsing.

use crate::grammars::preprocessor::macros;
use crate::text::blank::blank;
use std::borrow::Cow;
use std::ops::Range;

/// Returns the text without the words of modules; every other byte keeps its position.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    blank(text, &hidden(text))
}

fn hidden(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut is_comment = false;
    let mut start = 0;
    // Indentation of the blocks `export {` that are open.
    let mut open: Vec<&str> = Vec::new();
    for line in text.split_inclusive('\n') {
        let code = line.trim();
        let (indent, _) = line.split_at(line.len() - line.trim_start().len());
        let begin = start + indent.len();
        start += line.len();
        if !is_comment {
            if open.last() == Some(&indent) && code.starts_with('}') {
                open.pop();
                found.push(begin..begin + 1);
            } else if let Some(hidden) = of_module(code, indent) {
                found.push(begin..begin + hidden.len());
                open.extend(hidden.ends_with('{').then_some(indent));
            }
        }
        is_comment = macros::is_in_comment(line, is_comment);
    }
    found
}

/// Returns the part of a line to hide.
fn of_module<'t>(code: &'t str, indent: &str) -> Option<&'t str> {
    if indent.is_empty() && is_directive(code) {
        return code.get(..=code.find(';')?);
    }
    let rest = code.strip_prefix("export")?;
    let after = rest.trim_start();
    if let Some(inside) = after.strip_prefix('{') {
        let is_open = inside.is_empty() || inside.trim_start().starts_with("//");
        return is_open.then(|| code.get(..code.len() - inside.len())).flatten();
    }
    (rest.len() > after.len() && !after.is_empty())
        .then(|| code.get(..code.len() - rest.len()))
        .flatten()
}

/// Returns whether a line is `module;`, `export module a.b:part;`, `import <vector>;` or the like.
fn is_directive(code: &str) -> bool {
    let directive = code.strip_prefix("export ").map_or(code, str::trim_start);
    let named = directive.strip_prefix("module").or_else(|| directive.strip_prefix("import"));
    let Some((name, _)) = named.and_then(|named| named.split_once(';')) else { return false };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | ' ');
    let is_header = |name: &str| name.starts_with(['<', '"']);
    let is_apart = name.is_empty() || name.starts_with([' ', ':', '<', '"']);
    is_apart && (name.chars().all(is_part) || is_header(name.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn blanks_the_words_of_modules_and_nothing_else() {
        let cases = [
            ("module;", "       "),
            ("export module a.b:part;", "                       "),
            ("module a; // why", "          // why"),
            ("module :private;", "                "),
            ("import <vector>;", "                "),
            ("import \"a.h\";", "             "),
            ("export import :part;", "                    "),
            ("export int f();", "       int f();"),
            ("  export class A {", "         class A {"),
            ("export {\n  int f();\n}", "        \n  int f();\n "),
            ("export template <class T> f();", "       template <class T> f();"),
        ];
        for (text, expected) in cases {
            assert_eq!(blanked(text), expected, "{text}");
        }
        let same = [
            "module->load();",
            "import(a);",
            "module = load();",
            "  import a;",
            "exported f();",
            "/*\nexport int f();\nimport a;\n*/",
            "modules a;",
            "export",
            "}",
        ];
        for text in same {
            assert_eq!(blanked(text), text);
        }
    }
}
