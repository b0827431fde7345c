//! Sections within the lines of another section that are not its members: the tag of a type, and macros defined in code.

use super::place::{Inside, Place};
use super::{Around, MAX_NESTING, Walker, kinds, name};
use crate::rank::Rank;
use crate::section::{Section, SectionKind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// Returns the tagged type in a declaration: `struct Tag` of `typedef struct Tag {...} Name;` and of
    /// `static struct Tag {...} name;`.
    pub(super) fn tagged(&self, node: Node, around: &Section) -> Option<Section> {
        let tag = kinds::child(node, self.kinds.fields.of_type)?;
        let kind = self.kinds.role(tag).section?;
        kinds::child(tag, self.kinds.fields.body)?;
        kinds::child(tag, self.kinds.fields.name)?;
        let named = name::of(tag, None, &self.kinds, self.text);
        let is_new = !named.text.is_empty() && named.text != around.name;
        is_new.then(|| self.section_at(tag, named.text, kind, around.depth + 1))
    }

    /// Adds the macros defined in code and data below its first line (`#define NAME(a)`): they are in force from their line
    /// on, like any other macro. `has_items`: whether it is an enumeration, of which macros without arguments are added
    /// too.
    pub(super) fn macros_within(
        &mut self,
        (first, last): (usize, usize),
        depth: usize,
        has_items: bool,
    ) {
        if !self.grammar.has_macros {
            return;
        }
        for line in first + 1..=last {
            let Some((name, kind)) = defined_macro(self.lines.get(line)) else { continue };
            if kind != SectionKind::Macro && !has_items {
                continue;
            }
            if has_items {
                self.ranks.mark(line, Rank::Field);
            }
            let goes_on = |&line: &usize| self.lines.get(line).trim_end().ends_with('\\');
            let end_line = (line..=last).take_while(goes_on).count() + line + 1;
            self.sections.push(Section {
                name: name.to_owned(),
                kind,
                start_line: line + 1,
                end_line: end_line.min(last + 1),
                depth,
            });
        }
    }

    /// Walks the code of a function for the types in it. They rank below everything but statements.
    pub(super) fn local_types(&mut self, body: Option<Node>, place: Place) {
        let Some(body) = body else { return };
        let inner = Place { is_inner: true, inside: Inside::Local, ..place.deeper() };
        self.walk(body, inner, None);
    }

    /// Adds the section of a type that a declaration in code defines: `struct Pair {...} pair;`.
    pub(super) fn local_type<'n>(&mut self, node: Node<'n>, place: Place, around: Around<'n>) {
        if let Some((defined, kind)) = self.defined_by_field(node)
            && place.inside == Inside::Local
        {
            return self.section(defined, kind, place, around);
        }
        self.expression(node, place);
    }

    /// Adds the sections of types in one without a name: `union { struct Leaf {...} leaf; };`, and of macros between the
    /// items of an enumeration without one.
    pub(super) fn types_in_unnamed(&mut self, field: Node, place: Place) {
        let Some(unnamed) = kinds::child(field, self.kinds.fields.of_type) else { return };
        let is_type = self.kinds.role(unnamed).section.is_some_and(SectionKind::holds_members);
        let body = kinds::child(unnamed, self.kinds.fields.body);
        if body.is_some_and(kinds::is_enumeration) {
            let lines = (self.first_line(unnamed), self.last_line(unnamed));
            return self.macros_within(lines, place.depth, true);
        }
        let body = body.filter(|_| is_type);
        let Some(body) = body.filter(|_| place.nesting <= MAX_NESTING) else { return };
        let place = Place { nesting: place.nesting + 1, ..place };
        let mut cursor = body.walk();
        for inner in body.named_children(&mut cursor) {
            match self.defined_by_field(inner) {
                Some((defined, kind)) => {
                    self.section(defined, kind, place, Around::only(inner));
                }
                None => self.types_in_unnamed(inner, place),
            }
        }
    }

    /// Adds the sections of a property, an indexer or an event of C#. Their lines are ranked as fields, because a type may
    /// have too many to show.
    pub(super) fn property(&mut self, node: Node, place: Place) {
        let kind = match node.kind() {
            "property_declaration" | "event_declaration" | "event_field_declaration" => {
                SectionKind::Variable
            }
            "indexer_declaration" => SectionKind::Function,
            _ => return,
        };
        let mut cursor = node.walk();
        let declared =
            node.named_children(&mut cursor).find(|child| child.kind() == "variable_declaration");
        let named = declared
            .and_then(|declared| self.declared(declared))
            .unwrap_or_else(|| name::of(node, None, &self.kinds, self.text));
        let name = if kind == SectionKind::Function { "this".to_owned() } else { named.text };
        let section = self.section_at(node, name, kind, place.depth);
        let others = declared.map(|declared| self.other_names(declared, &section));
        self.sections.push(section);
        self.sections.extend(others.unwrap_or_default());
    }

    pub(super) fn has_body(&self, node: Node) -> bool {
        kinds::child(node, self.kinds.fields.body).is_some()
    }

    /// Returns the class of `class Inner {...};` in a class, which the grammar treats as a field, or the function of
    /// `friend bool operator==(A a, A b) {...}`, with a body or without.
    pub(super) fn defined_by_field<'n>(&self, field: Node<'n>) -> Option<(Node<'n>, SectionKind)> {
        let defined = match field.kind() {
            "field_declaration" | "declaration" => kinds::child(field, self.kinds.fields.of_type)?,
            "friend_declaration" => field.named_child(0)?,
            _ => return None,
        };
        let kind = self.kinds.role(defined).section?;
        if field.kind() == "friend_declaration" && self.is_prototype(defined) {
            return Some((defined, SectionKind::Function));
        }
        let is_defined = kinds::child(defined, self.kinds.fields.body).is_some();
        let is_named = kind == SectionKind::Function
            || kinds::child(defined, self.kinds.fields.name).is_some();
        (is_defined && is_named).then_some((defined, kind))
    }
}

/// Returns the name and the kind of `#define NAME(a)` and of `#define NAME value`.
fn defined_macro(line: &str) -> Option<(&str, SectionKind)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let text = rest.strip_prefix([' ', '\t'])?.trim_start();
    let behind = text.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    let name = text.get(..text.len() - behind.len()).filter(|name| !name.is_empty())?;
    if behind.starts_with('(') {
        return Some((name, SectionKind::Macro));
    }
    let value = behind.trim_start();
    let has_value = !value.is_empty() && !value.starts_with("//") && !value.starts_with("/*");
    (has_value && value.len() < behind.len()).then_some((name, SectionKind::Constant))
}
