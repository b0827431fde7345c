//! CSS.

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "css",
    language: Some(|| tree_sitter_css::LANGUAGE.into()),
    sections: &[
        ("rule_set", SectionKind::Rule),
        ("media_statement", SectionKind::Rule),
        ("supports_statement", SectionKind::Rule),
        ("keyframes_statement", SectionKind::Rule),
        ("scope_statement", SectionKind::Rule),
        ("at_rule", SectionKind::Rule),
    ],
    fields: &["declaration"],
    imports: &["import_statement", "charset_statement", "namespace_statement"],
    members: &["block"],
    bodies: &["keyframe_block_list"],
    headers: &["rule_set", "media_statement", "supports_statement", "scope_statement", "at_rule"],
    has_small_sections: true,
    ..Grammar::EMPTY
};
