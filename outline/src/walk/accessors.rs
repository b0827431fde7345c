//! Methods of Ruby that a call or another word defines: `attr_reader :path`, `alias_method :read, :load`, `alias read load`.

use super::place::Place;
use super::{Walker, kinds, name};
use crate::section::{SectionKind, cut};
use tree_sitter::Node;

/// Calls that define a method for each of their names.
const ACCESSORS: [&str; 3] = ["attr_accessor", "attr_reader", "attr_writer"];
/// One whose second name is that of the method that stands behind the first.
const ALIAS: &str = "alias_method";

impl Walker<'_, '_> {
    /// Adds the sections of the methods that a node defines. Their line ranks as a field: it has all of them.
    pub(super) fn accessors(&mut self, node: Node, place: Place) {
        if self.grammar.name != "ruby" {
            return;
        }
        if node.kind() == "alias" {
            let named = kinds::child(node, self.kinds.fields.name);
            return named.into_iter().for_each(|named| self.accessor(node, named, place));
        }
        let fields = &self.kinds.fields;
        let called = kinds::child(node, fields.method);
        let word = called.and_then(|called| self.text.get(called.byte_range())).unwrap_or_default();
        let most = match word {
            ALIAS => 1,
            _ if ACCESSORS.contains(&word) => usize::MAX,
            _ => return,
        };
        let given = kinds::child(node, fields.arguments);
        let (Some(given), None) = (given, kinds::child(node, fields.receiver)) else { return };
        let mut cursor = given.walk();
        for named in given.named_children(&mut cursor).take(most) {
            self.accessor(node, named, place);
        }
    }

    /// Adds the section of a method with this name: a symbol, a text or a word.
    fn accessor(&mut self, node: Node, named: Node, place: Place) {
        let is_name =
            matches!(named.kind(), "simple_symbol" | "string" | "identifier" | "constant");
        let written = self.text.get(named.byte_range()).filter(|_| is_name).unwrap_or_default();
        let name = cut(name::unquoted(written.trim_start_matches(':')));
        if !name.is_empty() {
            self.sections.push(self.section_at(node, name, SectionKind::Function, place.depth));
        }
    }
}
