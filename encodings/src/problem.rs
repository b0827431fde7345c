use thiserror::Error;

/// What a caller did wrong, in words that say what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// No vocabulary of this build has the name.
    #[error("this module has no encoding {0:?}")]
    UnknownEncoding(String),
    /// A special token that the encoding does not have.
    #[error(
        "allowSpecial names {name:?}, which is not a special token of {encoding}; it has {known}"
    )]
    UnknownSpecial {
        /// The name that is none.
        name: String,
        /// The encoding's name.
        encoding: String,
        /// Some of those that it has.
        known: String,
    },
    /// A number that no token has.
    #[error("tokens[{index}] is {id}: {encoding} has no such token")]
    UnknownToken {
        /// The position in the list.
        index: usize,
        /// The number.
        id: u32,
        /// The encoding's name.
        encoding: String,
    },
    /// A line of a vocabulary that cannot be read.
    #[error("vocabulary, line {line}: {reason}")]
    Vocabulary {
        /// From 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A vocabulary without a token for some byte: texts with it could not be encoded.
    #[error("the vocabulary has no token for the byte 0x{0:02X}: all 256 are needed")]
    MissingByte(u8),
    /// A special token that cannot be one.
    #[error("special: {0}")]
    Special(String),
    /// A pattern that cannot be compiled.
    #[error("the pattern is not a valid regular expression: {0}")]
    Pattern(String),
    /// A pattern that gave up on a text.
    #[error("the pattern cannot split this text: {0}")]
    Split(String),
    /// Text that is not UTF-8: the host wrote it wrongly.
    #[error("the text is not UTF-8 from byte {0} on")]
    NotUtf8(usize),
}

impl Problem {
    /// The code of the `TrimtabError` that it becomes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownToken { .. } => "invalid_tokens",
            Self::Vocabulary { .. } | Self::MissingByte(_) => "invalid_vocabulary",
            _ => "invalid_option",
        }
    }
}
