//! Templates in YAML, as of Helm and Ansible: `{{- if .Values.name }}`, `{% for ... %}`. They are no YAML, and the first one
//! would lose all keys below it.

use crate::text::blank::Overwritten;
use std::borrow::Cow;
use std::ops::Range;

/// How templates begin and end.
const MARKS: [(&str, &str); 3] = [("{{", "}}"), ("{%", "%}"), ("{#", "#}")];
/// Maximum bytes of a template.
const MAX_LENGTH: usize = 2000;

/// Blanks templates that are alone on their lines, and writes letters for the others.
pub(super) fn overwritten(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    let mut before = Before { end: 0, is_blank: true, is_in_string: false };
    while let Some(start) = next_bracket(text, before.end) {
        before.pass(text, start);
        let Some(template) = template_at(text, start, before.is_in_string) else {
            before.pass(text, start + 1);
            continue;
        };
        if before.is_blank && is_last(text, template.end) {
            into.fill(template.clone(), b' ');
        } else {
            fill_lines(text, template.clone(), &mut into);
        }
        before.end = template.end;
    }
    into.text()
}

fn next_bracket(text: &str, from: usize) -> Option<usize> {
    Some(from + text.get(from..)?.find('{')?)
}

/// What is before a position on its line, but for templates.
struct Before {
    end: usize,
    is_blank: bool,
    is_in_string: bool,
}

impl Before {
    fn pass(&mut self, text: &str, end: usize) {
        let passed = text.get(self.end..end).unwrap_or_default();
        let line = passed.rsplit('\n').next().unwrap_or_default();
        if line.len() < passed.len() {
            self.is_blank = true;
            self.is_in_string = false;
        }
        self.is_blank &= line.trim().is_empty();
        self.is_in_string ^= line.matches('"').count() % 2 > 0;
        self.end = end;
    }
}

/// Returns the range of the template at an offset. In a string it is on one line.
fn template_at(text: &str, start: usize, is_in_string: bool) -> Option<Range<usize>> {
    let given = text.get(start..)?;
    let (open, close) = MARKS.into_iter().find(|(open, _)| given.starts_with(open))?;
    let inside = given.as_bytes().get(open.len()..)?;
    let inside = inside.get(..MAX_LENGTH).unwrap_or(inside);
    let length = memchr::memmem::find(inside, close.as_bytes())?;
    let is_long = inside.get(..length)?.contains(&b'\n');
    (!is_long || !is_in_string).then(|| start..start + open.len() + length + close.len())
}

/// Returns whether nothing follows on the line.
fn is_last(text: &str, end: usize) -> bool {
    let after = text.get(end..).unwrap_or_default().trim_start_matches([' ', '\t', '\r']);
    after.is_empty() || after.starts_with('\n')
}

/// Writes letters for a template, but for the indentation of its lines: a value goes on in lines that are indented more
/// than its key.
fn fill_lines(text: &str, template: Range<usize>, into: &mut Overwritten) {
    let mut start = template.start;
    for line in text.get(template).unwrap_or_default().split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        into.fill(start + indent..start + line.len(), b'x');
        start += line.len();
    }
}
