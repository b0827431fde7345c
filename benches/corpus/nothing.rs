//! Empty crate: only the sources of its dependencies are used.
