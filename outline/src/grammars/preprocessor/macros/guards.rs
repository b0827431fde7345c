//! Parts of C++ in headers of C, and namespaces under a condition: `extern "C" {` and `namespace a {` between `#ifdef` and
//! `#endif`.

use super::words::without_blanks;
use crate::text::line::Line;
use std::collections::HashSet;
use std::ops::Range;

/// Maximum lines between `#ifdef __cplusplus` and its `#endif`.
const MAX_GUARD: usize = 3;

/// Returns the lines of `extern "C" {` or its `}` between `#ifdef __cplusplus` and `#endif`.
pub(super) fn guarded(condition: &str, lines: &[Line]) -> Option<Vec<Range<usize>>> {
    let is_guard = condition.contains("__cplusplus") && !condition.contains('!');
    let inner = conditional(condition, lines).filter(|_| is_guard)?;
    let is_linkage = |line: &str| {
        matches!(without_blanks(line).as_str(), "" | "}" | "extern\"C\"{" | "extern\"C++\"{")
    };
    inner.iter().all(|(_, line)| is_linkage(line)).then(|| ranges(inner))
}

/// Returns the lines of `namespace a {` between `#ifdef A` and `#endif`, or of its `}` between another `#ifdef A` and
/// `#endif`. A parser reads both sides of a condition, and would take one without the other.
pub(super) fn namespace_guarded<'t>(
    condition: &'t str,
    lines: &[Line],
    conditions: &mut HashSet<&'t str>,
) -> Option<Vec<Range<usize>>> {
    let inner = conditional(condition, lines)?;
    let opens = |line: &str| {
        let code = without_blanks(line);
        code.ends_with('{')
            && !code.contains('(')
            && line.split_whitespace().any(|word| word == "namespace")
    };
    let has = |is: &dyn Fn(&str) -> bool| {
        let mut code = inner
            .iter()
            .map(|&(_, line)| line)
            .filter(|line| !without_blanks(line).is_empty())
            .peekable();
        code.peek().is_some() && code.all(is)
    };
    if has(&opens) {
        conditions.insert(condition);
        return Some(ranges(inner));
    }
    let closes = |line: &str| without_blanks(line).bytes().all(|byte| byte == b'}');
    (conditions.contains(condition) && has(&closes)).then(|| ranges(inner))
}

/// Returns the few lines between a condition and its end.
fn conditional<'l, 't>(condition: &str, lines: &'l [Line<'t>]) -> Option<&'l [Line<'t>]> {
    let end = lines.iter().take(MAX_GUARD + 1).position(|(_, line)| line.starts_with("#endif"))?;
    lines.get(..end).filter(|_| condition.starts_with("#if"))
}

fn ranges(lines: &[Line]) -> Vec<Range<usize>> {
    lines.iter().map(|&(begin, line)| begin..begin + line.len()).collect()
}
