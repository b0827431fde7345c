//! What a grammar's own query finds at the top level of files, for `npm run bench -- outline` to compare outlines with.
//!
//! Reads lines of `language<tab>path`, and answers each with a line of JSON: `{"definitions": [[line, name], ...],
//! "malformed": bool}`, or `null` for a file that cannot be read. The queries are the `tags.scm` that grammars bring along,
//! completed by those of `queries.rs`; neither knows the outliner's tables.

mod queries;

use std::collections::HashSet;
use std::io::{BufRead, Write, stdin, stdout};
use tree_sitter::{Language, Node, Parser, Query, QueryCursor, StreamingIterator, Tree};

type Failure = Box<dyn std::error::Error>;
type Definition = (usize, String);

struct Finder {
    language: Language,
    query: Query,
}

impl Finder {
    fn new(name: &str) -> Result<Self, Failure> {
        let (language, source) = queries::of(name).ok_or_else(|| format!("no grammar {name}"))?;
        let query = Query::new(&language, &source).map_err(|error| format!("{name}: {error}"))?;
        Ok(Self { language, query })
    }

    fn find(&self, text: &str) -> Result<(Vec<Definition>, bool), Failure> {
        let mut parser = Parser::new();
        parser.set_language(&self.language).map_err(|error| error.to_string())?;
        let tree = parser.parse(text, None).ok_or("no tree")?;
        let mut found = self.names(&tree, text);
        found.sort();
        found.dedup();
        Ok((found, tree.root_node().has_error()))
    }

    fn names(&self, tree: &Tree, text: &str) -> Vec<Definition> {
        let mut cursor = QueryCursor::new();
        let mut matches = cursor.matches(&self.query, tree.root_node(), text.as_bytes());
        let mut definitions: Vec<(Node, Node)> = Vec::new();
        while let Some(found) = matches.next() {
            let capture = |wanted: &str| {
                let mut captures = found.captures().iter();
                let named = |index: u32| self.query.capture_names()[index as usize];
                captures.find(|each| named(each.index).starts_with(wanted)).map(|each| each.node)
            };
            if let (Some(whole), Some(name)) = (capture("definition"), capture("name")) {
                // A query that names what is around a definition has looked for itself.
                let around = capture("outermost");
                definitions.push((around.unwrap_or(whole), name));
            }
        }
        let ids: HashSet<usize> = definitions.iter().map(|(whole, _)| whole.id()).collect();
        let at_top = definitions.iter().filter(|(whole, _)| is_at_top(*whole, &ids));
        at_top
            .map(|(_, name)| (name.start_position().row + 1, text[name.byte_range()].to_owned()))
            .collect()
    }
}

/// Whether nothing is around a definition but namespaces, modules, and what runs when the file is loaded.
fn is_at_top(node: Node, definitions: &HashSet<usize>) -> bool {
    let mut at = node.parent();
    while let Some(around) = at {
        let kind = around.kind();
        let is_open = queries::NAMESPACES.contains(&kind);
        let is_inner = queries::SCOPES.contains(&kind) || definitions.contains(&around.id());
        if !is_open && is_inner {
            return false;
        }
        at = around.parent();
    }
    true
}

fn answer(line: &str, finders: &mut Vec<(String, Finder)>) -> Result<String, Failure> {
    let (name, path) = line.split_once('\t').ok_or("not language<tab>path")?;
    if !finders.iter().any(|(known, _)| known == name) {
        finders.push((name.to_owned(), Finder::new(name)?));
    }
    let finder = finders.iter().find(|(known, _)| known == name).map(|(_, finder)| finder);
    let finder = finder.ok_or("no finder")?;
    let Ok(text) = std::fs::read_to_string(path) else { return Ok("null".to_owned()) };
    let (definitions, malformed) = finder.find(&text)?;
    let value = serde_json::json!({ "definitions": definitions, "malformed": malformed });
    Ok(value.to_string())
}

fn main() -> Result<(), Failure> {
    let mut finders = Vec::new();
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        writeln!(out, "{}", answer(&line?, &mut finders)?)?;
    }
    Ok(())
}
