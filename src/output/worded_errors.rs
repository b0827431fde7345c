//! Errors with words before their name, by which they are told from text that a command shows.

use super::rule::Rules;
#[cfg(feature = "files")]
use super::rule::says::*;
#[cfg(feature = "files")]
use super::runner::Runner;

/// Rules for errors with words before their name, which apply after those of all tools. The core wasm omits them too.
#[cfg(feature = "files")]
pub const WORDED: &[Rules] = &[(
    Runner::TOOL,
    &[
        (RAISED | ERROR, "$: line %: syntax error*"),
        (RAISED | ERROR, "$: -c: line %: syntax error*"),
        (RAISED | ERROR, "$: line %: *: syntax error: *"),
        (RAISED | ERROR, "$: %: Syntax error: *"),
        (RAISED | ERROR, "*: error: argument *"),
        (RAISED | ERROR, "*: error: the following arguments are required: *"),
        (RAISED | ERROR, "*: error: unrecognized arguments: *"),
        (RAISED | ERROR, "parse error: *"),
        (RAISED | ERROR, "jq: *error*: *"),
        (RAISED | ERROR, "$:%:%: & SyntaxError: *"),
        (RAISED | ERROR, "$:%:%: & FileNotFoundError: *"),
        (RAISED | ERROR, "$:%:%: &: *(syntax-error)"),
        (RAISED | ERROR, "$:%:%: Parsing error: *"),
        (RAISED | ERROR, "$:%:% - error *"),
        (RAISED | ERROR, "$:%:% - error: *"),
        (RAISED | ERROR, "Unexpected error: *"),
        (RAISED | ERROR, "An error has occurred: *"),
        (RAISED | ERROR, "An unexpected error has occurred: *"),
        (RAISED | ERROR, "Exception during run: *"),
        (RAISED | ERROR, "Unhandled exception. *"),
        (RAISED | ERROR, "Unhandled Exception: *"),
        (RAISED | ERROR, "zip error: *"),
        (RAISED | ERROR, "rsync error: *"),
        (RAISED | ERROR, "write error: *"),
        (RAISED | ERROR, "I/O error: *"),
        (RAISED | ERROR, "Type error: *"),
        (RAISED | ERROR, "PHP Parse error: *"),
        (RAISED | ERROR, "fatal runtime error: *"),
        (RAISED | ERROR, "AssertionError"),
        (RAISED | ERROR, "::error*::*"),
        (RAISED | ERROR, "! LaTeX Error: *"),
        (RAISED | ERROR, "$ : fatal error &: *"),
        (RAISED | ERROR, "$ : error &: *"),
        (RAISED | ERROR, "$ internal compiler error: *"),
        (RAISED | ERROR, "$ runtime error: *"),
        (RAISED | ERROR, "ruby: *(LoadError)"),
        (RAISED | ERROR, "Caused by: *Exception: *"),
        (RAISED | ERROR, "Caused by: *Error: *"),
        (RAISED | ERROR, "*:error:*:* routines:*"),
        // oxlint, where only ASCII is printed.
        (ERROR | DOUBTS, "x {$($): *}"),
        (JOINED, "x {*}"),
    ],
)];

/// No rules.
#[cfg(not(feature = "files"))]
pub const WORDED: &[Rules] = &[];
