//! Outlines Markdown by its headings, according to CommonMark.

use crate::lines::{BYTE_ORDER_MARK, Lines};
use crate::rank::{Rank, Ranks};
use crate::section::{Section, SectionKind, cut};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Ranks headings by level, and the first line of the text under each.
pub(crate) fn read(text: &str, lines: &Lines, ranks: &mut Ranks) -> Vec<Section> {
    let mut headings: Vec<(HeadingLevel, Section)> = Vec::new();
    let mut name: Option<String> = None;
    let mut wants_text = false;
    let rest = without_front_matter(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text));
    let before = text.len() - rest.len();
    for (event, range) in Parser::new_ext(rest, Options::ENABLE_TABLES).into_offset_iter() {
        let line = lines.at(range.start + before);
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                ranks.mark(line, if level <= HeadingLevel::H2 { Rank::Top } else { Rank::Member });
                headings.push((level, heading(line)));
                name = Some(String::new());
            }
            Event::End(TagEnd::Heading(_)) => {
                if let (Some((_, section)), Some(name)) = (headings.last_mut(), name.take()) {
                    section.name = cut(&name.split_whitespace().collect::<Vec<_>>().join(" "));
                }
                wants_text = true;
            }
            Event::Text(part) | Event::Code(part) => {
                if let Some(name) = &mut name {
                    name.push_str(&part);
                }
            }
            Event::SoftBreak | Event::HardBreak => {
                if let Some(name) = &mut name {
                    name.push(' ');
                }
            }
            Event::Start(Tag::Paragraph | Tag::List(_)) if wants_text => {
                ranks.mark(line, Rank::Doc);
                wants_text = false;
            }
            _ => {}
        }
    }
    nested(headings, lines.len())
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
        Some((Event::Start(Tag::MetadataBlock(_)), range)) => {
            text.get(range.end..).unwrap_or_default()
        }
        _ => text,
    }
}

fn heading(line: usize) -> Section {
    let (start_line, end_line) = (line + 1, line + 1);
    Section { name: String::new(), kind: SectionKind::Heading, start_line, end_line, depth: 0 }
}

/// Sets the ends of sections: each ends before the next heading of the same or a higher level.
fn nested(headings: Vec<(HeadingLevel, Section)>, total: usize) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::with_capacity(headings.len());
    let mut open: Vec<(HeadingLevel, usize)> = Vec::new();
    for (level, mut section) in headings {
        while let Some(&(outer, index)) = open.last().filter(|(outer, _)| *outer >= level) {
            debug_assert!(outer >= level);
            close(&mut sections, index, section.start_line - 1);
            open.pop();
        }
        section.depth = open.len();
        open.push((level, sections.len()));
        sections.push(section);
    }
    for (_, index) in open {
        close(&mut sections, index, total);
    }
    sections
}

fn close(sections: &mut [Section], index: usize, line: usize) {
    if let Some(section) = sections.get_mut(index) {
        section.end_line = section.start_line.max(line);
    }
}
