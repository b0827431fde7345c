//! Macros and attributes after a name or its parameters: `iterator begin() LIFETIME_BOUND {`, `extern int level __THROW;`.
//! A parser takes them for the name.

use super::words::{
    QUALIFIERS, SPECIFIERS, Word, given, is_function_below, is_macro, is_mark, is_name, words,
};
use crate::text::brackets::closing;
use crate::text::line::is_word;
use std::ops::Range;

/// Words of types that may precede a name in capitals: `unsigned long LIMIT = 3;`.
const TYPE_WORDS: [&str; 8] =
    ["char", "double", "float", "int", "long", "short", "signed", "unsigned"];
/// Words that are no macros, and of statements.
const KEYWORDS: [&str; 24] = [
    "auto",
    "case",
    "co_await",
    "co_return",
    "co_yield",
    "decltype",
    "default",
    "delete",
    "do",
    "else",
    "export",
    "goto",
    "namespace",
    "new",
    "operator",
    "public",
    "requires",
    "restrict",
    "return",
    "sizeof",
    "throw",
    "typename",
    "using",
    "__restrict",
];
/// Words before brackets that are not parameters: `if (ready) LIMIT = 3;`.
const STATEMENTS: [&str; 4] = ["for", "if", "switch", "while"];

/// Returns the marks of a line, in order.
pub(super) fn in_line(line: &str) -> Vec<Range<usize>> {
    let one = in_typedef(line).or_else(|| after_name(line)).or_else(|| after_fields(line));
    match one.or_else(|| attribute(line)).or_else(|| slots(line)) {
        Some(mark) => vec![mark],
        None => {
            let mut marks = in_parameters(line);
            marks.extend(after_parameters(line));
            marks
        }
    }
}

/// Returns whether a word may be a macro in any spelling.
fn is_plain(word: &str) -> bool {
    is_name(word)
        && !matches!(word, "void" | "__attribute__")
        && !TYPE_WORDS.contains(&word)
        && !KEYWORDS.contains(&word)
        && word.chars().all(is_word)
}

/// Returns whether a line begins with the name of a function, and no macro or attribute is around the name:
/// `NAME (open (void))`, `__attribute__((a))`.
fn is_named(line: &str) -> bool {
    let Some((name, parameters)) = line.split_once('(') else { return false };
    let inner = parameters.trim_start_matches(is_word);
    let is_call = inner.len() < parameters.len() && inner.trim_start().starts_with('(');
    is_plain(name.trim()) && !is_call
}

/// Returns the words in any spelling that only macros can be: before the type of a function whose name is below
/// (`Public Reader *` above `open(void);`).
pub(super) fn before_type(line: &str, next: &str) -> Vec<Range<usize>> {
    let (words, stop) = words(line);
    if stop.is_some() || words.len() < 2 || !is_function_below(next) || !is_named(next) {
        return Vec::new();
    }
    let text = |word: &Word| line.get(word.name.clone()).unwrap_or_default();
    let is_type = |word: &Word| is_name(text(word)) && !is_macro(text(word));
    let is_other = |word: &Word| KEYWORDS.contains(&text(word)) || text(word).ends_with("::");
    let Some(last) = words.iter().rposition(is_type) else { return Vec::new() };
    let before = words.iter().take(last).filter(|word| !SPECIFIERS.contains(&text(word)));
    let marks: Vec<_> = before.take_while(|word| is_plain(text(word))).collect();
    let is_pointer = |word: &Word| {
        line.get(word.name.end..).is_none_or(|rest| rest.trim_start().starts_with(['*', '&']))
    };
    if words.iter().any(is_other) || marks.iter().any(|mark| is_pointer(mark)) {
        return Vec::new();
    }
    marks.into_iter().map(|mark| mark.name.clone()).collect()
}

/// Returns the word in any spelling that only a macro can be: before a built-in type (`nodiscard_attribute void *f(int);`),
/// or between a pointer and a function's name (`row * near_call next(int);`).
pub(super) fn in_any_spelling(line: &str) -> Option<Range<usize>> {
    let (words, stop) = words(line);
    let text = |word: &Word| line.get(word.name.clone()).unwrap_or_default();
    let is_plain = |word: &Word| is_plain(text(word));
    if stop != Some('(') || words.iter().any(|word| KEYWORDS.contains(&text(word))) {
        return None;
    }
    let last = words.len().checked_sub(1)?;
    let before_type = words.windows(2).enumerate().find(|(index, pair)| {
        let is_type = |word: &str| word == "void" || TYPE_WORDS.contains(&word);
        matches!(pair, [mark, next] if index + 1 < last && is_plain(mark) && is_type(text(next)))
    });
    if let Some((_, [mark, ..])) = before_type {
        return Some(mark.name.clone());
    }
    let [.., of, mark, name] = words.as_slice() else { return None };
    let between = line.get(of.name.end.max(of.arguments.end)..mark.name.start)?;
    // Not the star of a comment.
    let is_pointer = between.contains('*') && !between.contains('/');
    (is_pointer && is_plain(mark) && is_plain(name)).then(|| mark.name.clone())
}

/// Returns the words of a compiler or a system before a type of the program: `__owur Row *open(void);`. One that ends as a
/// type does (`__u32`, `__time_t`) is not a macro.
pub(super) fn systems(line: &str) -> Vec<Range<usize>> {
    let (words, stop) = words(line);
    let text = |word: &Word| line.get(word.name.clone()).unwrap_or_default();
    if stop != Some('(') || words.iter().any(|word| KEYWORDS.contains(&text(word))) {
        return Vec::new();
    }
    let is_type = |word: &str| word.ends_with("_t") || word.ends_with(|c: char| c.is_ascii_digit());
    let is_systems = |word: &Word| {
        let (name, is_alone) = (text(word), word.arguments.is_empty());
        name.starts_with("__") && is_mark(name) && is_plain(name) && is_alone && !is_type(name)
    };
    let begin = words.iter().position(|word| !SPECIFIERS.contains(&text(word)));
    let declared = words.get(begin.unwrap_or_default()..).unwrap_or_default();
    let marks: Vec<_> = declared.iter().take_while(|word| is_systems(word)).collect();
    match declared.get(marks.len()..) {
        // A type and a name.
        Some([of_type, _, ..]) if is_plain(text(of_type)) => {
            marks.into_iter().map(|mark| mark.name.clone()).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the word of Qt in `public Q_SLOTS:`, or all of `Q_SIGNALS:`.
fn slots(line: &str) -> Option<Range<usize>> {
    let label = line.trim_end().strip_suffix(':')?;
    let start = label.len() - label.trim_start().len();
    let word = label.rfind(' ').map_or(start, |blank| blank + 1).max(start);
    match label.get(word..)? {
        "Q_SIGNALS" | "signals" if word == start => Some(start..label.len() + 1),
        "Q_SLOTS" | "slots" if word > start => Some(word..label.len()),
        _ => None,
    }
}

/// Returns the macros after the names of parameters: `int main(int argc UNUSED, char **argv UNUSED)`.
fn in_parameters(line: &str) -> Vec<Range<usize>> {
    let ends = line.match_indices([',', ')']).map(|(at, _)| at);
    ends.filter_map(|end| {
        let start = line.get(..end)?.rfind(|c: char| !is_word(c))? + 1;
        let (before, mark) = (line.get(..start)?, line.get(start..end)?);
        let parameter = before.rsplit(['(', ',']).next()?;
        let is_part = |c: char| is_word(c) || matches!(c, ' ' | '\t' | '*' | '&' | ':');
        let is_declared = parameter.chars().all(is_part);
        let names: Vec<&str> =
            parameter.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
        let [.., kind, name] = names.as_slice() else { return None };
        let is_plain = |word: &str| is_name(word) && !TYPE_WORDS.contains(&word);
        let is_mark = is_macro(mark) && is_declared && parameter.ends_with([' ', '\t']);
        (is_mark && is_plain(name) && is_name(kind) && !is_macro(name)).then_some(start..end)
    })
    .collect()
}

/// Returns the macro after the name of a variable: `extern int level __THROW;`, `static int size UNUSED = 3;`.
fn after_name(line: &str) -> Option<Range<usize>> {
    let (words, stop) = words(line);
    let [.., kind, name, last] = words.as_slice() else { return None };
    let text = |word: &Word| line.get(word.name.clone()).unwrap_or_default();
    let is_mark = is_macro(text(last)) || text(last).starts_with("__");
    let is_plain = |word: &str| is_name(word) && !TYPE_WORDS.contains(&word) && !is_macro(word);
    let has_type = is_name(text(kind)) && !is_macro(text(kind));
    let is_variable = matches!(stop, Some(';' | '=')) && is_plain(text(name)) && has_type;
    (is_mark && is_variable).then(|| last.name.clone())
}

/// Returns the macro between a type and the name that it gets: `typedef __u16 __bitwise __le16;`,
/// `typedef handler __user *handler_t;`.
fn in_typedef(line: &str) -> Option<Range<usize>> {
    let (words, stop) = words(line);
    let [first, .., kind, mark, last] = words.as_slice() else { return None };
    let text = |word: &Word| line.get(word.name.clone()).unwrap_or_default();
    let is_plain = text(mark).chars().all(is_word) && !KEYWORDS.contains(&text(kind));
    let is_mark = is_plain && text(mark).starts_with("__") && text(mark) != "__int128";
    let is_last_mark = is_macro(text(last)) && !is_macro(text(mark));
    let is_typedef = text(first) == "typedef" && stop == Some(';') && is_name(text(kind));
    (is_typedef && is_mark && !is_last_mark).then(|| mark.name.clone())
}

/// Returns the macro between the fields of a type and its name: `} PACKED header_t;`, `} ALIGNED(8) header_t;`.
fn after_fields(line: &str) -> Option<Range<usize>> {
    let close = line.rfind('}')? + 1;
    let behind = line.get(close..)?;
    let start = close + behind.len() - behind.trim_start().len();
    let rest = line.get(start..)?;
    let (word, after) = rest.split_at(rest.find(|c: char| !is_word(c))?);
    let given = after.strip_prefix('(').and_then(closing).map_or(0, |end| end + 1);
    let name = after.get(given..)?.trim_start_matches([' ', '\t', '*']);
    let length = name.find(|c: char| !is_word(c))?;
    let is_mark = is_macro(word) || word.starts_with("__");
    let is_named = length > 0 && name.get(length..)?.starts_with([';', ',', '[']);
    (is_mark && is_named).then_some(start..start + word.len() + given)
}

/// Returns the attribute after or before the name of a type: `typedef int size __attribute__((mode(SI)));`.
fn attribute(line: &str) -> Option<Range<usize>> {
    const WORD: &str = "__attribute__";
    let start = line.find(WORD)?;
    let (before, rest) = (line.get(..start)?, line.get(start + WORD.len()..)?);
    let open = rest.len() - rest.trim_start().strip_prefix('(')?.len();
    let end = open + closing(rest.get(open..)?)?;
    let is_last = rest.get(end..)?.trim().trim_start_matches(is_word) == ";";
    let is_type = before.starts_with("typedef ") && !before.contains('(');
    (is_last && is_type).then_some(start..start + WORD.len() + end)
}

/// Returns the macros after a function's parameters: `int size() const GUARDED_BY(mutex) {`.
fn after_parameters(line: &str) -> Vec<Range<usize>> {
    let named = line.split_once('(').map(|(before, _)| before.trim_end());
    let is_function = named.is_none_or(|named| {
        let name = named.rsplit(|c: char| !is_word(c)).next().unwrap_or_default();
        let is_operator = name.is_empty() && named.contains("operator");
        is_operator || !name.is_empty() && !is_macro(name) && !STATEMENTS.contains(&name)
    });
    if !is_function {
        return Vec::new();
    }
    let ends = line.match_indices(')').map(|(at, _)| at + 1);
    ends.into_iter().find_map(|end| marks_from(line, end)).unwrap_or_default()
}

/// Returns the macros between an offset and the body or the end of a declaration; `None` if there is anything else.
fn marks_from(line: &str, start: usize) -> Option<Vec<Range<usize>>> {
    let mut marks = Vec::new();
    let mut is_of_system = false;
    let mut at = start;
    loop {
        let rest = line.get(at..)?;
        let text = rest.trim_start();
        let begins_initializers = text.starts_with(':') && !text.starts_with("::");
        // `= 0;`, `= default;`, but `decltype(a) __b = 0;` declares a variable.
        let begins_value = text.starts_with('=') && !is_of_system;
        if text.is_empty() || text.starts_with(['{', ';']) || begins_value || begins_initializers {
            return (!marks.is_empty()).then_some(marks);
        }
        let begin = at + rest.len() - text.len();
        let length = text.find(|c: char| !is_word(c)).unwrap_or(text.len());
        let (word, after) = text.split_at(length);
        at = begin + length + given(after);
        if is_mark(word) {
            is_of_system |= !is_macro(word);
            marks.push(begin..at);
        } else if !QUALIFIERS.contains(&word) {
            return None;
        }
    }
}

/// Returns the comments of a line that code follows: `#define A (B/* 2 */ | C)`.
pub(super) fn inner_comments(line: &str) -> impl Iterator<Item = Range<usize>> {
    let comment = |(open, _)| {
        let close = open + line.get(open..)?.find("*/")? + 2;
        (!line.get(close..)?.trim().is_empty()).then_some(open..close)
    };
    line.match_indices("/*").filter_map(comment)
}

#[cfg(test)]
mod tests {
    use super::in_line;

    #[test]
    fn marks_of_a_system() {
        let found = |line| super::systems(line).into_iter().map(|mark| &line[mark]).collect();
        let cases: [(&str, Vec<&str>); 8] = [
            ("__owur Row *open(void);", vec!["__owur"]),
            ("static __owur __cold Row *open(void);", vec!["__owur", "__cold"]),
            ("__u32 WINAPI open(void);", vec![]),
            ("__time_t WINAPI open(void);", vec![]),
            ("__owur open(void);", vec![]),
            ("__attribute__((cold)) Row *open(void);", vec![]),
            ("return __row Row *open(void);", vec![]),
            ("__owur Row *row;", vec![]),
        ];
        for (line, marks) in cases {
            let found: Vec<&str> = found(line);
            assert_eq!(found, marks, "{line}");
        }
    }

    #[test]
    fn marks_in_any_spelling() {
        let found = |line| super::in_any_spelling(line).map(|mark| &line[mark]);
        let cases = [
            ("nodiscard_attribute void *f(int);", "nodiscard_attribute"),
            ("static mylib_decl unsigned long f(void) {", "mylib_decl"),
            ("row * near_call next(int);", "near_call"),
            ("static row *near_call next (int)", "near_call"),
        ];
        for (line, mark) in cases {
            assert_eq!(found(line), Some(mark), "{line}");
        }
        let none = [
            "return a * sizeof b(1);",
            "row *const next(int);",
            "row *next(int);",
            "row near_call next(int);",
            "void *operator new(size_t size);",
            "Foo::operator unsigned int();",
            "return unsigned(3);",
            "unsigned long int f(void);",
            "void (*name)(int);",
            "auto f(int) -> void *;",
            "export int f();",
            "x = a * b c(1);",
        ];
        for line in none {
            assert_eq!(found(line), None, "{line}");
        }
    }

    #[test]
    fn marks_before_types() {
        let found = |line| -> Vec<&str> {
            super::before_type(line, "f (int a)").into_iter().map(|mark| &line[mark]).collect()
        };
        assert_eq!(found("Public Set *"), ["Public"]);
        assert_eq!(found("extern Public const struct set *"), ["Public"]);
        assert_eq!(found("__inline __wur ssize_t"), ["__inline", "__wur"]);
        let none = [
            "Set *",
            "struct set *",
            "unsigned long",
            "set * near_call",
            "set API",
            "return a",
            "requires Set<T>",
            "static Set Set::*",
            "Public Set;",
        ];
        for line in none {
            assert!(found(line).is_empty(), "{line}");
        }
        for next in ["int f(int a)", "__attribute__((a))", "f (g (int a))"] {
            assert!(super::before_type("Public Set *", next).is_empty(), "{next}");
        }
    }

    #[test]
    fn marks_behind_names_and_parameters() {
        let cases = [
            ("extern int level __THROW;", "__THROW"),
            ("static size_t size UNUSED = 3;", "UNUSED"),
            ("typedef int size __attribute__((mode(SI)));", "__attribute__((mode(SI)))"),
            ("} PACKED header_t;", "PACKED"),
            ("typedef struct { int a; } ALIGNED(8) header_t, *header;", "ALIGNED(8)"),
            ("  } __packed *fields[2];", "__packed"),
            ("  iterator begin() LIFETIME_BOUND {", "LIFETIME_BOUND"),
            ("  iterator begin() const noexcept(true) BOUND { return a; }", "BOUND"),
            ("void lock() EXCLUSIVE_LOCK(mutex_, (1));", "EXCLUSIVE_LOCK(mutex_, (1))"),
            ("    string_view text) ATTRIBUTE", "ATTRIBUTE"),
            ("std::pair<A, B> put(C c) BOUND {", "BOUND"),
            ("static int read(char *name UNUSED, int size)", "UNUSED"),
            ("         xmlNode node UNUSED)", "UNUSED"),
            ("public Q_SLOTS:", "Q_SLOTS"),
            ("  signals:", "signals:"),
        ];
        for (line, expected) in cases {
            let found: Vec<&str> = in_line(line).into_iter().map(|mark| &line[mark]).collect();
            assert_eq!(found, [expected], "{line}");
        }
        let none = [
            "const unsigned int FOO_BAR = 3;",
            "static struct foo FOO;",
            "int f(a) UINT a; {",
            "TEST(Foo) BAR {",
            "(void) UNUSED;",
            "int f() const override;",
            "decltype(a) __b = 1;",
            "int f(void) __attribute__((pure));",
            "} while (0)",
            "} POINT, *POINTS;",
            "} POINT;",
            "} point POINT;",
            "} CHECK(a);",
            "int read(unsigned int SIZE, const foo_t FOO, struct foo FOO);",
            "call(a, SIZE); // of SIZE)",
            "  default:",
            "if (a->name != NULL) free(a->name);",
        ];
        for line in none {
            assert!(in_line(line).is_empty(), "{line}");
        }
    }
}
