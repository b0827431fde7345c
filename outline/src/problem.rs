//! Errors of an outline.

/// Why there is no outline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// This build has no grammar with that name.
    #[error("there is no outline for the language {0:?} in this file")]
    UnknownLanguage(String),
}

impl Problem {
    /// The code of the resulting `TrimtabError`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownLanguage(_) => "unknown_language",
        }
    }
}
