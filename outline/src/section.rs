//! Sections of a file.

use serde::Serialize;

/// A definition, a heading or a key: a named part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "outline.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// Its name in the file, at most 1,000 characters; empty if it has none.
    pub name: String,
    /// Its kind.
    pub kind: SectionKind,
    /// Its first line, from 1, including decorators but not its comment.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// Number of sections it is in.
    pub depth: usize,
}

/// Maximum length of a name in characters: a key of minified data can be as long as its file.
const MAX_NAME: usize = 1_000;

/// Cuts a name to the maximum length.
pub(crate) fn cut(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

/// Kind of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "outline.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum SectionKind {
    /// A class.
    Class,
    /// A constant.
    Constant,
    /// An element of HTML.
    Element,
    /// An enumeration.
    Enum,
    /// A function, a method or a prototype.
    Function,
    /// A heading with the text under it.
    Heading,
    /// Behaviour of a type, separate from the type (Rust's `impl`).
    Impl,
    /// An interface.
    Interface,
    /// A key of data.
    Key,
    /// A macro.
    Macro,
    /// A module.
    Module,
    /// A namespace: its members count as members of the file.
    Namespace,
    /// A rule of a style sheet.
    Rule,
    /// A structure or a record.
    Struct,
    /// A table of data.
    Table,
    /// A test.
    Test,
    /// A trait.
    Trait,
    /// An alias of a type, or a type of no other kind.
    Type,
    /// A union.
    Union,
    /// A variable.
    Variable,
    /// A line and the deeper lines under it, in a text without a grammar.
    Block,
}

impl SectionKind {
    /// Returns whether parts of such a section can be sections themselves, if it has no field `body`.
    #[cfg(feature = "grammar")]
    pub(crate) fn holds_members(self) -> bool {
        matches!(
            self,
            Self::Class
                | Self::Element
                | Self::Enum
                | Self::Impl
                | Self::Interface
                | Self::Module
                | Self::Namespace
                | Self::Struct
                | Self::Table
                | Self::Trait
                | Self::Union
        )
    }
}
