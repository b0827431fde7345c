//! Paths of files in a line.

use crate::text::split_at_last;

const LONGEST_PATH: usize = 120;

/// Returns the paths in a line.
pub fn paths_in(line: &str) -> impl Iterator<Item = &str> {
    line.split(ends_word).filter_map(path_in)
}

fn ends_word(c: char) -> bool {
    const SIGNS: &[u8] = b"\"'`()[]{}<>,;=|";
    c.is_whitespace() || u8::try_from(c).is_ok_and(|byte| SIGNS.contains(&byte))
}

/// Returns the path in a word, without the line number after it: a name with an extension that is in a folder or has a
/// line number (`src/a.ts`, `a.ts:12`). `and/or`, `1.5` and URLs are not paths.
fn path_in(word: &str) -> Option<&str> {
    let (path, rest) = word.split_once(':').unwrap_or((word, ""));
    let path = path.trim_end_matches('.');
    let (stem, extension) = split_at_last(b".", path)?;
    let name = split_at_last(b"/", stem).map_or(stem, |(_, name)| name);
    let is_numbered = rest.starts_with(|c: char| c.is_ascii_digit());
    let is_placed = stem.contains('/') || is_numbered;
    let is_extension = (1..=5).contains(&extension.len())
        && extension.bytes().all(|b| b.is_ascii_alphanumeric())
        && extension.bytes().any(|b| b.is_ascii_alphabetic());
    let is_path = !name.is_empty() && !rest.starts_with("//") && path.len() <= LONGEST_PATH;
    (is_placed && is_extension && is_path).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::paths_in;

    #[test]
    fn paths_and_what_only_looks_like_one() {
        let cases: &[(&str, &[&str])] = &[
            (
                "src/a.ts:12:3 in ./b/c.test.py, \"/usr/lib/x.so\"",
                &["src/a.ts", "./b/c.test.py", "/usr/lib/x.so"],
            ),
            ("main.rs:4", &["main.rs"]),
            ("see src/a.ts.", &["src/a.ts"]),
            ("and/or 1.5 e.g. a.b https://x.org/a.html v1/2.0 .../. a.ts", &[]),
        ];
        for (line, expected) in cases {
            assert_eq!(paths_in(line).collect::<Vec<_>>(), *expected, "{line:?}");
        }
    }
}
