//! Sections within the lines of another section that are not its members: the tag of a type, and macros defined in code.

use super::place::{Inside, Place};
use super::{Around, MAX_NESTING, Walker, kinds, name};
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

    /// Returns the macros defined in a section's code and data (`#define NAME(a)`): they are in force from their line
    /// on, like any other macro.
    pub(super) fn macros_within(&self, around: &Section) -> Vec<Section> {
        if !self.grammar.has_macros {
            return Vec::new();
        }
        let mut found = Vec::new();
        for line in around.start_line..around.end_line {
            let Some(name) = macro_with_arguments(self.lines.get(line)) else { continue };
            let goes_on = |&line: &usize| self.lines.get(line).trim_end().ends_with('\\');
            let end_line = (line..around.end_line).take_while(goes_on).count() + line + 1;
            found.push(Section {
                name: name.to_owned(),
                kind: SectionKind::Macro,
                start_line: line + 1,
                end_line: end_line.min(around.end_line),
                depth: around.depth + 1,
            });
        }
        found
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

    /// Adds the sections of types in one without a name: `union { struct Leaf {...} leaf; };`.
    pub(super) fn types_in_unnamed(&mut self, field: Node, place: Place) {
        let Some(unnamed) = kinds::child(field, self.kinds.fields.of_type) else { return };
        let is_type = self.kinds.role(unnamed).section.is_some_and(SectionKind::holds_members);
        let body = kinds::child(unnamed, self.kinds.fields.body).filter(|_| is_type);
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

/// Returns the name of `#define NAME(a)`.
fn macro_with_arguments(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let (name, _) = rest.split_once('(')?;
    let name = name.strip_prefix([' ', '\t'])?.trim_start();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    (!name.is_empty() && name.chars().all(is_word)).then_some(name)
}
