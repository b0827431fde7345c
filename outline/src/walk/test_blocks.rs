//! Tests that are calls: `it('reads', () => {...})`, `t.Run("reads", func(t *testing.T) {...})`, `describe Parser do`.

use super::kinds::{Kinds, child};
use super::name::{one_line, unquoted};
use crate::section::cut;
use tree_sitter::Node;

/// Maximum number of calls and members around the word of a test (`test.only.each([1])('reads', f)`).
const MAX_CHAIN: usize = 6;
/// Maximum number of calls around the function of a test.
const MAX_WRAPPED: usize = 2;

/// Words for tests that are members of modules of any name (`tap.test('reads', f)`). Other members have these names too, so
/// the test's name and its function must be given.
const MEMBERS: [&str; 8] =
    ["describe", "it", "specify", "suite", "test", "xdescribe", "xit", "xtest"];
/// Members of tests that are not tests themselves: what runs beside them, and events.
const OTHERS: [&str; 12] = [
    "after",
    "afterAll",
    "afterEach",
    "before",
    "beforeAll",
    "beforeEach",
    "catch",
    "finally",
    "on",
    "once",
    "pipe",
    "then",
];
/// Endings of words for groups of tests.
const GROUPS: [&str; 6] =
    ["describe", "suite", "context", "examples", "examples_for", "QUnit.module"];

/// Calls of Go's `testing.T` and `testing.B`, as these are named, which take nothing but a name and a function.
const RUNS: [&str; 2] = ["t.Run(", "b.Run("];

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
    let arguments = child(call, kinds.fields.arguments)?;
    let first = arguments.named_child(0)?;
    let word = word(call, words, arguments, kinds, text)?;
    let described = (word == "Deno.test").then(|| described(first, kinds, text)).flatten();
    if let Some((name, body)) = described {
        return Some(TestBlock { name, body: Some(body), last: call, is_group: false });
    }
    let body = child(call, kinds.fields.block).or_else(|| body(arguments, kinds, 0));
    // `it.todo('reads')` has only a name, Go's `t.Run("reads", testReads)` the name of its function; `it(word)` and
    // `fit(model, data)` are not tests.
    let is_named = first.kind().contains("string");
    let called = text.get(call.start_byte()..first.start_byte())?;
    let is_open = is_named && (called.contains(".todo(") || RUNS.contains(&called));
    // For `Run`, which is not used only by tests, the name must be a literal; so for other words of Go.
    let is_exported = word.starts_with(|first: char| first.is_ascii_uppercase());
    if (body.is_none() && !is_open) || (is_exported && !word.contains('.') && !is_named) {
        return None;
    }
    // An expression stays as it is: `'reads ' + name`. A function may have the name: `test(function reads() {...})`. One
    // without a name may be given to any member: `test.finished.push(() => {...})`.
    let title = match kinds.role(first).is_function {
        true => match child(first, kinds.fields.name) {
            Some(own) => text.get(own.byte_range()),
            None => is_called(call, word, kinds, text).then_some(word),
        },
        false => text.get(first.byte_range()),
    }?;
    // Go's raw strings have no escapes.
    let name = match first.kind() {
        "raw_string_literal" => unquoted(title).to_owned(),
        _ if is_named => text_of(title),
        _ => title.to_owned(),
    };
    let is_group = GROUPS.iter().any(|group| word.ends_with(group));
    Some(TestBlock { name: cut(&one_line(&name)), body, last: call, is_group })
}

/// Returns the test that a method, or a function behind a key, is in a list of tests.
pub(super) fn listed<'n>(node: Node<'n>, kinds: &Kinds, text: &str) -> Option<TestBlock<'n>> {
    let fields = &kinds.fields;
    let key = child(node, fields.key).or_else(|| child(node, fields.name))?;
    let function = child(node, fields.value).filter(|value| kinds.role(*value).is_function);
    let body = child(function.unwrap_or(node), fields.body)?;
    let name = cut(&one_line(&text_of(text.get(key.byte_range())?)));
    Some(TestBlock { name, body: Some(body), last: node, is_group: false })
}

/// Returns the name and the code of `{ name: 'reads', fn() {...} }`.
fn described<'n>(given: Node<'n>, kinds: &Kinds, text: &str) -> Option<(String, Node<'n>)> {
    let fields = &kinds.fields;
    let (mut name, mut code) = (None, None);
    let mut cursor = given.walk();
    for pair in given.named_children(&mut cursor) {
        // `name: 'reads'`, or a method.
        let key = child(pair, fields.key).or_else(|| child(pair, fields.name));
        let value = child(pair, fields.value);
        match key.and_then(|key| text.get(key.byte_range())) {
            Some("name") => name = value.and_then(|value| text.get(value.byte_range())),
            Some("fn") => code = child(value.unwrap_or(pair), fields.body),
            _ => {}
        }
    }
    Some((cut(&one_line(&text_of(name?))), code?))
}

/// Returns the text of a literal: without its quotes, and the escapes of quotes and backslashes in it.
pub(super) fn text_of(literal: &str) -> String {
    let inner = unquoted(literal);
    let quote = literal.chars().next().filter(|_| inner.len() < literal.len());
    quote.map_or_else(|| inner.to_owned(), |quote| unescaped(inner, quote))
}

/// Returns a text without the backslashes before quotes and backslashes. Other escapes stay.
fn unescaped(text: &str, quote: char) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_escape = letter == '\\';
        let escaped = letters.next_if(|&next| is_escape && (next == quote || next == '\\'));
        plain.push(escaped.unwrap_or(letter));
    }
    plain
}

/// Returns the called word, without `.only` and `.each(...)` after it.
fn word<'t>(
    call: Node,
    words: &[&str],
    arguments: Node,
    kinds: &Kinds,
    text: &'t str,
) -> Option<&'t str> {
    let mut at = child(call, kinds.fields.method).or_else(|| child(call, kinds.fields.function))?;
    for _ in 0..MAX_CHAIN {
        let whole = text.get(at.byte_range())?;
        if words.contains(&whole) {
            return Some(whole);
        }
        at = match at.kind() {
            // What is called on a test is none: `suite.add('a', f).add('b', g)`.
            "call_expression" => child(at, kinds.fields.function).filter(|_| {
                child(at, kinds.fields.arguments).is_none_or(|own| !is_test(own, kinds, text))
            })?,
            "selector_expression" => child(at, kinds.fields.field)?,
            "member_expression" => {
                let named = text.get(child(at, kinds.fields.property)?.byte_range())?;
                if OTHERS.contains(&named) {
                    return None;
                }
                if MEMBERS.contains(&named) && is_test(arguments, kinds, text) {
                    return Some(named);
                }
                child(at, kinds.fields.object)?
            }
            _ => return None,
        };
    }
    None
}

/// Returns whether a call has only this word before its arguments.
fn is_called(call: Node, word: &str, kinds: &Kinds, text: &str) -> bool {
    let called = child(call, kinds.fields.method).or_else(|| child(call, kinds.fields.function));
    called.and_then(|called| text.get(called.byte_range())) == Some(word)
}

/// Returns whether arguments are the name and the function of a test.
fn is_test(arguments: Node, kinds: &Kinds, text: &str) -> bool {
    let mut cursor = arguments.walk();
    let mut given = arguments.named_children(&mut cursor);
    let first = given.next().and_then(|first| text.get(first.byte_range()));
    first.is_some_and(|first| first.starts_with(['"', '\'', '`']))
        && given.any(|given| kinds.role(given).is_function)
}

/// Returns the body of the function passed to a call, which may be wrapped in other calls
/// (`it('reads', within(5, () => {...}))`).
fn body<'n>(arguments: Node<'n>, kinds: &Kinds, depth: usize) -> Option<Node<'n>> {
    let mut cursor = arguments.walk();
    let given: Vec<Node> = arguments.named_children(&mut cursor).collect();
    if let Some(function) = given.iter().find(|given| kinds.role(**given).is_function) {
        return child(*function, kinds.fields.body);
    }
    if depth == MAX_WRAPPED {
        return None;
    }
    let calls = given.iter().filter(|node| kinds.role(**node).is_call);
    let mut inner = calls.filter_map(|call| child(*call, kinds.fields.arguments));
    inner.find_map(|arguments| body(arguments, kinds, depth + 1))
}
