//! Finds all names that one declaration defines: `int a, *b;`, `const { c, d: e } = f`, `g = h = 1`.

use super::kinds::{Kinds, child};
use super::name::{Name, find, is_built_in, is_name, of_node, refine};
use super::place::Place;
use super::{Around, Walker};
use crate::section::{Section, SectionKind};
use std::collections::BTreeSet;
use std::num::NonZero;
use tree_sitter::Node;

/// Maximum depth of patterns: a tree can be as deep as its file is long, but the stack is limited.
const MAX_DEPTH: usize = 20;

/// Names of a declaration, and the nodes that declare them.
struct Names<'n, 'k> {
    kinds: &'k Kinds,
    found: Vec<(Node<'n>, Node<'n>)>,
}

impl<'t> Walker<'_, 't> {
    /// Returns whether a declaration has several variables, constants or types.
    pub(super) fn declares_several(&self, node: Node) -> bool {
        let list = declarator_list(node);
        let mut cursor = list.walk();
        let children = list.named_children(&mut cursor);
        children.filter(|child| self.kinds.role(*child).is_declarator).nth(1).is_some()
    }

    /// Adds a section for each variable, constant or type of a declaration of several. In a group (`const (...)`) all but
    /// the first rank as members: it may have too many to show.
    pub(super) fn declarators<'n>(
        &mut self,
        node: Node<'n>,
        kind: SectionKind,
        place: Place,
        around: Around<'n>,
    ) {
        let list = declarator_list(node);
        let mut cursor = list.walk();
        let mut around = Some(around);
        let mut place = place;
        for child in list.named_children(&mut cursor) {
            if !self.kinds.role(child).is_declarator {
                continue;
            }
            let own = around.take().unwrap_or(Around::only(child));
            self.section(child, kind, place, own);
            if ["const_spec", "var_spec"].contains(&child.kind()) {
                place.is_top = false;
            }
        }
    }

    /// Returns the first name that a declaration of variables defines.
    pub(super) fn declared(&self, node: Node) -> Option<Name> {
        let (_, name) = *self.names(node).first()?;
        Some(of_node(name, self.text))
    }

    /// Returns whether an assignment defines nothing: `object.field = 1`, `list[0] = 1`, `size ||= 1`, `export -f name`.
    pub(super) fn assigns_only(&self, node: Node) -> bool {
        match node.kind() {
            "assignment" => self.names(node).is_empty(),
            "operator_assignment" => !self.is_constant(node),
            "declaration_command" => self.names_what_is(node),
            _ => false,
        }
    }

    /// Returns whether what Ruby assigns to is a constant: `Pair`, `Outer::Pair`.
    fn is_constant(&self, assignment: Node) -> bool {
        let left = child(assignment, self.kinds.fields.left);
        left.is_some_and(|left| matches!(left.kind(), "constant" | "scope_resolution"))
    }

    /// Returns whether a shell's declaration names functions (`export -f`, `declare -fx`), prints (`declare -p`) or
    /// takes a mark away (`export -n`).
    fn names_what_is(&self, command: Node) -> bool {
        let mut words = self.text.get(command.byte_range()).unwrap_or_default().split_whitespace();
        let takes_away = words.next() == Some("export");
        words
            .map_while(|word| word.strip_prefix('-'))
            .any(|flags| flags.contains(['f', 'F', 'p']) || takes_away && flags.contains('n'))
    }

    /// Returns sections of the names after the first, with the same lines.
    pub(super) fn other_names(&self, node: Node, around: &Section) -> Vec<Section> {
        let mut known = BTreeSet::from([around.name.clone()]);
        let mut others = Vec::new();
        for (declaring, name) in self.names(node) {
            let name = of_node(name, self.text).text;
            let kind = self.kind_of(declaring, around);
            let is_field = node.kind() == "field_declaration" && kind != SectionKind::Function;
            if !is_field && known.insert(name.clone()) {
                others.push(Section { name, kind, ..around.clone() });
            }
        }
        others
    }

    /// Returns the kind of a further name: `int size, get(void);` declares a variable and a function.
    fn kind_of(&self, declaring: Node, around: &Section) -> SectionKind {
        let is_code = matches!(around.kind, SectionKind::Function | SectionKind::Variable);
        if is_code { refine(declaring, SectionKind::Variable, &self.kinds) } else { around.kind }
    }

    fn names<'n>(&self, node: Node<'n>) -> Vec<(Node<'n>, Node<'n>)> {
        let mut names = Names { kinds: &self.kinds, found: Vec::new() };
        names.declaration(node, 0);
        names.found
    }
}

impl<'n> Names<'n, '_> {
    /// Adds the names of a declaration: those of its declarators, or of the left sides of an assignment.
    fn declaration(&mut self, node: Node<'n>, depth: usize) {
        let fields = &self.kinds.fields;
        if depth == MAX_DEPTH {
            return;
        }
        if is_name(node, self.kinds) {
            return self.found.push((node, node));
        }
        if let Some(left) = child(node, fields.left) {
            self.pattern(node, left, 0);
            let right = child(node, fields.right).filter(|right| right.kind() == node.kind());
            return right.into_iter().for_each(|right| self.declaration(right, depth + 1));
        }
        let mut cursor = node.walk();
        for field in [fields.declarator, fields.name] {
            let Some(field) = field.and_then(NonZero::new) else { continue };
            let declared: Vec<Node> = node.children_by_field_id(field, &mut cursor).collect();
            if !declared.is_empty() {
                return declared.into_iter().for_each(|declared| self.declarator(declared));
            }
        }
        let is_declarator = |child: &Node| self.kinds.role(*child).is_declarator;
        let list = declarator_list(node);
        let mut cursor = list.walk();
        let inner: Vec<Node> = list.named_children(&mut cursor).filter(is_declarator).collect();
        inner.into_iter().for_each(|inner| self.declaration(inner, depth + 1));
    }

    fn declarator(&mut self, node: Node<'n>) {
        if is_pattern(node) {
            self.pattern(node, node, 0);
        } else if is_name(node, self.kinds) || is_built_in(node) {
            self.found.push((node, node));
        } else if let Some(pattern) = within(node, self.kinds, "structured_binding_declarator") {
            self.pattern(node, pattern, 0);
        } else if node.is_named() {
            self.found.extend(find(node, self.kinds, 0).map(|name| (node, name)));
        }
    }

    /// Returns whether a node is a name that is assigned to: also `{ name }` of JavaScript, and `$name` and `@name` of
    /// Ruby.
    fn is_target(&self, node: Node) -> bool {
        let kind = node.kind();
        let is_leaf = node.named_child_count() == 0;
        is_name(node, self.kinds)
            || is_leaf && (kind.ends_with("_variable") || kind.ends_with("identifier_pattern"))
    }

    /// Adds the names in a pattern, but not its keys and default values.
    fn pattern(&mut self, declaring: Node<'n>, node: Node<'n>, depth: usize) {
        let fields = &self.kinds.fields;
        if depth == MAX_DEPTH {
            return;
        }
        if self.is_target(node) {
            return self.found.push((declaring, node));
        }
        if !is_pattern(node) {
            return;
        }
        if let Some(only) = child(node, fields.value).or_else(|| child(node, fields.left)) {
            return self.pattern(declaring, only, depth + 1);
        }
        let mut cursor = node.walk();
        let children: Vec<Node> = node.named_children(&mut cursor).collect();
        children.into_iter().for_each(|child| self.pattern(declaring, child, depth + 1));
    }
}

/// Returns whether a node is a list of names or other targets: `{ a, b: c }`, `[a, b]`, `a, *b`.
fn is_pattern(node: Node) -> bool {
    const KINDS: [&str; 5] = [
        "pattern_list",
        "structured_binding_declarator",
        "left_assignment_list",
        "rest_assignment",
        "destructured_left_assignment",
    ];
    let kind = node.kind();
    kind.ends_with("pattern") || KINDS.contains(&kind)
}

/// Returns the declarator of a kind in another one: `&[a, b] = pair`.
fn within<'n>(node: Node<'n>, kinds: &Kinds, kind: &str) -> Option<Node<'n>> {
    let mut at = Some(node);
    for _ in 0..4 {
        let node = at?;
        if node.kind() == kind {
            return Some(node);
        }
        at = child(node, kinds.fields.declarator)
            .or_else(|| node.named_child(0).filter(|child| child.kind().ends_with("_declarator")));
    }
    None
}

/// Returns the node that holds the declarators of a declaration.
fn declarator_list(node: Node) -> Node {
    node.named_child(0).filter(|child| child.kind() == "var_spec_list").unwrap_or(node)
}
