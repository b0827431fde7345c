//! Search over files that were read: finds the lines most relevant to a text.
//!
//! A file is split into passages (`passages`), whose words are counted (`terms`, `file`). A text finds passages by its words
//! (`score`, BM25), and by the definitions that these passages refer to (`rank`, PageRank over definitions and references).
//! The index stores numbers, never text: the host keeps its files, and results are line numbers, from 1.
//!
//! The law of this room: an index is a function of the files in it. Neither removed files nor the order of additions change
//! a result. Therefore sums are made in an order given by the files, or in integers.

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
mod sorted;
mod terms;
mod vocabulary;

pub use digest::DigestRequest;
pub use files::FileIndex;
pub use query::{Hit, Query};
pub use section::Section;
