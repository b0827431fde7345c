//! C#.

use crate::grammar::{Grammar, Privacy};
use crate::section::SectionKind;
use crate::walk::branches;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "csharp",
    language: Some(|| tree_sitter_c_sharp::LANGUAGE.into()),
    sections: &[
        ("namespace_declaration", SectionKind::Namespace),
        ("file_scoped_namespace_declaration", SectionKind::Namespace),
        ("class_declaration", SectionKind::Class),
        ("struct_declaration", SectionKind::Struct),
        ("record_declaration", SectionKind::Struct),
        ("interface_declaration", SectionKind::Interface),
        ("enum_declaration", SectionKind::Enum),
        ("delegate_declaration", SectionKind::Type),
        ("local_function_statement", SectionKind::Function),
        ("method_declaration", SectionKind::Function),
        ("constructor_declaration", SectionKind::Function),
        ("destructor_declaration", SectionKind::Function),
        ("operator_declaration", SectionKind::Function),
        ("conversion_operator_declaration", SectionKind::Function),
    ],
    fields: &[
        "field_declaration",
        "property_declaration",
        "event_declaration",
        "event_field_declaration",
        "indexer_declaration",
        "enum_member_declaration",
    ],
    imports: &["using_directive", "extern_alias_directive"],
    wrappers: &[
        "preproc_if",
        "preproc_else",
        "preproc_elif",
        "declaration_list",
        "global_statement",
    ],
    members: &["declaration_list", "enum_member_declaration_list"],
    bodies: &["block", "accessor_list", "arrow_expression_clause", "initializer_expression"],
    blanked: Some(branches::blanked_undefined),
    privacy: Privacy::Marked,
    is_braced: true,
    ..Grammar::EMPTY
};
