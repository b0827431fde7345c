//! What a definition is in each language.

use tree_sitter::Language;

/// Nodes that have members which are the file's own.
pub const NAMESPACES: [&str; 8] = [
    "namespace_declaration",
    "file_scoped_namespace_declaration",
    "namespace_definition",
    "internal_module",
    "module",
    "program",
    "source_file",
    "translation_unit",
];

/// Nodes in which nothing is at the top level, whether they are definitions or not.
pub const SCOPES: [&str; 32] = [
    "anonymous_function",
    "arrow_function",
    "block_comment",
    "class",
    "class_body",
    "class_declaration",
    "class_definition",
    "closure_expression",
    "compound_statement",
    "constructor_declaration",
    "do_block",
    "enum_body",
    "field_declaration_list",
    "func_literal",
    "function",
    "function_declaration",
    "function_definition",
    "function_expression",
    "function_item",
    "function_signature",
    "generator_function",
    "impl_item",
    "interface_body",
    "lambda",
    "lambda_expression",
    "method",
    "method_definition",
    "mod_item",
    "object",
    "object_type",
    "parameter_list",
    "trait_item",
];

const BASH: &str = "(program (function_definition name: (_) @name) @definition)";
const C: &str = "
(translation_unit (declaration declarator: (_) @name) @definition)
(enum_specifier name: (_) @name body: (_)) @definition
(union_specifier name: (_) @name body: (_)) @definition";
const CPP: &str = "
(concept_definition name: (_) @name) @definition
(alias_declaration name: (_) @name) @definition
(function_definition declarator: (function_declarator declarator: (qualified_identifier) @name)) @definition";
const CSHARP: &str = "
(struct_declaration name: (_) @name) @definition
(enum_declaration name: (_) @name) @definition
(record_declaration name: (_) @name) @definition
(delegate_declaration name: (_) @name) @definition
(namespace_declaration name: (_) @name) @definition";
const CSS: &str = "
(stylesheet (rule_set (selectors) @name) @definition)
(stylesheet (keyframes_statement (keyframes_name) @name) @definition)";
/// Constants and variables in brackets are one declaration, called by the first of them.
const GO: &str = "
(source_file (const_declaration . (const_spec name: (_) @name)) @definition)
(source_file (var_declaration . (var_spec name: (_) @name)) @definition)
(source_file (var_declaration (var_spec_list . (var_spec name: (_) @name))) @definition)";
const HTML: &str = "(document (element (start_tag (tag_name) @name)) @definition)";
const JAVA: &str = "
(enum_declaration name: (_) @name) @definition
(record_declaration name: (_) @name) @definition
(annotation_type_declaration name: (_) @name) @definition";
/// The object is not what a pair is in: see [`SCOPES`].
const JSON: &str = "(document (object (pair key: (_) @name) @definition) @outermost)";
const RUBY: &str = "(program (assignment left: (constant) @name) @definition)";
const RUST: &str = "
(source_file (const_item name: (_) @name) @definition)
(source_file (static_item name: (_) @name) @definition)
(source_file (impl_item type: (_) @name) @definition)";
const TOML: &str = "
(table . [(bare_key) (dotted_key) (quoted_key)] @name) @definition
(table_array_element . [(bare_key) (dotted_key) (quoted_key)] @name) @definition";
const TYPESCRIPT: &str = "
(type_alias_declaration name: (_) @name) @definition
(enum_declaration name: (_) @name) @definition
(internal_module name: (_) @name) @definition";
const YAML: &str =
    "(document (block_node (block_mapping (block_mapping_pair key: (_) @name) @definition)))";
const ZIG: &str = "
(source_file (function_declaration name: (_) @name) @definition)
(source_file (variable_declaration (identifier) @name) @definition)
(source_file (test_declaration (string) @name) @definition)";

/// The grammar of a language and the query for its definitions.
pub fn of(name: &str) -> Option<(Language, String)> {
    let javascript = tree_sitter_javascript::TAGS_QUERY;
    let typescript = [javascript, tree_sitter_typescript::TAGS_QUERY, TYPESCRIPT].concat();
    Some(match name {
        "bash" => (tree_sitter_bash::LANGUAGE.into(), BASH.to_owned()),
        "c" => (tree_sitter_c::LANGUAGE.into(), [tree_sitter_c::TAGS_QUERY, C].concat()),
        "cpp" => (tree_sitter_cpp::LANGUAGE.into(), [tree_sitter_cpp::TAGS_QUERY, CPP].concat()),
        "csharp" => (
            tree_sitter_c_sharp::LANGUAGE.into(),
            [tree_sitter_c_sharp::TAGS_QUERY, CSHARP].concat(),
        ),
        "css" => (tree_sitter_css::LANGUAGE.into(), CSS.to_owned()),
        "go" => (tree_sitter_go::LANGUAGE.into(), [tree_sitter_go::TAGS_QUERY, GO].concat()),
        "html" => (tree_sitter_html::LANGUAGE.into(), HTML.to_owned()),
        "java" => {
            (tree_sitter_java::LANGUAGE.into(), [tree_sitter_java::TAGS_QUERY, JAVA].concat())
        }
        "javascript" => (tree_sitter_javascript::LANGUAGE.into(), javascript.to_owned()),
        "json" => (tree_sitter_json::LANGUAGE.into(), JSON.to_owned()),
        "python" => {
            (tree_sitter_python::LANGUAGE.into(), tree_sitter_python::TAGS_QUERY.to_owned())
        }
        "ruby" => {
            (tree_sitter_ruby::LANGUAGE.into(), [tree_sitter_ruby::TAGS_QUERY, RUBY].concat())
        }
        "rust" => {
            (tree_sitter_rust::LANGUAGE.into(), [tree_sitter_rust::TAGS_QUERY, RUST].concat())
        }
        "toml" => (tree_sitter_toml_ng::LANGUAGE.into(), TOML.to_owned()),
        "tsx" => (tree_sitter_typescript::LANGUAGE_TSX.into(), typescript),
        "typescript" => (tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), typescript),
        "yaml" => (tree_sitter_yaml::LANGUAGE.into(), YAML.to_owned()),
        "zig" => (tree_sitter_zig::LANGUAGE.into(), ZIG.to_owned()),
        _ => return None,
    })
}
