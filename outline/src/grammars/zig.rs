//! Zig.

use crate::grammar::{Grammar, Privacy};
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "zig",
    language: Some(|| tree_sitter_zig::LANGUAGE.into()),
    sections: &[
        ("function_declaration", SectionKind::Function),
        ("variable_declaration", SectionKind::Constant),
        ("test_declaration", SectionKind::Test),
    ],
    fields: &["container_field"],
    imports: &["using_namespace_declaration"],
    members: &["struct_declaration", "enum_declaration", "union_declaration", "opaque_declaration"],
    bodies: &["block", "initializer_list", "anonymous_struct_initializer", "error_set_declaration"],
    privacy: Privacy::NotPub,
    is_braced: true,
    ..Grammar::EMPTY
};
