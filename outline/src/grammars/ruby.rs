//! Ruby.

use crate::grammar::Grammar;
use crate::section::SectionKind;
use crate::walk::nesting;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "ruby",
    language: Some(|| tree_sitter_ruby::LANGUAGE.into()),
    sections: &[
        ("class", SectionKind::Class),
        ("module", SectionKind::Namespace),
        ("method", SectionKind::Function),
        ("singleton_method", SectionKind::Function),
        ("singleton_class", SectionKind::Class),
        ("assignment", SectionKind::Variable),
    ],
    fields: &["call", "alias"],
    wrappers: &[
        "body_statement",
        "begin",
        "block_body",
        "case",
        "else",
        "elsif",
        "ensure",
        "if",
        "if_modifier",
        "rescue",
        "then",
        "unless",
        "unless_modifier",
        "when",
    ],
    tests: &["describe", "context", "it", "specify", "feature", "scenario", "test"],
    members: &["body_statement", "do_block", "block"],
    bodies: &["hash", "array", "heredoc_body"],
    is_too_deep: Some(is_too_deep),
    ..Grammar::EMPTY
};

/// Maximum length of a heredoc's identifier, in bytes. The scanner of tree-sitter-ruby 0.23.1 saves the lengths of the
/// identifiers in a byte each.
const MAX_IDENTIFIER: usize = 200;

/// Returns whether a text is nested too deeply, or has a heredoc whose identifier is too long for the scanner.
fn is_too_deep(text: &str) -> bool {
    let mut behind = text.split("<<").skip(1);
    nesting::is_too_deep(text) || behind.any(|behind| identifier(behind) > MAX_IDENTIFIER)
}

/// Returns the length of the identifier with which a text begins, in bytes.
fn identifier(text: &str) -> usize {
    let text = text.strip_prefix(['~', '-']).unwrap_or(text);
    let mut letters = text.chars();
    match letters.next() {
        Some(quote @ ('"' | '\'' | '`')) => letters.as_str().find(quote).unwrap_or(text.len()),
        _ => text
            .find(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .unwrap_or(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_IDENTIFIER, is_too_deep};

    #[test]
    fn identifiers_are_measured() {
        let long = "A".repeat(MAX_IDENTIFIER + 1);
        for text in
            [format!("<<{long}"), format!("f(<<~'{long}', 1)"), format!("a << 1; <<-\"{long}")]
        {
            assert!(is_too_deep(&text), "{text}");
        }
        let fits = "A".repeat(MAX_IDENTIFIER);
        for text in
            [format!("<<{fits}\n{long}"), format!("<<'{fits}'\n{long}"), format!("<< {long}")]
        {
            assert!(!is_too_deep(&text), "{text}");
        }
    }
}
