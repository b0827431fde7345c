//! Sections of tests: calls with a function (`it('reads', () => {...})`), macros before a block (`TEST(Parser, Reads) {`),
//! and functions that contain them.

#[cfg(any(feature = "c", feature = "cpp"))]
use super::macro_tests;
use super::place::{Inside, Place};
use super::test_blocks::{self, TestBlock};
use super::{Around, Walker, kinds, name};
use crate::grammar::Grammar;
#[cfg(feature = "bash")]
use crate::grammars::bash::bats;
use crate::rank::Rank;
#[cfg(feature = "bash")]
use crate::section::cut;
use crate::section::{Section, SectionKind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn test<'n>(&self, node: Node<'n>) -> Option<TestBlock<'n>> {
        #[cfg(any(feature = "c", feature = "cpp"))]
        if self.grammar.has_macros {
            return macro_tests::of(node, &self.kinds, self.text);
        }
        #[cfg(feature = "bash")]
        if node.kind() == "function_definition" {
            return self.test_of_bats(node);
        }
        if self.grammar.tests.is_empty() {
            return None;
        }
        let call = if self.kinds.role(node).is_call { Some(node) } else { self.blank_value(node) };
        test_blocks::of(call?, self.grammar.tests, &self.kinds, self.text)
    }

    /// Returns the test of `@test "reads" {...}`, which is written as a function.
    #[cfg(feature = "bash")]
    fn test_of_bats<'n>(&self, node: Node<'n>) -> Option<TestBlock<'n>> {
        let line = self.text.get(node.start_byte()..)?;
        let is_test = line.starts_with(bats::WORD) && self.grammar.name == "bash";
        let title = bats::title(line.lines().next().filter(|_| is_test)?)?;
        let body = kinds::child(node, self.kinds.fields.body)?;
        // Texts in single quotes have no escapes.
        let name = match title.text.strip_prefix('\'') {
            Some(_) => name::unquoted(title.text).to_owned(),
            None => test_blocks::text_of(title.text),
        };
        Some(TestBlock { name: cut(&name), body: Some(body), last: body, is_group: false })
    }

    /// Returns the call of Go's `var _ = Describe("reads", func() {...})`.
    fn blank_value<'n>(&self, node: Node<'n>) -> Option<Node<'n>> {
        if node.kind() != "var_declaration" {
            return None;
        }
        let spec = node.named_child(0)?;
        let name = kinds::child(spec, self.kinds.fields.name)?;
        let is_blank = self.text.get(name.byte_range()) == Some("_");
        let value = kinds::child(spec, self.kinds.fields.value).filter(|_| is_blank)?;
        value.named_child(0).filter(|call| self.kinds.role(*call).is_call)
    }

    /// Returns the block that belongs to a macro before it: it is walked with its test.
    pub(super) fn block_below(&self, node: Node) -> Option<usize> {
        let is_macro = self.grammar.has_macros && node.kind() != "function_definition";
        let test = self.test(node).filter(|_| is_macro)?;
        Some(test.body?.id())
    }

    fn inside_test(&self, is_group: bool) -> Inside {
        match is_group {
            _ if self.grammar.has_local_types => Inside::Local,
            true => Inside::Code,
            false => Inside::Test,
        }
    }

    pub(super) fn test_block<'n>(
        &mut self,
        node: Node<'n>,
        test: TestBlock<'n>,
        place: Place,
        around: Around<'n>,
    ) {
        let (first, last) = (self.first_line(around.outer), self.last_line(test.last));
        let rank = self.rank(place, false);
        self.ranks.mark(self.first_line(node), rank);
        if let Some(doc) = around.above.doc(first, self.lines) {
            self.ranks.mark(doc, rank.max(Rank::Doc));
        }
        self.sections.push(Section {
            name: test.name,
            kind: SectionKind::Test,
            start_line: first + 1,
            end_line: last + 1,
            depth: place.depth,
        });
        let Some(body) = test.body else { return };
        let inside = self.inside_test(test.is_group);
        let inner = Place { is_inner: rank != Rank::Top, inside, ..place.deeper() };
        // `describe('reads', () => it('a', ...))`
        if self.kinds.role(body).is_call {
            self.visit(body, inner, Around::only(body));
        } else {
            self.walk(body, inner, None);
        }
    }

    /// Returns whether a function's code can contain tests, as in Go's `TestParser` and `testOf(t *testing.T)`.
    pub(super) fn is_test_function(&self, node: Node, body: Option<Node>) -> bool {
        let Grammar { test_functions, test_parameter, .. } = self.grammar;
        let starts = |begin: &str| {
            begin.is_empty() || name::of(node, None, &self.kinds, self.text).text.starts_with(begin)
        };
        let head = || self.text.get(node.start_byte()..body?.start_byte());
        test_functions.iter().any(|begin| starts(begin))
            || (!test_parameter.is_empty()
                && head().is_some_and(|head| head.contains(test_parameter)))
    }
}
