//! Answers of a user or a host in place of a result: the call did not run, or not to its end.

use super::rule::Rule;

/// Longer results are output of a call that ran.
pub const LONGEST_REFUSAL: usize = 1000;

/// Beginnings of such answers in lower case, as agents write them, without `error: `.
const REFUSALS: [&[u8]; 37] = [
    b"the user doesn't want to *",
    b"user doesn't want to *",
    b"the user rejected *",
    b"the user denied *",
    b"the user declined *",
    b"the user cancel*",
    b"the user chose to skip *",
    b"the user did not a*",
    b"user rejected *",
    b"user denied *",
    b"user declined *",
    b"user cancel*ed*",
    b"user aborted*",
    b"[request interrupted by user*",
    b"interrupted by user*",
    b"aborted by user*",
    b"rejected by user*",
    b"* rejected by user",
    b"* was $ed by the user*",
    b"permission to use * has been denied*",
    b"tool use denied by *",
    b"tool execution *ed*",
    b"[operation cancelled]*",
    b"operation cancelled*",
    b"operation blocked by *",
    b"tool call cancel*",
    b"permission denied by *",
    b"permission for this action *",
    b"* requested permissions to use *",
    b"execution denied*",
    b"<tool_use_error>*",
    b"pretooluse:*",
    b"no such tool*",
    b"unknown tool*",
    b"invalid arguments for *",
    b"skipped due to *",
    b"* was not executed*",
];

/// Whether a result says that its call was refused, cancelled or interrupted: `The user doesn't want to proceed with this
/// tool use`, `[Request interrupted by user]`, `aborted by user after 2.0s`. `Permission denied` of a system is an outcome.
pub fn is_refusal(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let line = lower.split('\n').next().unwrap_or_default();
    let said = line.strip_prefix("error: ").unwrap_or(line);
    text.len() <= LONGEST_REFUSAL && REFUSALS.iter().any(|shape| Rule::new(0, shape).fits(said))
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
            "Error: Permission denied by user",
            "Tool call cancelled by user",
            "execution denied",
            "Claude requested permissions to use Bash, but you haven't granted it yet.",
            "Permission for this action has been denied. Reason: not allowed",
            "Error: No such tool available: bash",
            "<tool_use_error>InputValidationError: Bash failed: command is required</tool_use_error>",
            "Command was not executed: sandbox denied",
            "Operation blocked by hook",
            "PreToolUse:Bash hook error: blocked",
            "Skipped due to queued user message.",
            "Unknown tool: bash",
            "Invalid arguments for tool bash: command is required",
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
            " \u{2713} src/user.test.ts (3 tests)\n   \u{2713} cancels the subscription\n 3 passed",
            "PASS src/users/user.service.spec.ts\n  \u{2713} should reject invalid emails",
            "--- PASS: TestUserCancel (0.00s)",
            "/Users/anna/app/src/rejected.ts: ok",
            "To github.com:user/app.git\n ! [rejected] main -> main (non-fast-forward)",
            "[main 3f2a1] Let users cancel orders",
            "modified: src/users/reject.ts",
            "error: patch failed: user.js:1\n1 hunk rejected",
            "Sorted by username",
            "used by users: 12",
            "Table created by user postgres",
            "replaced by user.config",
            "/home/user/project/src/cancel.ts(3,1): error TS2304",
            "npm error 403 requests denied by the registry",
            "Query execution was canceled on statement timeout",
            "execution of step 3 aborted due to error: exit 2",
            "java.util.concurrent.CancellationException: Operation cancelled",
            "PR #3: not approved yet",
        ] {
            assert!(!is_refusal(outcome), "{outcome}");
        }
    }
}
