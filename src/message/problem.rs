//! Errors of the engine.

use crate::text::quoted;
use serde::Serialize;
use thiserror::Error;

/// `Variant = "code": "description";`
macro_rules! codes {
    ($($variant:ident = $code:literal: $doc:literal;)+) => {
        /// The kind of a [`Problem`], for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        pub enum ProblemCode {
            $(#[doc = $doc] #[serde(rename = $code)] $variant,)+
        }

        /// The codes with their descriptions, for the type and the documentation in TypeScript.
        #[cfg(test)]
        pub const PROBLEM_CODES: &[(&str, &str)] = &[$(($code, $doc)),+];
    };
}

codes! {
    InvalidMessage = "invalid_message": "A message is not valid in its format; `index` is its position.";
    MixedFormats = "mixed_formats": "The list contains messages of several formats.";
    UnknownFormat = "unknown_format": "The messages are in no known format, or the given `format` does not exist.";
    InvalidOption = "invalid_option": "An argument or option is invalid or unknown; `argument` is its name.";
    InvalidPolicy = "invalid_policy": "A policy has an unknown or invalid setting.";
    NotRecallable = "not_recallable": "`recall` found no content for a reference.";
}

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

/// A [`Problem`] as it crosses the boundary, where it becomes a `TrimtabError`.
#[derive(Debug, Serialize)]
#[cfg_attr(all(test, not(target_arch = "wasm32")), derive(ts_rs::TS), ts(optional_fields))]
pub struct ProblemReport {
    /// The kind of error.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "ProblemCode"))]
    pub code: ProblemCode,
    /// What is wrong, and what to do.
    pub message: String,
    /// The position of the message that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// The argument, option or setting that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
}

impl From<&Problem> for ProblemReport {
    fn from(problem: &Problem) -> Self {
        Self {
            code: problem.code(),
            message: problem.to_string(),
            index: problem.index(),
            argument: problem.argument().map(str::to_owned),
        }
    }
}

impl Problem {
    /// The kind of error, for hosts to switch on.
    pub fn code(&self) -> ProblemCode {
        match self {
            Problem::NotAMessage { .. } | Problem::UnknownRole { .. } => {
                ProblemCode::InvalidMessage
            }
            Problem::UnknownFormat { .. } | Problem::ForeignMessage { .. } => {
                ProblemCode::UnknownFormat
            }
            Problem::MixedFormats { .. } | Problem::OtherThanAsked { .. } => {
                ProblemCode::MixedFormats
            }
            Problem::InvalidOption { .. } => ProblemCode::InvalidOption,
            Problem::InvalidPolicy { .. } => ProblemCode::InvalidPolicy,
            Problem::NotRecallable { .. } => ProblemCode::NotRecallable,
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
