//! Only the dependencies of this crate are of use: their sources.
