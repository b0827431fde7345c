//! Token limits of reads. Values and texts are from the document "ReadTool Improvements".

use super::options::LineArguments;
use crate::message::Problem;
use serde::Deserialize;

/// Maximum tokens of an ordinary read, unless the host sets another limit.
pub const MAX_TOKENS: u64 = 3000;
/// Maximum share of the context for an ordinary read.
const NORMAL_PERCENT: f64 = 0.2;
/// Maximum share of the context for a file that the user named.
const USER_NAMED_PERCENT: f64 = 0.95;
/// Maximum share of the context for files that the host adds to the context itself.
const CONTEXT_FILE_PERCENT: f64 = 0.4;

/// Limits of a read.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadLimits {
    /// The model's context window, in tokens.
    pub context_size: u64,
    /// Maximum tokens of an ordinary read; at most a fifth of the context. Default 3000.
    pub read_max_tokens: Option<u64>,
    /// Share of the context for an ephemeral read, from 0 to 1. Default 0.9.
    pub ephemeral_read_max_percent: Option<f64>,
    /// Whether ephemeral reads are enabled; if not, they are treated as ordinary ones. Default true.
    pub ephemeral_read_enabled: Option<bool>,
    /// The purpose of the read. Default `tool`.
    pub purpose: Option<ReadPurpose>,
}

/// The purpose of a read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "kebab-case")]
pub enum ReadPurpose {
    /// The model asked for it.
    #[default]
    Tool,
    /// The user named the file: up to 0.95 of the context.
    UserNamed,
    /// The host adds the file to the context itself: up to 0.4 of the context.
    ContextFile,
}

impl ReadLimits {
    /// Returns an error if the ephemeral share is not from 0 to 1.
    pub fn check(&self) -> Result<(), Problem> {
        match self.ephemeral_read_max_percent {
            Some(part) if !(0.0..=1.0).contains(&part) => Err(Problem::InvalidOption {
                option: "ephemeralReadMaxPercent",
                reason: format!("ephemeralReadMaxPercent must be from 0 to 1, found {part}"),
            }),
            _ => Ok(()),
        }
    }

    /// Returns whether ephemeral reads are enabled.
    pub fn allows_ephemeral(&self) -> bool {
        self.ephemeral_read_enabled.unwrap_or(true)
    }

    /// Returns the maximum tokens of a read.
    pub fn max_tokens(&self, ephemeral: bool) -> u64 {
        let part = |percent: f64| (self.context_size as f64 * percent).floor() as u64;
        if ephemeral && self.allows_ephemeral() {
            return part(self.ephemeral_read_max_percent.unwrap_or(0.9));
        }
        match self.purpose.unwrap_or_default() {
            ReadPurpose::Tool => {
                self.read_max_tokens.unwrap_or(MAX_TOKENS).min(part(NORMAL_PERCENT))
            }
            ReadPurpose::UserNamed => part(USER_NAMED_PERCENT),
            ReadPurpose::ContextFile => part(CONTEXT_FILE_PERCENT),
        }
    }
}

/// What to do if a read is too large.
pub const TOO_LARGE_SUGGESTION: &str =
    "Use targeted reading with limit parameter or search within files first using grep";

/// Returns the error of a read that is too large. `examples`: calls that are within the limit. `offers_ephemeral`:
/// whether an ephemeral read is possible and was not requested.
pub(super) fn too_large(
    estimated: f64,
    max_tokens: u64,
    examples: &[String],
    offers_ephemeral: bool,
    arguments: LineArguments,
) -> String {
    let examples = match examples.join(" or ") {
        none if none.is_empty() => none,
        examples => format!(" Example: {examples}"),
    };
    let lines = match arguments {
        LineArguments::OffsetLimit => "limit/offset",
        LineArguments::StartEnd => "start/end",
    };
    let ephemeral = if offers_ephemeral {
        " Or use ephemeral=true to read larger files temporarily (content removed after current turn)."
    } else {
        ""
    };
    format!(
        "File(s) too large: estimated {estimated:.1} tokens exceeds limit of {max_tokens}. \
         Use grep/glob to search for specific content, or use {lines} for targeted reading.{ephemeral}{examples}"
    )
}

#[cfg(test)]
mod tests {
    use super::LineArguments::OffsetLimit;
    use super::{ReadLimits, ReadPurpose, too_large};

    #[test]
    fn limits_are_those_of_the_document() {
        let limits = |context_size, purpose| ReadLimits {
            context_size,
            read_max_tokens: None,
            ephemeral_read_max_percent: None,
            ephemeral_read_enabled: None,
            purpose: Some(purpose),
        };
        let cases = [
            // 20 % of 16,000 is 3,200: the setting is lower.
            (16_000, ReadPurpose::Tool, false, 3000),
            (10_000, ReadPurpose::Tool, false, 2000),
            (16_000, ReadPurpose::Tool, true, 14_400),
            (16_001, ReadPurpose::UserNamed, false, 15_200),
            (16_000, ReadPurpose::ContextFile, false, 6_400),
        ];
        for (context, purpose, ephemeral, expected) in cases {
            assert_eq!(
                limits(context, purpose).max_tokens(ephemeral),
                expected,
                "{context} {purpose:?}"
            );
        }
        let off =
            ReadLimits { ephemeral_read_enabled: Some(false), ..limits(16_000, ReadPurpose::Tool) };
        assert_eq!(off.max_tokens(true), 3000);
        let tenth = ReadLimits {
            ephemeral_read_max_percent: Some(0.1),
            ..limits(16_000, ReadPurpose::Tool)
        };
        assert_eq!(tenth.max_tokens(true), 1600);
        let wrong =
            ReadLimits { ephemeral_read_max_percent: Some(1.1), ..limits(1, ReadPurpose::Tool) };
        assert!(wrong.check().is_err());
    }

    #[test]
    fn says_what_the_document_says() {
        assert_eq!(
            too_large(
                5000.0,
                3000,
                &[
                    "read(file_paths=[\"huge.ts\"], limit=100)".to_owned(),
                    "read(file_paths=[\"huge.ts\"], offset=50, limit=100)".to_owned(),
                ],
                true,
                OffsetLimit
            ),
            "File(s) too large: estimated 5000.0 tokens exceeds limit of 3000. Use grep/glob to search for specific content, or use limit/offset for targeted reading. Or use ephemeral=true to read larger files temporarily (content removed after current turn). Example: read(file_paths=[\"huge.ts\"], limit=100) or read(file_paths=[\"huge.ts\"], offset=50, limit=100)"
        );
        assert_eq!(
            too_large(28.571, 3, &[], false, OffsetLimit),
            "File(s) too large: estimated 28.6 tokens exceeds limit of 3. Use grep/glob to search for specific content, or use limit/offset for targeted reading."
        );
    }
}
