//! The result of reading a file in a language.

use crate::section::Section;

/// Language, sections and validity of a file.
pub(crate) struct Reading {
    pub language: &'static str,
    pub sections: Vec<Section>,
    pub malformed: bool,
}
