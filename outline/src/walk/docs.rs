//! Which comment belongs to a section, and which of its lines says something.

use crate::grammar::Grammar;
use crate::lines::Lines;
use tree_sitter::Node;

/// The first line with words of the comment before a section, or of the text that its body begins with.
pub(super) fn of(
    node: Node,
    body: Option<Node>,
    grammar: &Grammar,
    lines: &Lines,
) -> Option<usize> {
    let outer = outermost(node, grammar);
    above(outer, lines).or_else(|| body.and_then(|body| docstring(body.named_child(0)?, lines)))
}

/// The first line with words of a comment or a text at the beginning of a file.
pub(super) fn head(first: Node, lines: &Lines) -> Option<usize> {
    if is_comment(first) {
        return first_words(first, first, lines);
    }
    docstring(first, lines)
}

/// Whether a node stands beside code rather than being code: comments, and what is said of the next node.
pub(super) fn is_beside(node: Node) -> bool {
    is_comment(node) || is_attribute(node)
}

/// The node that wraps a section and nothing else (`export`, decorators, `template <...>`).
pub(super) fn outermost<'n>(node: Node<'n>, grammar: &Grammar) -> Node<'n> {
    let mut outer = node;
    while let Some(parent) = outer.parent() {
        let ends_alike = parent.end_byte() == outer.end_byte() && parent.parent().is_some();
        if parent.is_error() || !ends_alike || !grammar.wrappers.contains(&parent.kind()) {
            break;
        }
        if parent
            .named_children(&mut parent.walk())
            .next()
            .is_some_and(|first| grammar.section(first.kind()).is_some() && first != outer)
        {
            break;
        }
        outer = parent;
    }
    outer
}

fn above(node: Node, lines: &Lines) -> Option<usize> {
    let mut first: Option<Node> = None;
    let mut last = None;
    let mut next = node;
    while let Some(before) = next.prev_named_sibling() {
        let is_adjacent = end_line(before, lines) + 1 >= lines.at(next.start_byte());
        if !is_adjacent || !is_beside(before) || trails(before, lines) {
            break;
        }
        if is_comment(before) {
            last = last.or(Some(before));
            first = Some(before);
        }
        next = before;
    }
    first_words(first?, last?, lines)
}

/// Whether a comment stands behind code, on its line.
fn trails(comment: Node, lines: &Lines) -> bool {
    let before = comment.prev_named_sibling();
    before.is_some_and(|before| {
        !is_comment(before) && end_line(before, lines) == lines.at(comment.start_byte())
    })
}

fn docstring(first: Node, lines: &Lines) -> Option<usize> {
    let text = first
        .named_child(0)
        .filter(|text| first.kind() == "expression_statement" && text.kind() == "string")?;
    first_words(text, text, lines)
}

fn first_words(first: Node, last: Node, lines: &Lines) -> Option<usize> {
    let range = lines.at(first.start_byte())..=end_line(last, lines);
    range.into_iter().find(|&line| lines.get(line).contains(char::is_alphanumeric))
}

/// The last line of a node; a line comment may end with its line's end.
fn end_line(node: Node, lines: &Lines) -> usize {
    lines.at(node.end_byte().saturating_sub(1).max(node.start_byte()))
}

fn is_comment(node: Node) -> bool {
    node.kind().contains("comment")
}

fn is_attribute(node: Node) -> bool {
    node.kind().contains("attribute") || node.kind().contains("decorator")
}
