//! Sections of a text, as `kind name`, indented by how many sections they stand in.

#![allow(dead_code, reason = "each test uses a part")]

use trimtab_outline::{Budget, outline};

/// Returns the sections of a text.
pub fn sections(language: &str, content: &str) -> Vec<String> {
    let found = outline(language, content, Budget::default());
    let sections = found.map(|outline| outline.sections).unwrap_or_default();
    sections
        .iter()
        .map(|section| {
            let kind = format!("{:?}", section.kind).to_lowercase();
            format!("{}{kind} {}", "  ".repeat(section.depth), section.name)
        })
        .collect()
}

/// Compares the sections of a text with the expected ones.
#[track_caller]
pub fn check(language: &str, content: &str, expected: &[&str]) {
    assert_eq!(sections(language, content), expected, "{language}:\n{content}");
}
