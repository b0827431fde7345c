//! Tests that are calls: `it('reads', () => {...})`, `t.Run("reads", func(t *testing.T) {...})`, `describe Parser do`.

use super::kinds::{Kinds, child};
use super::name::unquoted;
use crate::section::cut;
use tree_sitter::Node;

/// How many calls and members may stand around the word of a test (`test.only.each([1])('reads', f)`).
const MAX_CHAIN: usize = 6;
/// In how many calls the function of a test may be wrapped.
const MAX_WRAPPED: usize = 2;

/// A call that is a test, or a group of tests.
pub(super) struct TestBlock<'n> {
    pub name: String,
    /// What is in it; nothing where it is still to be written.
    pub body: Option<Node<'n>>,
    /// Whether tests stand in it, with functions beside them.
    pub is_group: bool,
}

/// The test that a call is, by one of `words` that it calls.
pub(super) fn of<'n>(
    call: Node<'n>,
    words: &[&str],
    kinds: &Kinds,
    text: &str,
) -> Option<TestBlock<'n>> {
    let called = word(call, kinds, text)?;
    let word = words.iter().find(|word| **word == called)?;
    let arguments = child(call, kinds.fields.arguments)?;
    let first = arguments.named_child(0)?;
    let body = child(call, kinds.fields.block).or_else(|| body(arguments, kinds, 0));
    // `it.todo('reads')` has only a name; `it(word)` and `fit(model, data)` are no tests.
    let is_named = first.kind().contains("string");
    let is_open = is_named && text.get(call.start_byte()..first.start_byte())?.contains(".todo(");
    // A name that is worked out says nothing where the word alone does not make it a test.
    if (body.is_none() && !is_open) || (*word == "Run" && !is_named) {
        return None;
    }
    let name = unquoted(text.get(first.byte_range())?);
    let is_group = ["describe", "suite", "context"].iter().any(|group| word.ends_with(group));
    Some(TestBlock { name: cut(name), body, is_group })
}

/// The word that makes a call a test: what is called, without `.only` and `.each(...)` behind it.
fn word<'t>(call: Node, kinds: &Kinds, text: &'t str) -> Option<&'t str> {
    let mut at = child(call, kinds.fields.method).or_else(|| child(call, kinds.fields.function))?;
    for _ in 0..MAX_CHAIN {
        let whole = text.get(at.byte_range())?;
        at = match at.kind() {
            "call_expression" => child(at, kinds.fields.function)?,
            "selector_expression" => child(at, kinds.fields.field)?,
            "member_expression" if whole != "t.test" => child(at, kinds.fields.object)?,
            _ => return Some(whole),
        };
    }
    None
}

/// What the function given to a call does, be it wrapped in other calls (`it('reads', within(5, () => {...}))`).
fn body<'n>(arguments: Node<'n>, kinds: &Kinds, depth: usize) -> Option<Node<'n>> {
    let mut cursor = arguments.walk();
    let given: Vec<Node> = arguments.named_children(&mut cursor).collect();
    let is_function =
        |node: &&Node| kinds.role(**node).is_function || node.kind() == "func_literal";
    if let Some(function) = given.iter().find(is_function) {
        return child(*function, kinds.fields.body);
    }
    if depth == MAX_WRAPPED {
        return None;
    }
    let calls = given.iter().filter(|node| kinds.role(**node).is_call);
    let mut inner = calls.filter_map(|call| child(*call, kinds.fields.arguments));
    inner.find_map(|arguments| body(arguments, kinds, depth + 1))
}
