//! Definitions in the block of a macro of Rust: `cfg_io! { pub trait Reader {...} }`. The grammar knows only its tokens.

use super::docs::Above;
use super::place::Place;
use super::{Walker, parse};
use crate::rank::Rank;
use tree_sitter::{Node, Tree};

impl Walker<'_, '_> {
    /// Walks the blocks of a macro, if all that is in them are definitions. Returns whether that is so for any.
    pub(super) fn macro_blocks(&mut self, node: Node, place: Place) -> bool {
        // Other builds leave this out.
        if !cfg!(feature = "rust") || !is_macro(node) || place.blocks_left == 0 {
            return false;
        }
        let Some(given) = last_child(node).filter(is_braced) else { return false };
        let blocks = self.blocks_of(given).into_iter();
        let trees: Vec<(Node, Tree)> =
            blocks.filter_map(|block| Some((block, self.items(block)?))).collect();
        if trees.is_empty() {
            return false;
        }
        if place.depth == 0 {
            self.ranks.mark(self.first_line(node), Rank::Statement);
        }
        let inner = Place { blocks_left: place.blocks_left - 1, ..place };
        for (block, tree) in &trees {
            // A comment on the line of the bracket is of no definition.
            let above = Above::code(self.first_line(*block));
            self.walk_below(above, tree.root_node(), inner, None);
        }
        true
    }

    /// Returns what a macro is given, or its branches: `cfg_if! { if #[cfg(unix)] {...} else {...} }`.
    fn blocks_of<'n>(&self, given: Node<'n>) -> Vec<Node<'n>> {
        let text = self.text.get(given.byte_range()).unwrap_or_default();
        if !text.trim_start_matches('{').trim_start().starts_with("if #[") {
            return vec![given];
        }
        let mut cursor = given.walk();
        given.named_children(&mut cursor).filter(is_braced).collect()
    }

    /// Parses the text between the brackets of a block. Returns `None` if there is anything but items.
    fn items(&self, block: Node) -> Option<Tree> {
        let language = self.grammar.language?();
        let brackets = (block.child(0)?, last_child(block)?);
        let tree = parse::parse_between(&language, self.parsed, brackets);
        tree.filter(|tree| self.are_items(tree.root_node()))
    }

    fn are_items(&self, root: Node) -> bool {
        let mut cursor = root.walk();
        root.named_child_count() > 0
            && root.children(&mut cursor).all(|child| self.is_item(child) && is_sound(child))
    }

    fn is_item(&self, node: Node) -> bool {
        let role = self.kinds.role(node);
        role.section.is_some()
            || role.is_import
            || role.is_wrapper
            || role.is_beside()
            || is_macro(node)
            || node.kind() == "empty_statement"
            || node.kind() == "expression_statement" && node.named_child(0).is_some_and(is_macro)
    }
}

/// Returns whether a node has no errors, but in the parameters of a function: `fn reads(text in any::<String>()) {` of
/// proptest.
fn is_sound(node: Node) -> bool {
    if !node.has_error() {
        return true;
    }
    let mut cursor = node.walk();
    let is_part_sound = |part: Node| !part.has_error() || part.kind() == "parameters";
    node.kind() == "function_item" && node.children(&mut cursor).all(is_part_sound)
}

fn is_macro(node: Node) -> bool {
    node.kind() == "macro_invocation"
}

fn last_child(node: Node) -> Option<Node> {
    node.child(node.child_count().checked_sub(1)?)
}

fn is_braced(node: &Node) -> bool {
    node.kind() == "token_tree" && node.child(0).is_some_and(|open| open.kind() == "{")
}
