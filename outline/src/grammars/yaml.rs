//! YAML.

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "yaml",
    language: Some(|| tree_sitter_yaml::LANGUAGE.into()),
    sections: &[("block_mapping_pair", SectionKind::Key)],
    wrappers: &["document", "block_node", "block_mapping"],
    members: &["block_mapping"],
    bodies: &["block_sequence", "flow_mapping", "flow_sequence", "block_scalar"],
    ..Grammar::EMPTY
};
