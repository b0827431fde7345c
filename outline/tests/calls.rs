//! Tests in the functions that calls are given, and names that span lines.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::check;

#[test]
fn tests_in_functions_that_are_given_to_calls() {
    let content = "
runTests('x', () => {
  function helper() {}
  describe('all', () => {
    function inner() {}
    parsers.map((parser) => it('reads', () => {}))
  })
})
";
    for language in ["javascript", "typescript", "tsx"] {
        check(language, content, &["test all", "  function inner", "  test reads"]);
    }
}

#[test]
fn members_of_modules_that_are_no_tests() {
    let content = "
tap.test('reads', (t) => {})
;/a/.test('b')
regex.test(text, () => {})
test.before((t) => {})
test.createStream().pipe(concat((body) => {}))
test(function () {
  a()
})
test.only(function reads() {})
function after() {}
";
    let expected = ["test reads", "test test", "test reads", "function after"];
    for language in ["javascript", "typescript", "tsx"] {
        check(language, content, &expected);
    }
}

#[test]
fn objects_that_are_exported() {
    let content = "
export default {
  name: 'a',
  read() {},
  write: () => {},
};
";
    for language in ["javascript", "typescript", "tsx"] {
        check(language, content, &["variable default", "  function read", "  function write"]);
    }
}

#[test]
fn names_are_on_one_line() {
    let content = "A.prototype.\n    read = function () {}\nb\n  .c = () => {}\n";
    check("javascript", content, &["function A.prototype.read", "function b.c"]);
    let content = "template <class T>\nbool List<T>::\nread(int a) {\n}\n";
    check("cpp", content, &["function List<T>::read"]);
}

#[test]
fn values_that_are_no_tests_of_go() {
    let content = "package a\nvar _ = Context(a)\nvar b = Describe(\"c\", func() {})\n";
    check("go", content, &["variable _", "variable b"]);
}

#[test]
fn tests_of_bats() {
    let content = "setup() {\n  a\n}\n@test \"reads \\\"files\\\"\" {\n  run b\n}\n";
    check("bash", content, &["function setup", "test reads \"files\""]);
}
