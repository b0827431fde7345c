//! Functions whose code the grammar cannot parse; a parser may lose everything after one. Their code is folded anyway,
//! so it is blanked, and the file is parsed again.

use super::parse;
use crate::grammar::Grammar;
use crate::lines::Lines;
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::{Language, Node, Tree};

/// Maximum number of passes: blanking inner code may show that the code around it is broken too.
const MAX_PASSES: usize = 3;
/// Maximum number of errors handled in one pass.
const MAX_PLACES: usize = 200;
/// Words that mark code in brackets as something other than a function.
const HOLDERS: [&str; 8] =
    ["class", "enum", "extern", "impl", "interface", "namespace", "struct", "union"];

/// Words before a bracket that open a part of a function's code.
const BLOCKS: [&str; 7] = ["checked", "do", "else", "finally", "try", "unchecked", "unsafe"];

/// Returns the tree without the code of broken functions; `None` if that does not help.
#[inline(never)]
pub(super) fn mended(
    grammar: &Grammar,
    language: &Language,
    text: &str,
    tree: &Tree,
) -> Option<Tree> {
    let mut places = errors(tree.root_node());
    if !grammar.is_braced || places.is_empty() {
        return None;
    }
    let mut best = None;
    let mut least = (lines_lost(tree.root_node()), places.len());
    let mut text = text.to_owned();
    for _ in 0..MAX_PASSES {
        let Some(blanked) = without_code(&text, &places) else { break };
        let Some(next) = parse::parse(language, &blanked) else { break };
        let left = errors(next.root_node());
        let lost = (lines_lost(next.root_node()), left.len());
        if lost >= least {
            break;
        }
        (places, text, best, least) = (left, blanked, Some(next), lost);
        if places.is_empty() {
            break;
        }
    }
    best
}

/// Returns the number of lines in errors: a parser takes everything that it loses for one of them.
fn lines_lost(root: Node) -> usize {
    let mut lost = 0;
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        if node.is_error() {
            lost += node.end_position().row - node.start_position().row + 1;
        } else if node.has_error() {
            let mut cursor = node.walk();
            open.extend(node.children(&mut cursor).filter(|child| child.has_error()));
        }
    }
    lost
}

/// Returns the lines of errors and missing nodes.
fn errors(root: Node) -> Vec<usize> {
    let mut found = BTreeSet::new();
    // Finding what follows a node takes time.
    let mut left = MAX_PLACES;
    // A node's parent is not asked for: that would search the tree from its root.
    let mut open = vec![(root, None)];
    while let Some((node, parent)) = open.pop() {
        if found.len() == MAX_PLACES {
            break;
        }
        if node.is_missing() || node.is_error() {
            left = left.saturating_sub(1);
            let statement = if node.is_error() { Some(node) } else { parent };
            if left == 0 || !statement.is_some_and(is_before_block) {
                found.insert(node.start_position().row);
            }
        }
        let mut cursor = node.walk();
        if node.has_error() {
            let broken = node.children(&mut cursor).filter(|child| child.has_error());
            open.extend(broken.map(|child| (child, Some(node))));
        }
    }
    found.into_iter().collect()
}

/// Returns whether an error in a statement is only that a macro's call has no semicolon before a block
/// (`SECTION("empty") {`): the parser loses nothing there.
fn is_before_block(statement: Node) -> bool {
    let is_call = |node: Node| node.kind() == "call_expression";
    let is_block = |node: Node| node.kind() == "compound_statement";
    statement.named_child(0).is_some_and(is_call)
        && statement.named_child_count() == 1
        && statement.next_named_sibling().is_some_and(is_block)
}

/// Returns the text without the code of the functions that contain these lines.
fn without_code(text: &str, places: &[usize]) -> Option<String> {
    let lines = Lines::of(text);
    let shapes: Vec<Shape> = (0..lines.len()).map(|line| Shape::of(lines.get(line))).collect();
    let bodies: BTreeSet<(usize, usize)> = places
        .iter()
        .filter_map(|&place| code_around(&lines, &shapes, place))
        .map(|range| (range.start, range.end))
        .collect();
    let mut blank = String::with_capacity(text.len());
    let mut bodies = bodies.into_iter().peekable();
    let mut end = 0;
    let mut has_changed = false;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        while let Some(&(_, last)) = bodies.peek().filter(|(start, _)| *start <= number) {
            end = end.max(last);
            bodies.next();
        }
        if number < end && !line.trim().is_empty() {
            has_changed = true;
            blank.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        } else {
            blank.push_str(line);
        }
    }
    has_changed.then_some(blank)
}

/// What the search for code needs to know of a line.
struct Shape {
    /// Its indentation.
    depth: Option<usize>,
    opens: bool,
    closes: bool,
    /// Whether nothing that begins above goes on below.
    ends: bool,
}

impl Shape {
    fn of(line: &str) -> Self {
        let text = line.trim();
        Self {
            depth: depth(line),
            opens: text.ends_with('{'),
            closes: text.starts_with('}'),
            ends: text.is_empty() || text.starts_with('#') || text.ends_with([';', '}']),
        }
    }
}

/// Returns the lines of the function's or statement's code around a line: between the line that opens a bracket and the
/// one that closes it at the same indentation.
fn code_around(lines: &Lines, shapes: &[Shape], place: usize) -> Option<Range<usize>> {
    let mut bound = shapes.get(place).and_then(|shape| shape.depth).unwrap_or(usize::MAX);
    // The line with the opening bracket of the construct that begins at a line: that line or a continuation of it, at any
    // indentation.
    let mut bracket = None;
    for (opener, shape) in shapes.iter().enumerate().take(place).rev() {
        if shape.opens {
            bracket = Some(opener);
        } else if shape.ends {
            bracket = None;
        }
        let Some(own) = shape.depth.filter(|own| *own < bound) else { continue };
        bound = own;
        if let Some(open) = bracket {
            if is_block(lines, opener, open) {
                continue;
            }
            let closes = |shape: &Shape| shape.depth == Some(own) && shape.closes;
            let end = place + shapes.iter().skip(place).position(closes)?;
            return is_code(lines, opener, open).then_some(open + 1..end);
        }
    }
    None
}

/// Returns the indentation of a line in bytes; `None` for blank lines, comments and directives, whose indentation is
/// not significant.
fn depth(line: &str) -> Option<usize> {
    let text = line.trim_start();
    (!text.is_empty() && !text.starts_with(['#', '/', '*'])).then(|| line.len() - text.len())
}

/// Returns whether a bracket opens a part of code that has no header of its own: `try {`, `unsafe {`.
fn is_block(lines: &Lines, first: usize, open: usize) -> bool {
    let header = header_of(lines, first, open);
    let word = header.trim_start_matches(['}', ' ', '\t']).trim_end_matches(['{', ' ', '\t']);
    BLOCKS.contains(&word)
}

/// Returns the text before a bracket that begins at `first`, and the line above if the bracket is alone there.
fn header_of(lines: &Lines, first: usize, open: usize) -> String {
    let is_alone = lines.get(first).trim() == "{";
    let before = || (0..first).rev().find(|&line| !lines.get(line).trim().is_empty());
    let first = if is_alone { before().unwrap_or(first) } else { first };
    (first..=open).map(|line| lines.get(line)).collect::<Vec<_>>().join(" ")
}

/// Returns whether a bracket opens code: its header contains a closing parenthesis.
fn is_code(lines: &Lines, first: usize, open: usize) -> bool {
    let header = header_of(lines, first, open);
    let is_holder = |word: &str| HOLDERS.contains(&word);
    header.contains(')') && !header.split(|c: char| !c.is_alphanumeric()).any(is_holder)
}
