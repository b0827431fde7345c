//! What a reader of a language hands on.

use crate::section::Section;

/// What a reader found in a file.
pub(crate) struct Reading {
    pub language: &'static str,
    pub sections: Vec<Section>,
    pub malformed: bool,
}
