//! Finds the comment that belongs to a section, and its first line with words.

use super::kinds::{Kinds, Role};
use crate::lines::Lines;
use tree_sitter::Node;

/// The comments and attributes directly above the next node, without a blank line between.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Above {
    /// First and last line of the comments.
    comments: Option<(usize, usize)>,
    /// First line of the attributes and decorators, which belong to the node.
    attributes: Option<usize>,
    /// Last line of all of them, or of the code before.
    end: Option<usize>,
    /// Whether the last node was code: a comment on the same line belongs to it.
    is_behind_code: bool,
}

impl Above {
    /// The state before the first child of a node. A comment behind the word that the node begins with (`else: # a`) does
    /// not belong to that child; without such a word, what is above the node is above its first child too.
    pub fn within(node: Node, around: Option<Self>, lines: &Lines) -> Self {
        // Some nodes of Ruby begin with the line end before them.
        let is_word = |first: &Node| !first.is_named() && first.kind() != "\n";
        match node.child(0).filter(is_word) {
            Some(word) => Self::code(end_line(word, lines)),
            None => around.unwrap_or_default(),
        }
    }

    /// The state behind code that ends on a line.
    pub fn code(end: usize) -> Self {
        Self { end: Some(end), is_behind_code: true, ..Self::default() }
    }

    /// Updates the state with a node.
    pub fn pass(&mut self, node: Node, role: Role, lines: &Lines) {
        let (start, end) = (lines.at(node.start_byte()), end_line(node, lines));
        let trails = self.is_behind_code && self.end == Some(start);
        if !role.is_beside() || trails {
            *self = Self { is_behind_code: !role.is_beside(), ..Self::code(end) };
            return;
        }
        if !self.is_right_above(start) {
            (self.comments, self.attributes) = (None, None);
        }
        // `#![...]` belongs to the file.
        if role.is_attribute && !node.kind().starts_with("inner") {
            self.attributes.get_or_insert(start);
        }
        if role.is_comment {
            self.comments = Some((self.comments.map_or(start, |(first, _)| first), end));
        }
        (self.end, self.is_behind_code) = (Some(end), false);
    }

    /// Returns the first line with words in the comments above a node that begins on this line.
    pub fn doc(&self, start: usize, lines: &Lines) -> Option<usize> {
        let (first, last) = self.comments.filter(|_| self.is_right_above(start))?;
        first_words(first, last, lines)
    }

    /// Returns the first line of a node that begins on this line, with the attributes and decorators above it.
    pub fn first_line(&self, start: usize) -> usize {
        self.attributes.filter(|_| self.is_right_above(start)).unwrap_or(start)
    }

    fn is_right_above(&self, start: usize) -> bool {
        self.end.is_some_and(|end| end + 1 >= start)
    }
}

/// Returns the first line with words in a comment or text at the beginning of a file.
pub(super) fn head(first: Node, kinds: &Kinds, lines: &Lines) -> Option<usize> {
    if kinds.role(first).is_comment {
        return words_of(first, lines);
    }
    docstring(first, lines)
}

/// Returns the first line with words in the text at the beginning of a body.
pub(super) fn docstring(first: Node, lines: &Lines) -> Option<usize> {
    let text = first
        .named_child(0)
        .filter(|text| first.kind() == "expression_statement" && text.kind() == "string")?;
    words_of(text, lines)
}

fn words_of(node: Node, lines: &Lines) -> Option<usize> {
    first_words(lines.at(node.start_byte()), end_line(node, lines), lines)
}

fn first_words(first: usize, last: usize, lines: &Lines) -> Option<usize> {
    (first..=last).find(|&line| lines.get(line).contains(char::is_alphanumeric))
}

/// Returns the last line of a node; a line comment may include its line end.
fn end_line(node: Node, lines: &Lines) -> usize {
    lines.at(node.end_byte().saturating_sub(1).max(node.start_byte()))
}
