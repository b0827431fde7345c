//! Parts of texts, for what is overwritten before a parser reads it: lines, brackets, and the copy that is written.

#[cfg(any(
    feature = "bash",
    feature = "c",
    feature = "cpp",
    feature = "csharp",
    feature = "css",
    feature = "javascript",
    feature = "rust",
    feature = "tsx",
    feature = "typescript",
    feature = "yaml"
))]
pub(crate) mod blank;
#[cfg(any(
    feature = "bash",
    feature = "c",
    feature = "cpp",
    feature = "csharp",
    feature = "tsx",
    feature = "typescript"
))]
pub(crate) mod brackets;
#[cfg(any(
    feature = "bash",
    feature = "c",
    feature = "cpp",
    feature = "csharp",
    feature = "rust",
    feature = "tsx",
    feature = "typescript"
))]
pub(crate) mod line;
