//! Java.

use crate::grammar::{Grammar, Privacy};
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "java",
    language: Some(|| tree_sitter_java::LANGUAGE.into()),
    sections: &[
        ("class_declaration", SectionKind::Class),
        ("interface_declaration", SectionKind::Interface),
        ("annotation_type_declaration", SectionKind::Interface),
        ("enum_declaration", SectionKind::Enum),
        ("record_declaration", SectionKind::Struct),
        ("module_declaration", SectionKind::Module),
        ("method_declaration", SectionKind::Function),
        ("constructor_declaration", SectionKind::Function),
        ("compact_constructor_declaration", SectionKind::Function),
        ("annotation_type_element_declaration", SectionKind::Function),
    ],
    fields: &[
        "field_declaration",
        "constant_declaration",
        "enum_constant",
        "exports_module_directive",
        "opens_module_directive",
        "provides_module_directive",
        "uses_module_directive",
    ],
    imports: &["package_declaration", "import_declaration", "requires_module_directive"],
    wrappers: &["enum_body_declarations"],
    members: &[
        "class_body",
        "interface_body",
        "enum_body",
        "enum_body_declarations",
        "annotation_type_body",
        "module_body",
    ],
    bodies: &["block", "constructor_body", "array_initializer"],
    privacy: Privacy::Marked,
    is_braced: true,
    ..Grammar::EMPTY
};
