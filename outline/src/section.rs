//! What a file consists of.

use serde::Serialize;

/// A definition, a heading, a key: something of the file that has a name and lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "outline.ts")
)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// Its name as the file has it, at most 1,000 characters; empty where it has none.
    pub name: String,
    /// What it is.
    pub kind: SectionKind,
    /// Its first line, from 1, with its decorators but without its comment.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
    /// How many sections it stands in.
    pub depth: usize,
}

/// A key of minified data can be as long as its file.
const MAX_NAME: usize = 1_000;

/// A name as a section has it.
pub(crate) fn cut(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

/// What a section is.
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
    /// A heading with what stands under it.
    Heading,
    /// What a type does, apart from the type (Rust's `impl`).
    Impl,
    /// An interface.
    Interface,
    /// A key of data.
    Key,
    /// A macro.
    Macro,
    /// A module.
    Module,
    /// A namespace: its members are the file's own.
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
    /// Another name for a type, or a type of no other kind.
    Type,
    /// A union.
    Union,
    /// A variable.
    Variable,
    /// Lines with deeper ones under them, in a text without a grammar.
    Block,
}

impl SectionKind {
    /// Whether what stands in such a section are sections too, where its body does not say so by itself.
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
