//! An index over files that were read: which lines of which files a text is about.
//!
//! A file is cut into passages (`passages`), whose words are counted (`terms`, `file`). A text finds passages by its words
//! (`score`, BM25), and by what the passages found make use of (`rank`, PageRank over definitions and references). The index
//! holds numbers, never text: the host keeps its files, and lines are named by their numbers, from 1.
//!
//! The law of this room: an index is a function of the files in it. What was added and removed before, and in which order,
//! changes no answer. Therefore sums are made in an order that the files give, or in whole numbers.

mod counts;
mod declared;
mod digest;
mod file;
mod files;
mod passages;
mod query;
mod rank;
mod score;
mod section;
mod terms;
mod vocabulary;

pub use digest::DigestRequest;
pub use files::FileIndex;
pub use query::{Hit, Query};
pub use section::Section;
