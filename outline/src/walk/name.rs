//! Finds the names of sections.

use super::kinds::{Kinds, child};
use crate::section::{SectionKind, cut};
use std::borrow::Cow;
use tree_sitter::Node;

const MAX_DEPTH: usize = 6;

/// A name and its offset.
pub(super) struct Name {
    pub text: String,
    pub start: usize,
}

/// Returns the name of a section. If it has none, the name is empty and at the section's start.
pub(super) fn of(node: Node, body: Option<Node>, kinds: &Kinds, text: &str) -> Name {
    if kinds.role(node).is_header {
        return header(node, body, text);
    }
    if node.kind().ends_with("operator_declaration") {
        return operator(node, text);
    }
    let none = || Name { text: String::new(), start: node.start_byte() };
    if node.kind() == "destructor_declaration" {
        return destructor(node, kinds, text);
    }
    if let Some(word) = global(node, text) {
        return of_node(word, text);
    }
    if let Some(name) = element(node, text) {
        return name;
    }
    if is_unnamed(node, kinds) {
        return Name { text: "default".to_owned(), ..none() };
    }
    let named =
        |found| conversion(node, found, kinds, text).unwrap_or_else(|| of_node(found, text));
    find(node, kinds, 0).map_or_else(none, named)
}

/// Returns the name of an element of HTML that has an id: `section#start`.
fn element(node: Node, text: &str) -> Option<Name> {
    let tag =
        node.named_child(0).filter(|tag| matches!(tag.kind(), "start_tag" | "self_closing_tag"))?;
    let of = |node: Node| text.get(node.byte_range()).unwrap_or_default();
    let name = tag.named_child(0)?;
    let mut cursor = tag.walk();
    let id = tag.named_children(&mut cursor).take(MOST_ATTRIBUTES).find_map(|attribute| {
        let is_id = of(attribute.named_child(0)?).eq_ignore_ascii_case("id");
        attribute.named_child(1).filter(|_| is_id)
    })?;
    let id = unquoted(of(id)).trim();
    let words = format!("{}#{id}", of(name));
    (!id.is_empty()).then(|| Name { text: cut(&one_line(&words)), start: name.start_byte() })
}

/// Attributes of an element that are searched for its id.
const MOST_ATTRIBUTES: usize = 100;

/// Returns the word `global` of `declare global {...}`, and of `global: {...}`, as which `global {...}` is written.
pub(super) fn global<'n>(node: Node<'n>, text: &str) -> Option<Node<'n>> {
    let at = match node.kind() {
        "ambient_declaration" => 1,
        "labeled_statement" => 0,
        _ => return None,
    };
    node.child(at).filter(|word| text.get(word.byte_range()) == Some("global"))
}

/// Returns the name of `Value::operator bool() const {...}`, which a parser takes for a function `bool` of the type
/// `Value::operator`.
fn conversion(node: Node, found: Node, kinds: &Kinds, text: &str) -> Option<Name> {
    let before = child(node, kinds.fields.of_type).filter(|before| kinds.role(*before).is_path)?;
    let start = before.start_byte();
    let is_conversion = text.get(before.byte_range())?.ends_with("::operator");
    let name = text.get(start..found.end_byte()).filter(|_| is_conversion)?;
    let words: Vec<&str> = name.split_whitespace().collect();
    Some(Name { text: cut(&words.join(" ")), start })
}

/// Returns the name that a node is.
pub(super) fn of_node(node: Node, text: &str) -> Name {
    let name = text.get(node.byte_range()).unwrap_or_default();
    let name = one_line(without_parameters(unquoted(name)));
    // `namespace a::inline b {`
    let is_path = node.kind() == "nested_namespace_specifier";
    let name = if is_path { Cow::Owned(name.replace("::inline ", "::")) } else { name };
    Name { text: cut(&name), start: node.start_byte() }
}

/// Returns a name on one line: `A.prototype.read` of a name whose last part is below the others.
pub(super) fn one_line(name: &str) -> Cow<'_, str> {
    if !name.contains('\n') {
        return Cow::Borrowed(name);
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let mut joined = words.join(" ");
    for between in [".", "::"] {
        joined = joined.replace(&format!("{between} "), between);
        joined = joined.replace(&format!(" {between}"), between);
    }
    Cow::Owned(joined)
}

/// Returns `operator bool` of `operator bool() const`.
fn without_parameters(name: &str) -> &str {
    const WORD: &str = "operator ";
    let end = || {
        let start = name.find(WORD)? + WORD.len();
        let end = start + name.get(start..)?.find('(')?;
        // `operator ()` is a name.
        let is_type = !name.get(start..end)?.trim().is_empty();
        name.get(..end).filter(|_| is_type)
    };
    end().unwrap_or(name).trim_end()
}

/// Returns the name of an operator of C#: `operator +`, `operator int`.
fn operator(node: Node, text: &str) -> Name {
    let whole = text.get(node.byte_range()).unwrap_or_default();
    let at = whole.find("operator").unwrap_or_default();
    let name = whole.get(at..).unwrap_or_default().split('(').next().unwrap_or_default();
    Name { text: cut(name.trim_end()), start: node.start_byte() + at }
}

/// Returns the name of a finalizer of C#: `~Reader`.
fn destructor(node: Node, kinds: &Kinds, text: &str) -> Name {
    let class = child(node, kinds.fields.name).map(|class| of_node(class, text).text);
    Name { text: cut(&format!("~{}", class.unwrap_or_default())), start: node.start_byte() }
}

/// Returns the text before the body, without `impl ` and with single spaces.
fn header(node: Node, body: Option<Node>, text: &str) -> Name {
    let end = body.map_or(node.end_byte(), |body| body.start_byte());
    let whole = text.get(node.start_byte()..end).unwrap_or_default();
    let words: Vec<&str> = whole.split_whitespace().collect();
    let joined = words.join(" ");
    let name = joined.strip_prefix("impl ").unwrap_or(&joined).trim_end_matches(';');
    Name { text: cut(name), start: node.start_byte() }
}

/// Returns a text without its quotes.
pub(super) fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    ['"', '\'', '`'].into_iter().find_map(inner).unwrap_or(text)
}

/// Finds the first name in a node.
pub(super) fn find<'n>(node: Node<'n>, kinds: &Kinds, depth: usize) -> Option<Node<'n>> {
    if depth > MAX_DEPTH {
        return None;
    }
    if depth > 0 && is_name(node, kinds) {
        return Some(node);
    }
    for (field, is_whole) in kinds.fields.to_name {
        if let Some(child) = child(node, field) {
            // A text with escape sequences has several parts.
            let is_text = is_whole && child.named_child_count() > 1 && child.kind() == "string";
            let found = if is_text { None } else { find(child, kinds, depth + 1) };
            let is_name = is_whole || is_built_in(child);
            return if is_name { found.or(Some(child)) } else { found };
        }
    }
    let is_variable = node.kind() == "variable_declaration";
    let is_inside = |child: &Node| {
        let role = kinds.role(*child);
        // `extern "c" var name: u8;`
        let is_library = is_variable && child.kind() == "string";
        role.is_members || role.is_body || is_library || child.kind() == "declaration_list"
    };
    let mut cursor = node.walk();
    let children = node.named_children(&mut cursor).take(20).filter(|child| !is_inside(child));
    children.into_iter().find_map(|child| find(child, kinds, depth + 1))
}

/// Returns whether a node is an `export default` without a name.
fn is_unnamed(node: Node, kinds: &Kinds) -> bool {
    let is_named = || child(node, kinds.fields.name).is_some();
    is_exported_object(node, kinds)
        || is_expression(node, kinds) && is_exported(node) && !is_named()
}

/// Returns whether a node is `export default {...}`, also with a type behind the object.
pub(super) fn is_exported_object(node: Node, kinds: &Kinds) -> bool {
    let value = || {
        let value = child(node, kinds.fields.value)?;
        match value.kind() {
            "as_expression" | "satisfies_expression" => value.named_child(0),
            _ => Some(value),
        }
    };
    node.kind() == "export_statement" && value().is_some_and(|value| value.kind() == "object")
}

/// Returns whether a node is a function or class that is a value, such as an argument, not a definition.
pub(super) fn is_value(node: Node, kinds: &Kinds) -> bool {
    is_expression(node, kinds) && !is_exported(node) || is_instantiated_type(node, kinds)
}

/// Returns whether a node is `template class List<int>;`, which defines nothing new.
fn is_instantiated_type(node: Node, kinds: &Kinds) -> bool {
    node.kind() == "template_instantiation"
        && child(node, kinds.fields.declarator)
            .is_none_or(|declared| declared.kind().ends_with("identifier"))
}

/// Returns whether a node is a function or class expression. Ruby's class definitions have the same kind as
/// JavaScript's class expressions, but always a name.
fn is_expression(node: Node, kinds: &Kinds) -> bool {
    match node.kind() {
        "function_expression" | "arrow_function" => true,
        "class" => child(node, kinds.fields.name).is_none(),
        _ => false,
    }
}

fn is_exported(node: Node) -> bool {
    node.parent().is_some_and(|around| around.kind() == "export_statement")
}

/// Returns whether a declared name is a built-in type for C's grammar, such as `uint32_t`; a `typedef` may declare it.
pub(super) fn is_built_in(declared: Node) -> bool {
    declared.kind() == "primitive_type"
}

pub(super) fn is_name(node: Node, kinds: &Kinds) -> bool {
    let role = kinds.role(node);
    role.is_path || (role.is_name && node.named_child_count() == 0)
}

/// Refines the kind of a variable that is a function: a C declaration may declare one, a JavaScript variable may hold
/// one.
pub(super) fn refine(node: Node, kind: SectionKind, kinds: &Kinds) -> SectionKind {
    if kind != SectionKind::Variable {
        return kind;
    }
    let fields = &kinds.fields;
    let mut at = Some(node);
    for _ in 0..MAX_DEPTH {
        let Some(node) = at else { break };
        if kinds.role(node).is_function {
            return SectionKind::Function;
        }
        at = child(node, fields.value)
            .or_else(|| child(node, fields.declarator))
            .or_else(|| child(node, fields.right))
            .or_else(|| node.named_child(0).filter(|child| child.kind() == "variable_declarator"));
    }
    kind
}
