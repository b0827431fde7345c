//! Functions whose body is a loop or a choice: the grammar knows no other loops as bodies than in brackets.

use crate::text::blank::Overwritten;
use crate::text::line::Line;
use std::ops::Range;

/// Commands that can be the whole body of a function, and the words that end them.
const BODIES: [(&str, &str); 5] =
    [("for", "done"), ("while", "done"), ("until", "done"), ("select", "done"), ("case", "esac")];
/// Maximum lines of such a body.
const MAX_BODY: usize = 1000;

/// Writes functions like `each() for i in 1; do f; done` as `each() { ... }`.
pub(super) fn overwrite(lines: &[Line], into: &mut Overwritten) {
    let mut next = 0;
    for at in 0..lines.len() {
        let Some(body) = lines.get(at..).and_then(body_of).filter(|body| body.start >= next) else {
            continue;
        };
        into.fill(body.clone(), b' ');
        into.fill(body.start..body.start + 1, b'{');
        into.fill(body.end - 1..body.end, b'}');
        next = body.end;
    }
}

/// Returns where the body of a function is, if its name is on the first of these lines and the body is one of
/// [`BODIES`]. It ends on a line that begins like its own first line, or on that line itself.
fn body_of(lines: &[Line]) -> Option<Range<usize>> {
    let &(begin, line) = lines.first()?;
    let name = length_of_name(line)?;
    let behind = line.get(name..)?;
    let is_below = behind.trim().is_empty();
    let (head, begin, rest) = match lines.get(1) {
        Some(&(begin, below)) if is_below => (below, begin, below),
        _ => (line, begin + name, behind),
    };
    let command = rest.trim_start();
    let is_word = |word: &str| {
        command.strip_prefix(word).is_some_and(|after| after.starts_with([' ', '\t', '(']))
    };
    let (_, end) = BODIES.into_iter().find(|(word, _)| is_word(word))?;
    let start = begin + rest.len() - command.len();
    if ends_with_word(head, end) {
        return Some(start..start + command.len());
    }
    let indent = head.len() - head.trim_start().len();
    let below = lines.iter().skip(1 + usize::from(is_below)).take(MAX_BODY);
    below.into_iter().find_map(|&(begin, line)| {
        let code = line.trim_start();
        let is_end = line.len() - code.len() == indent
            && code.split(|c: char| !c.is_alphanumeric()).next() == Some(end);
        is_end.then(|| start..begin + indent + end.len())
    })
}

/// Returns the length of `name()` or `function name` at the beginning of a line.
fn length_of_name(line: &str) -> Option<usize> {
    let is_end = |c: char| c.is_whitespace() || "(){}$;&|<>'\"`#=".contains(c);
    let code = line.trim_start();
    let word = code.strip_prefix("function ").map(str::trim_start);
    let named = word.unwrap_or(code);
    let after = named.trim_start_matches(|c: char| !is_end(c));
    let parameters = after.trim_start().strip_prefix('(').map(str::trim_start);
    let rest = match parameters.and_then(|inside| inside.strip_prefix(')')) {
        Some(rest) => rest,
        None => word.map(|_| after)?,
    };
    (after.len() < named.len()).then(|| line.len() - rest.len())
}

fn ends_with_word(line: &str, word: &str) -> bool {
    line.strip_suffix(word).is_some_and(|before| before.ends_with([' ', ';', '\t']))
}
