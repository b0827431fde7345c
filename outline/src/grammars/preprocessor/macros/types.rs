//! Macros in the definitions of types: the calling convention of a pointer to a function
//! (`typedef void (APIENTRY *name)(int);`).

use super::words::is_macro;
use crate::text::line::is_word;
use std::ops::Range;

/// Returns the macro of a calling convention before the name of a function type: `typedef void (APIENTRY *name)(int)`.
pub(super) fn before_pointer(line: &str) -> Option<Range<usize>> {
    // The type may be on the line above.
    let begins = |_: &usize| line.trim_start().starts_with("typedef ") || line.starts_with('(');
    let open = line.find('(').filter(begins)? + 1;
    let (inside, behind) = line.get(open..)?.split_once(')')?;
    let is_star = |c: char| matches!(c, ' ' | '*');
    let start = inside.find(|c: char| !is_star(c))?;
    let name = start + inside.get(start..)?.find(|c: char| !is_word(c))?;
    // The parameters may be on the next line.
    let has_parameters = behind.is_empty() || behind.trim_start().starts_with('(');
    let is_convention = is_macro(inside.get(start..name)?) && has_parameters;
    let rest = inside.get(name..)?.trim_start_matches(is_star);
    (is_convention && !rest.is_empty() && rest.chars().all(is_word))
        .then(|| open + start..open + name)
}
