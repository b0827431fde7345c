//! Tests of C and C++, which are macros before a block: `TEST(Parser, Reads) {`, `TEST_CASE("reads", "[tag]") {`.

use super::kinds::{Kinds, child};
use super::name::{one_line, unquoted};
use super::test_blocks::TestBlock;
use crate::grammars::preprocessor::macros::is_macro;
use crate::section::cut;
use crate::text::line::is_word;
use std::borrow::Cow;
use tree_sitter::Node;

/// Macros of Catch2 and doctest that begin a test or a part of one. Others of their tests have names with `TEST`.
const WORDS: [&str; 12] = [
    "BENCHMARK",
    "SECTION",
    "DYNAMIC_SECTION",
    "SUBCASE",
    "SCENARIO",
    "SCENARIO_METHOD",
    "GIVEN",
    "WHEN",
    "THEN",
    "AND_GIVEN",
    "AND_WHEN",
    "AND_THEN",
];

/// What both put before their macros if a project wants that.
const PREFIXES: [&str; 2] = ["CATCH_", "DOCTEST_"];
/// Macros of tests whose code is elsewhere: `METHOD_AS_TEST_CASE(Parser::reads, "reads");`, `FUZZ_TEST(Parser, Reads);`.
const WITHOUT_CODE: [&str; 4] =
    ["METHOD_AS_TEST_CASE", "REGISTER_TEST_CASE", "FUZZ_TEST", "FUZZ_TEST_F"];

/// Maximum number of decorators of a test.
const MAX_DECORATORS: usize = 20;

/// Returns the test that a node begins.
pub(super) fn of<'n>(node: Node<'n>, kinds: &Kinds, text: &str) -> Option<TestBlock<'n>> {
    match node.kind() {
        "function_definition" => with_names(node, kinds, text),
        "expression_statement" | "ERROR" => with_text(node, kinds, text)
            .or_else(|| without_code(node, kinds, text))
            .or_else(|| with_lambda(node, kinds, text)),
        _ => None,
    }
}

/// Returns the test of `TEST(Parser, Reads) {...}`, which a parser takes for a function without a type.
fn with_names<'n>(node: Node<'n>, kinds: &Kinds, text: &str) -> Option<TestBlock<'n>> {
    let declarator = child(node, kinds.fields.declarator)?;
    let word = text.get(child(declarator, kinds.fields.declarator)?.byte_range())?;
    let body = child(node, kinds.fields.body).or_else(|| tried(node))?;
    if child(node, kinds.fields.of_type).is_some() || !is_macro(word) || !word.contains("TEST") {
        return None;
    }
    let inside = text.get(declarator.byte_range())?.split_once('(')?.1.trim_end_matches(')');
    // `TEST_CASE() {` has no name.
    let is_unnamed = inside.trim().is_empty() && word.contains("TEST_CASE");
    let name = if is_unnamed { word.to_owned() } else { joined(word, inside)? };
    Some(TestBlock { name: cut(&name), body: Some(body), last: body, is_group: false })
}

/// Returns the `try {...} catch (...) {...}` that the code of a function may be.
fn tried(function: Node) -> Option<Node> {
    let last = function.named_child_count().checked_sub(1)?;
    function.named_child(u32::try_from(last).ok()?).filter(|last| last.kind() == "try_statement")
}

/// Returns a test's name as googletest has it: `Parser.Reads` of `Parser, Reads`. A case (`TEST_CASE(reads, Fixture)`) has
/// only one, behind its
/// fixture or before it.
fn joined(word: &str, given: &str) -> Option<String> {
    let mut names = given.split(',').map(str::trim);
    let first = names.next().filter(|name| !name.is_empty())?;
    if word.ends_with("DATA_TEST_CASE_F") {
        return names.next().filter(|name| name.chars().all(is_word)).map(str::to_owned);
    }
    let has_suite = word.starts_with("TEST") || !word.contains("TEST_CASE");
    let second = names.next().filter(|name| has_suite && name.chars().all(is_word));
    Some(second.map_or_else(|| first.to_owned(), |second| format!("{first}.{second}")))
}

/// Returns the test of `METHOD_AS_TEST_CASE(Parser::reads, "reads");`.
fn without_code<'n>(node: Node<'n>, kinds: &Kinds, text: &str) -> Option<TestBlock<'n>> {
    let mut call = node.named_child(0)?;
    // `FUZZ_TEST(Parser, Reads).WithDomains(...)`
    for _ in 0..MAX_DECORATORS {
        let called = child(call, kinds.fields.function).filter(|_| kinds.role(call).is_call)?;
        if called.kind() == "identifier" {
            break;
        }
        call = called.named_child(0)?;
    }
    let word = text.get(child(call, kinds.fields.function)?.byte_range())?;
    let given = child(call, kinds.fields.arguments).filter(|_| WITHOUT_CODE.contains(&word))?;
    let name = match titled_in(given) {
        Some(titled) => title(text.get(titled.byte_range())?).into_owned(),
        None => joined(word, text.get(given.byte_range())?.trim_matches(['(', ')']))?,
    };
    Some(TestBlock { name: cut(&name), body: None, last: node, is_group: false })
}

/// Returns the test of `"reads"_test = [] {...};` and of `test("reads") = [] {...};`, as of Boost.UT.
fn with_lambda<'n>(node: Node<'n>, kinds: &Kinds, text: &str) -> Option<TestBlock<'n>> {
    let assignment = node.named_child(0).filter(|it| it.kind() == "assignment_expression")?;
    let lambda =
        child(assignment, kinds.fields.right).filter(|it| it.kind() == "lambda_expression");
    let body = child(lambda?, kinds.fields.body)?;
    let left = child(assignment, kinds.fields.left)?;
    let titled = match left.kind() {
        "user_defined_literal" => left.named_child(0).filter(|it| it.kind().contains("string")),
        "call_expression" => titled_in(child(left, kinds.fields.arguments)?),
        _ => None,
    }?;
    let name = cut(&title(text.get(titled.byte_range())?));
    Some(TestBlock { name, body: Some(body), last: node, is_group: true })
}

/// Returns the test of `TEST_CASE("reads", "[tag]") {...}`, which a parser takes for a call and a block.
fn with_text<'n>(node: Node<'n>, kinds: &Kinds, text: &str) -> Option<TestBlock<'n>> {
    let call = node.named_child(0).filter(|call| kinds.role(*call).is_call)?;
    let word = text.get(child(call, kinds.fields.function)?.byte_range())?;
    let plain = PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word);
    let is_test = WORDS.contains(&plain) || is_macro(word) && word.contains("TEST");
    if !is_test {
        return None;
    }
    // Last: finding a sibling takes time.
    let body = node.next_named_sibling().filter(is_code)?;
    let given = child(call, kinds.fields.arguments)?;
    let name = cut(&title(text.get(titled_in(given)?.byte_range())?));
    Some(TestBlock { name, body: Some(body), last: body, is_group: true })
}

fn is_code(node: &Node) -> bool {
    matches!(node.kind(), "compound_statement" | "try_statement")
}

/// Returns the first text among arguments.
fn titled_in(arguments: Node) -> Option<Node> {
    let mut cursor = arguments.walk();
    arguments.named_children(&mut cursor).find_map(titled)
}

/// Returns the text that an argument begins with: `"reads" * may_fail()`.
fn titled(argument: Node) -> Option<Node> {
    let mut at = argument;
    for _ in 0..MAX_DECORATORS {
        if at.kind().contains("string") {
            return Some(at);
        }
        at = at.named_child(0).filter(|_| at.kind() == "binary_expression")?;
    }
    None
}

/// Returns a title without its quotes, also if it is in several parts (`"reads " "files"`).
fn title(text: &str) -> Cow<'_, str> {
    let whole = unquoted(text);
    let mut parts = whole.split('"');
    let is_quote_between = |(index, part): (usize, &str)| index % 2 == 0 || part.trim().is_empty();
    if whole.contains("\\\"")
        || !whole.contains('"')
        || !parts.by_ref().enumerate().all(is_quote_between)
    {
        return one_line(whole);
    }
    Cow::Owned(whole.split('"').step_by(2).collect())
}
