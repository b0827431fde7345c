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
        // `Pair ||= Struct.new(:a) do ... end`; others define nothing.
        ("operator_assignment", SectionKind::Variable),
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
        "parenthesized_statements",
        "rescue",
        "then",
        "unless",
        "unless_modifier",
        "when",
    ],
    tests: &[
        "describe",
        "context",
        "it",
        "specify",
        "example",
        "feature",
        "scenario",
        "test",
        "shared_examples",
        "shared_examples_for",
        "shared_context",
        "fdescribe",
        "fcontext",
        "fit",
        "fspecify",
        "fexample",
        "xdescribe",
        "xcontext",
        "xit",
        "xspecify",
        "xexample",
    ],
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
    let is_too_long = |(at, _): (usize, &str)| {
        let (before, behind) = (&text[..at], &text[at + 2..]);
        identifier(behind) > MAX_IDENTIFIER && may_begin_heredoc(before, behind)
    };
    nesting::is_too_deep(text) || text.match_indices("<<").any(is_too_long)
}

/// Returns whether a heredoc may begin with a `<<`. None does in `'<<'`, which is a text or stands behind one, nor in a line
/// that is a comment.
fn may_begin_heredoc(before: &str, behind: &str) -> bool {
    let quote = behind.chars().next().filter(|letter| matches!(letter, '"' | '\'' | '`'));
    let line = before.rsplit('\n').next().unwrap_or("").trim_start();
    let is_comment = line.starts_with('#') && !line.starts_with("#{");
    !is_comment && (quote.is_none() || before.chars().next_back() != quote)
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
        for text in [
            format!("# responds to '<<'\n{long} '"),
            format!("  # a <<' b\n{long}'"),
            format!("X = '<<'\n{long} '"),
            format!("x # `<<` {long} `"),
        ] {
            assert!(!is_too_deep(&text), "{text}");
        }
        assert!(is_too_deep(&format!("\"\n#{{<<'{long}'}}\"")));
        let fits = "A".repeat(MAX_IDENTIFIER);
        for text in
            [format!("<<{fits}\n{long}"), format!("<<'{fits}'\n{long}"), format!("<< {long}")]
        {
            assert!(!is_too_deep(&text), "{text}");
        }
    }
}
