//! YAML.

mod templates;

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "yaml",
    language: Some(|| tree_sitter_yaml::LANGUAGE.into()),
    sections: &[("block_mapping_pair", SectionKind::Key)],
    wrappers: &["document", "block_node", "block_mapping"],
    members: &["block_mapping"],
    bodies: &["block_sequence", "flow_mapping", "flow_sequence", "block_scalar"],
    is_too_deep: Some(is_too_deep),
    overwritten: Some(templates::overwritten),
    ..Grammar::EMPTY
};

/// Maximum number of columns at which something is open. The scanner of tree-sitter-yaml 0.7.2 saves up to 253 levels
/// and writes past the end of its buffer if there are more. At most two levels begin at a column: a mapping, and the
/// list that is the value of one of its keys.
const MAX_COLUMNS: usize = 120;

/// Maximum number of mappings and lists in brackets that are open in a line: 300 KB of `{"a":` took 3 s.
const MAX_DEPTH: usize = 1000;

/// Returns whether a line opens too many brackets, or more levels are open at some line than the scanner can save. A level ends at the first line that
/// begins at a smaller column.
fn is_too_deep(text: &str) -> bool {
    let mut columns: Vec<usize> = Vec::new();
    text.split(['\n', '\r']).any(|line| {
        let mut rest = without_blanks(line);
        while !rest.is_empty() {
            let column = line.len() - rest.len();
            columns.truncate(columns.partition_point(|known| *known < column));
            columns.push(column);
            let item = rest.strip_prefix(['-', '?', ':']).unwrap_or_default();
            // `-x` is a plain text.
            rest = if item.starts_with([' ', '\t']) { without_blanks(item) } else { "" };
        }
        columns.len() > MAX_COLUMNS || depth(line) > MAX_DEPTH
    })
}

/// Returns how many mappings and lists in brackets are open at once in a line, at most. Those in quotes count too.
fn depth(line: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in line.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

fn without_blanks(line: &str) -> &str {
    line.trim_start_matches([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::{MAX_COLUMNS, MAX_DEPTH, is_too_deep};

    #[test]
    fn levels_are_counted_by_columns() {
        let mappings = |levels: usize| -> String {
            (0..levels).map(|level| format!("{}a:\n", " ".repeat(level))).collect()
        };
        let deep = MAX_COLUMNS + 1;
        for text in [mappings(deep), "- ".repeat(deep), "? ".repeat(deep), "-\t".repeat(deep)] {
            assert!(is_too_deep(&format!("{text}x")), "{text}");
        }
        let (open, close) = (r#"{"a":"#, "}");
        let nested = |depth: usize| format!("a: {}1{}", open.repeat(depth), close.repeat(depth));
        assert!(is_too_deep(&nested(MAX_DEPTH + 1)));
        let items = "- a: 1\n  b: 2\n".repeat(1000);
        let line = format!("{{{}}}", "\"a\": - 1, ".repeat(1000));
        let dashes = "-".repeat(1000);
        let flat = "{a: [1]}, ".repeat(5000);
        for text in [
            mappings(MAX_COLUMNS),
            items,
            line,
            dashes,
            " ".repeat(1000) + "x",
            nested(MAX_DEPTH),
            flat,
        ] {
            assert!(!is_too_deep(&text), "{text}");
        }
    }
}
