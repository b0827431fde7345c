//! C.

use super::preprocessor;
use crate::grammar::Grammar;
use crate::section::SectionKind;
use crate::text::blank::{Overwritten, then};
use crate::text::line::{is_word, lines};
use std::borrow::Cow;
use std::ops::Range;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "c",
    language: Some(|| tree_sitter_c::LANGUAGE.into()),
    sections: &[
        ("function_definition", SectionKind::Function),
        ("declaration", SectionKind::Variable),
        // Remains if a declaration is broken, e.g. by a directive among its parameters.
        ("function_declarator", SectionKind::Function),
        ("preproc_function_def", SectionKind::Macro),
        ("type_definition", SectionKind::Type),
        ("struct_specifier", SectionKind::Struct),
        ("union_specifier", SectionKind::Union),
        ("enum_specifier", SectionKind::Enum),
    ],
    fields: &["field_declaration", "enumerator", "preproc_def"],
    imports: &["preproc_include"],
    wrappers: &[
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
        "preproc_elifdef",
        "linkage_specification",
        "declaration_list",
        "ERROR",
    ],
    members: &["field_declaration_list", "enumerator_list"],
    bodies: &["compound_statement", "initializer_list"],
    has_macros: true,
    overwritten: Some(overwritten),
    is_braced: true,
    ..Grammar::EMPTY
};

fn overwritten(text: &str) -> Cow<'_, str> {
    then(preprocessor::blanked(text), without_types_of_cpp)
}

/// Overwrites types of C++ in headers that are read as C: of `typedef a::List<int, const B> Ints;` only `List` stays, of
/// `constexpr auto` no storage class.
fn without_types_of_cpp(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    for (start, line) in lines(text) {
        if line.trim_start().starts_with("typedef ") {
            for part in parts_of_cpp(line) {
                into.fill(start + part.start..start + part.end, b' ');
            }
        } else if let Some(at) = line.find("constexpr auto ") {
            let word = start + at + "constexpr ".len();
            into.fill(word..word + "auto".len(), b'x');
        }
    }
    into.text()
}

/// Returns the parts of a type's definition that C does not know: `typename`, arguments, and namespaces.
fn parts_of_cpp(line: &str) -> Vec<Range<usize>> {
    const WORD: &str = "typename ";
    let words = line.match_indices(WORD).map(|(at, _)| at..at + WORD.len());
    let mut found: Vec<Range<usize>> = words.collect();
    let mut open = 0_usize;
    let mut start = 0;
    for (at, letter) in line.char_indices() {
        let before = line.get(..at).unwrap_or_default();
        match letter {
            '<' if open > 0 => open += 1,
            '<' if before.ends_with(is_word) => (open, start) = (1, at),
            '>' if open == 1 => {
                open = 0;
                found.push(start..at + 1);
            }
            '>' => open = open.saturating_sub(1),
            ':' if open == 0 && before.ends_with(':') => {
                let path = before.trim_end_matches(|c| is_word(c) || c == ':');
                found.push(path.len()..at + 1);
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::without_types_of_cpp;

    #[test]
    fn types_of_cpp_are_blanked() {
        let cases = [
            ("typedef Op<a::b<S>, const D> R;", "typedef Op                   R;"),
            ("  typedef typename a::b::C R;", "  typedef                C R;"),
            ("constexpr auto a = \"b\";", "constexpr xxxx a = \"b\";"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_types_of_cpp(text), expected);
        }
        for same in
            ["typedef char a[sizeof(b) < 4 ? 1 : -1];", "typedef struct a b;", "int a = b<c;"]
        {
            assert_eq!(without_types_of_cpp(same), same);
        }
    }
}
