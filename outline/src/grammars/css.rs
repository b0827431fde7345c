//! CSS.

use crate::grammar::Grammar;
use crate::section::SectionKind;
use crate::text::blank::Overwritten;
use std::borrow::Cow;

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
    overwritten: Some(overwritten),
    ..Grammar::EMPTY
};

/// At-rules that the grammar reads.
const READ: [&str; 4] = ["@import ", "@charset ", "@namespace ", "@layer "];

/// Writes letters for what follows the word of other at-rules without a block, such as Tailwind's
/// `@custom-variant dark (&:where(.dark, .dark *));`: the grammar joins some with the next rule.
fn overwritten(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let rule = line.trim();
        let begin = start + line.len() - line.trim_start().len();
        start += line.len();
        if !rule.starts_with('@') || READ.iter().any(|word| rule.starts_with(word)) {
            continue;
        }
        let Some((word, given)) = rule.strip_suffix(';').and_then(|rule| rule.split_once(' '))
        else {
            continue;
        };
        if !given.contains([';', '{', '}']) && !given.contains("/*") && !given.contains("*/") {
            let given_at = begin + word.len() + 1;
            into.fill(given_at..given_at + given.len(), b'x');
        }
    }
    into.text()
}
