//! Classes of tests of Microsoft's framework, whose beginning is a macro: `TEST_CLASS(Reader) {`. A parser takes them for
//! functions, and loses what is below.

use crate::grammars::preprocessor::macros::is_in_comment;
use crate::text::blank::Overwritten;
use crate::text::line::{is_word, lines};
use std::borrow::Cow;

const MACRO: &str = "TEST_CLASS(";

/// Returns the text with such a beginning as one of a class: `class      Reader  {`.
pub(super) fn named(text: &str) -> Cow<'_, str> {
    let mut into = Overwritten::new(text);
    if !text.contains(MACRO) {
        return into.text();
    }
    let mut is_comment = false;
    for (begin, line) in lines(text) {
        let code = line.trim_start();
        if let Some(name) = code.strip_prefix(MACRO).filter(|_| !is_comment) {
            let behind = name.trim_start_matches(is_word);
            let start = begin + line.len() - code.len();
            if behind.len() < name.len() && behind.starts_with(')') {
                let close = begin + line.len() - behind.len();
                into.fill(start..start + MACRO.len(), b' ');
                into.write(start, "class");
                into.fill(close..close + 1, b' ');
            }
        }
        is_comment = is_in_comment(line, is_comment);
    }
    into.text()
}
