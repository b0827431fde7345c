//! What a section is called.

use super::kinds::{Kinds, child};
use crate::section::SectionKind;
use tree_sitter::Node;

/// A key of minified data can be as long as its file.
const MAX_NAME: usize = 1_000;
const MAX_DEPTH: usize = 6;

/// A name and where it stands.
pub(super) struct Name {
    pub text: String,
    pub start: usize,
}

/// The name of a section; empty, at its beginning, where it has none.
pub(super) fn of(node: Node, body: Option<Node>, kinds: &Kinds, text: &str) -> Name {
    if kinds.role(node).is_header {
        return header(node, body, text);
    }
    let Some(found) = find(node, kinds, 0) else {
        return Name { text: String::new(), start: node.start_byte() };
    };
    let name = text.get(found.byte_range()).unwrap_or_default();
    Name { text: cut(unquoted(name)), start: found.start_byte() }
}

/// All that stands before the body, without an `impl` and its blanks.
fn header(node: Node, body: Option<Node>, text: &str) -> Name {
    let end = body.map_or(node.end_byte(), |body| body.start_byte());
    let whole = text.get(node.start_byte()..end).unwrap_or_default();
    let words: Vec<&str> = whole.split_whitespace().collect();
    let joined = words.join(" ");
    let name = joined.strip_prefix("impl ").unwrap_or(&joined);
    Name { text: cut(name), start: node.start_byte() }
}

/// A text without the quotes around it.
pub(super) fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    ['"', '\'', '`'].into_iter().find_map(inner).unwrap_or(text)
}

pub(super) fn cut(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

fn find<'n>(node: Node<'n>, kinds: &Kinds, depth: usize) -> Option<Node<'n>> {
    if depth > MAX_DEPTH {
        return None;
    }
    if depth > 0 && is_name(node, kinds) {
        return Some(node);
    }
    for (field, is_whole) in kinds.fields.to_name {
        if let Some(child) = child(node, field) {
            let found = find(child, kinds, depth + 1);
            return if is_whole { found.or(Some(child)) } else { found };
        }
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).take(20).find_map(|child| find(child, kinds, depth + 1))
}

fn is_name(node: Node, kinds: &Kinds) -> bool {
    let role = kinds.role(node);
    role.is_path || (role.is_name && node.named_child_count() == 0)
}

/// A declaration of C can be a variable's or a function's; a variable of JavaScript can hold a function.
pub(super) fn refine(node: Node, kind: SectionKind, kinds: &Kinds) -> SectionKind {
    if kind != SectionKind::Variable {
        return kind;
    }
    let fields = &kinds.fields;
    let mut at = Some(node);
    for _ in 0..MAX_DEPTH {
        let Some(node) = at else { break };
        if kinds.role(node).is_function {
            return SectionKind::Function;
        }
        at = child(node, fields.value)
            .or_else(|| child(node, fields.declarator))
            .or_else(|| child(node, fields.right))
            .or_else(|| node.named_child(0).filter(|child| child.kind() == "variable_declarator"));
    }
    kind
}
