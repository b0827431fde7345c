//! C++.

mod modules;
mod namespaces;
mod test_classes;

use super::preprocessor;
use crate::grammar::Grammar;
use crate::section::SectionKind;
use crate::text::blank::then;
use std::borrow::Cow;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "cpp",
    language: Some(|| tree_sitter_cpp::LANGUAGE.into()),
    sections: &[
        ("function_definition", SectionKind::Function),
        ("declaration", SectionKind::Variable),
        // Remains if a declaration is broken, e.g. by a directive among its parameters.
        ("function_declarator", SectionKind::Function),
        ("preproc_function_def", SectionKind::Macro),
        ("type_definition", SectionKind::Type),
        ("struct_specifier", SectionKind::Struct),
        ("union_specifier", SectionKind::Union),
        ("enum_specifier", SectionKind::Enum),
        ("class_specifier", SectionKind::Class),
        ("namespace_definition", SectionKind::Namespace),
        ("alias_declaration", SectionKind::Type),
        ("concept_definition", SectionKind::Type),
        ("template_instantiation", SectionKind::Function),
    ],
    fields: &[
        "field_declaration",
        "enumerator",
        "preproc_def",
        "access_specifier",
        "using_declaration",
        "friend_declaration",
    ],
    imports: &["preproc_include"],
    wrappers: &[
        "preproc_if",
        "preproc_ifdef",
        "preproc_else",
        "preproc_elif",
        "preproc_elifdef",
        "linkage_specification",
        "declaration_list",
        "ERROR",
        "template_declaration",
    ],
    code: &[
        "compound_statement",
        "if_statement",
        "else_clause",
        "for_statement",
        "for_range_loop",
        "while_statement",
        "do_statement",
        "switch_statement",
        "case_statement",
        "try_statement",
        "catch_clause",
    ],
    has_local_types: true,
    members: &["field_declaration_list", "enumerator_list"],
    bodies: &["compound_statement", "initializer_list", "try_statement", "field_initializer_list"],
    has_macros: true,
    overwritten: Some(overwritten),
    is_braced: true,
    ..Grammar::EMPTY
};

/// Overwrites what the grammar rejects.
fn overwritten(text: &str) -> Cow<'_, str> {
    let text = then(modules::blanked(text), namespaces::named);
    then(then(text, test_classes::named), preprocessor::blanked)
}
