//! Definitions of Rust files, by syn: reads paths, prints a line of JSON for each.

use serde_json::{Value, json};
use std::io::{BufRead, stdin};
use syn::{Attribute, Ident, ImplItem, Item, TraitItem};

type Found = Vec<Value>;

fn add(found: &mut Found, name: &Ident, rank: &str) {
    found.push(json!({"name": name.to_string(), "line": name.span().start().line, "rank": rank}));
}

fn is_test(attributes: &[Attribute]) -> bool {
    let last = |attribute: &Attribute| attribute.path().segments.last().map(|last| last.ident.to_string());
    attributes.iter().any(|attribute| last(attribute).as_deref() == Some("test"))
}

fn item(found: &mut Found, item: &Item, rank: &str) {
    match item {
        Item::Fn(function) if is_test(&function.attrs) => add(found, &function.sig.ident, "test"),
        Item::Fn(function) => add(found, &function.sig.ident, rank),
        Item::Struct(named) => add(found, &named.ident, rank),
        Item::Enum(named) => add(found, &named.ident, rank),
        Item::Union(named) => add(found, &named.ident, rank),
        Item::Type(named) => add(found, &named.ident, rank),
        Item::Const(named) if named.ident != "_" => add(found, &named.ident, rank),
        Item::Static(named) => add(found, &named.ident, rank),
        Item::Macro(named) => named.ident.iter().for_each(|name| add(found, name, rank)),
        Item::Mod(named) => {
            add(found, &named.ident, rank);
            let content = named.content.iter().flat_map(|(_, items)| items);
            content.for_each(|inner| self::item(found, inner, "member"));
        }
        Item::Trait(named) => {
            add(found, &named.ident, rank);
            for member in &named.items {
                if let TraitItem::Fn(function) = member {
                    add(found, &function.sig.ident, "member");
                }
            }
        }
        Item::Impl(block) => {
            for member in &block.items {
                if let ImplItem::Fn(function) = member {
                    add(found, &function.sig.ident, "member");
                }
            }
        }
        _ => {}
    }
}

fn definitions(path: &str) -> Option<Found> {
    let file = syn::parse_file(&std::fs::read_to_string(path).ok()?).ok()?;
    let mut found = Found::new();
    file.items.iter().for_each(|each| item(&mut found, each, "top"));
    Some(found)
}

fn main() {
    for path in stdin().lock().lines().map_while(Result::ok) {
        println!("{}", json!(definitions(&path)));
    }
}
