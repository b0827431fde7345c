//! Finds the names of sections.

use super::kinds::{Kinds, child};
use crate::section::{SectionKind, cut};
use tree_sitter::Node;

const MAX_DEPTH: usize = 6;

/// A name and its offset.
pub(super) struct Name {
    pub text: String,
    pub start: usize,
}

/// Returns the name of a section. If it has none, the name is empty and at the section's start.
pub(super) fn of(node: Node, body: Option<Node>, kinds: &Kinds, text: &str) -> Name {
    if kinds.role(node).is_header {
        return header(node, body, text);
    }
    let none = || Name { text: String::new(), start: node.start_byte() };
    if is_unnamed(node, kinds) {
        return Name { text: "default".to_owned(), ..none() };
    }
    let Some(found) = find(node, kinds, 0) else { return none() };
    let name = text.get(found.byte_range()).unwrap_or_default();
    Name { text: cut(unquoted(name)), start: found.start_byte() }
}

/// Returns the name in a declarator.
pub(super) fn of_declared(declared: Node, kinds: &Kinds, text: &str) -> Option<String> {
    let is_name = is_name(declared, kinds) || is_built_in(declared);
    let found = if is_name { declared } else { find(declared, kinds, 0)? };
    Some(cut(text.get(found.byte_range())?))
}

/// Returns the text before the body, without `impl ` and with single spaces.
fn header(node: Node, body: Option<Node>, text: &str) -> Name {
    let end = body.map_or(node.end_byte(), |body| body.start_byte());
    let whole = text.get(node.start_byte()..end).unwrap_or_default();
    let words: Vec<&str> = whole.split_whitespace().collect();
    let joined = words.join(" ");
    let name = joined.strip_prefix("impl ").unwrap_or(&joined);
    Name { text: cut(name), start: node.start_byte() }
}

/// Returns a text without its quotes.
pub(super) fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    ['"', '\'', '`'].into_iter().find_map(inner).unwrap_or(text)
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
            let is_name = is_whole || is_built_in(child);
            return if is_name { found.or(Some(child)) } else { found };
        }
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).take(20).find_map(|child| find(child, kinds, depth + 1))
}

/// Returns whether a node is an `export default` without a name.
fn is_unnamed(node: Node, kinds: &Kinds) -> bool {
    is_expression(node, kinds) && is_exported(node) && child(node, kinds.fields.name).is_none()
}

/// Returns whether a node is a function or class that is a value, such as an argument, not a definition.
pub(super) fn is_value(node: Node, kinds: &Kinds) -> bool {
    is_expression(node, kinds) && !is_exported(node)
}

/// Returns whether a node is a function or class expression. Ruby's class definitions have the same kind as
/// JavaScript's class expressions, but always a name.
fn is_expression(node: Node, kinds: &Kinds) -> bool {
    match node.kind() {
        "function_expression" | "arrow_function" => true,
        "class" => child(node, kinds.fields.name).is_none(),
        _ => false,
    }
}

fn is_exported(node: Node) -> bool {
    node.parent().is_some_and(|around| around.kind() == "export_statement")
}

/// Returns whether a declared name is a built-in type for C's grammar, such as `uint32_t`; a `typedef` may declare it.
fn is_built_in(declared: Node) -> bool {
    declared.kind() == "primitive_type"
}

fn is_name(node: Node, kinds: &Kinds) -> bool {
    let role = kinds.role(node);
    role.is_path || (role.is_name && node.named_child_count() == 0)
}

/// Refines the kind of a variable that is a function: a C declaration may declare one, a JavaScript variable may hold
/// one.
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
