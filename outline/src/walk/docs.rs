//! Which comment belongs to a section, and which of its lines says something.

use super::kinds::{Kinds, Role};
use crate::lines::Lines;
use tree_sitter::Node;

/// The comments and attributes that stand right above the next node, without a blank line between.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Above {
    /// First and last line of the comments among them.
    comments: Option<(usize, usize)>,
    /// The last line of all of them, or of the code before.
    end: Option<usize>,
    /// Whether the last node was code: a comment on its line is about it.
    is_behind_code: bool,
}

impl Above {
    /// Goes past a node.
    pub fn pass(&mut self, node: Node, role: Role, lines: &Lines) {
        let (start, end) = (lines.at(node.start_byte()), end_line(node, lines));
        let trails = self.is_behind_code && self.end == Some(start);
        if !role.is_beside() || trails {
            *self = Self { comments: None, end: Some(end), is_behind_code: !role.is_beside() };
            return;
        }
        if !self.is_right_above(start) {
            self.comments = None;
        }
        if role.is_comment {
            self.comments = Some((self.comments.map_or(start, |(first, _)| first), end));
        }
        (self.end, self.is_behind_code) = (Some(end), false);
    }

    /// The first line with words of the comments above a node that begins on this line.
    pub fn doc(&self, start: usize, lines: &Lines) -> Option<usize> {
        let (first, last) = self.comments.filter(|_| self.is_right_above(start))?;
        first_words(first, last, lines)
    }

    fn is_right_above(&self, start: usize) -> bool {
        self.end.is_some_and(|end| end + 1 >= start)
    }
}

/// The first line with words of a comment or a text at the beginning of a file.
pub(super) fn head(first: Node, kinds: &Kinds, lines: &Lines) -> Option<usize> {
    if kinds.role(first).is_comment {
        return words_of(first, lines);
    }
    docstring(first, lines)
}

/// The first line with words of the text that a body begins with.
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

/// The last line of a node; a line comment may end with its line's end.
fn end_line(node: Node, lines: &Lines) -> usize {
    lines.at(node.end_byte().saturating_sub(1).max(node.start_byte()))
}
