//! Lines that are only a macro, or its call without a semicolon.

use super::words::{DECLARING, code_of, is_function_below, is_macro, without_blanks};
use crate::text::brackets::closing;
use crate::text::line::is_word;
use std::ops::Range;

/// Returns whether a line is only a macro, such as `DEFINE_STACK_OF(X)` or `NAMESPACE_BEGIN`: without a semicolon,
/// which would make it a declaration, without a body or a member's call below, and without a name below, whose type it
/// would be.
pub(super) fn is_lone_macro(line: &str, next: &str) -> bool {
    let is_alone = match line.split_once('(') {
        Some((name, rest)) => {
            let declares = || DECLARING.iter().any(|start| name.starts_with(start));
            let is_whole = |end| code_of(rest.get(end..).unwrap_or_default()).is_empty();
            closing(rest).is_some_and(is_whole) && (is_macro(name) || declares())
        }
        None => (is_macro(line) || are_macros(line, next)) && !is_function_below(next),
    };
    is_alone && !next.trim_start().starts_with(['{', ':', '.'])
}

/// Returns whether a line is only macros, above the declaration that they mark: `DLLEXPORT PURE`.
fn are_macros(line: &str, next: &str) -> bool {
    next.trim_start().starts_with(is_word) && !line.is_empty() && line.split(' ').all(is_macro)
}

/// Returns whether a line is only a macro between the type of a function and its name.
pub(super) fn is_before_name(line: &str, next: &str, above: &str) -> bool {
    let goes_on = || {
        let code = without_blanks(above);
        code.ends_with(|last: char| is_word(last) || matches!(last, '*' | '&'))
    };
    is_macro(line) && is_function_below(next) && goes_on()
}

/// Returns whether an indented line is only a macro or its call without a semicolon: `Q_OBJECT`,
/// `BINARY_OP(IsEqual, ==)`.
pub(super) fn is_macro_in_class(line: &str, next: &str, above: &str) -> bool {
    let call = line.trim_start();
    // It may be the last item of an enumeration.
    let is_item =
        !call.contains('(') && next.trim_start().starts_with('}') && !is_before_field(above);
    call.len() < line.len() && !is_item && is_lone_macro(call, next)
}

/// Returns whether a line is only a macro that stands for the access to the members below: `PRIVATE_UNLESS_TESTED:`.
pub(super) fn is_label(line: &str) -> bool {
    code_of(line).trim_start().strip_suffix(':').is_some_and(is_macro)
}

/// Returns the macro alone before a block of code: `JSON_TRY {`. A parser takes it for the type of a value in brackets.
pub(super) fn before_block(line: &str, next: &str) -> Option<Range<usize>> {
    let code = code_of(line);
    let start = code.len() - code.trim_start().len();
    let word = code.get(start..)?.trim_end_matches(['{', ' ']);
    let is_open = code.ends_with('{') || next.trim_start().starts_with('{');
    (start > 0 && is_open && is_macro(word)).then(|| start..start + word.len())
}

/// Returns whether a line ends the parameters of a template, or a type with arguments.
pub(super) fn ends_template(line: &str) -> bool {
    let code = code_of(line);
    code.ends_with('>') && !code.ends_with("->")
}

/// Returns whether only a field can be below a line: it ends a field, or opens the fields of a type.
fn is_before_field(above: &str) -> bool {
    let code = code_of(above);
    let opens = || {
        let mut words = code.split(|c: char| !is_word(c));
        words.any(|word| matches!(word, "class" | "struct" | "union")) && !code.contains("enum")
    };
    code.ends_with([';', '}']) || !code.ends_with([',', ')']) && opens()
}

/// Returns whether a statement may begin below a line.
pub(super) fn ends_statement(line: &str) -> bool {
    let code = without_blanks(line);
    code.is_empty() || code.starts_with('#') || code.ends_with([';', '{', '}', ':'])
}
