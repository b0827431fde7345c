//! Here-documents with something behind their word: `cat <<END; then`, `cat <<END | while read -r line; do`,
//! `cat <<A <<B`. The grammar reads all that follows as a part of the redirection, which must end with the line.

use crate::text::blank::Overwritten;
use crate::text::line::{Line, lines};
use std::borrow::Cow;

/// Maximum lines of a here-document, and of the line that it belongs to.
const MAX_LINES: usize = 1000;

/// Blanks such here-documents, with their redirections.
pub(super) fn overwritten(text: &str) -> Cow<'_, str> {
    if !text.contains("<<") {
        return Cow::Borrowed(text);
    }
    let lines = lines(text);
    let mut into = Overwritten::new(text);
    let mut at = 0;
    while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
        at += blanked(rest, &mut into).unwrap_or(1);
    }
    into.text()
}

/// Blanks the here-documents of the first line if the grammar would not read them. Returns the lines that they take,
/// with their own. None does if the line has none, or their ends are not found.
fn blanked(lines: &[Line], into: &mut Overwritten) -> Option<usize> {
    let &(start, line) = lines.first()?;
    let found = redirections(line);
    let last = found.last()?;
    let is_read = found.len() == 1 && last.end == line.len();
    // A line that ends with a backslash goes on below; then come the documents.
    let goes_on = |(_, line): &&Line| line.ends_with('\\');
    let head = 1 + lines.iter().take(MAX_LINES).take_while(goes_on).count();
    let mut end = head;
    for document in &found {
        end += document.length(lines.get(end..)?)?;
    }
    if !is_read {
        for document in &found {
            into.fill(start + document.start..start + document.end, b' ');
        }
        for &(start, line) in lines.get(head..end)? {
            into.fill(start..start + line.len(), b' ');
        }
    }
    Some(end)
}

struct Redirection {
    start: usize,
    end: usize,
    word: String,
    /// `<<-`: tabs before the last line do not count.
    is_indented: bool,
}

impl Redirection {
    /// Returns how many of the lines are the document's. None are if one of the same name begins in them: then this one
    /// is only a text.
    fn length(&self, lines: &[Line]) -> Option<usize> {
        for (at, (_, line)) in lines.iter().take(MAX_LINES).enumerate() {
            let plain = if self.is_indented { line.trim_start_matches('\t') } else { line };
            if plain == self.word {
                return Some(at + 1);
            }
            let begun =
                line.split_once("<<").map(|(_, word)| word.trim_start_matches(is_before_word));
            if begun.is_some_and(|word| word.starts_with(&self.word)) {
                return None;
            }
        }
        None
    }
}

fn is_before_word(c: char) -> bool {
    " \t-'\"\\".contains(c)
}

/// What the rest of a line is in.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    /// Commands, up to a bracket.
    Commands,
    /// A text in double quotes.
    Text,
    /// A calculation, in which `<<` shifts: `((1 << 2))`.
    Numbers,
}

/// Returns the redirections of a line: those in comments, texts and calculations are none.
fn redirections(line: &str) -> Vec<Redirection> {
    let mut found = Vec::new();
    if !line.contains("<<") {
        return found;
    }
    let mut around = vec![Within::Commands];
    let mut at = 0;
    while let Some((before, rest)) = line.split_at_checked(at).filter(|(_, rest)| !rest.is_empty())
    {
        let within = around.last().copied().unwrap_or(Within::Commands);
        if within == Within::Commands && rest.starts_with('#') && ends_word(before) {
            break;
        }
        let begins = within == Within::Commands && rest.starts_with("<<");
        if begins && !rest.starts_with("<<<") {
            let Some(redirection) = redirection(line, at) else { break };
            at = redirection.end;
            found.push(redirection);
        } else {
            at += turned(rest, within, &mut around);
        }
    }
    found
}

fn ends_word(before: &str) -> bool {
    before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || ";&|()".contains(c))
}

/// Returns the length of what a text begins with, and adds or removes what it opens or closes.
fn turned(rest: &str, within: Within, around: &mut Vec<Within>) -> usize {
    let is_text = within == Within::Text;
    let length_of = |index: usize| rest.chars().nth(index).map_or(0, char::len_utf8);
    match rest.as_bytes() {
        [b'\\', ..] => return 1 + length_of(1),
        [b'\'', ..] if !is_text => {
            return rest
                .get(1..)
                .and_then(|text| text.find('\''))
                .map_or(rest.len(), |end| end + 2);
        }
        [b'<', b'<', b'<', ..] => return 3,
        [b'"', ..] if !is_text => around.push(Within::Text),
        [b'$', b'(', b'(', ..] => {
            around.extend([Within::Numbers; 2]);
            return 3;
        }
        [b'(', b'(', ..] if !is_text => {
            around.extend([Within::Numbers; 2]);
            return 2;
        }
        [b'$', b'(', ..] => {
            around.push(Within::Commands);
            return 2;
        }
        [b'(', ..] if !is_text => around.push(within),
        [end @ (b'"' | b')'), ..] if around.len() > 1 && is_text == (*end == b'"') => {
            around.pop();
        }
        _ => {}
    }
    length_of(0)
}

/// Returns the redirection at an offset of a line, if a word follows.
fn redirection(line: &str, start: usize) -> Option<Redirection> {
    let after = line.get(start + 2..)?;
    let is_indented = after.starts_with('-');
    let given = after.get(usize::from(is_indented)..)?.trim_start_matches([' ', '\t']);
    let mut word = String::new();
    let mut quote = None;
    let mut length = 0;
    let mut is_escaped = false;
    for letter in given.chars() {
        let is_quote = quote.map_or(matches!(letter, '"' | '\''), |open| open == letter);
        if quote.is_none() && !is_escaped && (letter.is_whitespace() || ";&|()<>".contains(letter))
        {
            break;
        } else if letter == '\\' && !is_escaped && quote != Some('\'') {
            is_escaped = true;
        } else if is_quote && !is_escaped {
            quote = if quote.is_none() { Some(letter) } else { None };
        } else {
            is_escaped = false;
            word.push(letter);
        }
        length += letter.len_utf8();
    }
    let end = line.len() - given.len() + length;
    (!word.is_empty()).then_some(Redirection { start, end, word, is_indented })
}
