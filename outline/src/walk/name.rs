//! What a section is called.

use crate::grammar::Grammar;
use crate::section::SectionKind;
use tree_sitter::Node;

const MAX_NAME: usize = 120;
const MAX_DEPTH: usize = 6;

/// Fields that lead to a name, the best first.
const FIELDS: [&str; 6] = ["name", "declarator", "left", "key", "pattern", "property"];
/// Ends of the kinds of nodes that are names.
const NAMES: [&str; 6] = ["identifier", "name", "key", "constant", "word", "string"];

/// A name and where it stands.
pub(super) struct Name {
    pub text: String,
    pub start: usize,
}

/// The name of a section; empty, at its beginning, where it has none.
pub(super) fn of(node: Node, body: Option<Node>, grammar: &Grammar, text: &str) -> Name {
    if grammar.headers.contains(&node.kind()) {
        return header(node, body, text);
    }
    let Some(found) = find(node, 0) else {
        return Name { text: String::new(), start: node.start_byte() };
    };
    let name = text.get(found.byte_range()).unwrap_or_default();
    let name = name.trim_matches(['"', '\'']);
    Name { text: cut(name), start: found.start_byte() }
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

fn cut(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

fn find(node: Node, depth: usize) -> Option<Node> {
    if depth > MAX_DEPTH {
        return None;
    }
    if depth > 0 && is_name(node) {
        return Some(node);
    }
    for field in FIELDS {
        if let Some(child) = node.child_by_field_name(field) {
            // What a name field holds is the name, whatever it is.
            let found = find(child, depth + 1);
            return if field == "name" || field == "key" { found.or(Some(child)) } else { found };
        }
    }
    let mut cursor = node.walk();
    node.named_children(&mut cursor).take(20).find_map(|child| find(child, depth + 1))
}

fn is_name(node: Node) -> bool {
    let kind = node.kind();
    // `Outer::inner` and `module.exports` are whole names.
    let is_path =
        kind == "qualified_identifier" || kind == "member_expression" || kind == "dotted_key";
    is_path || (node.named_child_count() == 0 && NAMES.iter().any(|end| kind.ends_with(end)))
}

/// A declaration of C can be a variable's or a function's; a variable of JavaScript can hold a function.
pub(super) fn refine(node: Node, kind: SectionKind) -> SectionKind {
    if kind != SectionKind::Variable {
        return kind;
    }
    let mut at = Some(node);
    for _ in 0..MAX_DEPTH {
        let Some(node) = at else { break };
        if matches!(node.kind(), "function_declarator" | "arrow_function" | "function_expression") {
            return SectionKind::Function;
        }
        at = node
            .child_by_field_name("value")
            .or_else(|| node.child_by_field_name("declarator"))
            .or_else(|| node.named_child(0).filter(|child| child.kind() == "variable_declarator"));
    }
    kind
}
