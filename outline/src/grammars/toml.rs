//! TOML.

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "toml",
    language: Some(|| tree_sitter_toml_ng::LANGUAGE.into()),
    sections: &[
        ("table", SectionKind::Table),
        ("table_array_element", SectionKind::Table),
        ("pair", SectionKind::Key),
    ],
    bodies: &["array", "inline_table"],
    ..Grammar::EMPTY
};
