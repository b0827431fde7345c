//! Words of a text: identifiers, and the words that they consist of.

/// The hash of a word, ignoring case: the index never stores text. Among a million distinct words, two share a hash
/// with a probability of one in ten million; they then count as one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Term(pub u64);

/// Longest word, in bytes. Longer runs of letters are data (base64, digests), not words.
const LONGEST: usize = 128;

/// Passes every word of `text` to `sink`, in order. An identifier of several words is passed as a whole, then word by
/// word (`parseHttpRequest`, `parse`, `http`, `request`), each also without its number and in the singular. Single letters are skipped, except in scripts without spaces
/// between words, where each character counts.
pub(crate) fn each_term(text: &str, sink: &mut impl FnMut(Term)) {
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let run = &rest[start..];
        let end = run.find(|c| !is_word(c)).unwrap_or(run.len());
        identifier(&run[..end], sink);
        rest = &run[end..];
    }
}

/// Returns the term of a whole identifier; `None` if `name` is a single letter or not one identifier.
pub(crate) fn term_of_name(name: &str) -> Option<Term> {
    let whole = name.trim_matches('_');
    let is_name = whole.chars().all(is_word) && !whole.chars().any(is_ideographic);
    let is_long = whole.chars().nth(1).is_some() && whole.len() <= LONGEST;
    (is_name && is_long).then(|| hash(whole))
}

fn is_word(c: char) -> bool {
    c == '_' || if c.is_ascii() { c.is_ascii_alphanumeric() } else { c.is_alphanumeric() }
}

/// Returns whether a character is Chinese or Japanese.
fn is_ideographic(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn identifier(run: &str, sink: &mut impl FnMut(Term)) {
    let whole = run.trim_matches('_');
    if !whole.is_ascii() && whole.chars().any(is_ideographic) {
        each_character(whole, sink);
        return;
    }
    if whole.len() > LONGEST {
        return;
    }
    let mut start = 0;
    let mut ends = Boundaries::of(whole);
    let first = ends.next().unwrap_or(whole.len());
    if first < whole.len() {
        sink(hash(whole));
    }
    for end in std::iter::once(first).chain(ends) {
        let word = whole[start..end].trim_matches('_');
        if word.chars().nth(1).is_some() {
            sink(hash(word));
            plainer(word, sink);
        }
        start = end;
    }
}

/// Passes a word without its number (`authenticate13`), and in the singular (`users`): a question has another number, or
/// none. Longer endings (`-ing`, `-er`) stay, because cutting them off finds less.
fn plainer(word: &str, sink: &mut impl FnMut(Term)) {
    let base = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if base.len() < word.len() && base.len() > 2 {
        sink(hash(base));
    }
    let one = base.strip_suffix(['s', 'S']).filter(|one| !one.ends_with(['s', 'S']));
    if let Some(one) = one.filter(|one| one.len() > 2) {
        sink(hash(one));
    }
}

fn each_character(run: &str, sink: &mut impl FnMut(Term)) {
    for (at, c) in run.char_indices().filter(|(_, c)| is_ideographic(*c)) {
        sink(hash(&run[at..at + c.len_utf8()]));
    }
    for part in run.split(is_ideographic).filter(|part| !part.is_empty()) {
        identifier(part, sink);
    }
}

/// Iterates over the ends of an identifier's words, in bytes; the last one is the end of the identifier.
struct Boundaries<'a> {
    text: &'a str,
    characters: std::iter::Peekable<std::str::CharIndices<'a>>,
    before: Option<char>,
    is_over: bool,
}

impl<'a> Boundaries<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, characters: text.char_indices().peekable(), before: None, is_over: false }
    }
}

impl Iterator for Boundaries<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while let Some((at, c)) = self.characters.next() {
            let before = self.before.replace(c);
            let after = self.characters.peek().map(|(_, after)| *after);
            if before.is_some_and(|before| starts_word(before, c, after)) {
                return Some(at);
            }
        }
        let is_end = !self.is_over;
        self.is_over = true;
        is_end.then_some(self.text.len())
    }
}

/// Returns whether a word begins with `c`: after `_`, at a capital after a lower-case letter or digit (`getUser`), and
/// at the last of several capitals before a lower-case letter (`HTTPServer`).
fn starts_word(before: char, c: char, after: Option<char>) -> bool {
    if before == '_' {
        return c != '_';
    }
    let ends_capitals = before.is_uppercase() && after.is_some_and(char::is_lowercase);
    c.is_uppercase() && (!before.is_uppercase() || ends_capitals)
}

/// FNV-1a of the lower-case letters, mixed once more because hash tables use only its low bits.
fn hash(word: &str) -> Term {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |byte: u8| state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    if word.is_ascii() {
        word.bytes().for_each(|byte| add(byte.to_ascii_lowercase()));
    } else {
        let mut buffer = [0; 4];
        for c in word.chars().flat_map(char::to_lowercase) {
            c.encode_utf8(&mut buffer).bytes().for_each(&mut add);
        }
    }
    state ^= state >> 32;
    state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Term(state ^ (state >> 29))
}

#[cfg(test)]
mod tests {
    use super::{Term, each_term, hash, term_of_name};

    fn terms(text: &str) -> Vec<Term> {
        let mut found = Vec::new();
        each_term(text, &mut |term| found.push(term));
        found
    }

    #[test]
    fn identifiers_count_whole_and_word_by_word() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            ("a + b", &[]),
            ("getUserName", &["getusername", "get", "user", "name"]),
            ("get_user_name", &["get_user_name", "get", "user", "name"]),
            ("HTTPServer", &["httpserver", "http", "server"]),
            ("__init__", &["init"]),
            ("MAX_TOKENS", &["max_tokens", "max", "tokens", "token"]),
            ("utf8Bytes x2", &["utf8bytes", "utf8", "utf", "bytes", "byte", "x2"]),
            (
                "authenticate13 users2",
                &["authenticate13", "authenticate", "users2", "users", "user"],
            ),
            ("class is ids", &["class", "is", "ids"]),
            ("parse(json)", &["parse", "json"]),
            ("a__b ab__cd", &["a__b", "ab__cd", "ab", "cd"]),
            ("Straße GRÜSSE", &["straße", "grüsse"]),
            ("读取 file文件", &["读", "取", "文", "件", "file"]),
            ("___ _", &[]),
        ];
        for (text, words) in cases {
            let expected: Vec<Term> = words.iter().map(|word| hash(word)).collect();
            assert_eq!(terms(text), expected, "{text:?}");
        }
    }

    #[test]
    fn data_is_no_word() {
        assert_eq!(terms(&"A1b2".repeat(100)), []);
    }

    #[test]
    fn names_are_single_identifiers() {
        assert_eq!(term_of_name("getUser"), Some(hash("getuser")));
        assert_eq!(term_of_name("_private"), Some(hash("private")));
        for name in ["", "x", "_", "two words", "a.b", "impl Foo for Bar", "文件"] {
            assert_eq!(term_of_name(name), None, "{name:?}");
        }
    }
}
