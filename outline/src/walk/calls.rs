//! Calls: their arguments may be definitions (`private def f`), or functions with tests in them
//! (`parsers.forEach((parser) => { it('reads', ...) })`).

use super::place::{Inside, Place};
use super::{Around, MAX_NESTING, Walker, kinds, test_blocks};
use tree_sitter::Node;

/// Maximum number of nodes between a call and the one before it: `first(a).then(b)`.
const MAX_BETWEEN: usize = 4;
/// Nodes of JavaScript between a statement and the calls in it.
const EXPRESSIONS: [&str; 17] = [
    "arguments",
    "array",
    "as_expression",
    "assignment_expression",
    "binary_expression",
    "lexical_declaration",
    "method_definition",
    "new_expression",
    "object",
    "pair",
    "parenthesized_expression",
    "return_statement",
    "satisfies_expression",
    "ternary_expression",
    "unary_expression",
    "variable_declaration",
    "variable_declarator",
];

impl<'t> Walker<'_, 't> {
    /// Walks the arguments of a call, the calls before it in a chain, and the function that it calls; or the code of a
    /// function that is given to a call.
    pub(super) fn call<'n>(&mut self, node: Node<'n>, place: Place) {
        if self.grammar.tests.is_empty() || place.nesting > MAX_NESTING {
            return;
        }
        if self.kinds.role(node).is_function {
            return self.given_function(node, place);
        }
        if !self.kinds.role(node).is_call {
            return self.expression(node, place);
        }
        let inside = if place.inside == Inside::Declarations { Inside::Code } else { place.inside };
        let fields = &self.kinds.fields;
        let (given, block) =
            (kinds::child(node, fields.arguments), kinds::child(node, fields.block));
        if place.inside != Inside::Declarations {
            // `private attr_reader :path`
            self.accessors(node, place);
        }
        if let Some(before) = self.called(node) {
            let place = Place { inside, nesting: place.nesting + 1, ..place };
            self.visit(before, place, Around::only(before));
        }
        for given in [given, block].into_iter().flatten() {
            self.walk(given, Place { inside, ..place }, None);
        }
    }

    /// Walks an expression or a declaration for the tests in its calls: `const done = run(() => { it('reads', ...) })`.
    pub(super) fn expression<'n>(&mut self, node: Node<'n>, place: Place) {
        let is_script = self.grammar.test_functions.contains(&"");
        if !is_script || !EXPRESSIONS.contains(&node.kind()) {
            return;
        }
        let place = Place { is_top: false, inside: Inside::Test, ..place };
        match node.kind() {
            "pair" => self.value(node, place),
            _ => self.walk(node, place, None),
        }
    }

    /// Walks the value behind a key. The functions of `tests: {...}` are tests.
    fn value<'n>(&mut self, pair: Node<'n>, place: Place) {
        let fields = &self.kinds.fields;
        let value = kinds::child(pair, fields.value).filter(|_| place.nesting <= MAX_NESTING);
        let (Some(key), Some(value)) = (kinds::child(pair, fields.key), value) else { return };
        let is_list = value.kind() == "object" && self.text.get(key.byte_range()) == Some("tests");
        let place = Place { nesting: place.nesting + 1, ..place };
        match is_list {
            true => self.listed_tests(value, place),
            false => self.visit(value, place, Around::only(value)),
        }
    }

    /// Adds the tests of `{ reads() {...}, 'writes': () => {...} }`. What is no function is searched for more.
    fn listed_tests<'n>(&mut self, tests: Node<'n>, place: Place) {
        let mut cursor = tests.walk();
        for node in tests.named_children(&mut cursor) {
            match test_blocks::listed(node, &self.kinds, self.text) {
                Some(test) => self.test_block(node, test, place, Around::only(node)),
                None => self.expression(node, Place { nesting: place.nesting + 1, ..place }),
            }
        }
    }

    /// Walks the statements in brackets that a call of Ruby begins with: `(Error = Class.new(StandardError)).name`.
    pub(super) fn receiver<'n>(&mut self, call: Node<'n>, place: Place, around: Around<'n>) {
        let mut at = Some(call);
        for _ in 0..MAX_BETWEEN {
            at = at.and_then(|call| kinds::child(call, self.kinds.fields.receiver));
            match at {
                Some(statements) if statements.kind() == "parenthesized_statements" => {
                    return self.walk(statements, place, Some(around));
                }
                _ => {}
            }
        }
    }

    /// Walks the code of a function for the tests in it. They rank as members: there may be too many to show.
    fn given_function<'n>(&mut self, function: Node<'n>, place: Place) {
        let Some(body) = kinds::child(function, self.kinds.fields.body) else { return };
        let inside = match place.inside {
            Inside::Local => Inside::Local,
            _ => Inside::Test,
        };
        let place = Place { is_top: false, inside, nesting: place.nesting + 1, ..place };
        let role = self.kinds.role(body);
        if role.is_wrapper || role.is_code {
            self.walk(body, place, None);
        } else {
            // `(parser) => it('reads', ...)`
            self.visit(body, place, Around::only(body));
        }
    }

    /// Returns the call or the function that a call begins with: `first(a)` of `first(a).then(b)`, `() => {...}` of
    /// `(() => {...})()`.
    fn called<'n>(&self, call: Node<'n>) -> Option<Node<'n>> {
        let fields = &self.kinds.fields;
        let mut at = kinds::child(call, fields.function)?;
        for _ in 0..MAX_BETWEEN {
            if self.kinds.role(at).is_call || self.kinds.role(at).is_function {
                return Some(at);
            }
            at = match at.kind() {
                "member_expression" => kinds::child(at, fields.object)?,
                "selector_expression" => kinds::child(at, fields.operand)?,
                "parenthesized_expression" => at.named_child(0)?,
                _ => return None,
            };
        }
        None
    }
}
