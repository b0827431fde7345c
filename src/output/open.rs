//! What an output has begun and not ended.

use super::runner::Runner;

/// What the next line continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    Nothing,
    /// The next line has the name of a failed test.
    NewName,
    /// The name of a failed test continues up to a colon.
    Name,
    /// Behind the lines of a Python traceback stands the exception.
    Raised,
    /// The next line says why a test of Jest's failed: it prints the message of a plain `Error` alone.
    Reason,
    /// The next line tells what the text behind a cross is: an error (without more, too, if `is_error`), or a test.
    Crossed {
        is_error: bool,
    },
    /// An error line that ended with a colon, and the lists that it is the last of.
    Error {
        in_failures: bool,
        in_errors: bool,
        in_details: bool,
    },
}

/// A list of failed tests.
#[derive(Debug, Clone, Copy)]
pub struct List {
    /// The runner that opened it.
    pub of: Runner,
    /// Whether its names span several lines.
    pub is_joined: bool,
}
