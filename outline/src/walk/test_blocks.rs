//! Tests that are calls: `it('reads', () => {...})`, `t.Run("reads", func(t *testing.T) {...})`, `describe Parser do`.

use super::kinds::{Kinds, child};
use super::name::unquoted;
use crate::section::cut;
use tree_sitter::Node;

/// Maximum number of calls and members around the word of a test (`test.only.each([1])('reads', f)`).
const MAX_CHAIN: usize = 6;
/// Maximum number of calls around the function of a test.
const MAX_WRAPPED: usize = 2;

/// A call that is a test, or a group of tests.
pub(super) struct TestBlock<'n> {
    pub name: String,
    /// Its body; `None` for a test without one yet (`it.todo`).
    pub body: Option<Node<'n>>,
    /// The node that ends it.
    pub last: Node<'n>,
    /// Whether it is a group: it contains tests, and functions beside them.
    pub is_group: bool,
}

/// Returns the test that a call defines, if it calls one of `words`.
pub(super) fn of<'n>(
    call: Node<'n>,
    words: &[&str],
    kinds: &Kinds,
    text: &str,
) -> Option<TestBlock<'n>> {
    let called = word(call, words, kinds, text)?;
    let word = words.iter().find(|word| **word == called)?;
    let arguments = child(call, kinds.fields.arguments)?;
    let first = arguments.named_child(0)?;
    let body = child(call, kinds.fields.block).or_else(|| body(arguments, kinds, 0));
    // `it.todo('reads')` has only a name; `it(word)` and `fit(model, data)` are not tests.
    let is_named = first.kind().contains("string");
    let is_open = is_named && text.get(call.start_byte()..first.start_byte())?.contains(".todo(");
    // For `Run`, which is not used only by tests, the name must be a literal.
    if (body.is_none() && !is_open) || (*word == "Run" && !is_named) {
        return None;
    }
    let title = text.get(first.byte_range())?;
    // An expression stays as it is: `'reads ' + name`.
    let name = if is_named { text_of(title) } else { title.to_owned() };
    let is_group = ["describe", "suite", "context", "examples", "examples_for"]
        .iter()
        .any(|group| word.ends_with(group));
    Some(TestBlock { name: cut(&name), body, last: call, is_group })
}

/// Returns the text of a literal: without its quotes, and the escapes of quotes in it.
fn text_of(literal: &str) -> String {
    let inner = unquoted(literal);
    let quote = literal.chars().next().filter(|_| inner.len() < literal.len());
    let plain = quote.map(|quote| inner.replace(&format!("\\{quote}"), &quote.to_string()));
    plain.unwrap_or_else(|| inner.to_owned())
}

/// Returns the called word, without `.only` and `.each(...)` after it.
fn word<'t>(call: Node, words: &[&str], kinds: &Kinds, text: &'t str) -> Option<&'t str> {
    let mut at = child(call, kinds.fields.method).or_else(|| child(call, kinds.fields.function))?;
    for _ in 0..MAX_CHAIN {
        let whole = text.get(at.byte_range())?;
        at = match at.kind() {
            "call_expression" => child(at, kinds.fields.function)?,
            "selector_expression" => child(at, kinds.fields.field)?,
            "member_expression" if !words.contains(&whole) => child(at, kinds.fields.object)?,
            _ => return Some(whole),
        };
    }
    None
}

/// Returns the body of the function passed to a call, which may be wrapped in other calls
/// (`it('reads', within(5, () => {...}))`).
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
