//! What an outline can be refused for.

/// Why there is no outline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// This build has no grammar of that name.
    #[error("there is no outline for the language {0:?} in this file")]
    UnknownLanguage(String),
}

impl Problem {
    /// The code of the `TrimtabError` that TypeScript makes of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownLanguage(_) => "unknown_language",
        }
    }
}
