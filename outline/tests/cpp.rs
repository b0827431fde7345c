//! Sections of C and C++ that need more than a grammar: tests that are macros, types in code, conversions, and files
//! whose code the grammar cannot parse.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;
use trimtab_outline::{Budget, outline};

#[test]
fn tests_that_are_macros() {
    let content = "
namespace a {
TEST(Parser, Reads) {
  int size = 1;
}
TEST_F(ParserTest, Fails)
{
  ASSERT_EQ(1, 2);
}
TYPED_TEST(Lists, Grow) {}
BOOST_AUTO_TEST_CASE(boost) {}
TEST_CASE(\"reads a file\", \"[files]\") {
  struct Local {
    void f();
  };
  SECTION(\"empty\") {
    CHECK(true);
    SECTION(\"deep\") { int x = 1; }
  }
  SECTION(\"full\") {}
}
TEST_CASE_METHOD(Fixture, \"with\", \"[x]\")
{
  REQUIRE(1);
}
SCENARIO(\"a list\") {
  GIVEN(\"items\") {
    WHEN(\"one is added\") {
      THEN(\"it grows\") {}
    }
  }
}
int after() {
  CHECK(1);
}
}
";
    check(
        "cpp",
        content,
        &[
            "namespace a",
            "  test Parser.Reads",
            "  test ParserTest.Fails",
            "  test Lists.Grow",
            "  test boost",
            "  test reads a file",
            "    struct Local",
            "      function f",
            "    test empty",
            "      test deep",
            "    test full",
            "  test with",
            "  test a list",
            "    test items",
            "      test one is added",
            "        test it grows",
            "  function after",
        ],
    );
}

#[test]
fn types_in_the_code_of_functions() {
    let content = "
int f() {
  struct Pair {
    int size() { return 1; }
  } pair;
  for (;;) {
    class Visitor : public Base {
      void visit();
    };
  }
  struct Other other;
  int helper(int);
  return 0;
}
";
    check(
        "cpp",
        content,
        &[
            "function f",
            "  struct Pair",
            "    function size",
            "  class Visitor",
            "    function visit",
        ],
    );
}

#[test]
fn conversions_and_calls_that_are_operators() {
    let content = "
inline Value::operator bool() const { return true; }
template <typename T>
inline Maybe<T>::operator std::string() const {
  return get();
}
struct Less {
  int operator () (int a) { return a; }
};
template void Matrix<double>::clear();
template class List<int>;
";
    check(
        "cpp",
        content,
        &[
            "function Value::operator bool",
            "function Maybe<T>::operator std::string",
            "struct Less",
            "  function operator ()",
            "function Matrix<double>::clear",
        ],
    );
}

#[test]
fn macros_around_types_and_parameters() {
    let content = "
GLOBAL(void)
reset (int size)
{
}
METHODDEF(struct state *)
start(int size)
{
}
PUBLIC void CALL
    write (const char *text);
local int get_byte     OF((stream *s));
EXTERN char *name P_((const char *of, int (*by)(int)));
int last(void);
";
    for language in ["c", "cpp"] {
        check(
            language,
            content,
            &[
                "function reset",
                "function start",
                "function write",
                "function get_byte",
                "function name",
                "function last",
            ],
        );
    }
}

#[test]
fn macros_before_types_with_several_names() {
    let content = "
class Export_API List {
  INLINE const std::string& name() const { return name_; }
  INLINE std::vector<Node*> nodes() { return nodes_; }
  [[nodiscard]] LIBRARY_API std::string lower() const;
};
template <>
class LIBRARY_API Value<Mode> : public Values<Mode> {
  int f();
};
enum class Code {
#define CODE(value, name) name = value,
  CODES
#undef CODE
};
";
    check(
        "cpp",
        content,
        &[
            "class List",
            "  function name",
            "  function nodes",
            "  function lower",
            "class Value",
            "  function f",
            "enum Code",
            "  macro CODE",
        ],
    );
}

#[test]
fn titles_of_tests() {
    let content = "
TEST_CASE(\"reads\" * may_fail()) {
}
TEST_CASE() {
}
TEST_CASE(\"reads \"
          \"files\") {
}
TEMPLATE_TEST_CASE(\"writes\", \"[a]\", int, float) {
}
";
    let expected = ["test reads", "test TEST_CASE", "test reads files", "test writes"];
    check("cpp", content, &expected);
}

#[test]
fn names_without_the_types_before_them() {
    let content = "
API_INLINE const A::B<
  C, D>
read(int a) {
}
class E {
  typedef int (E::*Read)(const int*) const;
};
";
    check("cpp", content, &["function read", "class E", "  type Read"]);
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
fn macros_of_any_case_before_the_name_of_a_class() {
    let content = "
class Foundation_API Logger: public Channel
{
public:
  FMT_CONSTEXPR Logger(int a);
  void log(int a);
};
";
    check("cpp", content, &["class Logger", "  function Logger", "  function log"]);
}

#[test]
fn what_a_class_of_cpp_defines_in_it() {
    let content = "
class A {
 public:
  class B {
   public:
    void f();
    int g() { return 1; }
  };
  enum E { X, Y };
  struct { int a; } s;
  struct C *other;
  friend class D;
  friend bool operator==(const A& a, const A& b) { return true; }
  template <typename H>
  friend H AbslHashValue(H h, A a) {
    return h;
  }
  friend void swap(A &, A &);
  friend std::ostream &operator<<(std::ostream &, const A &);
  friend auto operator<=>(A, A) = default;
  friend void other::of(int);
  template <typename T>
  friend T *made(T);
  friend struct F;
  friend B;
};
";
    check(
        "cpp",
        content,
        &[
            "class A",
            "  class B",
            "    function f",
            "    function g",
            "  enum E",
            "  function operator==",
            "  function AbslHashValue",
            "  function swap",
            "  function operator<<",
            "  function operator<=>",
            "  function other::of",
            "  function made",
        ],
    );
}

#[test]
fn tests_whose_name_is_not_all_that_is_given() {
    let content = "
BOOST_FIXTURE_TEST_CASE(reads, Fixture, *utf::disabled()) {}
IGNORE_TEST(Parser, Reads) {}
IN_PROC_BROWSER_TEST_F(Page, Reads) {}
ANY_TEST(reads, int size) {}
FUZZ_TEST(Parser, Reads).WithDomains(Any());
REGISTER_TEST_CASE(reads, \"reads\", \"[files]\");
suite parser = [] {
  \"reads\"_test = [] {
    should(\"files\") = [&] {};
  };
};
";
    let expected = [
        "test reads",
        "test Parser.Reads",
        "test Page.Reads",
        "test reads",
        "test Parser.Reads",
        "test reads",
        "variable parser",
        "  test reads",
        "    test files",
    ];
    check("cpp", content, &expected);
}

#[test]
fn namespaces_with_more_than_a_name() {
    let content = "
inline namespace v1 {
void read();
}
namespace a::inline b::c {
class Reader {};
}
namespace std VISIBILITY(default)
{
INLINE_NAMESPACE v2 {
extern int size;
void close();
}
}
namespace __detail __attribute__((visibility(\"hidden\"))) { int get(); }
";
    let expected = [
        "namespace v1",
        "  function read",
        "namespace a::b::c",
        "  class Reader",
        "namespace std",
        "  namespace v2",
        "    variable size",
        "    function close",
        "namespace __detail",
        "  function get",
    ];
    check("cpp", content, &expected);
}

#[test]
fn namespaces_under_a_condition() {
    let content = "
namespace a {
#ifdef CUSTOM
namespace CUSTOM {
#endif

class A {
  int f();
};

#ifdef CUSTOM
}  // namespace CUSTOM
#endif
}
int g();
";
    check("cpp", content, &["namespace a", "  class A", "    function f", "function g"]);
}

#[test]
fn macros_below_comments() {
    let content = "
class Reader {
public:
  /**
   * Reads.
   */
  DEPRECATED(\"Use open().\")
  Result read(int size);
  /**
   * Closes.
   */
  CONSTEXPR20
  ~Reader();
};
";
    check("cpp", content, &["class Reader", "  function read", "  function ~Reader"]);
    let found = outline("cpp", content, Budget::default());
    assert!(found.is_ok_and(|outline| !outline.malformed));
}
