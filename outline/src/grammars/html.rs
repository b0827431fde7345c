//! HTML.

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "html",
    language: Some(|| tree_sitter_html::LANGUAGE.into()),
    sections: &[
        ("element", SectionKind::Element),
        ("script_element", SectionKind::Element),
        ("style_element", SectionKind::Element),
    ],
    has_small_sections: true,
    ..Grammar::EMPTY
};
