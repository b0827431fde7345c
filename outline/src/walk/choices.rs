//! Types that have no name of their own: those that a function returns, or that a constant chooses from.

use super::Walker;
use tree_sitter::Node;

/// Maximum number of nodes between a section and such a type.
const MAX_DEPTH: usize = 40;

impl Walker<'_, '_> {
    /// Returns the types in the code of a section: all of `if (a) struct {...} else struct {...}`, and those of
    /// `return struct {...}`.
    pub(super) fn choices<'n>(&self, node: Node<'n>) -> Vec<Node<'n>> {
        let mut found = Vec::new();
        if !self.grammar.choices.is_empty() {
            self.add_choices(node, 0, &mut found);
        }
        found
    }

    fn add_choices<'n>(&self, node: Node<'n>, depth: usize, found: &mut Vec<Node<'n>>) {
        let mut cursor = node.walk();
        let children: Vec<Node> = node.named_children(&mut cursor).collect();
        for child in children {
            let role = self.kinds.role(child);
            if role.is_members {
                found.push(child);
            } else if role.is_choice && depth < MAX_DEPTH {
                self.add_choices(child, depth + 1, found);
            }
        }
    }
}
