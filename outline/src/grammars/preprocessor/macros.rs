//! C and C++ code that is not valid before the preprocessor has run: macros before a declaration (`API int f(void);`),
//! and C++ parts of C headers (`extern "C" {`). A parser takes them for a type, or loses the declarations that follow.
//! They are blanked before parsing; every other byte keeps its position.

mod below;
mod calls;
mod declarations;
mod guards;
mod keywords;
mod lone;
mod marks;
mod members;
mod prototypes;
mod types;
mod words;

use crate::text::blank::blank;
use crate::text::line::{Line, lines};
use lone::{
    before_block, ends_statement, ends_template, is_before_name, is_label, is_lone_macro,
    is_macro_in_class,
};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use words::without_blanks;
pub(crate) use words::{
    MAX_LINE, behind_comment, code_of, first_word, given, is_in_comment, is_macro,
};

/// Returns the text without code that the preprocessor would remove.
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    let lines = lines(text);
    let mut finder = Finder::new(text);
    for index in 0..lines.len() {
        finder.line(lines.get(index..).unwrap_or_default());
    }
    match blank(text, &finder.found) {
        blanked if finder.behind.is_empty() => blanked,
        blanked => Cow::Owned(blank(&blanked, &finder.behind).into_owned()),
    }
}

/// What is blanked of a text, and what the lines so far tell of the next one.
struct Finder<'t> {
    text: &'t str,
    found: Vec<Range<usize>>,
    /// What is blanked in the rest: it ends on a later line than that at which it was found.
    behind: Vec<Range<usize>>,
    classes: HashSet<&'t str>,
    conditions: HashSet<&'t str>,
    is_comment: bool,
    /// Whether the line above ends with a backslash.
    continues: bool,
    is_define: bool,
    /// Whether a statement may begin here.
    follows: bool,
    /// The last line of code that is more than a bracket.
    above: &'t str,
}

impl<'t> Finder<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            found: Vec::new(),
            behind: Vec::new(),
            classes: HashSet::new(),
            conditions: HashSet::new(),
            is_comment: false,
            continues: false,
            is_define: false,
            follows: true,
            above: "",
        }
    }

    fn line(&mut self, rest: &[Line<'t>]) {
        let Some(&(begin, line)) = rest.first() else { return };
        self.is_define = self.continues && self.is_define || is_definition(line);
        if !self.is_comment && line.len() <= MAX_LINE && self.is_define {
            self.found.extend(moved(marks::inner_comments(line), begin));
        }
        let is_free = self.found.last().is_none_or(|last| last.end <= begin);
        let is_code = !self.is_comment
            && !self.continues
            && is_free
            && !line.starts_with('#')
            && line.len() <= MAX_LINE;
        if line.starts_with('#') && !self.is_comment {
            self.condition(line, rest.get(1..).unwrap_or_default());
        } else if is_code {
            let next = rest.get(1).map_or("", |&(_, next)| next);
            if let Some(around) = prototypes::around_type(line, next) {
                self.found.extend(moved(around, begin));
            } else if let Some([open, close]) = calls::around_declaration(self.text, rest) {
                self.found.push(open);
                self.behind.push(close);
            } else if let Some(alone) = self.alone(rest, next) {
                self.found.push(alone);
            } else {
                self.parts(rest);
            }
        }
        let last = self.found.last().filter(|last| last.end == begin + line.len());
        let is_blank = last.is_some_and(|last| last.start == begin);
        // A comment that ends here may be above a statement.
        let ended = line.split_once("*/").filter(|_| self.is_comment);
        let code = ended.map_or(line, |(_, behind)| behind);
        self.follows = self.continues || last.is_some() || ends_statement(code);
        if is_code && !is_blank && !matches!(without_blanks(line).as_str(), "" | "{") {
            self.above = line;
        }
        self.is_comment = is_in_comment(line, self.is_comment);
        self.continues = line.ends_with('\\');
    }

    /// Finds what a condition guards.
    fn condition(&mut self, line: &'t str, below: &[Line<'t>]) {
        let guarded = guards::guarded(line, below)
            .or_else(|| guards::namespace_guarded(line, below, &mut self.conditions));
        self.found.extend(guarded.unwrap_or_default());
    }

    /// Returns the macro or its call that the first of these lines is, or begins with.
    fn alone(&self, rest: &[Line], next: &str) -> Option<Range<usize>> {
        let &(begin, line) = rest.first()?;
        let is_alone = is_lone_macro(line, next)
            || (self.follows || ends_template(self.above))
                && is_macro_in_class(line, next, self.above)
            || self.follows && (is_label(line) || self.is_above_constructor(line, next))
            || is_before_name(line, next, self.above);
        if is_alone {
            return Some(begin..begin + line.len());
        }
        if let Some(last) = calls::of_lines(rest) {
            return Some(begin..last);
        }
        if !self.follows {
            return None;
        }
        let call = || calls::above_declaration(rest).map(|last| begin..last);
        let block = || Some(at(before_block(line, next)?, begin));
        calls::hidden(self.text, rest).or_else(call).or_else(block)
    }

    /// Returns whether a line is only a macro and a constructor is below, which has no type that it could be.
    fn is_above_constructor(&self, line: &str, next: &str) -> bool {
        let name = next.split('(').next().unwrap_or_default().trim();
        is_macro(line.trim()) && name.len() < next.trim().len() && self.classes.contains(name)
    }

    /// Finds the macros in the declaration that the first of these lines may have.
    fn parts(&mut self, rest: &[Line<'t>]) {
        let Some(&(begin, line)) = rest.first() else { return };
        let below = rest.get(1..).unwrap_or_default();
        let next = below.first().map_or("", |&(_, next)| next);
        self.found.extend(types::around_name(self.text, rest).into_iter().flatten());
        let declared = declarations::macros(line, below, &mut self.classes);
        let before = keywords::before_keyword(line).into_iter().chain(declared);
        self.found.extend(moved(before.chain(types::before_pointer(line)), begin));
        if let Some([open, close]) = prototypes::around_parameters(self.text, rest) {
            self.found.push(open);
            self.behind.push(close);
        }
        let marks = marks::in_line(line).into_iter().chain(marks::in_any_spelling(line));
        let marks = marks.chain(marks::systems(line)).chain(marks::before_type(line, next));
        let mut marks: Vec<Range<usize>> = marks.chain(members::classes(line)).collect();
        marks.extend(members::defaults(line));
        marks.extend(members::attributes(line));
        marks.sort_by_key(|mark| mark.start);
        self.found.extend(moved(marks, begin));
        let below = below::after_parameters(self.text, rest, &self.found);
        self.found.extend(below.unwrap_or_default());
    }
}

/// Returns a range of a line that begins at an offset as one of the text.
fn at(range: Range<usize>, begin: usize) -> Range<usize> {
    begin + range.start..begin + range.end
}

fn moved(
    ranges: impl IntoIterator<Item = Range<usize>>,
    begin: usize,
) -> impl Iterator<Item = Range<usize>> {
    ranges.into_iter().map(move |range| at(range, begin))
}

/// Returns whether a line begins the definition of a macro.
pub(super) fn is_definition(line: &str) -> bool {
    let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
    directive.is_some_and(|directive| directive.starts_with("define"))
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
            (
                "  /* a\n   * b */\n  DEPRECATED(\"c\")\n  void f();",
                "  /* a\n   * b */\n                 \n  void f();",
            ),
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
            ("class API Foo // a\n{", "class     Foo // a\n{"),
            ("class API Foo final /* a */ {", "class     Foo final /* a */ {"),
            ("class /* a */ API Foo /* b\n c */\n{", "class /* a */     Foo /* b\n c */\n{"),
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
                "class Foo {\n  API\n  PURE\n  Foo(int a)",
                "class Foo {\n     \n      \n  Foo(int a)",
            ),
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
            ("OLD(int *f(int a), \"b, c\");", "    int *f(int a)         ;"),
            (
                "  OLD(int f(a<b, c> d)\n    const, \"e\") {",
                "      int f(a<b, c> d)\n    const       {",
            ),
            ("  OLD(\n    \"(\")\n  int f();", "      \n        \n  int f();"),
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
            "static /* a */ Foo bar(int a);",
            "struct FOO {",
            "typedef struct FOO FOO_T;",
            "typedef int (f)(DWORD a);",
            "void f(DWORD a);",
            "struct foo bar(int a);",
            "class Foo final : Bar {",
            "class Foo {\n  BOOL bar(int a);",
            "class Foo {\n  BOOL\n  bar(int a);",
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
            "OLD(f(int a), \"b\");",
            "OLD(int f(a) == b, \"c\");",
            "  OLD(int a,\n      int b)\n    const {",
            "  LOG(\"a\",\n      \"b\")\n    << c;",
            "",
        ];
        for text in same {
            assert_eq!(blanked(text), text);
        }
    }
}
