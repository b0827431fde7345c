//! Every name that a declaration defines is a section, and definitions are found in the code around them.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;
use trimtab_outline::{Budget, outline};

#[test]
fn every_name_of_a_declaration_in_javascript() {
    let content = "
export const a = 1, b = 2
let c = 1,
  d = 2
var { e, f: g, ...h } = x
export const [i, , [j]] = y, k = () => {}
const { l = 1, m: { n = 2 }, 'o-p': q, [r]: s } = z
const { t, u } = require('fs')
exports.v = exports.w = function () {}
";
    let mut expected: Vec<String> =
        ["a", "b", "c", "d", "e", "g", "h", "i", "j"].map(|name| format!("variable {name}")).into();
    expected.push("function k".to_owned());
    expected.extend(["l", "n", "q", "s"].map(|name| format!("variable {name}")));
    expected.extend(["exports.v", "exports.w"].map(|name| format!("function {name}")));
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    for language in ["javascript", "typescript", "tsx"] {
        check(language, content, &expected);
    }
    let closed = "using a = open()
await using b = open(), c = open()
{
  using d = open()
}
using = 1
function e() { using f = using(using.g) }
";
    let expected = ["variable a", "variable b", "variable c", "variable d", "function e"];
    for language in ["javascript", "typescript", "tsx"] {
        check(language, closed, &expected);
    }
    let declared =
        "declare const a: string, b: number\nnamespace N {\n  export let c = 1, d = 2\n}\n";
    check(
        "typescript",
        declared,
        &["variable a", "variable b", "namespace N", "  variable c", "  variable d"],
    );
}

#[test]
fn every_name_of_a_declaration_in_go() {
    let content = "package p

var (
	a = 1
	b = 2
)

const c, d = 1, 2

var e, f int

const (
	G = iota
	H
	i, J = 1, 2
)

var k = 3
";
    check(
        "go",
        content,
        &[
            "variable a",
            "variable b",
            "constant c",
            "constant d",
            "variable e",
            "variable f",
            "constant G",
            "constant H",
            "constant i",
            "constant J",
            "variable k",
        ],
    );
}

#[test]
fn every_name_of_an_assignment_in_python() {
    let content = "
a = b = 1
c, d = 1, 2
(e, f), *g = x
[h, i] = y
j: int = 3
k: int
l = m, n = 1, 2
class C:
    o = p = 1
    q, r = 1, 2
";
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"];
    let mut expected: Vec<String> = names.map(|name| format!("variable {name}")).into();
    expected.push("class C".to_owned());
    expected.extend(["o", "p", "q", "r"].map(|name| format!("  variable {name}")));
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check("python", content, &expected);
    check("python", "import os\nos.environ['A'] = '1'\nos.x = 2\n(os.y, z[0]) = 1, 2\n", &[]);
}

#[test]
fn every_name_of_a_declaration_in_c() {
    let content = "
int a, b;
int c = 1, *d, e[3];
extern int f, g;
int h(void), i(int), j;
struct S { int x, y; } k, *l;
typedef int m, *n;
";
    let expected = [
        "variable a",
        "variable b",
        "variable c",
        "variable d",
        "variable e",
        "variable f",
        "variable g",
        "function h",
        "function i",
        "variable j",
        "variable l",
        "variable k",
        "  struct S",
        "type n",
        "type m",
    ];
    for language in ["c", "cpp"] {
        check(language, content, &expected);
    }
    let cpp = "
auto [a, b] = pair;
const auto &[c, d] = pair;
class C {
  int e(), f();
  int g, h;
  int i(), j;
};
int C::k = 1, C::l = 2;
";
    check(
        "cpp",
        cpp,
        &[
            "variable a",
            "variable b",
            "variable c",
            "variable d",
            "class C",
            "  function e",
            "  function f",
            "  function i",
            "variable C::k",
            "variable C::l",
        ],
    );
}

#[test]
fn every_name_of_an_assignment_in_ruby() {
    let content = "
A, B = 1, 2
C = D = 1
x, (y, *z) = list
$g, @h = 1, 2
M::N = 1
q.r = 3
s[1] = 2
class K
  @@count = 0
end
";
    check(
        "ruby",
        content,
        &[
            "variable A",
            "variable B",
            "variable C",
            "variable D",
            "variable x",
            "variable y",
            "variable z",
            "variable $g",
            "variable @h",
            "variable M::N",
            "class K",
            "  variable @@count",
        ],
    );
}

#[test]
fn every_name_of_a_declaration_in_shells() {
    let content = "
declare a=1 b=2
export C=1 D=2
readonly e f
I=1 J=2 command
G=1 H=2
declare -a k=() l
export M
";
    let names = ["a", "b", "C", "D", "e", "f", "G", "H", "k", "l", "M"];
    let expected = names.map(|name| format!("variable {name}"));
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check("bash", content, &expected);
}

#[test]
fn names_of_namespaces_are_whole_and_of_nothing_else() {
    let cpp = "
namespace a::b::c {
int d;
}
namespace {
int e;
}
enum { F } g;
typedef enum { H } i;
struct {
  int j;
} k;
class L {
  operator bool() const;
};
L::operator bool() const { return true; }
";
    check(
        "cpp",
        cpp,
        &[
            "namespace a::b::c",
            "  variable d",
            "namespace ",
            "  variable e",
            "variable g",
            "type i",
            "variable k",
            "class L",
            "  function operator bool",
            "function L::operator bool",
        ],
    );
    check("typescript", "namespace A.B {\n  class C {}\n}\n", &["namespace A.B", "  class C"]);
    check("ruby", "module A::B\nend\nclass C::D\nend\n", &["namespace A::B", "class C::D"]);
    let csharp = "
namespace A.B {
  class C {
    public static C operator +(C a) => a;
    public static implicit operator int(C c) => 1;
  }
}
";
    let expected =
        ["namespace A.B", "  class C", "    function operator +", "    function operator int"];
    check("csharp", csharp, &expected);
}

#[test]
fn keys_with_escape_sequences() {
    let content = "{\n  \"\\u0041\": 1,\n  \"b\\nc\": { \"d\": 2 },\n  \"\": 3\n}\n";
    check("json", content, &["key \\u0041", "key b\\nc", "  key d", "key "]);
    check("css", "@layer a, b;\n", &["rule @layer a, b"]);
    check("toml", "[t]\na = { b = 1 }\nc = 2\n", &["table t", "  key a", "  key c"]);
}

#[test]
fn definitions_in_code_that_runs_when_a_file_is_loaded() {
    let python = "
for a in b:
    def c(): pass
while d:
    class E: pass
else:
    def f(): pass
match g:
    case 1:
        def h(): pass
";
    check("python", python, &["function c", "class E", "function f", "function h"]);
    let script = "
for (;;) { function a() {} }
while (b) { class C {} }
do { function d() {} } while (e)
switch (f) {
  case 1: function g() {}
  default: function h() {}
}
label: function i() {}
const j = () => {
  function k() {}
}
";
    let mut expected = vec![
        "function a",
        "class C",
        "function d",
        "function g",
        "function h",
        "function i",
        "function j",
    ];
    for language in ["javascript", "typescript", "tsx"] {
        check(language, script, &expected);
    }
    let modules = "
(function () {
  var local = 1
  function a() { function inner() {} }
  class B { c() {} }
})()
;(() => { function d() {} })()
!function () { function e() {} }()
;(function () { function f() {} }).call(this)
;(function (root, factory) { function g() {} })(this, function ($) { function h() {} })
define(['jquery'], function ($) { function i() {} })
app.use(function () { function unlisted() {} })
;(function () {
  app.use(function () { function unlisted() {} })
  function j() { (function () { function unlisted() {} })() }
})()
const k = function () { (function () { function unlisted() {} })() }
";
    expected = vec![
        "function a",
        "class B",
        "  function c",
        "function d",
        "function e",
        "function f",
        "function g",
        "function h",
        "function i",
        "function j",
        "function k",
    ];
    for language in ["javascript", "typescript", "tsx"] {
        check(language, modules, &expected);
    }
}

#[test]
fn blocks_of_ruby_in_braces() {
    let content = "
Point = Struct.new(:x, :y) { def dist; end }
Other = Class.new(Base) do
  def other; end
end
";
    check(
        "ruby",
        content,
        &["variable Point", "  function dist", "variable Other", "  function other"],
    );
}

/// The lines of a section do not begin at the condition around it.
#[test]
fn lines_of_what_is_in_a_condition() {
    let content = "if a:\n    b = 1\nelse:\n    def c():\n        pass\n";
    let found = outline("python", content, Budget::default()).map(|outline| outline.sections);
    let lines = |section: &trimtab_outline::Section| (section.start_line, section.end_line);
    let found: Vec<_> = found.unwrap_or_default().iter().map(lines).collect();
    assert_eq!(found, [(2, 2), (4, 5)]);
}

#[test]
fn titles_of_tests_are_literals_without_quotes_or_expressions() {
    let content = "it('only' + ' cat', () => {});
it('say \\'hi\\'', () => {});
it(\"say \\\"hi\\\" 'x'\", () => {});
it(`a ${b}`, () => {});
it('plain', () => {});
";
    let expected = [
        "test 'only' + ' cat'",
        "test say 'hi'",
        "test say \"hi\" 'x'",
        "test a ${b}",
        "test plain",
    ];
    check("typescript", content, &expected);
}

#[test]
fn the_global_scope_in_a_module_of_typescript() {
    let content = "declare module 'a' {
  global {
    interface Document {}
    var width: number
  }
  function global(): void;
  {
    one: {}
  }
}
";
    for language in ["typescript", "tsx"] {
        check(
            language,
            content,
            &[
                "namespace a",
                "  namespace global",
                "    interface Document",
                "    variable width",
                "  function global",
            ],
        );
    }
}

/// An element with an id is called by it.
#[test]
fn elements_of_html() {
    let text = "<main ID=top>\n<section class=\"a\" id=\"part-1\">\n<p>x\n</p>\n</section>\n<form id=''>\n</form>\n</main>\n";
    check(
        "html",
        text,
        &["element main#top", "  element section#part-1", "    element p", "  element form"],
    );
}
