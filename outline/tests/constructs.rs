//! Constructs of languages between two definitions: neither may be lost, and names that begin with `Want` are sections.
//!
//! The files in `constructs` are divided by lines of `===`. The first two parts are the definitions before and after; each
//! other part is a case.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use std::path::Path;
use std::{fs, io};
use support::sections;

#[test]
fn no_construct_loses_a_definition() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/constructs");
    let mut cases = 0;
    let mut faults = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let language = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let content = fs::read_to_string(&path)?;
        let mut parts = content.trim_end().split("\n===\n");
        let before = parts.next().unwrap_or_default();
        let after = parts.next().unwrap_or_default();
        for case in parts {
            cases += 1;
            let found = sections(language, &format!("{before}\n{case}\n{after}\n"));
            faults.extend(
                fault_of(case, &found)
                    .map(|fault| format!("{language}: {fault}\n{case}\n{found:#?}")),
            );
        }
    }
    assert!(cases > 700, "{cases} cases");
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    Ok(())
}

/// Returns what is not found of a case.
fn fault_of(case: &str, found: &[String]) -> Option<String> {
    let is_at_top = |name: &str| {
        found.iter().any(|section| !section.starts_with(' ') && has_word(section, name))
    };
    let lost = ["Before", "After"].into_iter().find(|name| !is_at_top(name));
    let mut wanted = words(case).filter(|word| word.starts_with("Want"));
    let missing = wanted.find(|name| !found.iter().any(|section| has_word(section, name)));
    Some(format!("{} is not found", lost.or(missing)?))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

fn has_word(text: &str, word: &str) -> bool {
    words(text).any(|found| found == word)
}
