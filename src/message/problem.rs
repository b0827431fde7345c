//! Errors of the engine.

use crate::text::quoted;
use thiserror::Error;

/// An error: a history that cannot be read, a setting that cannot be used, or a reference without an original. Nothing
/// was changed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// An entry of the history is not a message object.
    #[error("messages[{index}] is {found}: every entry must be a message object")]
    NotAMessage {
        /// The position in the history.
        index: usize,
        /// What was found instead.
        found: &'static str,
    },
    /// A message has no role that a supported format knows.
    #[error("messages[{index}] has no known role ({seen}): expected {expected}")]
    UnknownRole {
        /// The position in the history.
        index: usize,
        /// The role and the type of the message.
        seen: String,
        /// The known roles.
        expected: &'static str,
    },
    /// A message's shape belongs to no supported format.
    #[error("messages[{index}] is in no supported format ({supported}): {seen}")]
    UnknownFormat {
        /// The position in the history.
        index: usize,
        /// The role and the type of the message.
        seen: String,
        /// The supported formats.
        supported: &'static str,
    },
    /// A message of another framework, or of an older version.
    #[error("messages[{index}] is {what}")]
    ForeignMessage {
        /// The position in the history.
        index: usize,
        /// What the message is, and what converts it.
        what: &'static str,
    },
    /// A message has another format than those before it.
    #[error(
        "messages[{index}] is not {expected} like the messages before it: convert the list to one format first"
    )]
    MixedFormats {
        /// The position in the history.
        index: usize,
        /// The format of the messages before it.
        expected: &'static str,
    },
    /// A message is not in the format that was asked for.
    #[error(
        "messages[{index}] is not {asked}, the format that was asked for: leave `format` out to have it detected, or convert the messages"
    )]
    OtherThanAsked {
        /// The position in the history.
        index: usize,
        /// The format that was asked for.
        asked: &'static str,
    },
    /// An option cannot be used.
    #[error("{reason}")]
    InvalidOption {
        /// The option's name.
        option: &'static str,
        /// The error, and what is allowed.
        reason: String,
    },
    /// A reference has no original.
    #[error("{} cannot be recalled: {reason}", quoted(reference))]
    NotRecallable {
        /// The reference.
        reference: String,
        /// The reason, and what to do.
        reason: &'static str,
    },
    /// The policy cannot be used.
    #[error("policy: {reason}")]
    InvalidPolicy {
        /// The path of the setting, with dots between fields; empty for the whole policy.
        argument: String,
        /// The error, and what is allowed.
        reason: String,
    },
}

impl Problem {
    /// The literal error code, for hosts to switch on.
    pub fn code(&self) -> &'static str {
        match self {
            Problem::NotAMessage { .. } | Problem::UnknownRole { .. } => "invalid_message",
            Problem::UnknownFormat { .. } | Problem::ForeignMessage { .. } => "unknown_format",
            Problem::MixedFormats { .. } | Problem::OtherThanAsked { .. } => "mixed_formats",
            Problem::InvalidOption { .. } => "invalid_option",
            Problem::InvalidPolicy { .. } => "invalid_policy",
            Problem::NotRecallable { .. } => "not_recallable",
        }
    }

    /// The option that is wrong, or the path of the policy setting; `policy` for the whole policy. `None` for other errors.
    pub fn argument(&self) -> Option<&str> {
        match self {
            Problem::InvalidPolicy { argument, .. } if !argument.is_empty() => Some(argument),
            Problem::InvalidPolicy { .. } => Some("policy"),
            Problem::InvalidOption { option, .. } => Some(option),
            _ => None,
        }
    }

    /// The position of the message that is wrong, if the error is about one.
    pub fn index(&self) -> Option<usize> {
        match self {
            Problem::NotAMessage { index, .. }
            | Problem::UnknownRole { index, .. }
            | Problem::UnknownFormat { index, .. }
            | Problem::ForeignMessage { index, .. }
            | Problem::MixedFormats { index, .. }
            | Problem::OtherThanAsked { index, .. } => Some(*index),
            Problem::InvalidOption { .. }
            | Problem::InvalidPolicy { .. }
            | Problem::NotRecallable { .. } => None,
        }
    }
}
