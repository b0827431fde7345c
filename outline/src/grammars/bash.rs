//! Bash and other POSIX shells.

use crate::grammar::Grammar;
use crate::section::SectionKind;
use std::borrow::Cow;
use std::ops::Range;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "bash",
    language: Some(|| tree_sitter_bash::LANGUAGE.into()),
    sections: &[
        ("function_definition", SectionKind::Function),
        ("variable_assignment", SectionKind::Variable),
        ("declaration_command", SectionKind::Variable),
    ],
    wrappers: &["if_statement", "elif_clause", "else_clause", "list", "variable_assignments"],
    code: &[
        "case_statement",
        "case_item",
        "compound_statement",
        "c_style_for_statement",
        "for_statement",
        "while_statement",
        "do_group",
        "subshell",
    ],
    bodies: &["compound_statement", "array", "subshell"],
    is_braced: true,
    blanked: Some(with_brackets),
    ..Grammar::EMPTY
};

/// Commands that can be the whole body of a function, and the words that end them.
const BODIES: [(&str, &str); 5] =
    [("for", "done"), ("while", "done"), ("until", "done"), ("select", "done"), ("case", "esac")];
/// Maximum lines of such a body.
const MAX_BODY: usize = 1000;

/// Returns the text with functions like `each() for i in 1; do f; done` written as `each() { ... }`: the grammar knows
/// no other loops as bodies. Every other byte keeps its position.
fn with_brackets(text: &str) -> Cow<'_, str> {
    let mut start = 0;
    let lines: Vec<(usize, &str)> = text
        .split_inclusive('\n')
        .map(|line| {
            start += line.len();
            (start - line.len(), line.trim_end())
        })
        .collect();
    let mut written = String::new();
    let mut next = 0;
    for at in 0..lines.len() {
        let Some(body) = lines.get(at..).and_then(body_of).filter(|body| body.start >= next) else {
            continue;
        };
        written.push_str(text.get(next..body.start).unwrap_or_default());
        written.push('{');
        let inside = text.as_bytes().get(body.start + 1..body.end - 1).unwrap_or_default();
        written.extend(inside.iter().map(|&byte| if byte == b'\n' { '\n' } else { ' ' }));
        written.push('}');
        next = body.end;
    }
    if next == 0 {
        return Cow::Borrowed(text);
    }
    written.push_str(text.get(next..).unwrap_or_default());
    Cow::Owned(written)
}

/// Returns where the body of a function is, if its name is on the first of these lines and the body is one of
/// [`BODIES`]. It ends on a line that begins like its own first line, or on that line itself.
fn body_of(lines: &[(usize, &str)]) -> Option<Range<usize>> {
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
