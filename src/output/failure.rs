//! Signs of failure that do not depend on the tool.

use super::HAS_ROOM;
use super::counts::whole_number;
use super::rule::Rule;
use super::runner::Runner;

/// Bytes of a result that [`looks_like_error`] reads. Truncation keeps at least that much of the beginning.
pub const ERROR_HEAD_BYTES: usize = 64;

/// Returns whether a result's first bytes report that the tool failed, for formats without a flag for it.
pub fn looks_like_error(text: &[u8]) -> bool {
    let head = &text[..text.len().min(ERROR_HEAD_BYTES)];
    const STARTS: &[&[u8]] = &[
        b"error:",
        b"error ",
        b"fatal:",
        b"traceback (most recent call last)",
        b"failed to ",
        b"<error",
    ];
    let head = head.trim_ascii_start();
    STARTS
        .iter()
        .any(|start| head.len() >= start.len() && head[..start.len()].eq_ignore_ascii_case(start))
}

/// Returns whether a line names an error, be it text that contains one. The core wasm knows only what states one.
pub fn names_error(line: &str) -> bool {
    if HAS_ROOM { is_error_line(line) } else { states_error(line) }
}

/// Returns whether a line contains `error: ...`, `TypeError: ...`, `error TS2304: ...`.
fn is_error_line(line: &str) -> bool {
    const MARKS: [Rule; 10] = [
        Rule::new(0, b"*error:*"),
        Rule::new(0, b"*error[*"),
        // Node: `Error [ERR_MODULE_NOT_FOUND]: ...`.
        Rule::new(0, b"*error [err_$]: *"),
        // And one of another realm, as those of tests: `TypeError [Error]: ...`.
        Rule::new(0, b"*error [error]: *"),
        Rule::new(0, b"*exception:*"),
        Rule::new(0, b"*exception in thread*"),
        Rule::new(0, b"*panicked at*"),
        Rule::new(0, b"*fatal:*"),
        Rule::new(0, b"*assertionerror*"),
        // Ruby puts the error after its message: `no such file (LoadError)`.
        Rule::new(0, b"*error)"),
    ];
    let lower = line.to_ascii_lowercase();
    let coded = Rule::new(0, b"*error &:*");
    // `error:` in a quote or a warning matches the first mark, so that mark is skipped.
    let marks = &MARKS[usize::from(only_mentions_error(&lower))..];
    marks.iter().any(|mark| mark.fits(&lower)) || coded.fits(line)
}

/// Returns whether a line is a tool's own report of an error, and not text that contains one: behind nothing but times,
/// brackets, the name of a tool or a place in a file. `except OSError: pass`, `resetOnError: true` and the subject of a
/// commit are none.
pub fn states_error(line: &str) -> bool {
    let mut rest = line.as_bytes();
    while !begins_with_error(rest) {
        let Some(end) = memchr::memchr(b' ', rest) else { return false };
        if !may_precede_error(&rest[..end]) {
            return false;
        }
        rest = &rest[end + 1..];
    }
    true
}

/// Returns whether a word may stand between the margin and the name of an error.
fn may_precede_error(word: &[u8]) -> bool {
    const KNOWN: [&[u8]; 5] = [b"uncaught", b"unhandled", b"fatal", b"internal", b"php"];
    let is_warning = word.windows(4).any(|part| part.eq_ignore_ascii_case(b"warn"));
    let is_aside = match word {
        [.., b':' | b')'] => true,
        [first, ..] if first.is_ascii_alphabetic() => {
            KNOWN.iter().any(|known| word.eq_ignore_ascii_case(known))
        }
        // A time, but no commit. The core wasm does not know what follows the times of a job's runner.
        [b'0'..=b'9', rest @ ..] => {
            let is_time = rest.len() < 4 || rest.iter().any(|sign| b":-.,/)".contains(sign));
            HAS_ROOM && is_time && !rest.iter().any(u8::is_ascii_lowercase)
        }
        [first, ..] => !b"+-\"'`{/#".contains(first),
        [] => true,
    };
    is_aside && !is_warning
}

/// Returns whether a text begins with the name of an error: `error:`, `Error [ERR_X]:`, `error[E0308]`, `error TS2304:`,
/// `java.io.IOException:`.
fn begins_with_error(text: &[u8]) -> bool {
    /// The code behind `error`, and the errors of Rust, Java and Ruby, which do not begin with their name.
    const CODE: Rule = Rule::new(0, b" &:*");
    const REPORTS: [Rule; 3] = [
        Rule::new(0, b"thread '*' *panicked at *"),
        Rule::new(0, b"Exception in thread *"),
        Rule::new(0, b"$:%:in *Error)"),
    ];
    // Node prints error objects in brackets.
    let text = text.strip_prefix(b"[").unwrap_or(text);
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    let (name, behind) = text.split_at(text.iter().take_while(is_part).count());
    let own = name.iter().rposition(|byte| *byte == b'.').map_or(0, |dot| dot + 1);
    let is_class = name.get(own).is_some_and(u8::is_ascii_uppercase)
        && (name.ends_with(b"Error") || name.ends_with(b"Exception"));
    let words: [&[u8]; 3] = [b"error", b"fatal", b"exception"];
    let is_name = is_class || words.iter().any(|word| name.eq_ignore_ascii_case(word));
    let is_told = matches!(behind, [b':'] | [b':', b' ', ..] | [b'[', ..] | [b' ', b'[', ..]);
    is_name && (is_told || CODE.fits_bytes(behind))
        || REPORTS.iter().any(|report| report.fits_bytes(text))
}

/// Returns whether the first `error:` of a line is in a quote (`throw Error("error: no file")`) or after the name of a
/// warning (`a.py:6: UserWarning: error: old`).
fn only_mentions_error(lower: &str) -> bool {
    const NAMED: Rule = Rule::new(0, b"*error:{*}");
    const WARNED: [Rule; 3] =
        [Rule::new(0, b"*warning:*"), Rule::new(0, b"*warn *"), Rule::new(0, b"*[warn*")];
    let at = NAMED.kept_of(lower).map(|kept| lower.len() - kept.len() - "error:".len());
    at.and_then(|at| lower.get(..at)).is_some_and(|before| {
        is_quoted(before.as_bytes()) || WARNED.iter().any(|mark| mark.fits(before))
    })
}

/// Returns whether the word that continues after `before` begins with a quote.
fn is_quoted(before: &[u8]) -> bool {
    let is_other = |byte: &&u8| !(byte.is_ascii_alphanumeric() || **byte == b'.');
    matches!(before.iter().rev().find(is_other), Some(b'"' | b'\'' | b'`'))
}

/// Returns whether a line is more than a rule, a fence or a tag that a host puts below an output.
pub fn is_prose(line: &str) -> bool {
    let tags = line.bytes().filter(|sign| *sign == b'<').count();
    let is_tag = line.starts_with('<') && line.ends_with('>') && tags == 1;
    // The core wasm has no table of letters.
    let is_letter =
        |sign: char| if HAS_ROOM { sign.is_alphabetic() } else { sign.is_ascii_alphabetic() };
    !is_tag && line.contains(is_letter)
}

/// Returns whether a line speaks of a failure in prose: `Deployment was rejected`, `port is not a number`. `0 errors` and
/// names of files do not.
pub fn tells_of_failure(line: &str) -> bool {
    const WORDS: &str = "failed failure failures fails error errors rejected denied refused invalid aborted unable cannot \
                         not exceeded forbidden killed terminated missing unexpected interrupted low threshold \
                         fail crashed aborting timed";
    const REPORTS: [Rule; 4] = [
        Rule::new(0, b"*No such file or directory"),
        Rule::new(0, b"*address already in use*"),
        Rule::new(0, b"*level=fatal*"),
        Rule::new(0, b"*\"level\":\"fatal\"*"),
    ];
    let mut before = "";
    REPORTS.iter().any(|report| report.fits(line))
        || line.split(' ').any(|word| {
            let word = word.trim_matches(|sign: char| sign.is_ascii_punctuation());
            let is_told = WORDS.split(' ').any(|known| word.eq_ignore_ascii_case(known));
            let is_none = before == "0" || before.eq_ignore_ascii_case("no");
            before = word;
            is_told && !is_none
        })
}

/// Returns whether a line consists only of the signs of passed or skipped tests: `..s.`, and pytest's `.x. [ 66%]`.
pub fn is_progress(line: &str) -> bool {
    let share =
        line.split_once(' ').filter(|(_, share)| share.starts_with('[') && share.ends_with("%]"));
    let signs = share.map_or(line, |(signs, _)| signs);
    line.starts_with('.')
        && signs.bytes().all(|byte| matches!(byte, b'.' | b's' | b'S' | b'x' | b'*'))
}

/// Returns the runner whose signs of tests a line consists of, one of them failed: pytest's `a.py ..F. [ 66%]`, PHPUnit's
/// `.F. 3 / 3 (100%)`.
pub fn runner_of_failed_sign(line: &str) -> Option<Runner> {
    let (file, rest) = line.split_once(' ')?;
    let (signs, share) = if file.ends_with(".py") { rest.split_once(' ')? } else { (file, rest) };
    let runner = match share.as_bytes() {
        [b'[', .., b'%', b']'] => Runner::PYTEST,
        [b'0'..=b'9', .., b'%', b')'] if share.contains(" / ") => Runner::XUNIT,
        _ => return None,
    };
    let is_sign = |sign: u8| b".FEsSxXRWINDP".contains(&sign);
    (signs.contains(['F', 'E']) && signs.bytes().all(is_sign)).then_some(runner)
}

/// Returns whether a line begins with the signs of tests that ran before one of them printed it: `..*Error: no file`.
pub fn begins_with_progress(line: &str) -> bool {
    let rest = line.trim_start_matches(['.', '*', ',', 's', 'F']);
    line.starts_with('.') && rest.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Returns whether a line as printed names a passed test: a check mark after at least two spaces, as nested lists of
/// tests have it. Other tools put no more than one before it.
pub fn is_passed_test(line: &[u8]) -> bool {
    const MARKS: [&[u8]; 2] = ["✓ ".as_bytes(), "✔ ".as_bytes()];
    let Some(at) = memchr::memchr(MARKS[0][0], line) else {
        return false;
    };
    let (before, rest) = line.split_at(at);
    let rest = &rest[..rest.len().min(3)];
    let spaces = before.iter().filter(|byte| **byte == b' ').count();
    let is_other =
        |byte: &u8| !matches!(byte, b' ' | b'\r' | 0x1b | b'[' | b'0'..=b'9' | b';' | b'm');
    spaces > 1 && !before.iter().any(is_other) && MARKS.iter().any(|mark| mark.starts_with(rest))
}

/// Returns whether a line begins with a position in a file: `src/a.go:3:28: undefined: x`.
pub fn is_placed(line: &[u8]) -> bool {
    let end = memchr::memchr2(b' ', b'\t', line).unwrap_or(0);
    end > 2
        && line[end - 1] == b':'
        && line[end - 2].is_ascii_digit()
        && memchr::memchr(b':', &line[..end - 1]).is_some()
}

/// Returns whether a line is an exception as Python prints it below a traceback: `queue.Empty`, `app.Item.DoesNotExist: 3`.
pub fn is_raised_by_python(line: &str) -> bool {
    let name = line.split(": ").next().unwrap_or_default().trim_end_matches(':');
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    name.split('.').all(is_part)
        && name
            .rsplit('.')
            .next()
            .is_some_and(|class| class.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// An exit status named in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExitStatus {
    pub status: u32,
    /// Whether it is the status of the whole command, not of a process within it: `worker-1 exited with code 0`.
    pub is_own: bool,
}

/// Returns whether a line may begin with an exit status in other words than `exit`: `<returncode>1`, `rc=1`.
pub fn may_be_return_code(line: &[u8]) -> bool {
    let name = line.iter().position(|byte| byte.is_ascii_alphabetic()).unwrap_or(line.len());
    let start = line[name..].iter().take(6).map(u8::to_ascii_lowercase);
    name < 3 && (start.clone().eq(*b"return") || start.take(3).eq(*b"rc="))
}

/// Shapes of lines with an exit status, in lower case.
const EXITS: &[Rule] = &[
    Rule::new(0, b"*exit code{*}"),
    Rule::new(0, b"*exit_code{*}"),
    Rule::new(0, b"*exit status{*}"),
    Rule::new(0, b"*exit* with {*}"),
    // Without brackets it may be a line of a script.
    Rule::new(0, b"[exit{*}]"),
    Rule::new(0, b"[process exited{*}]"),
    // What a shell is asked to print: `exit=1`, `exit: 1`.
    Rule::new(0, b"exit{=*}"),
    Rule::new(0, b"exit{: *}"),
];

/// More of them, of hosts that say it otherwise.
#[cfg(feature = "files")]
const OTHER_EXITS: &[Rule] = &[
    Rule::new(0, b"command exited with code {%} and error:*"),
    Rule::new(0, b"command exited with non-zero {*}"),
    Rule::new(0, b"*exit-code{*}"),
    Rule::new(0, b"*exitcode{*}"),
    Rule::new(0, b"*exit_status{*}"),
    Rule::new(0, b"*return code{*}"),
    Rule::new(0, b"*return_code{*}"),
    Rule::new(0, b"*returncode{*}"),
    Rule::new(0, b"exit{:*}"),
    Rule::new(0, b"rc={*}"),
];
#[cfg(not(feature = "files"))]
const OTHER_EXITS: &[Rule] = &[];

/// Reads an exit status: `exit code: 1`, `exit code 1`, `exited with code 1`, `exit status 1`, `[exit 1]`,
/// `<returncode>1</returncode>`.
pub fn exit_status(line: &str) -> Option<ExitStatus> {
    // A comment in source code.
    if line.starts_with(['/', '*']) {
        return None;
    }
    let lower = line.to_ascii_lowercase();
    let kept = OTHER_EXITS.iter().chain(EXITS).find_map(|exit| exit.kept_of(&lower))?;
    let is_sign = |sign| matches!(sign, ':' | ' ' | '=' | '"' | '>');
    let words = ["code", "status"].iter().find_map(|word| kept.strip_prefix(word));
    let kept = words.unwrap_or(kept);
    let rest = kept.trim_start_matches(is_sign);
    // `return code == 1` is source code.
    if HAS_ROOM
        && kept.bytes().take(kept.len() - rest.len()).filter(|sign| *sign == b'=').count() > 1
    {
        return None;
    }
    let (digits, behind) =
        rest.split_at_checked(rest.bytes().take_while(u8::is_ascii_digit).count())?;
    // `exits with exit code 1 if no file matches` is prose.
    if behind.trim_start().starts_with(|letter: char| letter.is_ascii_alphanumeric()) {
        return None;
    }
    let status = whole_number(digits)?;
    let is_bracket = |sign| matches!(sign, '[' | '(' | '<');
    let start = lower.strip_prefix(is_bracket).unwrap_or(&lower);
    let start = start.strip_prefix("the ").unwrap_or(start).as_bytes();
    let is_own = OWN_STARTS.iter().any(|own| start.starts_with(own));
    Some(ExitStatus { status, is_own })
}

/// Beginnings of lines in which hosts report the exit status.
#[cfg(feature = "files")]
const OWN_STARTS: [&[u8]; 5] = [b"exit", b"command", b"process", b"return", b"rc="];
#[cfg(not(feature = "files"))]
const OWN_STARTS: [&[u8]; 3] = [b"exit", b"command", b"process"];

#[cfg(test)]
mod tests {
    use super::{
        exit_status, is_error_line, is_placed, looks_like_error, states_error, tells_of_failure,
    };

    #[test]
    fn prose_that_speaks_of_a_failure() {
        for line in ["Deployment was rejected: quota", "port is not a number", "2 checks FAILED!"] {
            assert!(tells_of_failure(line), "{line}");
        }
        for line in ["", "0 errors, no failures", "src/errors.ts", "Time: 3 s", "not-found.ts | 90"]
        {
            assert!(!tells_of_failure(line), "{line}");
        }
    }

    #[test]
    fn failures_by_their_first_words() {
        for text in [
            "Error: no such file",
            "  fatal: not a git repository",
            "Traceback (most recent call last):\n",
        ] {
            assert!(looks_like_error(text.as_bytes()), "{text}");
        }
        for text in ["", "Errors were fixed", "0 errors", "ok"] {
            assert!(!looks_like_error(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn lines_that_name_errors() {
        for line in [
            "error: a",
            "a.c:3:5: fatal error: b.h: No such file",
            "TypeError: x is not a function",
            "src/a.ts(3,1): error TS2304: Cannot find name 'x'.",
            "a.cs(1,2): error CS0103: The name 'x' does not exist",
            "error[E0308]: mismatched types",
            "java.lang.IllegalStateException: no zero",
            "a.rb:1:in `require': cannot load such file -- b (LoadError)",
            "error: 3 warnings and this: warning: a",
        ] {
            assert!(is_error_line(line), "{line}");
        }
        for line in [
            "",
            "0 errors",
            "no error here",
            "errors: none",
            "error handling",
            "a.ts:1: throw new Error(\"error: no file\")",
            "a.ts:1: x = 'TypeError: y'",
            "a.py:6: UserWarning: error: deprecated in 3.0",
            "npm warn cleanup error: busy",
            "[WARN] 2 retries: Error: timeout",
        ] {
            assert!(!is_error_line(line), "{line}");
        }
    }

    #[test]
    fn lines_that_only_state_errors() {
        for line in [
            "error: a",
            "a.c:3:5: fatal error: b.h: No such file",
            "requests.exceptions.HTTPError: 404",
            "Error [ERR_MODULE_NOT_FOUND]: no b",
            "thread 'main' (317) panicked at src/main.rs:5:26:",
            "Exception in thread \"main\" java.lang.Error",
            "[error] FATAL: no database",
        ] {
            assert!(states_error(line), "{line}");
        }
        for line in [
            "",
            "except OSError: pass",
            "Error::Io(cause) => cause,",
            "resetOnError: true,",
            "continue-on-error: true",
            "[WARN] 2 retries: Error: timeout",
            "a.py:6: UserWarning: error: deprecated in 3.0",
            "'TypeError: y'",
            "+error: a",
            "the error: a",
        ] {
            assert!(!states_error(line), "{line}");
        }
    }

    #[test]
    fn exit_status_as_it_is_written() {
        let cases = [
            ("Command exited with code 2", Some(2)),
            ("exit code: 0", Some(0)),
            ("Exit status 101", Some(101)),
            ("exit code=3", Some(3)),
            ("[exit 1]", Some(1)),
            ("Exiting with status 1.", Some(1)),
            ("exited with 127", Some(127)),
            ("exit 1", None),
            ("No tests found, exiting with code 1", Some(1)),
            ("ld returned 1 exit status", None),
            ("exit code of it", None),
            ("/** A usage error: exit code 2. */", None),
        ];
        for (line, status) in cases {
            assert_eq!(exit_status(line).map(|exit| exit.status), status, "{line}");
        }
        let is_own = |line| exit_status(line).is_some_and(|exit| exit.is_own);
        assert!(is_own("[The command completed with exit code 0.]") && is_own("Exit Code: 0"));
        assert!(
            !is_own("worker-1 exited with code 0")
                && !is_own("No tests found, exiting with code 1")
        );
    }

    #[test]
    fn lines_that_begin_with_a_place() {
        for line in ["a.go:3:28: x", "a.py:3: x", "a.py:3:\tx"] {
            assert!(is_placed(line.as_bytes()), "{line}");
        }
        for line in ["", " ", "a.go: x", "12:00 x", "12: x", "a.go:3:28:"] {
            assert!(!is_placed(line.as_bytes()), "{line}");
        }
    }
}
