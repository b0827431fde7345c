//! C.

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "c",
    language: Some(|| tree_sitter_c::LANGUAGE.into()),
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
    ],
    fields: &["field_declaration", "enumerator", "preproc_def"],
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
    ],
    members: &["field_declaration_list", "enumerator_list"],
    bodies: &["compound_statement", "initializer_list"],
    has_macros: true,
    overwritten: Some(crate::walk::preprocessor::blanked),
    is_braced: true,
    ..Grammar::EMPTY
};
