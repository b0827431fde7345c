//! What is found in a file and under which name: rows of a language, a text, and its sections as `kind name`, indented
//! by how many sections they stand in.

#![cfg(not(target_arch = "wasm32"))]

use trimtab_outline::{Budget, outline};

fn sections(language: &str, content: &str) -> Vec<String> {
    let found = outline(language, content, Budget::default());
    let sections = found.map(|outline| outline.sections).unwrap_or_default();
    sections
        .iter()
        .map(|section| {
            let kind = format!("{:?}", section.kind).to_lowercase();
            format!("{}{kind} {}", "  ".repeat(section.depth), section.name)
        })
        .collect()
}

#[track_caller]
fn check(language: &str, content: &str, expected: &[&str]) {
    assert_eq!(sections(language, content), expected, "{language}:\n{content}");
}

#[test]
fn test_blocks_of_javascript() {
    let content = "
describe('a parser', () => {
  const one = 1
  beforeEach(() => {})
  it('reads', async () => {
    expect(one).toBe(1)
  })
  describe.only(\"of numbers\", function () {
    test.each([1, 2])('takes %d', (n) => {
      n()
    })
  })
  function helper() {}
})
it.todo('later')
test(`in backticks`, { timeout: 5 }, () => {})
suite('of mocha', () => {})
it(word)
fit(model, data)
";
    for language in ["javascript", "typescript", "tsx"] {
        check(
            language,
            content,
            &[
                "test a parser",
                "  test reads",
                "  test of numbers",
                "    test takes %d",
                "  function helper",
                "test later",
                "test in backticks",
                "test of mocha",
            ],
        );
    }
}

#[test]
fn test_blocks_of_ruby() {
    let content = "
RSpec.describe Parser, type: :model do
  let(:one) { 1 }
  context 'with numbers' do
    it 'reads' do
      expect(one).to eq 1
    end
    it { is_expected.to be_valid }
  end
  def helper
  end
end
class ParserTest < Minitest::Test
  test 'of Rails' do
    assert true
  end
end
";
    check(
        "ruby",
        content,
        &[
            "test Parser",
            "  test with numbers",
            "    test reads",
            "  function helper",
            "class ParserTest",
            "  test of Rails",
        ],
    );
}

#[test]
fn subtests_of_go() {
    let content = "
package parser

func TestParser(t *testing.T) {
	one := 1
	t.Run(\"reads\", func(t *testing.T) {
		t.Run(\"numbers\", func(t *testing.T) {})
	})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {})
	}
}

func Run(t *testing.T) {
	t.Run(\"of no test\", func(t *testing.T) {})
}
";
    check(
        "go",
        content,
        &["function TestParser", "  test reads", "    test numbers", "function Run"],
    );
}

#[test]
fn test_classes_of_python() {
    let content = "
class TestParser:
    def test_reads(self):
        pass

    @pytest.mark.parametrize('n', [1])
    def test_numbers(self, n):
        pass
";
    check(
        "python",
        content,
        &["class TestParser", "  function test_reads", "  function test_numbers"],
    );
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
fn macros_of_c() {
    let content = "
#ifndef PARSER_H
#define PARSER_H
#define LIMIT 20
#define MAX(a, b) \\
  ((a) > (b) ? (a) : (b))
typedef void (*handler)(int);
typedef void (APIENTRYP PFNGLCLEARPROC)(GLbitfield mask);
typedef struct parser parser;
int parse(const char *text);
#endif
";
    let expected = [
        "constant LIMIT",
        "macro MAX",
        "type handler",
        "type PFNGLCLEARPROC",
        "type parser",
        "function parse",
    ];
    check("c", content, &expected);
    check("cpp", content, &expected);
}

#[test]
fn members_of_classes_in_cpp() {
    let content = "
class Parser : public Base {
public:
  explicit Parser(int size);
  virtual ~Parser();
  int read(char *into) const;
  static const Parser &shared();
  bool operator==(const Parser &other) const;
  int done() const { return 1; }
  int size_;
  void (*handler)(int);
private:
  void skip();
};
";
    check(
        "cpp",
        content,
        &[
            "class Parser",
            "  function Parser",
            "  function ~Parser",
            "  function read",
            "  function shared",
            "  function operator==",
            "  function done",
            "  function skip",
        ],
    );
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
fn types_in_extern_blocks_of_rust() {
    let content = "
extern \"C\" {
    pub type Opaque;
    pub fn open(path: *const u8) -> *mut Opaque;
    static ERRNO: i32;
}
";
    check("rust", content, &["type Opaque", "function open", "variable ERRNO"]);
}

#[test]
fn long_names_are_whole() {
    let name = "a".repeat(300);
    check("python", &format!("def {name}():\n    pass\n"), &[&format!("function {name}")]);
}
