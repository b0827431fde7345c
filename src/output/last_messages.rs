//! What tools say last when they fail: whole messages, so that they are statements wherever they stand.

use super::rule::Rules;
#[cfg(feature = "files")]
use super::rule::says::*;
#[cfg(feature = "files")]
use super::runner::Runner;

/// Rules for these messages, which apply before the others of tools. The core wasm omits them, as it does those.
#[cfg(feature = "files")]
pub const LAST_MESSAGES: &[Rules] = &[
    // CMake, ninja, cargo
    (
        Runner::TOOL,
        &[
            (NOTHING, "FAILED: %*"),
            (FAILED | ERROR, "FAILED: [code=%] *"),
            (FAILED | ERROR, "FAILED: $/*"),
            (FAILED | ERROR, "FAILED: $.o"),
            (FAILED | ERROR, "CMake * step failed*"),
        ],
    ),
    (Runner::CARGO, &[(FAILED, "warning: build failed, waiting for other jobs *")]),
    // git
    (
        Runner::TOOL,
        &[
            (FAILED | ERROR, "Patch failed at % *"),
            (FAILED | ERROR, "Merge with strategy * failed."),
            (FAILED | ERROR, "Not possible to fast-forward, aborting."),
            (FAILED | ERROR, "There is no tracking information for the current branch."),
            (FAILED | ERROR, "You are not currently on a branch."),
            (FAILED | ERROR, "Aborting commit*"),
            (FAILED | ERROR, "remote: Permission to $ denied to *"),
            (FAILED | ERROR, "! [remote failure] *"),
            (FAILED | ERROR, "error: could not apply ^... *"),
            (FAILED | ERROR, "error: Your local changes to the following files *"),
        ],
    ),
    // docker
    (
        Runner::TOOL,
        &[
            (FAILED | ERROR, "unauthorized: authentication required*"),
            (RAISED | ERROR, "unauthorized: *"),
            (FAILED | ERROR, "toomanyrequests: *"),
            (FAILED | ERROR, "no basic auth credentials"),
            (FAILED | ERROR, "pull access denied for *"),
            (FAILED | ERROR, "*xec format error"),
            (FAILED | ERROR, "service \"$\" is not running*"),
            (RAISED | ERROR, "container $ is unhealthy"),
        ],
    ),
    // kubectl
    (
        Runner::TOOL,
        &[
            (FAILED | ERROR, "unable to recognize \"*\": *"),
            (FAILED | ERROR, "error: timed out waiting for the condition*"),
            (FAILED | ERROR, "error: unable to recognize \"*\": *"),
            (FAILED | ERROR, "error: resource mapping not found *"),
            (FAILED | ERROR, "error: error validating *"),
            (FAILED | ERROR, "error: the server doesn't have a resource type *"),
            (FAILED | ERROR, "error: * exceeded its progress deadline"),
            (FAILED | ERROR, "error: You must be logged in to the server *"),
        ],
    ),
    // terraform
    (
        Runner::TERRAFORM,
        &[
            (FAILED | ERROR, "Error: Error acquiring the state lock*"),
            (FAILED | ERROR, "Planning failed. Terraform *"),
            (FAILED, "on $.tf line %*"),
        ],
    ),
];

/// No rules.
#[cfg(not(feature = "files"))]
pub const LAST_MESSAGES: &[Rules] = &[];
