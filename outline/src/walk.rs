//! A grammar's tree: finds the sections and ranks the lines.

mod docs;
mod kinds;
#[cfg(any(feature = "c", feature = "cpp"))]
mod macros;
mod name;
mod parse;

use crate::grammar::{Grammar, Privacy};
use crate::lines::Lines;
use crate::outline::Reading;
use crate::rank::{Rank, Ranks};
use crate::section::{Section, SectionKind};
use docs::Above;
use kinds::Kinds;
use std::borrow::Cow;
use tree_sitter::Node;

/// A tree can be as deep as its file is long; the stack cannot.
const MAX_NESTING: usize = 100;
/// How far below a section its body may stand (a declaration's, its declarator's, its value's).
const MAX_BODY_DEPTH: usize = 4;

/// Reads a file by a grammar. Nothing where the parser gave up.
#[inline(never)]
pub(crate) fn read(
    grammar: &'static Grammar,
    text: &str,
    lines: &Lines,
    ranks: &mut Ranks,
) -> Option<Reading> {
    let language = grammar.language?();
    let tree = parse::parse(&language, &parsed(grammar, text))?;
    let root = tree.root_node();
    let kinds = Kinds::of(grammar, &language);
    let mut walker = Walker { grammar, kinds, text, lines, ranks, sections: Vec::new() };
    walker.head(root);
    walker.walk(root, Place { depth: 0, nesting: 0, is_inner: false, is_top: true }, None);
    Some(Reading { language: grammar.name, sections: walker.sections, malformed: root.has_error() })
}

/// What the parser reads: as long as the text, with each line in its place.
fn parsed<'t>(grammar: &Grammar, text: &'t str) -> Cow<'t, str> {
    #[cfg(any(feature = "c", feature = "cpp"))]
    if grammar.has_macros {
        return macros::blanked(text);
    }
    let _ = grammar;
    Cow::Borrowed(text)
}

/// Where a node stands.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// In how many sections.
    depth: usize,
    /// How many nodes were entered on the way.
    nesting: usize,
    /// Whether what is around it is private, or deeper than a member.
    is_inner: bool,
    /// Whether only namespaces are around it.
    is_top: bool,
}

/// A node that wraps a section and nothing else (`export`, decorators, `template <...>`), and the comments above it.
#[derive(Debug, Clone, Copy)]
struct Around<'n> {
    outer: Node<'n>,
    above: Above,
}

struct Walker<'w, 't> {
    grammar: &'static Grammar,
    kinds: Kinds,
    text: &'t str,
    lines: &'w Lines<'t>,
    ranks: &'w mut Ranks,
    sections: Vec<Section>,
}

impl<'t> Walker<'_, 't> {
    /// What the file says of itself before anything else.
    fn head(&mut self, root: Node) {
        let first = root.named_child(0);
        if let Some(line) = first.and_then(|first| docs::head(first, &self.kinds, self.lines)) {
            self.ranks.mark(line, Rank::Doc);
        }
    }

    /// Goes through the children of a node, which `wrapping` says to be a section's wrapper.
    fn walk<'n>(&mut self, node: Node<'n>, place: Place, wrapping: Option<Around<'n>>) {
        if place.nesting > MAX_NESTING {
            return;
        }
        let place = Place { nesting: place.nesting + 1, ..place };
        let mut above = Above::default();
        let mut is_first = true;
        let mut wrapping = wrapping.filter(|_| !node.is_error());
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let role = self.kinds.role(child);
            let whole = wrapping.filter(|_| child.end_byte() == node.end_byte());
            self.visit(child, place, whole.unwrap_or(Around { outer: child, above }));
            if is_first && role.section.is_some() {
                wrapping = None;
            }
            is_first = false;
            above.pass(child, role, self.lines);
        }
    }

    fn visit<'n>(&mut self, node: Node<'n>, place: Place, around: Around<'n>) {
        let role = self.kinds.role(node);
        if let Some(section) = role.section {
            if self.declares_several(node) {
                self.declarators(node, section, place, around);
            } else {
                self.section(node, section, place, around);
            }
        } else if role.is_import {
            self.import(node);
        } else if role.is_field {
            self.field(node, place);
        } else if role.is_wrapper || node.is_error() {
            if place.is_top && role.is_body && self.is_open_block(node) {
                self.ranks.mark(self.first_line(node), Rank::Top);
            }
            self.walk(node, place, Some(around));
        } else if place.depth == 0 && !role.is_beside() {
            self.ranks.mark(self.first_line(node), Rank::Statement);
        }
    }

    /// `declare global {`: a block in brackets that no condition is for is there for what its first line says.
    fn is_open_block(&self, node: Node) -> bool {
        let is_conditional = |around: Node| self.kinds.role(around).is_conditional;
        self.text.as_bytes().get(node.start_byte()) == Some(&b'{')
            && !node.parent().is_some_and(is_conditional)
    }

    fn declares_several(&self, node: Node) -> bool {
        let is_declarator = |child: Node| self.kinds.role(child).is_declarator;
        node.named_child(1).is_some_and(is_declarator)
    }

    /// `var f = function () {},` and others on lines below: each line is a declaration of its own.
    fn declarators<'n>(
        &mut self,
        node: Node<'n>,
        kind: SectionKind,
        place: Place,
        around: Around<'n>,
    ) {
        let mut cursor = node.walk();
        let mut around = Some(around);
        let mut after = 0;
        for child in node.named_children(&mut cursor) {
            if self.kinds.role(child).is_declarator && self.first_line(child) >= after {
                let own = Around { outer: child, above: Above::default() };
                self.section(child, kind, place, around.take().unwrap_or(own));
                after = self.last_line(child) + 1;
            }
        }
    }

    fn import(&mut self, node: Node) {
        let (first, last) = (self.first_line(node), self.last_line(node));
        self.ranks.mark(first, Rank::Import);
        for line in first + 1..=last {
            self.ranks.mark(line, Rank::Field);
        }
    }

    fn field(&mut self, node: Node, place: Place) {
        let rank =
            if place.is_inner || self.is_marked_private(node) { Rank::Inner } else { Rank::Field };
        self.ranks.mark(self.first_line(node), rank);
    }

    /// Whether `private` stands before what a field holds.
    fn is_marked_private(&self, field: Node) -> bool {
        let text = self.text.get(field.byte_range()).unwrap_or_default();
        let before = text.split([';', '=', '{', '(']).next().unwrap_or_default();
        matches!(self.grammar.privacy, Privacy::Marked)
            && self.grammar.privacy.is_private(before, "")
    }

    fn section<'n>(&mut self, node: Node<'n>, kind: SectionKind, place: Place, around: Around<'n>) {
        let (first, last) = (self.first_line(around.outer), self.last_line(node));
        if kind == SectionKind::Element && first == last {
            return;
        }
        let body = self.body(node, 0);
        let named = name::of(node, body, &self.kinds, self.text);
        let kind = name::refine(node, kind, &self.kinds);
        if self.kinds.role(node).is_assignment && !self.defines(node, kind, &named) {
            return self.ranks.mark(first, Rank::Statement);
        }
        let before = self.text.get(node.start_byte()..named.start).unwrap_or_default();
        let is_private = self.grammar.privacy.is_private(before, &named.text);
        let rank = self.rank(place, is_private);
        if kind == SectionKind::Variable && self.is_required(node, &named, rank) {
            return self.import(node);
        }
        let name_line = self.lines.at(named.start).clamp(first, last);
        self.ranks.mark(name_line, rank);
        self.signature(node, body, kind, rank, (first, last));
        let docstring = || docs::docstring(body?.named_child(0)?, self.lines);
        if let Some(doc) = around.above.doc(first, self.lines).or_else(docstring) {
            self.ranks.mark(doc, rank.max(Rank::Doc));
        }
        let depth = place.depth;
        let section =
            Section { name: named.text, kind, start_line: first + 1, end_line: last + 1, depth };
        self.sections.push(section);
        self.members(node, body, kind, place, rank);
    }

    fn rank(&self, place: Place, is_private: bool) -> Rank {
        match place {
            Place { is_top: true, .. } if self.grammar.has_small_sections => Rank::Member,
            Place { is_top: true, .. } => Rank::Top,
            Place { is_inner: true, .. } => Rank::Inner,
            _ if is_private => Rank::Inner,
            _ => Rank::Member,
        }
    }

    /// Whether what is assigned is a function, a class, or what the file gives to others.
    fn defines(&self, node: Node, kind: SectionKind, named: &name::Name) -> bool {
        let holds_class = || {
            let value = kinds::child(node, self.kinds.fields.right);
            value.is_some_and(|value| value.kind() == "class")
        };
        let is_export = || named.text.split('.').take(2).any(|part| part == "exports");
        kind == SectionKind::Function || is_export() || holds_class()
    }

    /// `const fs = require('fs')` is an import in all but name.
    fn is_required(&self, node: Node, named: &name::Name, rank: Rank) -> bool {
        let text = self.text.get(named.start..node.end_byte()).unwrap_or_default();
        rank == Rank::Top && text.len() < 200 && text.contains("= require(")
    }

    /// The lines of a signature beside that of the name: down to the body, or all of them where there is none.
    fn signature(
        &mut self,
        node: Node,
        body: Option<Node>,
        kind: SectionKind,
        rank: Rank,
        (first, last): (usize, usize),
    ) {
        let end = match body {
            Some(body) => self.line_before(body),
            None if kind == SectionKind::Function || kind == SectionKind::Type => last,
            None => first,
        };
        let is_cheap = body.is_some() || kind == SectionKind::Function;
        let rest = if is_cheap { Rank::Signature } else { Rank::Field };
        for line in self.first_line(node)..=end.min(last) {
            self.ranks.mark(line, rank.max(rest));
        }
    }

    fn members(
        &mut self,
        node: Node,
        body: Option<Node>,
        kind: SectionKind,
        place: Place,
        rank: Rank,
    ) {
        let is_listed = body.is_some_and(|body| self.kinds.role(body).is_members);
        if !is_listed && !holds_members(kind) {
            return;
        }
        let is_namespace = kind == SectionKind::Namespace && place.is_top;
        let inner = Place {
            depth: place.depth + 1,
            nesting: place.nesting + 1,
            is_inner: !is_namespace
                && (rank == Rank::Inner || rank == Rank::Member && !self.is_flat(place)),
            is_top: is_namespace,
        };
        self.walk(body.unwrap_or(node), inner, None);
    }

    /// Whether members of such a place are still the file's own rather than those of a member.
    fn is_flat(&self, place: Place) -> bool {
        self.grammar.has_small_sections && place.is_top
    }

    /// What of a section is folded, or walked for its members.
    fn body<'n>(&self, node: Node<'n>, depth: usize) -> Option<Node<'n>> {
        if let Some(body) = kinds::child(node, self.kinds.fields.body) {
            return Some(body);
        }
        let mut cursor = node.walk();
        let children: Vec<Node> = node.named_children(&mut cursor).take(20).collect();
        let is_body = |child: &&Node| {
            let role = self.kinds.role(**child);
            role.is_members || role.is_body
        };
        if let Some(body) = children.iter().rfind(is_body) {
            return Some(*body);
        }
        if depth == MAX_BODY_DEPTH {
            return None;
        }
        children.iter().find_map(|child| self.body(*child, depth + 1))
    }

    fn first_line(&self, node: Node) -> usize {
        self.lines.at(node.start_byte())
    }

    /// The last line with text before a node.
    fn line_before(&self, node: Node) -> usize {
        let text = self.text.get(..node.start_byte()).unwrap_or_default().trim_end();
        self.lines.at(text.len().saturating_sub(1))
    }

    /// The last line with text: some nodes end with a line end.
    fn last_line(&self, node: Node) -> usize {
        let text = self.text.get(node.byte_range()).unwrap_or_default().trim_end();
        self.lines.at((node.start_byte() + text.len()).saturating_sub(1).max(node.start_byte()))
    }
}

fn holds_members(kind: SectionKind) -> bool {
    use SectionKind as Kind;
    matches!(
        kind,
        Kind::Class
            | Kind::Element
            | Kind::Enum
            | Kind::Impl
            | Kind::Interface
            | Kind::Module
            | Kind::Namespace
            | Kind::Struct
            | Kind::Table
            | Kind::Trait
            | Kind::Union
    )
}
