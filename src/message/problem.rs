//! What can be wrong with a host's messages.

use crate::text::quoted;
use thiserror::Error;

/// A history that cannot be read, or a setting that cannot be used. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// An entry of the history is not a message object.
    #[error("messages[{index}] is {found}: every entry must be a message object")]
    NotAMessage {
        /// Position in the history.
        index: usize,
        /// What stands there.
        found: &'static str,
    },
    /// A message has no role that a supported format knows.
    #[error("messages[{index}] has no known role ({seen}): expected {expected}")]
    UnknownRole {
        /// Position in the history.
        index: usize,
        /// The role and the type that it has.
        seen: String,
        /// The roles that are known.
        expected: &'static str,
    },
    /// A message's shape belongs to no supported format.
    #[error("messages[{index}] is in no supported format ({supported}): {seen}")]
    UnknownFormat {
        /// Position in the history.
        index: usize,
        /// The role and the type that it has.
        seen: String,
        /// The formats that are supported.
        supported: &'static str,
    },
    /// A message of another framework, or of an older version.
    #[error("messages[{index}] is {what}")]
    ForeignMessage {
        /// Position in the history.
        index: usize,
        /// What it is, and what converts it.
        what: &'static str,
    },
    /// A message is of another format than those before it, or than the `format` option says.
    #[error(
        "messages[{index}] is not {expected} like the messages before it: convert the list to one format first"
    )]
    MixedFormats {
        /// Position in the history.
        index: usize,
        /// The format of the messages before.
        expected: &'static str,
    },
    /// An option is not usable.
    #[error("{reason}")]
    InvalidOption {
        /// The option's name.
        option: &'static str,
        /// What is wrong with it and what is allowed.
        reason: String,
    },
    /// A reference leads to no original.
    #[error("{} cannot be recalled: {reason}", quoted(reference))]
    NotRecallable {
        /// The reference.
        reference: String,
        /// Why, and what to do.
        reason: &'static str,
    },
    /// The policy is not usable.
    #[error("policy: {reason}")]
    InvalidPolicy {
        /// The setting: names of fields with dots between; empty where it is the whole.
        argument: String,
        /// What is wrong with it and what is allowed.
        reason: String,
    },
}

impl Problem {
    /// The literal code that hosts switch on.
    pub fn code(&self) -> &'static str {
        match self {
            Problem::NotAMessage { .. } | Problem::UnknownRole { .. } => "invalid_message",
            Problem::UnknownFormat { .. } | Problem::ForeignMessage { .. } => "unknown_format",
            Problem::MixedFormats { .. } => "mixed_formats",
            Problem::InvalidOption { .. } => "invalid_option",
            Problem::InvalidPolicy { .. } => "invalid_policy",
            Problem::NotRecallable { .. } => "not_recallable",
        }
    }

    /// The option or setting that is at fault, where it has a name.
    pub fn argument(&self) -> Option<&str> {
        match self {
            Problem::InvalidPolicy { argument, .. } if !argument.is_empty() => Some(argument),
            Problem::InvalidPolicy { .. } => Some("policy"),
            _ => None,
        }
    }

    /// The position in the history that is at fault.
    pub fn index(&self) -> Option<usize> {
        match self {
            Problem::NotAMessage { index, .. }
            | Problem::UnknownRole { index, .. }
            | Problem::UnknownFormat { index, .. }
            | Problem::ForeignMessage { index, .. }
            | Problem::MixedFormats { index, .. } => Some(*index),
            Problem::InvalidOption { .. }
            | Problem::InvalidPolicy { .. }
            | Problem::NotRecallable { .. } => None,
        }
    }
}
