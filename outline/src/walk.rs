//! Walks a grammar's tree: finds the sections and ranks the lines.

mod accessors;
mod allocations;
mod at_once;
mod broken;
mod calls;
mod choices;
mod declared;
mod docs;
mod error_runs;
mod kinds;
mod macro_blocks;
#[cfg(any(feature = "c", feature = "cpp"))]
mod macro_tests;
mod name;
pub(crate) mod nesting;
mod parse;
mod place;
mod test_blocks;
mod test_sections;
mod within;

use crate::grammar::{Grammar, Privacy};
use crate::lines::Lines;
use crate::rank::{Rank, Ranks};
use crate::reading::Reading;
use crate::section::{Section, SectionKind};
use docs::Above;
use kinds::{Kinds, Role};
use place::{Inside, Place};
use std::borrow::Cow;
use tree_sitter::Node;

/// Maximum depth of the walk: a tree can be as deep as its file is long, but the stack is limited.
const MAX_NESTING: usize = 100;
/// Maximum distance of a body below its section (a declaration, its declarator, its value).
const MAX_BODY_DEPTH: usize = 4;

/// Reads a file with a grammar. Returns `None` if the parser gave up, or was not run because the text is nested too
/// deeply.
#[inline(never)]
pub(crate) fn read(
    grammar: &'static Grammar,
    text: &str,
    lines: &Lines,
    ranks: &mut Ranks,
) -> Option<Reading> {
    let is_too_deep = grammar.is_too_deep.unwrap_or(nesting::is_too_deep);
    if is_too_deep(text) {
        return None;
    }
    let language = grammar.language?();
    let parsed = grammar.overwritten.map_or(Cow::Borrowed(text), |overwritten| overwritten(text));
    let tree = parse::parse(&language, &parsed)?;
    let malformed = tree.root_node().has_error();
    let mended = broken::mended(grammar, &language, &parsed, &tree);
    let root = mended.as_ref().unwrap_or(&tree).root_node();
    let kinds = Kinds::of(grammar, &language);
    let mut walker =
        Walker { grammar, kinds, text, parsed: &parsed, lines, ranks, sections: Vec::new() };
    walker.head(root);
    walker.walk(root, Place::TOP, None);
    Some(Reading { language: grammar.name, sections: walker.sections, malformed })
}

/// A node that wraps only a section (`export`, decorators, `template <...>`), and the comments above it.
#[derive(Debug, Clone, Copy)]
struct Around<'n> {
    outer: Node<'n>,
    above: Above,
}

impl<'n> Around<'n> {
    /// A node that nothing wraps, without comments above it.
    fn only(outer: Node<'n>) -> Self {
        Self { outer, above: Above::default() }
    }
}

struct Walker<'w, 't> {
    grammar: &'static Grammar,
    kinds: Kinds,
    text: &'t str,
    /// What the parser read.
    parsed: &'w str,
    lines: &'w Lines<'t>,
    ranks: &'w mut Ranks,
    sections: Vec<Section>,
}

/// Returns the kind of the section that a node is.
fn section_of(node: Node, role: Role, kinds: &Kinds, text: &str) -> Option<SectionKind> {
    role.section
        .or_else(|| name::global(node, text).map(|_| SectionKind::Namespace))
        .or_else(|| name::is_exported_object(node, kinds).then_some(SectionKind::Variable))
}

impl<'t> Walker<'_, 't> {
    /// Ranks the comment or text at the beginning of the file.
    fn head(&mut self, root: Node) {
        let first = root.named_child(0);
        if let Some(line) = first.and_then(|first| docs::head(first, &self.kinds, self.lines)) {
            self.ranks.mark(line, Rank::Doc);
        }
    }

    /// Walks the children of a node. `wrapping`: the wrapper, if the node is one.
    fn walk<'n>(&mut self, node: Node<'n>, place: Place, wrapping: Option<Around<'n>>) {
        let above = Above::within(node, wrapping.map(|around| around.above), self.lines);
        self.walk_below(above, node, place, wrapping);
    }

    /// Like [`Self::walk`]. `above`: what is before the first child.
    fn walk_below<'n>(
        &mut self,
        mut above: Above,
        node: Node<'n>,
        place: Place,
        wrapping: Option<Around<'n>>,
    ) {
        if place.nesting > MAX_NESTING {
            return;
        }
        let blocks_left = if node.is_error() { 0 } else { place.blocks_left };
        let place = Place { nesting: place.nesting + 1, blocks_left, ..place };
        let mut is_first = true;
        // What is behind a condition (`else:`, `#else`) or in a list of members is more than wrapped.
        let role = self.kinds.role(node);
        let is_more = node.is_error() || role.is_conditional || role.is_members;
        let mut wrapping = wrapping.filter(|_| !is_more);
        let mut cursor = node.walk();
        let mut taken = None;
        for child in node.named_children(&mut cursor) {
            if taken == Some(child.id()) {
                continue;
            }
            taken = self.block_below(child);
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
        if let Some(test) = self.test(node) {
            self.test_block(node, test, place, around);
        } else if let Some(section) = section_of(node, role, &self.kinds, self.text)
            .filter(|_| !name::is_value(node, &self.kinds))
        {
            if !place.inside.counts(name::refine(node, section, &self.kinds)) {
                return self.local_type(node, place, around);
            }
            if place.inside == Inside::Local && !self.has_body(node) {
                return;
            }
            if self.declares_several(node) {
                self.declarators(node, section, place, around);
            } else {
                self.section(node, section, place, around);
            }
        } else if role.is_wrapper || node.is_error() {
            if place.is_top && role.is_body && self.is_open_block(node) {
                self.ranks.mark(self.first_line(node), Rank::Top);
            }
            self.walk(node, place, Some(around));
        } else if role.is_code {
            self.code(node, place);
        } else if self.macro_blocks(node, place) || self.at_once(node, place) {
            // What is in it is walked.
        } else if place.inside != Inside::Declarations {
            self.call(node, place);
        } else if role.is_import {
            self.import(node);
        } else if role.is_field {
            self.field_or_more(node, place, around);
        } else if place.depth == 0 && !role.is_beside() {
            self.ranks.mark(self.first_line(node), Rank::Statement);
            self.call(node, Place { is_top: false, inside: Inside::Test, ..place });
        }
    }

    /// Walks code for the sections in it.
    fn code(&mut self, node: Node, place: Place) {
        let is_plain = place.inside == Inside::Declarations;
        if is_plain && place.is_top {
            self.ranks.mark(self.first_line(node), Rank::Statement);
        }
        let inside = match is_plain {
            true if self.grammar.has_local_types => Inside::Local,
            true => Inside::Code,
            false => place.inside,
        };
        self.walk(node, Place { inside, ..place }, None);
    }

    /// Handles a field, or a node that only looks like one: a prototype of a method, a field that holds a function
    /// (`read = () => {...}`), a macro, a call that defines something.
    fn field_or_more<'n>(&mut self, node: Node<'n>, place: Place, around: Around<'n>) {
        let role = self.kinds.role(node);
        if self.is_prototype(node) || self.holds_function(node) {
            return self.section(node, SectionKind::Function, place, around);
        }
        if let Some((defined, kind)) = self.defined_by_field(node) {
            return self.section(defined, kind, place, around);
        }
        self.field(node, place);
        self.property(node, place);
        self.types_in_unnamed(node, place);
        self.accessors(node, place);
        if role.is_define {
            self.define(node, place);
        } else if role.is_call {
            self.receiver(node, place, around);
            self.call(node, place);
        } else {
            self.expression(node, place);
        }
    }

    fn holds_function(&self, node: Node) -> bool {
        kinds::child(node, self.kinds.fields.value)
            .is_some_and(|value| self.kinds.role(value).is_function)
    }

    /// Returns whether a field is a prototype: `int read(char *into);` in a class, but not `int (*read)(char *into);`.
    fn is_prototype(&self, node: Node) -> bool {
        let mut at = Some(node);
        for _ in 0..MAX_BODY_DEPTH {
            let Some(node) = at else { break };
            if node.kind() == "function_declarator" {
                let named = kinds::child(node, self.kinds.fields.declarator);
                return named.is_some_and(|named| named.kind() != "parenthesized_declarator");
            }
            let is_reference = |child: &Node| child.kind().ends_with("_declarator");
            at = kinds::child(node, self.kinds.fields.declarator)
                .or_else(|| node.named_child(0).filter(is_reference));
        }
        false
    }

    /// Adds the section of `#define NAME value`. Its line is not ranked higher, because some headers have too many to
    /// show. A definition without a value is a guard of the header and is skipped.
    fn define(&mut self, node: Node, place: Place) {
        if kinds::child(node, self.kinds.fields.value).is_none() {
            return;
        }
        let named = name::of(node, None, &self.kinds, self.text);
        self.sections.push(self.section_at(node, named.text, SectionKind::Constant, place.depth));
    }

    /// Returns the section on the lines of a node.
    fn section_at(&self, node: Node, name: String, kind: SectionKind, depth: usize) -> Section {
        let (first, last) = (self.first_line(node), self.last_line(node));
        Section { name, kind, start_line: first + 1, end_line: last + 1, depth }
    }

    /// Returns whether a block is shown by its first line, such as `declare global {`: it begins with a bracket, not on
    /// its own line, and belongs to no condition.
    fn is_open_block(&self, node: Node) -> bool {
        let is_conditional = |around: Node| self.kinds.role(around).is_conditional;
        self.text.as_bytes().get(node.start_byte()) == Some(&b'{')
            && self.lines.get(self.first_line(node)).trim() != "{"
            && !node.parent().is_some_and(is_conditional)
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

    /// Returns whether `private` precedes the value of a field.
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
        // The keys of a table are its own children, not those of a value in it.
        let types = self.choices(node);
        let body = if kind == SectionKind::Table { None } else { self.body(node, 0) };
        // A function's signature ends at its code, not at a type in it.
        let body = types.first().copied().filter(|_| kind != SectionKind::Function).or(body);
        let is_value = matches!(kind, SectionKind::Variable | SectionKind::Constant);
        let declares = is_value || kind == SectionKind::Type || node.kind() == "field_declaration";
        let declared = if is_value { self.declared(node) } else { None };
        let named = declared.unwrap_or_else(|| name::of(node, body, &self.kinds, self.text));
        let kind = name::refine(node, kind, &self.kinds);
        let is_assignment = self.kinds.role(node).is_assignment;
        if self.assigns_only(node) || is_assignment && !self.defines(node, kind, &named) {
            self.ranks.mark(first, Rank::Statement);
            return self.expression(node, place);
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
        let start_line = around.above.first_line(first) + 1;
        let section = Section { name: named.text, kind, start_line, end_line: last + 1, depth };
        let tagged = self.tagged(node, &section);
        let mut names = if declares { self.other_names(node, &section) } else { Vec::new() };
        // What is deeper belongs to the last of them.
        let is_last = tagged.is_some() || kind == SectionKind::Type;
        names.insert(if is_last { names.len() } else { 0 }, section.clone());
        self.sections.extend(names);
        self.sections.extend(tagged);
        let has_items = body.is_some_and(kinds::is_enumeration);
        let has_members = self.members(node, (body, &types), kind, place, rank);
        if !has_members || has_items {
            self.macros_within((first, last), depth + 1, has_items);
        }
        let is_code = |body: &Node| body.kind() == "compound_statement";
        if !has_members && is_value && kind != SectionKind::Function {
            self.expression(node, Place { depth: depth + 1, ..place });
            if self.grammar.has_local_types {
                // Of a lambda: `suite parser = [] {...};`
                self.local_types(body.filter(is_code), place);
            }
        }
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

    /// Returns whether an assignment defines a function, a class or an export.
    fn defines(&self, node: Node, kind: SectionKind, named: &name::Name) -> bool {
        let holds_class = || {
            let value = kinds::child(node, self.kinds.fields.right);
            value.is_some_and(|value| value.kind() == "class")
        };
        let is_export = || named.text.split('.').take(2).any(|part| part == "exports");
        kind == SectionKind::Function || is_export() || holds_class()
    }

    /// Returns whether a variable is an import: `const fs = require('fs')`.
    fn is_required(&self, node: Node, named: &name::Name, rank: Rank) -> bool {
        let text = self.text.get(named.start..node.end_byte()).unwrap_or_default();
        rank == Rank::Top && text.len() < 200 && text.contains("= require(")
    }

    /// Ranks the lines of a signature other than that of the name: up to the body, or all of them without one.
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

    /// Walks the members of a section, if they count. Returns whether they do.
    fn members(
        &mut self,
        node: Node,
        (body, types): (Option<Node>, &[Node]),
        kind: SectionKind,
        place: Place,
        rank: Rank,
    ) -> bool {
        let is_function = kind == SectionKind::Function;
        let is_listed = !types.is_empty()
            || !is_function && body.is_some_and(|body| self.kinds.role(body).is_members);
        let is_test = is_function && self.is_test_function(node, body);
        if !is_listed && !is_test && !kind.holds_members() {
            if is_function && self.grammar.has_local_types {
                self.local_types(body, place);
            }
            return false;
        }
        let is_namespace = kind == SectionKind::Namespace && place.is_top;
        let is_inner = rank == Rank::Inner || rank == Rank::Member && !self.is_flat(place);
        let inner = Place {
            is_inner: !is_namespace && is_inner,
            is_top: is_namespace,
            inside: if is_test { Inside::Test } else { Inside::Declarations },
            ..place.deeper()
        };
        if types.is_empty() {
            self.walk(body.unwrap_or(node), inner, None);
        }
        for chosen in types {
            self.walk(*chosen, inner, None);
        }
        true
    }

    /// Returns whether members of sections at this place rank as members of the file.
    fn is_flat(&self, place: Place) -> bool {
        self.grammar.has_small_sections && place.is_top
    }

    /// Returns the part of a section that is folded, or walked for members.
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

    /// Returns the last line with text before a node.
    fn line_before(&self, node: Node) -> usize {
        let text = self.text.get(..node.start_byte()).unwrap_or_default().trim_end();
        self.lines.at(text.len().saturating_sub(1))
    }

    /// Returns the last line with text in a node; some nodes include the final line end.
    fn last_line(&self, node: Node) -> usize {
        let text = self.text.get(node.byte_range()).unwrap_or_default().trim_end();
        self.lines.at((node.start_byte() + text.len()).saturating_sub(1).max(node.start_byte()))
    }
}
