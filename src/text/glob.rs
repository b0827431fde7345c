//! Globs for paths, shared by policies, tools and thresholds.

use super::last::split_at_last;

/// Maximum number of alternatives in a glob's braces. A glob with more matches nothing: the number is a product, and
/// globs come from models.
const MOST_WAYS: usize = 1000;

/// Whether a path matches a glob: `*` and `?` within a name, `**` across folders, `{a,b}`, `[abc]`, and `\` before a
/// literal character. A glob without a `/` is matched against the name alone, in any folder, as in `rg -g`. A `/` at its
/// start is the root: of the file system for an absolute path, else that of the paths.
#[must_use]
pub fn glob_matches(glob: &str, path: &str) -> bool {
    let relative = |text: &'static str| glob.strip_prefix(text);
    let root = relative("/").filter(|_| !path.starts_with('/'));
    let glob = relative("./").or(root).unwrap_or(glob);
    let name = split_at_last(b"/", path).map_or(path, |(_, name)| name);
    let subject = if glob.contains('/') { path } else { name };
    let letters = Letters::of(glob);
    let is_tried = ways(glob) <= MOST_WAYS && letters.0.len() <= MOST_LETTERS;
    is_tried && fast_glob::glob_match(letters.bytes(glob), letters.bytes(subject))
}

/// Maximum number of different non-ASCII characters in a glob. Each gets one byte, and so does each gap between two of
/// them.
const MOST_LETTERS: usize = 63;

/// The non-ASCII characters of a glob, sorted. The library matches bytes: with one byte per character, `?` and `[a-z]`
/// match characters.
struct Letters(Vec<char>);

impl Letters {
    fn of(glob: &str) -> Self {
        let mut letters = Vec::new();
        for letter in glob.chars().filter(|letter| !letter.is_ascii()) {
            if let Err(at) = letters.binary_search(&letter) {
                letters.insert(at, letter);
            }
            // A glob with more is not matched.
            if letters.len() > MOST_LETTERS {
                break;
            }
        }
        Self(letters)
    }

    /// Encodes a text with one byte per character. Non-ASCII characters of the glob get odd numbers from 0x81 on, the
    /// characters between them even ones.
    fn bytes(&self, text: &str) -> Vec<u8> {
        let byte = |letter: char| {
            let (at, odd) = self.0.binary_search(&letter).map_or_else(|at| (at, 0), |at| (at, 1));
            u8::try_from(0x80 + 2 * at + odd).unwrap_or(u8::MAX)
        };
        text.chars()
            .map(|letter| {
                u8::try_from(letter).ok().filter(u8::is_ascii).unwrap_or_else(|| byte(letter))
            })
            .collect()
    }
}

/// An upper bound for the number of alternatives in a glob's braces: each comma adds a choice to its group.
fn ways(glob: &str) -> usize {
    let mut groups = Vec::new();
    let mut product = 1_usize;
    for letter in glob.bytes() {
        match letter {
            b'{' => groups.push(1_usize),
            b',' => groups.iter_mut().for_each(|choices| *choices += 1),
            b'}' => product = product.saturating_mul(groups.pop().unwrap_or(1)),
            _ => {}
        }
    }
    groups.into_iter().fold(product, usize::saturating_mul)
}

/// Returns why a glob cannot match anything; `None` if it is valid.
#[must_use]
pub fn glob_problem(glob: &str) -> Option<&'static str> {
    if ways(glob) > MOST_WAYS {
        return Some("its braces have too many choices");
    }
    if Letters::of(glob).0.len() > MOST_LETTERS {
        return Some("it has too many different letters beyond ASCII");
    }
    let mut letters = glob.chars();
    let mut groups = 0_usize;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if letters.next().is_none() => return Some("it ends with a single \\"),
            '[' => {
                if let Some(problem) = class_problem(&mut letters) {
                    return Some(problem);
                }
            }
            '{' => groups += 1,
            '}' => groups = groups.saturating_sub(1),
            _ => {}
        }
    }
    (groups > 0).then_some("a { of it is not closed")
}

/// Returns what is wrong with a class such as `[a-z]`. `letters` begins after the opening bracket.
fn class_problem(letters: &mut std::str::Chars) -> Option<&'static str> {
    const OPEN: &str = "a [ of it is not closed";
    let mut next = letters.next();
    if matches!(next, Some('!' | '^')) {
        next = letters.next();
    }
    loop {
        let Some(first) = next else { return Some(OPEN) };
        let low = if first == '\\' { letters.next() } else { Some(first) };
        let mut ahead = letters.clone();
        let range = ahead.next().filter(|dash| *dash == '-').and_then(|_| ahead.next());
        if let Some(high) = range.filter(|high| *high != ']') {
            if low > Some(high) && high != '\\' {
                return Some("a range of it ends before it begins");
            }
            *letters = ahead;
        }
        next = letters.next();
        if next == Some(']') {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_without_a_folder_is_about_the_name() {
        for path in ["a.ts", "src/a.ts", "/home/x/src/a.ts"] {
            assert!(glob_matches("*.ts", path), "{path}");
            assert!(glob_matches("./*.ts", path), "{path}");
            assert!(glob_matches("**", path), "{path}");
        }
        assert!(glob_matches("src/*.ts", "src/a.ts"));
        assert!(!glob_matches("src/*.ts", "src/deep/a.ts"));
        assert!(glob_matches("src/**", "src/deep/a.ts"));
        assert!(glob_matches("/src/**", "src/a.ts"));
        assert!(glob_matches("/src/**", "/src/a.ts"));
        assert!(!glob_matches("/src/**", "/x/src/a.ts"));
        assert!(glob_matches("**/a.ts", "a.ts"));
        assert!(!glob_matches("*.ts", "a.tsx"));
    }

    #[test]
    fn a_pattern_that_is_none_matches_nothing() {
        for glob in ["[z-a].ts", "[", "{a", "\\", "[!", "{,", "}"] {
            assert!(!glob_matches(glob, "a.ts"), "{glob}");
        }
    }

    #[test]
    fn letters_are_letters() {
        for (glob, path, matches) in [
            ("?.ts", "ä.ts", true),
            ("??.ts", "ä.ts", false),
            ("[а-я].ts", "ж.ts", true),
            ("[а-я].ts", "ä.ts", false),
            ("[!a].ts", "ä.ts", true),
            ("ä*", "äöü", true),
            ("ö*", "äöü", false),
        ] {
            assert_eq!(glob_matches(glob, path), matches, "{glob} {path}");
        }
    }

    #[test]
    fn no_glob_takes_long() {
        // A backtracking matcher would not finish.
        let letters = "a".repeat(2000);
        let folders = "a/".repeat(1000);
        let cases = [
            (format!("{}b", "*a".repeat(20)), letters.clone()),
            (format!("{}b", "**/".repeat(30)), folders.clone()),
            (format!("{}b", "**/a/".repeat(30)), folders.clone()),
            (format!("{}b", "{*,*}".repeat(30)), letters.clone()),
            (format!("{}b", "{*,*}".repeat(9)), letters.clone()),
            (format!("{}b", "{**/,*a}".repeat(9)), folders),
            (format!("{}b{}", "{*a,".repeat(30), "}".repeat(30)), letters),
        ];
        for (glob, path) in cases {
            assert!(!glob_matches(&glob, &path), "{glob}");
        }
    }

    #[test]
    fn says_why_a_glob_matches_nothing() {
        let many = "{a,b}".repeat(11);
        let letters: String = ('а'..='я').chain('А'..='Я').collect();
        let cases = [
            ("{a", "a { of it is not closed"),
            ("src/[ab", "a [ of it is not closed"),
            ("[", "a [ of it is not closed"),
            ("[]", "a [ of it is not closed"),
            ("[z-a].ts", "a range of it ends before it begins"),
            ("a\\", "it ends with a single \\"),
            (many.as_str(), "its braces have too many choices"),
            (letters.as_str(), "it has too many different letters beyond ASCII"),
        ];
        for (glob, problem) in cases {
            assert_eq!(glob_problem(glob), Some(problem), "{glob}");
        }
        for glob in
            ["", "*.ts", "[ab].ts", "[!a-z-]", "[]a]", "[[]y].ts", "a}", "\\{a", "\\[", "{a,{b,c}}"]
        {
            assert_eq!(glob_problem(glob), None, "{glob}");
        }
    }
}
