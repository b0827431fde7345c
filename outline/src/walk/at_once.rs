//! Functions that are called where they are defined and hold a module: `(function () {...})()`, `define(function () {...})`.

use super::place::{Inside, Place};
use super::{Walker, kinds};
use crate::rank::Rank;
use tree_sitter::Node;

const FUNCTIONS: [&str; 2] = ["function_expression", "arrow_function"];
/// Nodes around such a call, and around the function that it calls.
const AROUND: [&str; 6] = [
    "parenthesized_expression",
    "unary_expression",
    "binary_expression",
    "sequence_expression",
    "await_expression",
    "member_expression",
];
const CALLS: [&str; 2] = ["call_expression", "new_expression"];
/// Maximum number of nodes around the function: `(async () => {...})().then(a).catch(b)`.
const MAX_AROUND: usize = 12;

impl Walker<'_, '_> {
    /// Walks the functions of such a call for the functions and classes in them: at the top level, and again in what is
    /// called at once there. They rank as members: the whole file may be in them. Returns whether the node is such a call.
    pub(super) fn at_once(&mut self, node: Node, place: Place) -> bool {
        if !place.is_top && place.inside != Inside::Code {
            return false;
        }
        let mut functions = self.called_at_once(node);
        if functions.is_empty() {
            return false;
        }
        // The function is in front of what is given to it.
        functions.sort_by_key(Node::start_byte);
        self.ranks.mark(self.first_line(node), Rank::Statement);
        let inner = Place { is_top: false, inside: Inside::Code, ..place };
        let body = self.kinds.fields.body;
        for body in functions.iter().filter_map(|one| kinds::child(*one, body)) {
            self.walk(body, inner, None);
        }
        true
    }

    /// Returns the function that a node calls where it is defined, and those given to the calls around it, in any order.
    /// Of other nodes, returns none.
    fn called_at_once<'n>(&self, node: Node<'n>) -> Vec<Node<'n>> {
        let mut found = Vec::new();
        let mut is_called = false;
        let mut at = Some(node);
        for _ in 0..MAX_AROUND {
            let Some(around) = at else { break };
            if FUNCTIONS.contains(&around.kind()) {
                found.extend(is_called.then_some(around));
                return found;
            }
            if CALLS.contains(&around.kind()) {
                is_called = true;
                found.extend(self.given_functions(around));
                if self.is_module(around) {
                    return found;
                }
            } else if !AROUND.contains(&around.kind()) {
                break;
            }
            at = inner(around);
        }
        Vec::new()
    }

    /// Returns whether a call runs what is given to it. A parser may take `await (() => {...})()` for a call of `await`.
    fn is_module(&self, call: Node) -> bool {
        let called = kinds::child(call, self.kinds.fields.function);
        let called = called.and_then(|called| self.text.get(called.byte_range()));
        matches!(called, Some("define" | "await"))
    }

    /// Returns the functions among the arguments of a call.
    fn given_functions<'n>(&self, call: Node<'n>) -> Vec<Node<'n>> {
        let Some(given) = kinds::child(call, self.kinds.fields.arguments) else {
            return Vec::new();
        };
        let mut cursor = given.walk();
        given.named_children(&mut cursor).filter_map(bracketed).collect()
    }
}

/// Returns the function that a node is, in brackets or not.
fn bracketed(node: Node) -> Option<Node> {
    let mut at = node;
    for _ in 0..MAX_AROUND {
        if at.kind() != "parenthesized_expression" {
            return Some(at).filter(|inner| FUNCTIONS.contains(&inner.kind()));
        }
        at = inner(at)?;
    }
    None
}

/// Returns what is called in a node: its first part, or the last one of operands (`ready && (() => {...})()`).
fn inner(node: Node) -> Option<Node> {
    let mut cursor = node.walk();
    let mut parts = node.named_children(&mut cursor).filter(|part| part.kind() != "comment");
    match node.kind() {
        "binary_expression" | "sequence_expression" => parts.last(),
        _ => parts.next(),
    }
}
