//! Tests of C and C++, which are macros before a block: `TEST(Parser, Reads) {`, `TEST_CASE("reads", "[tag]") {`.

use super::kinds::{Kinds, child};
use super::name::{one_line, unquoted};
use super::test_blocks::TestBlock;
use crate::grammars::preprocessor::macros::is_macro;
use crate::section::cut;
use std::borrow::Cow;
use tree_sitter::Node;

/// Macros of Catch2 and doctest that begin a test or a part of one. Others of their tests have names with `TEST`.
const WORDS: [&str; 10] = [
    "SECTION",
    "DYNAMIC_SECTION",
    "SUBCASE",
    "SCENARIO",
    "GIVEN",
    "WHEN",
    "THEN",
    "AND_GIVEN",
    "AND_WHEN",
    "AND_THEN",
];

/// Maximum number of decorators of a test.
const MAX_DECORATORS: usize = 20;

/// Returns the test that a node begins.
pub(super) fn of<'n>(node: Node<'n>, kinds: &Kinds, text: &str) -> Option<TestBlock<'n>> {
    match node.kind() {
        "function_definition" => with_names(node, kinds, text),
        "expression_statement" | "ERROR" => with_text(node, kinds, text),
        _ => None,
    }
}

/// Returns the test of `TEST(Parser, Reads) {...}`, which a parser takes for a function without a type.
fn with_names<'n>(node: Node<'n>, kinds: &Kinds, text: &str) -> Option<TestBlock<'n>> {
    let declarator = child(node, kinds.fields.declarator)?;
    let word = text.get(child(declarator, kinds.fields.declarator)?.byte_range())?;
    let body = child(node, kinds.fields.body)?;
    if child(node, kinds.fields.of_type).is_some() || !is_macro(word) || !word.contains("TEST") {
        return None;
    }
    let inside = text.get(declarator.byte_range())?.split_once('(')?.1.trim_end_matches(')');
    let mut names = inside.split(',').map(str::trim);
    // `TEST_CASE() {` has no name.
    let is_unnamed = inside.trim().is_empty() && word.contains("TEST_CASE");
    let first = names.next().filter(|name| !name.is_empty()).or(is_unnamed.then_some(word))?;
    // As googletest names it: `Parser.Reads`.
    let second = names.next().filter(|_| word.starts_with("TEST") || word.starts_with("TYPED"));
    let name = second.map_or_else(|| first.to_owned(), |second| format!("{first}.{second}"));
    Some(TestBlock { name: cut(&name), body: Some(body), last: body, is_group: false })
}

/// Returns the test of `TEST_CASE("reads", "[tag]") {...}`, which a parser takes for a call and a block.
fn with_text<'n>(node: Node<'n>, kinds: &Kinds, text: &str) -> Option<TestBlock<'n>> {
    let call = node.named_child(0).filter(|call| kinds.role(*call).is_call)?;
    let word = text.get(child(call, kinds.fields.function)?.byte_range())?;
    let is_test = WORDS.contains(&word) || is_macro(word) && word.contains("TEST");
    if !is_test {
        return None;
    }
    // Last: finding a sibling takes time.
    let body = node.next_named_sibling().filter(|body| body.kind() == "compound_statement")?;
    let given = child(call, kinds.fields.arguments)?;
    let mut cursor = given.walk();
    let named = given.named_children(&mut cursor).find_map(titled)?;
    let name = cut(&title(text.get(named.byte_range())?));
    Some(TestBlock { name, body: Some(body), last: body, is_group: true })
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
