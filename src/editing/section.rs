//! Replaces the content under a heading of a Markdown file.

use super::change::{Change, Edited, apply};
use super::chars;
use super::headings::{Heading, headings, line_end_len, words};
use super::refusal::{LISTED, Refusal};
use crate::text::line_numbers;
use std::ops::Range;

/// Separator of the names in a path.
const PATH_SEPARATOR: &str = " > ";

/// A section and its new content.
#[derive(Debug, Clone, Copy)]
pub struct SectionUpdate<'a> {
    /// The heading's text, with or without its `#`s (whose number must then match), or a path of headings: `A > B` is
    /// the `B` under `A`. Headings in between may be omitted.
    pub header: &'a str,
    /// The new content between the heading and the next one of the same or a higher level, without the heading. Blank
    /// lines around it are ignored: those of the file are kept.
    pub text: &'a str,
}

/// Replaces a section's content. Refuses content that would end the section early or include what follows it.
pub fn update_section(
    content: &[u8],
    path: &str,
    update: SectionUpdate,
) -> Result<Edited, Refusal> {
    let headings = headings(content);
    let at = find(content, path, &headings, update.header)?;
    let text = without_outer_blank_lines(update.text);
    let section = Section::of(content, &headings, at);
    let new = section.with_separators(content, text);
    let edited = {
        let old = String::from_utf8_lossy(&content[section.body.clone()]);
        let (old, new_chars) = (chars(&old), chars(text));
        let name = &headings[at].name;
        let message = format!(
            "Updated section \"{name}\" of {path}: replaced {old} chars with {new_chars} chars"
        );
        let change = Change { before: section.body.clone(), text: new.as_bytes() };
        apply(path, content, &[change], message, false)
    };
    match broken(&headings, at, &section, content.len(), &edited.content) {
        None => Ok(edited),
        Some(reason) => {
            let (path, header) = (path.to_owned(), headings[at].name.clone());
            Err(Refusal::BreaksSection { path, header, reason })
        }
    }
}

/// Returns the index of the heading that is named.
fn find(content: &[u8], path: &str, headings: &[Heading], header: &str) -> Result<usize, Refusal> {
    let found = named(headings, header);
    match found.as_slice() {
        [only] => Ok(*only),
        [] => Err(Refusal::SectionNotFound {
            path: path.to_owned(),
            header: header.to_owned(),
            known: headings.iter().filter(|one| !one.name.is_empty()).map(mark_and_name).collect(),
        }),
        several => {
            let paths = several.iter().take(LISTED).map(|at| full_path(headings, *at));
            Err(Refusal::SeveralSections {
                path: path.to_owned(),
                header: header.to_owned(),
                lines: line_numbers(content, several.iter().map(|at| headings[*at].start)),
                paths: paths.filter(|path| named(headings, path).len() == 1).collect(),
            })
        }
    }
}

/// Returns the headings that a name or path may refer to: first as a single name, then as a full path, then as a path
/// with gaps.
fn named(headings: &[Heading], header: &str) -> Vec<usize> {
    let all = |is_meant: &dyn Fn(usize) -> bool| -> Vec<usize> {
        (0..headings.len()).filter(|at| is_meant(*at)).collect()
    };
    let whole = Name::of(header);
    let single = all(&|at| whole.is_of(&headings[at]));
    let parts = header.split(PATH_SEPARATOR.trim());
    if !single.is_empty() || parts.clone().nth(1).is_none() {
        return single;
    }
    let names: Vec<Name> = parts.map(Name::of).collect();
    let full = all(&|at| {
        let above = above(headings, at);
        above.len() == names.len()
            && above.iter().zip(&names).all(|(at, name)| name.is_of(&headings[*at]))
    });
    if full.is_empty() { all(&|at| has_path(headings, at, &names)) } else { full }
}

/// A name to compare headings with. Read once: a file may have thousands of headings.
struct Name {
    plain: String,
    marked: Option<Marked>,
}

/// A name with the `#`s of its heading.
struct Marked {
    level: usize,
    /// How the heading may read: without the `#`s at its end too, and without its markup (`` `code` and *more* ``).
    names: [String; 3],
}

impl Name {
    fn of(name: &str) -> Self {
        let name = name.trim();
        let level = name.bytes().take_while(|byte| *byte == b'#').count();
        let rest = &name[level..];
        let is_marked = level > 0 && rest.starts_with([' ', '\t']);
        Self { plain: words(name), marked: is_marked.then(|| Marked::of(level, rest)) }
    }

    fn is_of(&self, heading: &Heading) -> bool {
        let is_marked =
            |marked: &Marked| marked.level == heading.level && marked.names.contains(&heading.name);
        self.plain == heading.name || self.marked.as_ref().is_some_and(is_marked)
    }
}

impl Marked {
    fn of(level: usize, rest: &str) -> Self {
        let unmarked = rest.trim_end().trim_end_matches('#');
        let closed = if unmarked.ends_with([' ', '\t']) { unmarked } else { rest };
        let source = headings(format!("# {}\n", rest.trim()).as_bytes());
        let without_markup = source.into_iter().next().map(|heading| heading.name);
        let plain = words(rest);
        let names = [without_markup.unwrap_or_else(|| plain.clone()), words(closed), plain];
        Self { level, names }
    }
}

/// Returns whether the names are those of this heading and of some of its ancestors, in order.
fn has_path(list: &[Heading], at: usize, names: &[Name]) -> bool {
    let Some((last, before)) = names.split_last() else { return false };
    let mut above = above(list, at);
    above.pop();
    let mut above = above.into_iter();
    last.is_of(&list[at]) && before.iter().all(|name| above.any(|at| name.is_of(&list[at])))
}

/// Returns the ancestors of a heading, outermost first, and the heading itself.
fn above(headings: &[Heading], at: usize) -> Vec<usize> {
    let mut path: Vec<usize> = std::iter::successors(Some(at), |at| headings[*at].parent).collect();
    path.reverse();
    path
}

fn full_path(headings: &[Heading], at: usize) -> String {
    let names: Vec<String> =
        above(headings, at).iter().map(|at| mark_and_name(&headings[*at])).collect();
    names.join(PATH_SEPARATOR)
}

fn mark_and_name(heading: &Heading) -> String {
    format!("{} {}", "#".repeat(heading.level), heading.name)
}

/// A section's position in the file.
struct Section {
    /// The content without the blank lines around it. If there is none: its future position, after one blank line.
    body: Range<usize>,
    /// Offset of the heading that ends the section, or the end of the file.
    end: usize,
    /// Whether a heading follows.
    is_followed: bool,
    /// The line end of the heading's line; a line feed if it has none.
    line_end: &'static str,
    /// Whether the heading's line has no end, so that the content must begin with one.
    heading_is_open: bool,
}

impl Section {
    fn of(content: &[u8], headings: &[Heading], at: usize) -> Self {
        let heading = &headings[at];
        let next = headings[at + 1..].iter().find(|next| next.level <= heading.level);
        let end = next.map_or(content.len(), |next| next.start);
        let is_open =
            !content[..heading.end].ends_with(b"\n") && !content[..heading.end].ends_with(b"\r");
        // That of the line before, if the file ends with the heading.
        let line_end = match &content[..if is_open { heading.start } else { heading.end }] {
            [.., b'\r', b'\n'] => "\r\n",
            [.., b'\r'] => "\r",
            _ => "\n",
        };
        Self {
            body: body(content, heading.end, end),
            end,
            is_followed: next.is_some(),
            line_end,
            heading_is_open: is_open,
        }
    }

    /// Returns the text with the line ends it needs on either side: to be on its own line, and to have a blank line
    /// before a heading.
    fn with_separators(&self, content: &[u8], text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        let before = if self.heading_is_open { self.line_end } else { "" };
        let rest = &content[self.body.end..self.end];
        let is_new = self.body.is_empty() && !self.heading_is_open;
        let needed = if self.is_followed { 2 } else { usize::from(is_new) };
        let missing = needed.saturating_sub(line_ends(rest));
        format!("{before}{text}{}", self.line_end.repeat(missing))
    }
}

fn body(content: &[u8], start: usize, end: usize) -> Range<usize> {
    let section = &content[start..end];
    let is_blank = |byte: &u8| byte.is_ascii_whitespace();
    let Some(first) = section.iter().position(|byte| !is_blank(byte)) else {
        let place = start + first_line_len(section);
        return place..place;
    };
    let first = first
        - section[..first].iter().rev().take_while(|b| matches!(b, b' ' | b'\t' | 0x0C)).count();
    let last = section.iter().rposition(|byte| !is_blank(byte)).unwrap_or(first);
    let blanks =
        section[last + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t' | 0x0C)).count();
    start + first..start + last + 1 + blanks
}

/// Returns the length of the first line of a blank section, including its end.
fn first_line_len(blank: &[u8]) -> usize {
    let text = blank.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count();
    text + line_end_len(&blank[text..])
}

/// Counts line ends.
fn line_ends(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    let mut count = 0;
    while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        rest = &rest[at + line_end_len(&rest[at..])..];
        count += 1;
    }
    count
}

fn without_outer_blank_lines(text: &str) -> &str {
    let text = text.trim_end();
    let start = text.len() - text.trim_start().len();
    let line = text[..start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    &text[line..]
}

/// Returns the problem with a file after the edit of a section, if any: all headings outside it must be unchanged, and
/// those within it must be deeper.
fn broken(
    before: &[Heading],
    at: usize,
    section: &Section,
    len: usize,
    after: &[u8],
) -> Option<&'static str> {
    let kept = headings(after);
    let first_outside =
        before.iter().position(|heading| heading.start >= section.end).unwrap_or(before.len());
    let outside = &before[first_outside..];
    let shape =
        |heading: &Heading, len: usize| (heading.level, heading.is_setext, len - heading.start);
    let same_start = kept.get(..=at).is_some_and(|kept| {
        kept.iter()
            .zip(before)
            .all(|(kept, before)| kept.level == before.level && kept.start == before.start)
    });
    let same_end = kept.len() > at + outside.len()
        && kept[kept.len() - outside.len()..]
            .iter()
            .zip(outside)
            .all(|(kept, before)| shape(kept, after.len()) == shape(before, len));
    if !same_start || !same_end {
        return Some(
            "the new content would run into the headings around it. Close its code fences, comments and HTML blocks.",
        );
    }
    let inside = &kept[at + 1..kept.len() - outside.len()];
    inside.iter().any(|heading| heading.level <= before[at].level).then_some(
        "the new content has a heading of the same or a higher level, which would end the section. Leave out the section's own heading, and use deeper ones.",
    )
}

#[cfg(test)]
mod tests {
    use super::{SectionUpdate, update_section};

    fn update(content: &str, header: &str, text: &str) -> Result<String, String> {
        match update_section(content.as_bytes(), "w.md", SectionUpdate { header, text }) {
            Ok(edited) => Ok(String::from_utf8_lossy(&edited.content).into_owned()),
            Err(refusal) => Err(refusal.to_string()),
        }
    }

    #[test]
    fn replaces_up_to_the_next_heading_of_its_level() {
        let cases = [
            // The document's own example.
            (
                "# W\n\n## Current State\nPhase: 1\n\n## Next\nx\n",
                "## Current State",
                "Phase: 2\nStatus: Processing requirements",
                "# W\n\n## Current State\nPhase: 2\nStatus: Processing requirements\n\n## Next\nx\n",
            ),
            ("## A\n\nold\n\n### B\n\nx\n\n## C", "A", "\nnew\n", "## A\n\nnew\n\n## C"),
            ("## A\r\n\r\nold\r\n", "A", "new", "## A\r\n\r\nnew\r\n"),
            ("Intro\r\n\r\n# A", "A", "new", "Intro\r\n\r\n# A\r\nnew"),
            ("## A\nold", "A", "new", "## A\nnew"),
            ("## A", "A", "new", "## A\nnew"),
            ("## A\n", "A", "new", "## A\nnew\n"),
            ("## A\n## B\n", "A", "new", "## A\nnew\n\n## B\n"),
            ("A\n---\nold\n\nB\n---\n", "A", "new", "A\n---\nnew\n\nB\n---\n"),
            ("## A\n\nold\n\n## B\n", "A", "", "## A\n\n\n\n## B\n"),
            ("## A\n\n\n\n## B\n", "A", "old", "## A\n\nold\n\n## B\n"),
            ("## A\n```\n## no\n```\n## B\n", "A", "x", "## A\nx\n\n## B\n"),
            ("# A\n## X\n1\n# B\n## X\n2\n", "B > X", "new", "# A\n## X\n1\n# B\n## X\nnew\n"),
            (
                "# A\n## B\n### X\n1\n# C\n### X\n2\n",
                "A > X",
                "n",
                "# A\n## B\n### X\nn\n\n# C\n### X\n2\n",
            ),
            ("# A > B\n1\n", "A > B", "2", "# A > B\n2\n"),
            ("# `code` *x* #\n1\n", "# `code` *x*", "2", "# `code` *x* #\n2\n"),
            ("# C#\n1\n", "# C#", "2", "# C#\n2\n"),
            ("# A\n1\n", "A", "    indented", "# A\n    indented\n"),
        ];
        for (content, header, text, expected) in cases {
            assert_eq!(
                update(content, header, text).as_deref(),
                Ok(expected),
                "{content:?} {header}"
            );
        }
    }

    #[test]
    fn refuses_what_is_not_certain() {
        let several = "Error: section \"X\" appears multiple times in w.md. Be more specific. It is on lines 2 and 4. Name it by its path: \"# A > ## X\", \"# B > ## X\".";
        let breaks = "Error: section \"A\" of w.md was not changed: ";
        let cases = [
            ("# A\n## X\n# B\n## X\n", "X", "x", several),
            (
                "# A\n",
                "B",
                "x",
                "Error: section \"B\" not found in w.md. Its sections are: \"# A\".",
            ),
            (
                "## A\n",
                "# A",
                "x",
                "Error: section \"# A\" not found in w.md. Its sections are: \"## A\".",
            ),
            (
                "## A\n##\n# \n",
                "B",
                "x",
                "Error: section \"B\" not found in w.md. Its sections are: \"## A\".",
            ),
            ("text", "A", "x", "Error: section \"A\" not found in w.md: it has no headings."),
            (
                "## A\n## A\n",
                "A",
                "x",
                "Error: section \"A\" appears multiple times in w.md. Be more specific. It is on lines 1 and 2. Use edit_file.",
            ),
            ("## A\n\nx\n\n## B\n", "A", "```\nopen", breaks),
            ("## A\n\nx\n\n## B\n", "A", "<!-- open", breaks),
            ("## A\n\nx\n", "A", "## A\n\ny", breaks),
            ("## A\n\nx\n", "A", "B\n===", breaks),
        ];
        for (content, header, text, expected) in cases {
            let refusal = update(content, header, text).err().unwrap_or_default();
            assert!(refusal.starts_with(expected), "{content:?} {header}: {refusal}");
        }
    }
}
