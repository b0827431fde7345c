//! Structural outlines: the lines of a file that say what is in it, with their numbers, and what was folded between them.
//!
//! A file goes down one room at a time: a grammar's tree (`walk`, with the language's table in `grammars`), Markdown's
//! headings, or the indentation rank its lines; `fit` takes the most important ones that a budget allows; `render` writes
//! them. Everything here is a pure function of its arguments; only `wasm` knows that JavaScript exists.

// Each wasm file uses the part that its grammar needs.
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
mod walk;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use fit::Budget;
pub use outline::{LineRange, Outline, languages, outline};
pub use problem::Problem;
pub use section::{Section, SectionKind};
