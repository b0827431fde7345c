//! The language's table, indexed by the parser's ids of node kinds and fields, so that nodes are looked up without
//! comparing names.

use crate::grammar::Grammar;
use crate::section::SectionKind;
use tree_sitter::{Language, Node};

/// Suffixes of the kinds of nodes that are names.
const NAMES: [&str; 8] =
    ["identifier", "name", "key", "constant", "word", "string", "string_content", "self"];
/// Kinds of nodes that are names as a whole: `Outer::inner`, `module.exports`, `~Outer`, `operator==`, `operator bool`,
/// Java's `com.example` and Ruby's `size=`.
const PATHS: [&str; 12] = [
    "qualified_identifier",
    "nested_namespace_specifier",
    "nested_identifier",
    "qualified_name",
    "scoped_identifier",
    "scope_resolution",
    "operator_cast",
    "member_expression",
    "dotted_key",
    "destructor_name",
    "operator_name",
    "setter",
];
/// Kinds of nodes around conditional code, besides directives (`preproc_else`).
const CONDITIONS: [&str; 18] = [
    "if_statement",
    "elif_clause",
    "else_clause",
    "try_statement",
    "catch_clause",
    "except_clause",
    "finally_clause",
    "block",
    // Ruby.
    "begin",
    "case",
    "else",
    "elsif",
    "ensure",
    "if",
    "rescue",
    "then",
    "unless",
    "when",
];
const DECLARATORS: [&str; 7] = [
    "variable_declarator",
    "type_spec",
    "type_alias",
    "const_spec",
    "var_spec",
    "variable_assignment",
    "variable_name",
];
const FUNCTIONS: [&str; 6] = [
    "function_declarator",
    "operator_cast",
    "arrow_function",
    "function_expression",
    "func_literal",
    "generator_function",
];

/// The role of a kind of node.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Role {
    pub section: Option<SectionKind>,
    pub is_field: bool,
    pub is_import: bool,
    pub is_wrapper: bool,
    /// Code in which only functions, classes and tests count.
    pub is_code: bool,
    pub is_members: bool,
    pub is_body: bool,
    /// Stands between a section and the types that it returns or chooses from.
    pub is_choice: bool,
    pub is_header: bool,
    pub is_assignment: bool,
    pub is_comment: bool,
    /// Belongs to the next node: attributes and decorators.
    pub is_attribute: bool,
    /// A name, if the node has no children.
    pub is_name: bool,
    /// A name that consists of several.
    pub is_path: bool,
    pub is_function: bool,
    /// One of the variables, constants or types of a declaration.
    pub is_declarator: bool,
    /// Encloses conditional code.
    pub is_conditional: bool,
    pub is_call: bool,
    /// `#define NAME value`.
    pub is_define: bool,
}

impl Role {
    fn of(grammar: &Grammar, kind: &str) -> Self {
        let section = grammar.sections.iter().find(|(name, _)| *name == kind);
        Self {
            section: section.map(|&(_, section)| section),
            is_field: grammar.fields.contains(&kind),
            is_import: grammar.imports.contains(&kind),
            is_wrapper: grammar.wrappers.contains(&kind),
            is_code: grammar.code.contains(&kind),
            is_members: grammar.members.contains(&kind),
            is_body: grammar.bodies.contains(&kind),
            is_choice: grammar.choices.contains(&kind),
            is_header: grammar.headers.contains(&kind),
            is_assignment: grammar.assignments.contains(&kind),
            is_comment: kind.contains("comment"),
            is_attribute: kind.contains("attribute") || kind.contains("decorator"),
            is_name: NAMES.iter().any(|end| kind.ends_with(end)),
            is_path: PATHS.contains(&kind),
            is_function: FUNCTIONS.contains(&kind),
            is_declarator: DECLARATORS.contains(&kind),
            is_conditional: CONDITIONS.contains(&kind) || kind.starts_with("preproc_"),
            is_call: kind == "call_expression" || kind == "call",
            is_define: kind == "preproc_def",
        }
    }

    /// Returns whether a node is not code but beside it: a comment or an attribute.
    pub fn is_beside(self) -> bool {
        self.is_comment || self.is_attribute
    }
}

/// A field's id, if the grammar has the field.
type Field = Option<u16>;

/// Ids of the fields that the walk uses.
pub(super) struct Fields {
    /// Fields that lead to a name, best first. The flag says whether their content is always the whole name.
    pub to_name: [(Field, bool); 6],
    pub body: Field,
    pub value: Field,
    pub left: Field,
    pub right: Field,
    pub declarator: Field,
    pub of_type: Field,
    pub arguments: Field,
    pub block: Field,
    pub field: Field,
    pub name: Field,
    pub function: Field,
    pub method: Field,
    pub key: Field,
    pub object: Field,
    pub operand: Field,
    pub property: Field,
    pub receiver: Field,
}

/// The roles of all node kinds of a language.
pub(super) struct Kinds {
    roles: Vec<Role>,
    pub fields: Fields,
}

impl Kinds {
    #[inline(never)]
    pub fn of(grammar: &Grammar, language: &Language) -> Self {
        let role = |id: u16| {
            language.node_kind_for_id(id).map_or(Role::default(), |kind| Role::of(grammar, kind))
        };
        let count = u16::try_from(language.node_kind_count()).unwrap_or(u16::MAX);
        let field = |name: &str| language.field_id_for_name(name).map(u16::from);
        let fields = Fields {
            to_name: [
                (field("name"), true),
                (field("declarator"), false),
                (field("left"), false),
                (field("key"), true),
                (field("pattern"), false),
                (field("property"), false),
            ],
            body: field("body"),
            value: field("value"),
            left: field("left"),
            right: field("right"),
            declarator: field("declarator"),
            of_type: field("type"),
            arguments: field("arguments"),
            block: field("block"),
            field: field("field"),
            name: field("name"),
            function: field("function"),
            method: field("method"),
            key: field("key"),
            object: field("object"),
            operand: field("operand"),
            property: field("property"),
            receiver: field("receiver"),
        };
        Self { roles: (0..count).map(role).collect(), fields }
    }

    /// Returns the role of a node; the default role for an error.
    pub fn role(&self, node: Node) -> Role {
        self.roles.get(usize::from(node.kind_id())).copied().unwrap_or_default()
    }
}

/// Returns the child in a field.
pub(super) fn child(node: Node, field: Field) -> Option<Node> {
    node.child_by_field_id(field?)
}

/// Returns whether a node holds the items of an enumeration, in which the grammars know no macros.
pub(super) fn is_enumeration(node: Node) -> bool {
    node.kind() == "enumerator_list"
}
