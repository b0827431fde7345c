//! What is found in a file and under which name: rows of a language, a text, and its sections as `kind name`, indented
//! by how many sections they stand in.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;
use trimtab_outline::{Budget, Problem, outline};

#[test]
fn declarations_of_the_global_scope() {
    let content = "export {}
declare global {
  interface Window {
    open(): void
  }
  function read(): void
}
declare class A extends B<import('./b.js').default<any>> {
  c(): void
}
";
    for language in ["typescript", "tsx"] {
        check(
            language,
            content,
            &[
                "namespace global",
                "  interface Window",
                "    function open",
                "  function read",
                "class A",
                "  function c",
            ],
        );
    }
}

#[test]
fn members_of_declarations_in_typescript() {
    let content = "
export declare class Parser extends Base {
  private one
  constructor(text: string)
  read(): string
  static of<T>(value: T): Parser
  get size(): number
}
export interface Reader {
  size: number
  read(bytes: Uint8Array): number
}
declare module 'parser' {
  export function parse(text: string): Parser
}
";
    for language in ["typescript", "tsx"] {
        check(
            language,
            content,
            &[
                "class Parser",
                "  function constructor",
                "  function read",
                "  function of",
                "  function size",
                "interface Reader",
                "  function read",
                "namespace parser",
                "  function parse",
            ],
        );
    }
}

#[test]
fn methods_of_ruby() {
    let content = "
module Tools
  class Parser
    private def hidden(one)
      one
    end
    private_class_method def self.build
    end
    included do
      def of_block
      end
    end
    class << self
      def made
      end
    end
    memoize def slow; end
    def operator?(one) = one
    Error = Class.new(StandardError) do
      def message
      end
    end
  end
end
";
    check(
        "ruby",
        content,
        &[
            "namespace Tools",
            "  class Parser",
            "    function hidden",
            "    function build",
            "    function of_block",
            "    class self",
            "      function made",
            "    function slow",
            "    function operator?",
            "    variable Error",
            "      function message",
        ],
    );
}

#[test]
fn functions_of_shells() {
    let content = "
case $1 in
  start)
    run() { echo; }
    ;;
esac
{
  grouped() { echo; }
}
if true; then
  while read -r line; do
    inner() { echo; }
  done
fi
outer() {
  nested() { echo; }
}
function worded { echo; }
[ -n \"$x\" ] || fallback() { echo; }
";
    check(
        "bash",
        content,
        &[
            "function run",
            "function grouped",
            "function inner",
            "function outer",
            "function worded",
            "function fallback",
        ],
    );
}

#[test]
fn long_names_are_whole() {
    let name = "a".repeat(300);
    check("python", &format!("def {name}():\n    pass\n"), &[&format!("function {name}")]);
}

#[test]
fn fields_that_hold_functions() {
    let content = "
class Reader {
  size = 3
  read = async () => {
    more()
  }
  close = function () {}
  each = function* () {}
}
const all = function* () {}
const handlers = {
  open: () => {},
  name: 'x',
}
";
    for language in ["javascript", "typescript", "tsx"] {
        check(
            language,
            content,
            &[
                "class Reader",
                "  function read",
                "  function close",
                "  function each",
                "function all",
                "variable handlers",
                "  function open",
            ],
        );
    }
}

#[test]
fn types_of_go() {
    let content = "package p

type (
	// A is one.
	A struct {
		x int
	}
	B = int
)

type Reader interface {
	Read(p []byte) (int, error)
	io.Closer
}
";
    let expected = &["type A", "type B", "type Reader", "  function Read"];
    check("go", content, expected);
}

#[test]
fn setters_of_ruby() {
    let content = "
class Parser
  def size=(value)
    @size = value
  end
  def self.limit=(value)
  end
end
";
    check("ruby", content, &["class Parser", "  function size=", "  function limit="]);
}

#[test]
fn elements_of_annotations_in_java() {
    let content = "@interface Limit {\n  int value() default 3;\n}\n";
    check("java", content, &["interface Limit", "  function value"]);
}

#[test]
fn modules_of_java() -> Result<(), Problem> {
    let content = "import a.B;

/** Reads. */
@Deprecated
open module com.example.reader {
  requires transitive java.base;
  exports com.example.api to other, third;
  // Why.
  provides com.example.Reads
    with com.example.Reader;
}
";
    check("java", content, &["module com.example.reader"]);
    check("java", "module a.b\n{\n}\n", &["module a.b"]);
    let text = outline("java", content, Budget::default())?.text;
    for line in ["open module", "requires", "exports", "provides"] {
        assert!(text.contains(line), "{line}:\n{text}");
    }
    Ok(())
}

#[test]
fn keys_before_the_tables_of_toml() {
    let content = "version = 3\nnames = [\n  'a',\n]\n\n[package]\nname = 'p'\n";
    check("toml", content, &["key version", "key names", "table package", "  key name"]);
}

#[test]
fn code_that_no_grammar_takes_loses_nothing_else() {
    let content = "
int first(int a) {
  ASSERT_HEX(unsigned short,     2badU);
  while (a) } ) {
}

int second(void)
{
  return 1;
}
";
    for language in ["c", "cpp"] {
        check(language, content, &["function first", "function second"]);
    }
    let branches = "
int first(int a) {
#ifdef FAST
  while (a == 1) {
#else
  while (a) {
#endif
    a--;
  }
  return a;
}

int second(void) {
  return 1;
}
";
    for language in ["c", "cpp"] {
        check(language, branches, &["function first", "function second"]);
    }
    let zig = "
pub fn first(number: usize) u64 {
    return asm volatile (\"ecall\" ::: .{ .memory = true }) [ret) {;
}

pub fn second() void {}
";
    check("zig", zig, &["function first", "function second"]);
}

#[test]
fn an_outline_is_never_more_than_half_of_a_larger_file() {
    let content: String = (0..400).map(|n| format!("type Name{n} = Other{n}\n")).collect();
    let found = outline("typescript", &content, Budget::default()).ok();
    let (text, complete) = found.map(|found| (found.text, found.complete)).unwrap_or_default();
    assert!(text.len() <= content.len() / 2, "{} of {}", text.len(), content.len());
    assert!(text.len() > content.len() / 3, "{} of {}", text.len(), content.len());
    assert!(!complete);
}

/// Deeper than what the parsers of YAML and HTML can follow a file has the outline of its indentation.
#[test]
fn files_that_stand_too_deep() {
    let mappings = |levels: usize| -> String {
        (0..levels).map(|level| format!("{}k{level}:\n", " ".repeat(level))).collect()
    };
    let lists = |levels: usize| -> String {
        (0..levels).map(|level| format!("{0}k:\n{0}-\n", " ".repeat(level))).collect()
    };
    for levels in [110, 119, 120, 121, 127, 253, 254, 255, 260, 1000] {
        let texts = [
            mappings(levels),
            lists(levels),
            "- ".repeat(levels),
            "? ".repeat(levels),
            "k: ".repeat(levels),
            format!("\"k\": {}", "- ".repeat(levels)),
            "- &a ".repeat(levels),
            "- !t ".repeat(levels),
            "[- ".repeat(levels),
            "- [".repeat(levels),
            "- k: ".repeat(levels),
        ];
        for text in texts {
            assert!(outline("yaml", &format!("{text}x\n"), Budget::default()).is_ok(), "{text}");
        }
        assert!(outline("html", &"<b>\n".repeat(levels), Budget::default()).is_ok());
    }
    let language = |levels: usize| {
        outline("yaml", &mappings(levels), Budget::default()).map(|outline| outline.language)
    };
    assert_eq!([120, 121].map(language), [Ok("yaml"), Ok("text")]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_heading() {
    check("markdown", "\u{feff}# A\n\ntext\n\n## B\n", &["heading A", "  heading B"]);
}

#[test]
fn names_are_whole() {
    let name = "word ".repeat(60);
    let name = name.trim();
    let heading = format!("heading {name}");
    check("markdown", &format!("# {name}\n"), &[heading.as_str()]);
    let block = format!("block {name}:");
    check("text", &format!("{name}:\n  x\n"), &[block.as_str()]);
}

/// Scanners that look for an end up to the end of the file, from each place at which something may begin: a square of time.
#[test]
fn what_never_ends_is_given_up() {
    for (language, piece) in [("html", "<!--"), ("rust", "r#\""), ("bash", "<<E\n")] {
        let found = outline(language, &piece.repeat(20_000), Budget::default());
        assert_eq!(found.map(|outline| outline.language).ok(), Some("text"), "{language}");
    }
}

#[test]
fn what_is_exported_without_a_name() {
    let class = "export default class extends Base {\n  read() {\n    return 1\n  }\n}\n";
    let function = "export default function (a) {\n  return a\n}\n";
    let arrow = "export default async (a) => {\n  return a\n}\n";
    let named = "export default class Reader {\n  read() {}\n}\n";
    for language in ["javascript", "typescript", "tsx"] {
        check(language, class, &["class default", "  function read"]);
        check(language, function, &["function default"]);
        check(language, arrow, &["function default"]);
        check(language, named, &["class Reader", "  function read"]);
    }
}

#[test]
fn conditions_of_ruby() {
    let content = "
class A
  def f
    1
  end
  unless B
    def g
    end
  end
end if X
LIMIT = 1 unless defined?(LIMIT)
case Y
when 1
  def h
  end
end
if a
elsif b
  def i
  end
end
begin
  require 'c'
rescue LoadError
  def j
  end
end
";
    check(
        "ruby",
        content,
        &[
            "class A",
            "  function f",
            "  function g",
            "variable LIMIT",
            "function h",
            "function i",
            "function j",
        ],
    );
}

#[test]
fn code_behind_a_long_header_that_no_grammar_takes() {
    let broken = "
template <typename T>
inline Buffer<T> Buffer<T>::NewOrCopy(Env env,
                                      T* data) {
  Use(data);
#ifndef A
  Value value;
  if (status == B) {
#endif  // A
    return Copy(env);
#ifndef A
  }
  if (status != C) {
    Use(env);
  }
  return Buffer(env, value);
#endif
}
";
    let content = format!("int f();\n{}int g();\n", broken.repeat(3));
    let name = "function Buffer<T>::NewOrCopy";
    check("cpp", &content, &["function f", name, name, name, "function g"]);
}

#[test]
fn types_of_other_modules_in_typescript() {
    let content = "
export class Tooltip extends Element<import(\"../basic.js\").Any, import('../basic.js').Any> {
    private _resolve;
    getTitle(a: import(\"./a.js\").A): any;
}
export function f(a: import(\"./a.js\").A): typeof import(\"./b.js\");
const loaded = import(\"./c.js\").then((module) => module)
";
    for language in ["typescript", "tsx"] {
        check(
            language,
            content,
            &["class Tooltip", "  function getTitle", "function f", "variable loaded"],
        );
    }
}

#[test]
fn only_the_start_of_markdown_is_front_matter() {
    let headings = ["heading A", "  heading B", "  heading C"];
    for mark in ["---", "+++"] {
        let text = format!("# A\n\n{mark}\n## B\n\nb\n\n{mark}\n## C\n");
        check("markdown", &text, &headings);
        check("markdown", &format!("{mark}\n# a\nb = 1\n{mark}\n{text}"), &headings);
    }
}

#[test]
fn a_heading_of_two_lines_has_a_space_between_them() {
    check(
        "markdown",
        "Two\nlines\n---\n\n#  Some  `code`\n",
        &["heading Two lines", "heading Some code"],
    );
}
