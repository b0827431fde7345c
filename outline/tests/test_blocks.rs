//! Tests that are sections: calls, blocks and classes of test libraries.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;

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
fn tests_wherever_they_stand_in_javascript() {
    let content = "
function readsAll(parser) {
  const one = () => {}
  it('reads', wrap(async () => {
    parser()
  }))
  if (parser.fast) {
    test('says \"yes\"', () => {})
  }
}
it('sets the child\\'s \"parent\"', within(5, once(function () {})))
test.finished.push(() => {})
";
    for language in ["javascript", "typescript", "tsx"] {
        check(
            language,
            content,
            &[
                "function readsAll",
                "  test reads",
                "  test says \"yes\"",
                "test sets the child's \"parent\"",
            ],
        );
    }
}

#[test]
fn escapes_in_the_titles_of_tests() {
    let content = r#"
describe("a \\ \"b\"", () => {
  it('a \\d+ \'b\' \\\'', () => {})
  it(`c \\w \`d\` "\n"`, () => {})
})
"#;
    for language in ["javascript", "typescript", "tsx"] {
        check(
            language,
            content,
            &[r#"test a \ "b""#, r"  test a \d+ 'b' \'", r#"  test c \w `d` "\n""#],
        );
    }
    let content = "func TestA(t *testing.T) {\n\tt.Run(`b\\\\c`, func(t *testing.T) {})\n}\n";
    check("go", content, &["function TestA", "  test b\\\\c"]);
    let content = "@test 'a\\\\b' {\n  c\n}\n@test \"d\\\\e\" {\n  f\n}\n";
    check("bash", content, &["test a\\\\b", "test d\\e"]);
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
	t.Run(\"writes\", testWrites)
	cmd.Run(\"of no test\", args)
	t.Run(name, testWrites)
}

func check(name string, b *testing.B) {
	b.Run(\"large\", sizes{4096}.benchmark)
}

func Run(t *Thread) {
	t.Run(\"of no test\", func(t *Thread) {})
	t.Run(\"nor this\", run)
}
";
    check(
        "go",
        content,
        &[
            "function TestParser",
            "  test reads",
            "    test numbers",
            "  test writes",
            "function check",
            "  test large",
            "function Run",
        ],
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
