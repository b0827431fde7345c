//! Headings of a Markdown file, and where they begin and end.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A heading that is not inside a list, quote or other block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    /// 1 to 6.
    pub level: usize,
    /// Its text without markup.
    pub name: String,
    /// Whether it is underlined rather than marked with `#`.
    pub is_setext: bool,
    /// Offset of its first line, in bytes.
    pub start: usize,
    /// Offset after its last line and that line's end, in bytes.
    pub end: usize,
    /// Index of the heading it is under.
    pub parent: Option<usize>,
}

/// Parses headings according to CommonMark, in order. A YAML or TOML block at the start of the file is not a heading.
pub(super) fn headings(content: &[u8]) -> Vec<Heading> {
    let (text, mark) = parsable(content);
    let rest = without_front_matter(&text);
    let before = mark + text.len() - rest.len();
    let mut found: Vec<Heading> = Vec::new();
    let mut depth = 0_usize;
    let mut name: Option<String> = None;
    for (event, range) in Parser::new(rest).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { .. }) if depth == 0 => name = Some(String::new()),
            Event::Start(_) if name.is_none() => depth += 1,
            Event::Text(piece) | Event::Code(piece) => push(&mut name, &piece),
            Event::SoftBreak | Event::HardBreak => push(&mut name, " "),
            Event::End(TagEnd::Heading(level)) if depth == 0 => {
                let (start, end) = whole_lines(content, range.start + before, range.end + before);
                let name = words(&name.take().unwrap_or_default());
                let is_setext = !content[start..end].trim_ascii_start().starts_with(b"#");
                let level = number(level);
                let parent = parent(&found, level);
                found.push(Heading { level, name, is_setext, start, end, parent });
            }
            Event::End(_) if name.is_none() => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}

/// Returns what follows the YAML or TOML block at the start of a text. The parser would take such blocks for metadata
/// anywhere, and the headings in them for text.
fn without_front_matter(text: &str) -> &str {
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    if !text.starts_with("---") && !text.starts_with("+++") {
        return text;
    }
    match Parser::new_ext(text, options).into_offset_iter().next() {
        Some((Event::Start(Tag::MetadataBlock(_)), range)) => &text[range.end..],
        _ => text,
    }
}

/// Returns the parent of the next heading: the nearest preceding one of a higher level.
fn parent(found: &[Heading], level: usize) -> Option<usize> {
    let mut above = found.len().checked_sub(1);
    while let Some(at) = above {
        if found[at].level < level {
            break;
        }
        above = found[at].parent;
    }
    above
}

/// Returns text with the same offsets as the content: without its byte order mark, and with `?` for each byte that is
/// not UTF-8.
fn parsable(content: &[u8]) -> (String, usize) {
    let (text, mark) = match content.strip_prefix(b"\xEF\xBB\xBF") {
        Some(rest) => (rest, 3),
        None => (content, 0),
    };
    let mut parsable = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        parsable.push_str(chunk.valid());
        parsable.extend(chunk.invalid().iter().map(|_| '?'));
    }
    (parsable, mark)
}

fn push(name: &mut Option<String>, piece: &str) {
    if let Some(name) = name {
        name.push_str(piece);
    }
}

/// Expands a range to whole lines, including the end of the last one.
fn whole_lines(content: &[u8], start: usize, end: usize) -> (usize, usize) {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let indent = content[..start].iter().rev().take_while(|byte| **byte == b' ').count();
    let text = content[start..end].iter().rev().skip_while(|byte| is_end(byte)).count();
    let mut end = start + text;
    end += content[end..].iter().take_while(|byte| !is_end(byte)).count();
    (start - indent, end + line_end_len(&content[end..]))
}

/// Returns the length of a leading line end: 0, 1 or 2 bytes.
pub(super) fn line_end_len(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Returns a name with single spaces between its words.
pub(super) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn number(level: HeadingLevel) -> usize {
    level as usize
}

#[cfg(test)]
mod tests {
    use super::headings;

    fn outline(content: &str) -> Vec<(usize, String, &str)> {
        let found = headings(content.as_bytes());
        found.into_iter().map(|h| (h.level, h.name, &content[h.start..h.end])).collect()
    }

    #[test]
    fn headings_are_those_of_commonmark() {
        let content = "\u{feff}# One `c` *d*\r\n\r\n```md\n# not\n```\n\n  ## Two ##\n\nTitle\nover lines\n===\n\n> # quoted\n\n- # in a list\n\n<!--\n# comment\n-->\n\n    # code\n\n#no\n\n### [Three](x)";
        let expected = [
            (1, "One c d", "# One `c` *d*\r\n"),
            (2, "Two", "  ## Two ##\n"),
            (1, "Title over lines", "Title\nover lines\n===\n"),
            (3, "Three", "### [Three](x)"),
        ];
        let expected: Vec<_> =
            expected.map(|(level, name, source)| (level, name.to_owned(), source)).into();
        assert_eq!(outline(content), expected);
        assert_eq!(outline("---\ntitle: x\n---\n# A\n"), [(1, "A".to_owned(), "# A\n")]);
        for mark in ["---", "+++"] {
            let content =
                format!("{mark}\na = 1\n{mark}\n# A\n\n{mark}\n## B\n\nb\n\n{mark}\n## C\n");
            let names: Vec<_> = outline(&content).into_iter().map(|(_, name, _)| name).collect();
            assert_eq!(names, ["A", "B", "C"], "{mark}");
            let (_, without) = content.split_at(mark.len() * 2 + 8);
            assert_eq!(outline(without).len(), 3, "{mark}");
        }
        assert_eq!(outline("# A\r# B\r").len(), 2);
        assert_eq!(outline(""), []);
    }
}
