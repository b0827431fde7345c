//! Structural outlines: the lines of a file that describe its structure, with their numbers, and notices of folded lines.
//!
//! The lines are ranked by a grammar's tree (`walk`, with the language's table in `grammars`), by Markdown headings, or by
//! indentation; `fit` selects the most important ones within a budget; `render` writes them. All functions are pure; only
//! `wasm` depends on JavaScript.

// Each wasm file uses only what its grammar needs.
#![cfg_attr(target_arch = "wasm32", allow(dead_code))]

mod fit;
#[cfg(feature = "grammar")]
mod grammar;
#[cfg(feature = "grammar")]
mod grammars;
mod indentation;
mod lines;
#[cfg(feature = "text")]
mod markdown;
mod outline;
mod problem;
mod rank;
mod reading;
mod render;
mod section;
#[cfg(feature = "grammar")]
mod text;
#[cfg(feature = "grammar")]
mod walk;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use fit::Budget;
pub use outline::{LineRange, Outline, languages, outline};
pub use problem::Problem;
pub use section::{Section, SectionKind};
