//! Patterns of `case` with texts and escapes: `*\;$name)`, `?*' '?*)`. The grammar reads only some of them.

use crate::text::blank::Overwritten;
use crate::text::line::Line;
use std::ops::Range;

/// Maximum bytes of a line with patterns.
const MAX_LINE: usize = 2000;

/// Writes letters for the texts and the escapes in such patterns.
pub(super) fn overwrite(lines: &[Line], into: &mut Overwritten) {
    for &(start, line) in lines.iter().filter(|(_, line)| line.len() <= MAX_LINE) {
        for begin in beginnings(line) {
            let pattern = line.get(begin..).and_then(quoted).unwrap_or_default();
            for part in pattern {
                into.fill(start + begin + part.start..start + begin + part.end, b'x');
            }
        }
    }
}

/// Returns the offsets in a line at which a pattern may begin.
fn beginnings(line: &str) -> impl Iterator<Item = usize> {
    let code = line.trim_start();
    let behind = |word: &'static str| line.match_indices(word).map(|(at, word)| at + word.len());
    let of_case = code.starts_with("case ").then(|| behind(" in ")).into_iter().flatten();
    let below = std::iter::once(line.len() - code.len());
    below.chain(of_case).chain(behind(";;"))
}

/// Returns where the texts and escapes of a pattern are. It ends at a bracket, or with the line behind `|`.
fn quoted(text: &str) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut letters = text.char_indices();
    let mut last = '|';
    let mut has_gap = false;
    while let Some((at, letter)) = letters.next() {
        match letter {
            ')' => return Some(found),
            '(' | ';' | '&' | '<' | '>' | '`' => return None,
            ' ' | '\t' => {
                has_gap = true;
                continue;
            }
            '|' => {}
            // Words with spaces between them are a command.
            _ if has_gap && last != '|' && letter != '\\' => return None,
            '\\' => {
                let Some((next, escaped)) = letters.next() else { break };
                found.push(at..next + escaped.len_utf8());
            }
            '"' | '\'' => {
                let inside = text.get(at + 1..)?.split_once(letter)?.0;
                if inside.contains(['\\', '`']) || inside.contains("$(") {
                    return None;
                }
                let end = at + 1 + inside.len();
                found.push(at..end + 1);
                letters.find(|(at, _)| *at == end);
            }
            _ => {}
        }
        has_gap = false;
        last = letter;
    }
    (last == '|').then_some(found)
}

#[cfg(test)]
mod tests {
    use super::overwrite;
    use crate::text::blank::Overwritten;
    use crate::text::line::lines;

    #[test]
    fn texts_and_escapes_are_letters() {
        let cases = [
            ("  $a\\;*|*\\;$a) b '' ;;", "  $axx*|*xx$a) b '' ;;"),
            ("case $a in ?*' '?*) ;; \"b c\"\\ * ) 'd'", "case $a in ?*xxx?*) ;; xxxxxxx* ) 'd'"),
            ("less' '45* | \\\nless' '6)", "lessxxx45* | \\\nlessxxx6)"),
        ];
        for (text, expected) in cases {
            let mut into = Overwritten::new(text);
            overwrite(&lines(text), &mut into);
            assert_eq!(into.text(), expected);
        }
        for text in ["a 'b')", "a() { 'b'; }", "\"$(a)\")", "a=\\\n'b'", "\"a", "'a' 'b'"] {
            let mut into = Overwritten::new(text);
            overwrite(&lines(text), &mut into);
            assert_eq!(into.text(), text);
        }
    }
}
