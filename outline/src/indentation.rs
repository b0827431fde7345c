//! Outlines any text by its indentation: a line followed by deeper lines is their parent.

use crate::lines::Lines;
use crate::rank::{Rank, Ranks};
use crate::section::{Section, SectionKind, cut};

const TAB: usize = 4;

/// Ranks the lines, and finds the blocks of the two outer levels.
pub(crate) fn read(lines: &Lines, ranks: &mut Ranks) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    // The open indentations, and the index of the section that each began, if any.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    let mut previous_blank = true;
    for line in 0..lines.len() {
        let text = lines.get(line);
        let Some(indent) = indentation(text) else {
            previous_blank = true;
            continue;
        };
        while open.last().is_some_and(|&(outer, _)| outer >= indent) {
            open.pop();
        }
        for &(_, section) in &open {
            if let Some(section) = section.and_then(|index| sections.get_mut(index)) {
                section.end_line = line + 1;
            }
        }
        let depth = open.len();
        let heads = opens_block(lines, line, indent);
        mark(ranks, line, depth, heads, previous_blank);
        let section = (heads && depth < 2).then(|| {
            sections.push(section(text, line, depth));
            sections.len() - 1
        });
        open.push((indent, section));
        previous_blank = false;
    }
    sections
}

fn mark(ranks: &mut Ranks, line: usize, depth: usize, heads: bool, after_blank: bool) {
    match (depth, heads, after_blank) {
        (0, true, _) => ranks.mark(line, Rank::Member),
        (0, false, true) => ranks.mark(line, Rank::Import),
        (1, true, _) => ranks.mark(line, Rank::Field),
        (0, false, false) => ranks.mark(line, Rank::Statement),
        _ => {}
    }
}

fn section(text: &str, line: usize, depth: usize) -> Section {
    let name = cut(text.trim());
    Section { name, kind: SectionKind::Block, start_line: line + 1, end_line: line + 1, depth }
}

fn opens_block(lines: &Lines, line: usize, indent: usize) -> bool {
    let next = (line + 1..lines.len()).find_map(|line| indentation(lines.get(line)));
    next.is_some_and(|next| next > indent)
}

/// Returns the number of columns before a line's text; `None` for a blank line.
fn indentation(line: &str) -> Option<usize> {
    let text = line.trim_start_matches([' ', '\t']);
    let blanks = line.len() - text.len();
    let columns = line.bytes().take(blanks).map(|byte| if byte == b'\t' { TAB } else { 1 }).sum();
    (!text.trim().is_empty()).then_some(columns)
}
