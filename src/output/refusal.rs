//! Answers of a user or a host in place of a result: the call did not run, or not to its end.

use super::rule::Rule;

/// Longer results are output of a call that ran.
pub const LONGEST_REFUSAL: usize = 1000;

/// Sentences in lower case, as agents write them.
const REFUSALS: [&[u8]; 18] = [
    b"*user doesn't want to *",
    b"*user did not a*",
    b"*user chose to *",
    b"*user*reject*",
    b"*user*cancel*",
    b"*user denied*",
    b"*user declin*",
    b"*user abort*",
    b"*ed by user*",
    b"*ed by the user*",
    b"*denied by *",
    b"*has been denied*",
    b"*execution denied*",
    b"*execution*abort*",
    b"*execution*cancel*",
    b"*operation cancel*",
    b"*tool call*cancel*",
    b"*not approved*",
];

/// Whether a result says that its call was refused, cancelled or interrupted: `The user doesn't want to proceed with this
/// tool use`, `[Request interrupted by user]`, `aborted by user after 2.0s`. `Permission denied` of a system is an outcome.
pub fn is_refusal(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    text.len() <= LONGEST_REFUSAL && REFUSALS.iter().any(|shape| Rule::new(0, shape).fits(&lower))
}

#[cfg(test)]
mod tests {
    use super::is_refusal;

    #[test]
    fn answers_of_users_and_hosts() {
        for refused in [
            "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, \
             the new_string was NOT written to the file).",
            "[Request interrupted by user]",
            "[Request interrupted by user for tool use]",
            "The user rejected permission to use this specific tool call.",
            "User rejected the tool call for `bash` with id c1",
            "exec command rejected by user",
            "aborted by user after 2.0s",
            "Command was cancelled by the user",
            "The user denied this operation.",
            "Tool use denied by hook: no network",
            "Permission to use Bash with command npm test has been denied.",
            "[Operation Cancelled] Reason: User did not allow tool call",
            "Operation cancelled",
            "Tool execution was not approved.",
            "Tool execution aborted",
            "Tool execution denied.",
            "Tool execution was cancelled",
            "Error: user cancelled",
            "The user chose to skip the tool call, they want to proceed without running it.",
        ] {
            assert!(is_refusal(refused), "{refused}");
        }
        for outcome in [
            "",
            "Error: Exit code 1\nFAIL a.test.js",
            "bash: ./run.sh: Permission denied",
            "git@github.com: Permission denied (publickey).",
            "Error: ENOENT: no such file or directory, open 'user.json'",
            "fatal: could not read Username: terminal prompts disabled",
            "Error: connection refused",
            "error: aborting due to 2 previous errors",
            "The operation timed out",
            "403 Forbidden: access denied",
        ] {
            assert!(!is_refusal(outcome), "{outcome}");
        }
    }
}
