//! HTML.

use crate::grammar::Grammar;
use crate::section::SectionKind;

pub(super) const GRAMMAR: Grammar = Grammar {
    name: "html",
    language: Some(|| tree_sitter_html::LANGUAGE.into()),
    sections: &[
        ("element", SectionKind::Element),
        ("script_element", SectionKind::Element),
        ("style_element", SectionKind::Element),
    ],
    has_small_sections: true,
    is_too_deep: Some(is_too_deep),
    ..Grammar::EMPTY
};

/// Maximum number of open elements: the scanner of tree-sitter-html visits all of them at each tag.
const MAX_OPEN: usize = 500;

/// Elements without content, which need no end tag.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Elements with an optional end tag, and the elements that end them.
const ENDED_BY: &[(&str, &[&str])] = &[
    ("p", &["p", "div", "ul", "ol", "dl", "pre", "table", "h1", "h2", "h3", "h4", "h5", "h6"]),
    ("li", &["li"]),
    ("dt", &["dt", "dd"]),
    ("dd", &["dt", "dd"]),
    ("td", &["td", "th", "tr"]),
    ("th", &["td", "th", "tr"]),
    ("tr", &["tr"]),
];

/// Returns whether more elements are open at some position than the parser handles in reasonable time.
fn is_too_deep(text: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('<') {
        let (is_end, behind) = behind.strip_prefix('/').map_or((false, behind), |end| (true, end));
        // The scanner skips blanks before a name.
        let behind = if is_end { behind } else { behind.trim_start() };
        let is_other = |letter: char| !(letter.is_alphanumeric() || matches!(letter, '-' | ':'));
        let (name, after) = behind.split_at(behind.find(is_other).unwrap_or(behind.len()));
        rest = after;
        if let Some(comment) = behind.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
        } else if name.is_empty() || is_in(VOID, name) {
        } else if is_end {
            let begin = open.iter().rposition(|known| known.eq_ignore_ascii_case(name));
            open.truncate(begin.unwrap_or(open.len()));
        } else {
            while open.last().is_some_and(|last| is_ended(last, name)) {
                open.pop();
            }
            // A tag that nothing ends is open too.
            let end = after.find(['<', '>']).unwrap_or(after.len());
            let (inside, after) = after.split_at(end);
            rest = after;
            if !inside.ends_with('/') {
                open.push(name);
            }
            if is_in(&["script", "style"], name) {
                rest = rest.find("</").map_or("", |end| &rest[end..]);
            }
        }
        if open.len() > MAX_OPEN {
            return true;
        }
    }
    false
}

fn is_in(names: &[&str], name: &str) -> bool {
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

fn is_ended(last: &str, next: &str) -> bool {
    ENDED_BY.iter().any(|(name, by)| name.eq_ignore_ascii_case(last) && is_in(by, next))
}

#[cfg(test)]
mod tests {
    use super::{MAX_OPEN, is_too_deep};

    #[test]
    fn open_elements_are_counted() {
        let deep = MAX_OPEN + 1;
        for piece in [
            "<b>",
            "<<b\n",
            "<DIV\nid=x>",
            "<li><ul>",
            "<li><dd>",
            "<x-y>text<br>",
            "<tr><table>",
            "a < b;",
        ] {
            assert!(is_too_deep(&piece.repeat(deep)), "{piece}");
        }
        let flat = [
            "<b></b>",
            "<li>",
            "<tr><td>",
            "<dt><dd>",
            "<p>",
            "<p><ul></ul>",
            "<br>",
            "<img/>",
            "<x/>",
            "<!-- <b> -->",
            "<script>a<b</script>",
            "a <= b",
            "</b>",
            "<",
            "<p><b></p>",
            "<TD><td>",
            "<a title='<br>'></a>",
        ];
        for piece in flat {
            assert!(!is_too_deep(&piece.repeat(deep)), "{piece}");
        }
        assert!(!is_too_deep(&"<b>".repeat(MAX_OPEN)));
    }
}
