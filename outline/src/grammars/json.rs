//! JSON, with comments.

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "json",
    language: Some(|| tree_sitter_json::LANGUAGE.into()),
    sections: &[("pair", SectionKind::Key)],
    wrappers: &["object"],
    members: &["object"],
    bodies: &["array"],
    ..Grammar::EMPTY
};
