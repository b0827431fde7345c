use thiserror::Error;

/// An error by the caller; the message says what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// This build has no encoding with the name.
    #[error("this module has no encoding {0:?}")]
    UnknownEncoding(String),
    /// A special token that the encoding does not have.
    #[error(
        "allowSpecial names {name:?}, which is not a special token of {encoding}; it has {known}"
    )]
    UnknownSpecial {
        /// The unknown name.
        name: String,
        /// The encoding's name.
        encoding: String,
        /// Some of the names that it has.
        known: String,
    },
    /// An id that no token has.
    #[error("tokens[{index}] is {id}: {encoding} has no such token")]
    UnknownToken {
        /// Index in the list.
        index: usize,
        /// The id.
        id: u32,
        /// The encoding's name.
        encoding: String,
    },
    /// An invalid line of a vocabulary.
    #[error("vocabulary, line {line}: {reason}")]
    Vocabulary {
        /// From 1.
        line: usize,
        /// The problem.
        reason: String,
    },
    /// A vocabulary without a token for some byte: text with that byte could not be encoded.
    #[error("the vocabulary has no token for the byte 0x{0:02X}: all 256 are needed")]
    MissingByte(u8),
    /// An invalid special token.
    #[error("special: {0}")]
    Special(String),
    /// A pattern that cannot be compiled.
    #[error("the pattern is not a valid regular expression: {0}")]
    Pattern(String),
    /// A pattern that exceeded its limit on a text.
    #[error("the pattern cannot split this text: {0}")]
    Split(String),
    /// Text that is not UTF-8: an error of the host.
    #[error("the text is not UTF-8 from byte {0} on")]
    NotUtf8(usize),
}

impl Problem {
    /// The code of the resulting `TrimtabError`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownToken { .. } => "invalid_tokens",
            Self::Vocabulary { .. } | Self::MissingByte(_) => "invalid_vocabulary",
            _ => "invalid_option",
        }
    }
}
