//! Functions that are called where they are defined and hold a module: `(function () {...})()`, `define(function () {...})`.

use super::place::{Inside, Place};
use super::{Walker, kinds};
use crate::rank::Rank;
use tree_sitter::Node;

const FUNCTIONS: [&str; 2] = ["function_expression", "arrow_function"];
/// Nodes around such a call, and around the function that it calls.
const AROUND: [&str; 4] =
    ["parenthesized_expression", "unary_expression", "await_expression", "member_expression"];
/// Maximum number of these nodes.
const MAX_AROUND: usize = 6;

impl Walker<'_, '_> {
    /// Walks the functions of such a call, at the top level or in another one, for the functions and classes in them. They rank as members:
    /// the whole file may be in them. Returns whether the node is such a call.
    pub(super) fn at_once(&mut self, node: Node, place: Place) -> bool {
        let is_module = place.is_module && place.inside == Inside::Code;
        if !is_module && !place.is_top {
            return false;
        }
        let Some(call) = inner(node, &["call_expression"]) else { return false };
        let Some(called) = kinds::child(call, self.kinds.fields.function) else { return false };
        let mut functions: Vec<Node> = inner(called, &FUNCTIONS).into_iter().collect();
        let is_define = self.text.get(called.byte_range()) == Some("define");
        if let Some(given) = kinds::child(call, self.kinds.fields.arguments)
            && (is_define || !functions.is_empty())
        {
            let mut cursor = given.walk();
            let given = given.named_children(&mut cursor);
            functions.extend(given.filter_map(|given| inner(given, &FUNCTIONS)));
        }
        if functions.is_empty() {
            return false;
        }
        self.ranks.mark(self.first_line(node), Rank::Statement);
        let inner = Place { is_top: false, is_module: true, inside: Inside::Code, ..place };
        let body = self.kinds.fields.body;
        for body in functions.iter().filter_map(|one| kinds::child(*one, body)) {
            self.walk(body, inner, None);
        }
        true
    }
}

/// Returns the node of one of these kinds in what may be around it.
fn inner<'n>(node: Node<'n>, kinds: &[&str]) -> Option<Node<'n>> {
    let mut at = node;
    for _ in 0..MAX_AROUND {
        if kinds.contains(&at.kind()) {
            return Some(at);
        }
        at = at.named_child(0).filter(|_| AROUND.contains(&at.kind()))?;
    }
    None
}
