//! Answers of a user or a host in place of a result: the call did not run, or not to its end.

use super::rule::Rule;

/// Longer results are output of a call that ran.
pub const LONGEST_REFUSAL: usize = 1000;

/// First lines of such answers, in lower case: `Tool call was cancelled`, `Command running in background`. A shape too
/// many only keeps a failure.
const FIRST_LINES: [&[u8]; 28] = [
    b"* confirm*",
    b"* not to *",
    b"*\"in_progress\"*",
    b"*\"status\":*\"running\"*",
    b"*aborted*",
    b"*approv*",
    b"*background*",
    b"*blocked*",
    b"*cancel*ed*",
    b"*declined*",
    b"*denied*",
    b"*did not run*",
    b"*executed*",
    b"*in progress",
    b"*interrupted*",
    b"*no new output*",
    b"*not allowed*",
    b"*not finish*",
    b"*permission*",
    b"*plan mode*",
    b"*rejected*",
    b"*skip*user*",
    b"*still *",
    b"*tool *disabled*",
    b"*user*skip*",
    b"*was not run*",
    b"pending",
    b"skipped*",
];

/// Any lines of such answers.
const LINES: [&[u8]; 10] = [
    b"<status>running*",
    b"*user doesn't want to *",
    b"the user did not a*",
    b"<tool_use_error>*",
    b"pretooluse:*",
    b"*no such tool*",
    b"*unknown tool*",
    b"*invalid arguments for *",
    b"*no result provided*",
    b"process running with session *",
];

/// Whether a result may say that its call was refused, cancelled or interrupted, or still runs: `The user doesn't want to
/// proceed with this tool use`, `[Request interrupted by user]`, `aborted by user after 2.0s`.
pub fn is_refusal(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let has = |line: &[u8], shapes: &[&'static [u8]]| {
        shapes.iter().any(|shape| Rule::new(0, shape).fits_bytes(line))
    };
    let mut lines = lower.as_bytes().split(|byte| *byte == b'\n');
    text.len() <= LONGEST_REFUSAL
        && (lines.clone().take(1).any(|line| has(line, &FIRST_LINES))
            || lines.any(|line| has(line, &LINES)))
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
            "[No result: the call was interrupted.]",
            "No result provided",
            "aborted",
            "Skipped",
            "{\"status\":\"cancelled\"}",
            "This command requires approval",
            "Tool call was not approved by the user",
            "Tool call bash with id c1 was cancelled - another message came in before it could be completed.",
            "The user has declined to run this tool. DO NOT attempt to call this tool again.",
            "Command running in background with ID: bash_1",
            "Chunk ID: 7f\nWall time: 10.0 seconds\nProcess running with session ID 5\nOutput:\n",
            "Command is still running",
            "Process is still running (pid 4711). Wait for it.",
            "{\"status\":\"running\"}",
            "{\"id\": 3, \"status\": \"running\"}",
            "{\"status\": \"in_progress\", \"id\": \"bash_1\"}",
            "<retrieval_status>timeout</retrieval_status>\n\n<status>running</status>\n",
            "in progress",
            "Execution is still in progress.",
            "Pending",
            "Command did not finish within 120 seconds",
            "The command has not finished yet",
            "The process has no new output",
            "The command was not run",
            "The tool did not run: another call is open",
            "User skipped the command",
            "Command skipped by the user",
            "The user chose not to run this command",
            "The user decided not to proceed",
            "This action requires confirmation",
            "The tool call needs user confirmation",
            "Waiting for confirmation",
            "Not allowed in plan mode",
            "Plan mode is active: only reads are possible",
            "Tool bash is disabled",
            "The `bash` tool is currently disabled.",
            "Tool call skipped due to queued user message.",
            "Command was cancelled.",
            "Command was canceled",
            // Outcomes of a system, which say as little.
            "bash: ./run.sh: Permission denied",
            "403 Forbidden: access denied",
            "git@github.com: Permission denied (publickey).",
            "/Users/anna/app/src/rejected.ts: ok",
            "npm error 403 requests denied by the registry",
            "Query execution was canceled on statement timeout",
            "execution of step 3 aborted due to error: exit 2",
            "java.util.concurrent.CancellationException: Operation cancelled",
            "PR #3: not approved yet",
        ] {
            assert!(is_refusal(refused), "{refused}");
        }
        for outcome in [
            "",
            "Error: Exit code 1\nFAIL a.test.js",
            "Error: ENOENT: no such file or directory, open 'user.json'",
            "fatal: could not read Username: terminal prompts disabled",
            "Error: connection refused",
            "error: aborting due to 2 previous errors",
            "The operation timed out",
            " \u{2713} src/user.test.ts (3 tests)\n   \u{2713} cancels the subscription\n 3 passed",
            "PASS src/users/user.service.spec.ts\n  \u{2713} should reject invalid emails",
            "--- PASS: TestUserCancel (0.00s)",
            "To github.com:user/app.git\n ! [rejected] main -> main (non-fast-forward)",
            "[main 3f2a1] Let users cancel orders",
            "modified: src/users/reject.ts",
            "error: patch failed: user.js:1\n1 hunk rejected",
            "Sorted by username",
            "used by users: 12",
            "12 passed, 3 skipped in 0.31s",
            "Table created by user postgres",
            "replaced by user.config",
            "/home/user/project/src/cancel.ts(3,1): error TS2304",
            "Pending migrations: 0",
            "Deployment in progress...done",
            "Progress: 100%\nDone",
            "2 pending",
            "nginx is not running",
            "{\"status\":\"ok\",\"pending\":0}",
            "{\"status\":\"completed\"}",
            "Confirmation email sent to 3 users",
            "Waiting for deployment \"web\" rollout to finish: 0 of 1\ndeployment \"web\" successfully rolled out",
            "Tool ran without output or errors",
            "3 tools built, tooltip disabled in dark mode",
            "1 passing, 3 tests skipped by filter",
            "Running 3 tests using 1 worker",
            "Skipping tools: up to date",
            "Finished in 2 s, 0 not found",
        ] {
            assert!(!is_refusal(outcome), "{outcome}");
        }
    }
}
