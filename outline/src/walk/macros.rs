//! C and C++ code that is not valid before the preprocessor has run: macros before a declaration (`API int f(void);`),
//! and C++ parts of C headers (`extern "C" {`). A parser takes them for a type, or loses the declarations that follow.
//! They are blanked before parsing; every other byte keeps its position.

mod below;
mod calls;
mod keywords;
mod lone;
mod marks;
mod members;
mod prototypes;
mod words;

use super::blank::blank;
use super::line::{Line, MAX_LINE, is_word, lines};
use lone::{
    before_block, ends_statement, ends_template, is_before_name, is_label, is_lone_macro,
    is_macro_in_class,
};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
pub(super) use words::is_macro;
use words::{
    SPECIFIERS, TAGGED, Word, is_function_below, is_in_brackets, is_name, without_blanks, words,
};

/// Maximum lines between `#ifdef __cplusplus` and its `#endif`.
const MAX_GUARD: usize = 3;
/// Maximum lines of a comment between the name of a class and its bracket.
const MAX_COMMENT: usize = 60;

/// Returns the text without code that the preprocessor would remove.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    let (found, behind) = hidden(text);
    match blank(text, &found) {
        blanked if behind.is_empty() => blanked,
        blanked => Cow::Owned(blank(&blanked, &behind).into_owned()),
    }
}

/// Returns what is blanked, and what is blanked in the rest: it ends on a later line than that at which it was found.
fn hidden(text: &str) -> (Vec<Range<usize>>, Vec<Range<usize>>) {
    let lines = lines(text);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut behind: Vec<Range<usize>> = Vec::new();
    let mut classes = HashSet::new();
    let mut conditions = HashSet::new();
    let mut is_comment = false;
    let mut continues = false;
    let mut is_define = false;
    // Whether a statement may begin here.
    let mut follows = true;
    // The last line of code that is more than a bracket.
    let mut above = "";
    for (index, &(begin, line)) in lines.iter().enumerate() {
        is_define = continues && is_define || is_definition(line);
        if !is_comment && line.len() <= MAX_LINE && is_define {
            found.extend(
                marks::inner_comments(line).map(|each| begin + each.start..begin + each.end),
            );
        }
        let is_free = found.last().is_none_or(|last| last.end <= begin);
        let is_code = !is_comment
            && !continues
            && is_free
            && !line.starts_with('#')
            && line.len() <= MAX_LINE;
        let next = lines.get(index + 1).map_or("", |&(_, next)| next);
        if line.starts_with('#') && !is_comment {
            let below = lines.get(index + 1..).unwrap_or_default();
            found.extend(
                guarded(line, below)
                    .or_else(|| namespace_guarded(line, below, &mut conditions))
                    .unwrap_or_default(),
            );
        } else if let Some(around) = is_code.then(|| prototypes::around_type(line, next)).flatten()
        {
            found.extend(around.map(|each| begin + each.start..begin + each.end));
        } else if is_code
            && (is_lone_macro(line, next)
                || (follows || ends_template(above)) && is_macro_in_class(line, next, above)
                || follows && is_label(line)
                || is_before_name(line, next, above))
        {
            found.push(begin..begin + line.len());
        } else if let Some(last) =
            is_code.then(|| calls::of_lines(lines.get(index..).unwrap_or_default())).flatten()
        {
            found.push(begin..last);
        } else if let Some(given) = (is_code && follows)
            .then(|| calls::hidden(text, lines.get(index..).unwrap_or_default()))
            .flatten()
        {
            found.push(given);
        } else if let Some(word) = (is_code && follows).then(|| before_block(line, next)).flatten()
        {
            found.push(begin + word.start..begin + word.end);
        } else if is_code {
            let rest = lines.get(index..).unwrap_or_default();
            let in_line = |each: Range<usize>| begin + each.start..begin + each.end;
            let declared = before_declaration(
                line,
                next,
                code_below(rest.get(1..).unwrap_or_default()),
                &mut classes,
            );
            found.extend(keywords::before_keyword(line).map(in_line));
            found.extend(declared.into_iter().chain(before_pointer(line)).map(in_line));
            if let Some([open, close]) = prototypes::around_parameters(text, rest) {
                found.push(open);
                behind.push(close);
            }
            let marks = marks::in_line(line).into_iter().chain(marks::in_any_spelling(line));
            let mut marks: Vec<Range<usize>> = marks.chain(members::classes(line)).collect();
            marks.extend(members::defaults(line));
            marks.extend(members::attributes(line));
            marks.sort_by_key(|mark| mark.start);
            found.extend(marks.into_iter().map(in_line));
            found.extend(below::after_parameters(text, rest, &found).unwrap_or_default());
        }
        let is_hidden = found.last().is_some_and(|last| last.end == begin + line.len());
        follows = continues || is_hidden || ends_statement(line);
        let is_blank = is_hidden && found.last().is_some_and(|last| last.start == begin);
        if is_code && !is_blank && !matches!(without_blanks(line).as_str(), "" | "{") {
            above = line;
        }
        is_comment = is_in_comment(line, is_comment);
        continues = line.ends_with('\\');
    }
    (found, behind)
}

/// Returns whether a line begins the definition of a macro.
fn is_definition(line: &str) -> bool {
    let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
    directive.is_some_and(|directive| directive.starts_with("define"))
}

/// Returns whether a comment is open at the end of a line.
pub(super) fn is_in_comment(line: &str, is_open: bool) -> bool {
    let code = if is_open { line } else { line.split("//").next().unwrap_or_default() };
    match (code.rfind("/*"), code.rfind("*/")) {
        (Some(open), Some(close)) => open > close,
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => is_open,
    }
}

/// Returns the lines of `extern "C" {` or its `}` between `#ifdef __cplusplus` and `#endif`.
fn guarded(condition: &str, lines: &[Line]) -> Option<Vec<Range<usize>>> {
    let is_guard = condition.contains("__cplusplus") && !condition.contains('!');
    let inner = conditional(condition, lines).filter(|_| is_guard)?;
    let is_linkage = |line: &str| {
        matches!(without_blanks(line).as_str(), "" | "}" | "extern\"C\"{" | "extern\"C++\"{")
    };
    inner.iter().all(|(_, line)| is_linkage(line)).then(|| ranges(inner))
}

/// Returns the lines of `namespace a {` between `#ifdef A` and `#endif`, or of its `}` between another `#ifdef A` and
/// `#endif`. A parser reads both sides of a condition, and would take one without the other.
fn namespace_guarded<'t>(
    condition: &'t str,
    lines: &[Line],
    conditions: &mut HashSet<&'t str>,
) -> Option<Vec<Range<usize>>> {
    let inner = conditional(condition, lines)?;
    let opens = |line: &str| {
        let code = without_blanks(line);
        code.ends_with('{')
            && !code.contains('(')
            && line.split_whitespace().any(|word| word == "namespace")
    };
    let has = |is: &dyn Fn(&str) -> bool| {
        let mut code = inner
            .iter()
            .map(|&(_, line)| line)
            .filter(|line| !without_blanks(line).is_empty())
            .peekable();
        code.peek().is_some() && code.all(is)
    };
    if has(&opens) {
        conditions.insert(condition);
        return Some(ranges(inner));
    }
    let closes = |line: &str| without_blanks(line).bytes().all(|byte| byte == b'}');
    (conditions.contains(condition) && has(&closes)).then(|| ranges(inner))
}

/// Returns the few lines between a condition and its end.
fn conditional<'l, 't>(condition: &str, lines: &'l [Line<'t>]) -> Option<&'l [Line<'t>]> {
    let end = lines.iter().take(MAX_GUARD + 1).position(|(_, line)| line.starts_with("#endif"))?;
    lines.get(..end).filter(|_| condition.starts_with("#if"))
}

fn ranges(lines: &[Line]) -> Vec<Range<usize>> {
    lines.iter().map(|&(begin, line)| begin..begin + line.len()).collect()
}

/// Returns the macro of a calling convention before the name of a function type: `typedef void (APIENTRY *name)(int)`.
fn before_pointer(line: &str) -> Option<Range<usize>> {
    // The type may be on the line above.
    let begins = |_: &usize| line.trim_start().starts_with("typedef ") || line.starts_with('(');
    let open = line.find('(').filter(begins)? + 1;
    let (inside, behind) = line.get(open..)?.split_once(')')?;
    let is_star = |c: char| matches!(c, ' ' | '*');
    let start = inside.find(|c: char| !is_star(c))?;
    let name = start + inside.get(start..)?.find(|c: char| !is_word(c))?;
    // The parameters may be on the next line.
    let has_parameters = behind.is_empty() || behind.trim_start().starts_with('(');
    let is_convention = is_macro(inside.get(start..name)?) && has_parameters;
    let rest = inside.get(name..)?.trim_start_matches(is_star);
    (is_convention && !rest.is_empty() && rest.chars().all(is_word))
        .then(|| open + start..open + name)
}

/// Returns the next line that is not a comment: a comment may precede the bracket of a class.
fn code_below<'t>(lines: &[Line<'t>]) -> &'t str {
    let code = lines.iter().take(MAX_COMMENT).map(|&(_, line)| line.trim_start());
    code.into_iter().find(|line| !line.is_empty() && !line.starts_with("//")).unwrap_or_default()
}

/// Returns the macros before a line's declaration: words in capitals followed by a type and a name. Of a macro that is
/// the type itself (`STACK_OF(X) *f(void);`), only its arguments.
fn before_declaration<'t>(
    line: &'t str,
    next: &str,
    code_below: &str,
    classes: &mut HashSet<&'t str>,
) -> Vec<Range<usize>> {
    let (words, stop) = words(line);
    let text = |word: &Word| line.get(word.name.clone()).unwrap_or_default();
    let goes_on = stop.is_none() && next.trim_start().starts_with(|first: char| is_word(first));
    // In a type's definition an attribute is behind the name.
    let is_typedef = words.first().is_some_and(|first| text(first) == "typedef");
    let is_of_type = |word: &&Word| {
        let word = text(word);
        let is_attribute = is_typedef && word == "__attribute__";
        !is_attribute && !SPECIFIERS.contains(&word) && !TAGGED.contains(&word)
    };
    // The arguments of its type go on below: `API const Pair<`.
    let is_open = stop == Some('<') && line.ends_with(['<', ',']);
    let has_more = goes_on || is_open || is_in_brackets(line, &words);
    let mut others = words.iter().filter(is_of_type).count() + usize::from(has_more);
    let mut hidden = Vec::new();
    let mut follows_tag = false;
    let opens_tag = match stop {
        Some(stop) => matches!(stop, '{' | ':'),
        None => code_below.starts_with(['{', ':']),
    };
    let is_tagged = words.iter().any(|word| TAGGED.contains(&text(word)));
    let named = words.iter().rev().map(text).find(|name| is_name(name));
    if opens_tag && is_tagged {
        // Of a specialisation too: `struct Reader<int> {`.
        classes.extend(named.and_then(|named| named.split('<').next()));
    }
    // A constructor has no type before its name: `API Reader(int size);` in a class of that name.
    let is_constructor = words.last().is_some_and(|last| match stop {
        Some('(') => classes.contains(text(last)) || is_own_constructor(text(last)),
        Some('~') => text(last).ends_with("::"),
        _ => false,
    });
    // `class API Reader FINAL : public Base {`, `API ~Reader();`
    let is_after_name = opens_tag
        && words
            .iter()
            .skip_while(|word| !TAGGED.contains(&text(word)))
            .skip(1)
            .any(|word| is_name(text(word)) && !is_macro(text(word)));
    let is_destructor =
        stop == Some('~') && words.iter().all(|word| is_macro(text(word)) || !is_name(text(word)));
    let are_marks = goes_on && are_only_marks(line, &words, next);
    for (index, word) in words.iter().enumerate() {
        let is_last = index + 1 == words.len() && !goes_on && !is_after_name && !is_destructor;
        let is_of_tag = follows_tag && opens_tag && index + 1 < words.len();
        follows_tag = TAGGED.contains(&text(word)) || follows_tag && text(word) == "alignas";
        // The word before the name of a class is a macro in any spelling:
        // `class Foundation_API Logger: public Channel`. There may be several.
        let is_named_next = words
            .get(index + 1)
            .map(text)
            .is_some_and(|next| is_name(next) && (is_macro(text(word)) || !is_macro(next)));
        if is_of_tag && is_named_next && is_name(text(word)) {
            hidden.push(word.name.start..word.name.end.max(word.arguments.end));
            others -= 1;
            follows_tag = true;
            continue;
        }
        if is_last || !is_macro(text(word)) {
            continue;
        }
        let next = words.get(index + 1).map_or(line.len(), |next| next.name.start);
        let between = line.get(word.name.end.max(word.arguments.end)..next);
        let is_pointed_at =
            between.is_some_and(|between| between.trim_start().starts_with(['*', '&']));
        if is_of_tag && words.get(index + 1).map(text) != Some("final")
            || is_destructor
            || (is_after_name && index + 1 == words.len())
            || are_marks
            || (is_constructor && is_before_constructor(&words, index, text))
            || (others > 2 && !is_pointed_at && !is_tag_name(&words, index, text))
        {
            hidden.push(word.name.start..word.name.end.max(word.arguments.end));
            others -= 1;
        } else if !word.arguments.is_empty() {
            hidden.push(word.arguments.clone());
        }
    }
    hidden
}

/// Returns whether there are only macros between a template's parameters and the type on the next line:
/// `template <> API PURE`.
fn are_only_marks(line: &str, words: &[Word], next: &str) -> bool {
    line.trim_start().starts_with("template")
        && words.iter().all(|word| line.get(word.name.clone()).is_some_and(is_macro))
        && !is_function_below(next)
}

/// Returns whether only specifiers and macros are between a word and the last one: `API explicit Reader(int size);`.
fn is_before_constructor<'t>(
    words: &[Word],
    index: usize,
    text: impl Fn(&Word) -> &'t str,
) -> bool {
    let between = words.get(index + 1..words.len().saturating_sub(1)).unwrap_or_default();
    between.iter().all(|word| SPECIFIERS.contains(&text(word)) || is_macro(text(word)))
}

/// Returns whether a name is that of a constructor outside of its class: `List<T>::List`.
fn is_own_constructor(name: &str) -> bool {
    let Some((class, own)) = name.rsplit_once("::") else { return false };
    let class = class.split('<').next().unwrap_or_default();
    !own.is_empty() && class.rsplit("::").next() == Some(own)
}

/// Returns whether a word is the name of a type rather than a macro: `struct FOO`.
fn is_tag_name<'t>(words: &[Word], index: usize, text: impl Fn(&Word) -> &'t str) -> bool {
    let before = index.checked_sub(1).and_then(|before| words.get(before));
    before.is_some_and(|before| TAGGED.contains(&text(before)))
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn blanks_macros_and_nothing_else() {
        let cases = [
            ("API int f(void);", "    int f(void);"),
            ("LIBv06_API size_t f(void);", "           size_t f(void);"),
            ("API_EXPORT const char *f(int);", "           const char *f(int);"),
            ("static WARN_UNUSED int f(void) {", "static             int f(void) {"),
            ("ATTRIBUTE(2, 3) int f(int);", "                int f(int);"),
            ("OPENSSL_EXPORT struct s *f(void);", "               struct s *f(void);"),
            ("class API_EXPORT Foo : public Bar {", "class            Foo : public Bar {"),
            ("API STACK_OF(X) *f(void);", "    STACK_OF    *f(void);"),
            ("LHASH_OF(X) f(void);", "LHASH_OF    f(void);"),
            ("NAMESPACE_BEGIN\nnamespace {", "               \nnamespace {"),
            ("// see a/*\nAPI int f();", "// see a/*\n    int f();"),
            ("BEGIN_DECLS\n\nint f();", "           \n\nint f();"),
            ("API int\nf(void);", "    int\nf(void);"),
            ("DEFINE_STACK_OF(X)\nint f();", "                  \nint f();"),
            ("typedef void (APIENTRYP f)(int);", "typedef void (          f)(int);"),
            ("typedef int (WINAPI *f)(int);", "typedef int (       *f)(int);"),
            ("extern int level __THROW;", "extern int level        ;"),
            ("static size_t size UNUSED = 3;", "static size_t size        = 3;"),
            ("typedef int (WINAPI *f)\n(int);", "typedef int (       *f)\n(int);"),
            ("typedef int\n(WINAPI *f)(int);", "typedef int\n(       *f)(int);"),
            ("class API Foo FINAL : public Bar {", "class     Foo       : public Bar {"),
            ("class API NO_VTABLE Foo\n{", "class               Foo\n{"),
            (
                "class API(2, 0) FOO final : public Bar {",
                "class           FOO final : public Bar {",
            ),
            ("typedef int (* WINAPI f)(int);", "typedef int (*        f)(int);"),
            ("class Foo FINAL {", "class Foo       {"),
            ("  int a;\n\n  ALIGNED_NEW\n};", "  int a;\n\n             \n};"),
            ("PUBLIC PURE\nint *f(void);", "           \nint *f(void);"),
            ("PURE\nint *\nAPI\nf(void);", "    \nint *\n   \nf(void);"),
            ("Foo(int a) CPP_THROW = default;", "Foo(int a)           = default;"),
            ("virtual Foo *a() const CHECKED = 0;", "virtual Foo *a() const         = 0;"),
            ("API ~Foo();", "    ~Foo();"),
            ("API BYTE *EXPORT2\nf(int);", "    BYTE *       \nf(int);"),
            ("extern \"C\" API int EXPORT f();", "extern \"C\"     int        f();"),
            ("API Foo<T>::Foo(int a)", "    Foo<T>::Foo(int a)"),
            ("API Foo::~Foo()", "    Foo::~Foo()"),
            ("__host__ __device__ int f(int);", "                    int f(int);"),
            ("END_DECLS\nCHECK(1);", "         \nCHECK(1);"),
            ("class Base_API Foo: public Bar", "class          Foo: public Bar"),
            ("class API Foo\n    : public Bar {", "class     Foo\n    : public Bar {"),
            ("class Api Foo\n  // Reads.\n\n{", "class     Foo\n  // Reads.\n\n{"),
            ("class Foo {\n  API Foo(int a);", "class Foo {\n      Foo(int a);"),
            (
                "struct Foo {\n  forceinline Foo(int a);\n  force_inline explicit Foo();\n  forceinline ~Foo() {",
                "struct Foo {\n              Foo(int a);\n               explicit Foo();\n              ~Foo() {",
            ),
            (
                "template <class T = A<B>> class API Foo\n{\n  template <class S> API Foo(S a);",
                "template <class T = A<B>> class     Foo\n{\n  template <class S>     Foo(S a);",
            ),
            ("template <> API PURE\nint f();", "template <>         \nint f();"),
            (
                "struct Foo<int> {\n  forceinline Foo() {",
                "struct Foo<int> {\n              Foo() {",
            ),
            (
                "class alignas(16) API Foo : public Bar {",
                "class alignas(16)     Foo : public Bar {",
            ),
            ("row * near_call next(int);", "row *           next(int);"),
            ("int f(int a)\n  DEPRECATED(1) __wur;", "int f(int a)\n                     ;"),
            ("int f(int a) __wur\n  API;", "int f(int a)      \n     ;"),
            ("API int (*f(int a))(int);", "    int (*f(int a))(int);"),
            ("struct a {\n  FIELDS\n};", "struct a {\n        \n};"),
            ("int f OF((int a,\n  int b));", "int f    (int a,\n  int b) ;"),
            ("FLAG(int, a, 1,\n  \"text\");\nint f();", "               \n          \nint f();"),
            (
                "#ifdef __cplusplus\nextern \"C\" {\n#endif",
                "#ifdef __cplusplus\n            \n#endif",
            ),
            (
                "#if defined(__cplusplus)\n}  // extern C\n#endif",
                "#if defined(__cplusplus)\n              \n#endif",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(blanked(text), expected);
        }
        let same = [
            "if (ready) LIMIT = 3;",
            "__typeof__(a) b = 1;",
            "API Foo::bar(int a)",
            "struct foo FOO;",
            "enum {\n  FOO\n};",
            "enum {\n  FOO,\n  BAR\n};",
            "int a;\nUINT\nf(void);",
            "BOOL f(void);",
            "BOOL\nf(void)\n{",
            "static UINT f(void);",
            "unsigned long FOO_BAR = 3;",
            "static const unsigned char TABLE[2] = {1, 2};",
            "const unsigned int FOO_BAR = 3;",
            "static struct foo FOO;",
            "extern const foo_t FOO;",
            "struct FOO bar;",
            "struct FOO {",
            "typedef struct FOO FOO_T;",
            "typedef int (f)(DWORD a);",
            "void f(DWORD a);",
            "struct foo bar(int a);",
            "class Foo final : Bar {",
            "class Foo {\n  BOOL bar(int a);",
            "int f(void)\n  __attribute__((pure));",
            "int f(a)\n  UINT a;\n{",
            "TEST(Foo,\n     Bar)\n{",
            "init(foo)\nTEST(Foo, Bar)\n{",
            "TEST(Foo, Bar)\n{",
            "TEST(Foo, Bar) {",
            "return FOO_BAR;",
            "case FOO_A: break;",
            "DWORD f(DWORD a);",
            "/*\nAPI int f(void);\n*/",
            "#define F \\\n  API int f(void);",
            "FOO(a);",
            "",
        ];
        for text in same {
            assert_eq!(blanked(text), text);
        }
    }
}
