//! Where sections begin and end, and which comments are shown above them.
//!
//! The files in `ranges` are divided into cases by lines of `===`. A name tells the lines of its section: `b_4_5` is on the
//! lines 4 to 5 of its case. The outline shows the comments that say `shown`, but no others that say `hidden`.

#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;
use std::{fs, io};
use trimtab_outline::{Budget, Outline, Section, outline};

#[test]
fn sections_are_on_the_lines_that_their_names_tell() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ranges");
    let mut faults = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let content = fs::read_to_string(&path)?;
        let file = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        // Both grammars read what is valid in both.
        let languages = if file == "c" { vec!["c", "cpp"] } else { vec![file] };
        for (language, case) in languages
            .iter()
            .flat_map(|of| content.trim_end().split("\n===\n").map(move |it| (of, it)))
        {
            let found = faults_of(language, case);
            faults.extend(found.iter().map(|fault| format!("{language}: {fault}\n{case}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    Ok(())
}

fn faults_of(language: &str, case: &str) -> Vec<String> {
    let Ok(found) = outline(language, case, Budget::default()) else {
        return vec!["no outline".to_owned()];
    };
    let mut faults: Vec<String> = found.sections.iter().filter_map(misplaced).collect();
    let words = || case.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let is_found =
        |name: &str| found.sections.iter().filter(|section| section.name == name).count() == 1;
    let named = words().filter(|word| lines_of(word).is_some());
    faults.extend(
        named.filter(|name| !is_found(name)).map(|name| format!("{name} is not there once")),
    );
    faults.extend(comments(case, &found));
    faults
}

/// Returns the lines that a name tells.
fn lines_of(name: &str) -> Option<(usize, usize)> {
    let mut parts = name.rsplit('_');
    let last = parts.next()?.parse().ok()?;
    Some((parts.next()?.parse().ok()?, last))
}

fn misplaced(section: &Section) -> Option<String> {
    let lines = (section.start_line, section.end_line);
    let is_misplaced = lines_of(&section.name).is_some_and(|told| told != lines);
    is_misplaced.then(|| format!("{} is on {lines:?}", section.name))
}

fn comments(case: &str, found: &Outline) -> Vec<String> {
    let is_shown =
        |line: usize| found.shown.iter().any(|range| (range.start..=range.end).contains(&line));
    let lines = case.lines().enumerate();
    let wrong = lines.filter(|(index, line)| match is_shown(index + 1) {
        true => line.contains("hidden"),
        false => line.contains("shown"),
    });
    wrong.map(|(_, line)| format!("{line} is not so")).collect()
}
