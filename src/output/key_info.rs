//! Key facts of an output, extracted line by line in bounded memory.

use super::HAS_ROOM;
use super::colours::behind_colour;
use super::counts::{Counts, matches_in};
use super::examples::Examples;
use super::facts::KeyInfo;
use super::failure::{
    ERROR_HEAD_BYTES, ExitStatus, begins_with_progress, exit_status, is_passed_test, is_placed,
    is_progress, is_prose, looks_like_error, may_be_return_code, names_error,
    runner_of_failed_sign, states_error, tells_of_failure,
};
use super::firsts::Firsts;
use super::lines::{OBJECT_LIMIT, behind_prefix, heads_jobs, limit_of, line_end, plain_text};
use super::open::{List, Open};
use super::outcome::{Outcome, Verdict};
use super::paths::paths_in;
use super::quoted::in_xml;
use super::rule::{Rule, says};
use super::runner::Runner;
use super::runners::{find_rule, may_fit};
use super::test_logs::TestLogs;
use super::words::{ANYWHERE, ERRORS, EXIT, LineSigns, MATCH};

const LINE_LIMIT: usize = 400;
/// Lines in which hosts state the exit status before the output.
const HEAD_LINES: u32 = 3;
/// Lines in which they state it after the output.
const TAIL_LINES: u32 = 5;
const SHOWN_LIMIT: usize = 160;
const ERROR_LINES: usize = 3;
const NAMES: usize = 5;
const PATHS: usize = 5;

/// The kind of an output, which decides what to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// A command's log: errors, exit statuses and test counts are taken literally.
    Log,
    /// The matches of a search.
    Matches,
    /// Content or names of files: text that looks like an error is not one.
    Content,
}

/// Collects key facts from the UTF-8 chunks of a text.
#[derive(Debug, Clone)]
pub struct KeyInfoReader {
    kind: OutputKind,
    head: Vec<u8>,
    /// The beginning of a line that has not ended yet.
    line: Vec<u8>,
    /// The last byte that was read.
    last: Option<u8>,
    full_lines: u32,
    /// The line that states the exit status, among those that are not empty.
    exit_line: u32,
    /// The last line that states a success, among them.
    success_line: u32,
    /// Whether a line that no rule knows names an error, or a place in a file. In the core wasm, any line of text does.
    is_doubtful: bool,
    verdict: Verdict,
    counts: Counts,
    names: Firsts,
    /// Lines that are errors whatever the outcome.
    errors: Firsts,
    /// Those, and lines that are errors only in a failed run.
    failures: Firsts,
    /// The errors among them that a failed test or a rule names, which are shown first: the others may have been logged
    /// by tests.
    details: Firsts,
    /// Whether the lines are about a failed test, and not printed while tests run.
    has_details: bool,
    /// Whether any lines were.
    had_details: bool,
    /// The list of failed tests that is open.
    list: Option<List>,
    /// What compilers add to an error: it is shown if there is room.
    notes: Firsts,
    /// What pytest's summary gives as the reasons of failed tests.
    reasons: Firsts,
    /// The name of a test in a report, which may have failed, or a line that may be an error.
    candidate: String,
    /// Examples that were seen to end.
    examples: Examples,
    /// Lines of tests that run, of which it is not known whether they fail.
    test_logs: TestLogs,
    open: Open,
    /// The number of all tests that stands above uvu's number of passed ones.
    total: Option<u32>,
    /// Whether the time or the name of a job may stand before every line: the first one has it, or a line announces it.
    is_prefixed: bool,
    /// Whether the line begins with no space.
    is_at_margin: bool,
    /// Whether the lines below that are indented by four spaces quote what a test logged.
    quotes: bool,
    info: KeyInfo,
}

impl KeyInfoReader {
    /// Creates a reader for an output of this kind.
    pub fn new(kind: OutputKind) -> Self {
        Self {
            kind,
            head: Vec::new(),
            line: Vec::new(),
            full_lines: 0,
            exit_line: 0,
            success_line: 0,
            is_doubtful: false,
            verdict: Verdict::default(),
            counts: Counts::default(),
            names: Firsts::default(),
            errors: Firsts::default(),
            failures: Firsts::default(),
            details: Firsts::default(),
            has_details: false,
            had_details: false,
            list: None,
            notes: Firsts::default(),
            reasons: Firsts::default(),
            candidate: String::new(),
            examples: Examples::default(),
            test_logs: TestLogs::default(),
            last: None,
            open: Open::Nothing,
            total: None,
            is_prefixed: false,
            is_at_margin: false,
            quotes: false,
            info: KeyInfo::default(),
        }
    }

    /// Reads a whole text, whose UTF-8 chunks `read` passes on.
    #[cfg(not(feature = "files"))]
    pub fn read(mut self, read: impl FnOnce(&mut dyn FnMut(&[u8]))) -> KeyInfo {
        read(&mut |chunk| self.add_chunk(chunk));
        self.finish()
    }

    /// Reads the next chunk.
    pub fn add_chunk(&mut self, chunk: &[u8]) {
        let room = ERROR_HEAD_BYTES.saturating_sub(self.head.len()).min(chunk.len());
        self.head.extend_from_slice(&chunk[..room]);
        let mut rest = chunk;
        while let Some(end) = line_end(&self.line, self.last, rest, self.in_report()) {
            let is_line = rest[end] == b'\n';
            self.info.lines += u32::from(is_line);
            if self.line.is_empty() {
                let line = self.not_overwritten(&rest[..end]);
                self.end_line(&line[..line.len().min(limit_of(line))], is_line);
            } else {
                self.extend_line(&rest[..end]);
                self.end_open_line(is_line);
            }
            rest = &rest[end + usize::from(is_line)..];
        }
        self.extend_line(rest);
    }

    /// Returns all facts.
    pub fn finish(mut self) -> KeyInfo {
        self.info.lines += u32::from(!self.line.is_empty());
        self.end_open_line(true);
        if HAS_ROOM {
            for line in self.test_logs.rest() {
                self.add_error(&line, false, false);
            }
        }
        if HAS_ROOM {
            self.judge_crossed("");
            self.add_reasons();
        }
        let is_refused = looks_like_error(&self.head);
        let exit_status = self.own_exit_status();
        let mut outcome = self.verdict.outcome_of(exit_status, is_refused);
        // Without the rules of other tools, a success counts only if nothing else is said: an exit status may be that of
        // the last of several commands.
        let goes_on = exit_status.is_none() && self.success_line < self.full_lines;
        let is_doubted = !HAS_ROOM && (goes_on || self.is_doubtful);
        // Nor does one beside the name of a failed test, whoever printed it.
        if outcome == Outcome::Succeeded && (is_doubted || !self.names.texts.is_empty()) {
            outcome = Outcome::Unknown;
        }
        let errors = match outcome {
            Outcome::Failed if self.had_details => self.details.before(self.failures, ERROR_LINES),
            Outcome::Failed => self.failures,
            _ => self.errors,
        };
        let errors = match outcome {
            Outcome::Failed if HAS_ROOM => errors.followed_by(self.notes, ERROR_LINES),
            _ => errors,
        };
        let lines = (self.kind == OutputKind::Matches).then_some(self.full_lines);
        KeyInfo {
            outcome,
            passed: self.counts.passed(),
            failed: self.counts.failed(),
            failed_tests: self.names.texts,
            more_failed_tests: self.names.more,
            errors: errors.texts,
            more_errors: errors.more,
            matches: self.info.matches.or(lines).filter(|_| !is_refused),
            begins_with_error: is_refused,
            ..self.info
        }
    }

    fn in_report(&self) -> bool {
        self.list.is_some_and(|list| list.of.is_report())
    }

    /// Returns the exit status without a success between other lines: a process within the command may have logged it.
    fn own_exit_status(&self) -> Option<u32> {
        let is_last = self.full_lines - self.exit_line <= TAIL_LINES;
        let is_hosts = self.exit_line <= HEAD_LINES || is_last;
        self.info.exit_status.filter(|status| *status > 0 || is_hosts)
    }

    fn extend_line(&mut self, piece: &[u8]) {
        let piece = self.not_overwritten(piece);
        let limit = limit_of(if self.line.is_empty() { piece } else { &self.line });
        let room = limit.saturating_sub(self.line.len()).min(piece.len());
        self.line.extend_from_slice(&piece[..room]);
        self.last = piece.last().copied().or(self.last);
    }

    /// Returns the part of a piece that stays on a terminal, and forgets the line so far if the piece overwrites it.
    /// Bars of progress make lines longer than what is read of a line.
    fn not_overwritten<'a>(&mut self, piece: &'a [u8]) -> &'a [u8] {
        let text = piece.trim_ascii_end();
        if self.last == Some(b'\r') && !text.is_empty() {
            self.line.clear();
        }
        // Searched from the front, which is the fastest for most lines: they have none.
        let mut from = 0;
        while let Some(at) = memchr::memchr(b'\r', &text[from..]) {
            self.line.clear();
            from += at + 1;
        }
        &piece[from..]
    }

    fn end_open_line(&mut self, is_line: bool) {
        let line = std::mem::take(&mut self.line);
        self.end_line(&line, is_line);
    }

    /// Returns a line of a log without the time or the name of a job before it.
    fn without_prefix<'l>(&mut self, line: &'l [u8]) -> &'l [u8] {
        let may_have_one = self.is_prefixed || self.full_lines == 0;
        let behind = if may_have_one { behind_prefix(line) } else { None };
        self.is_prefixed |= behind.is_some() || heads_jobs(line);
        let line = behind.unwrap_or(line);
        // pnpm puts thin spaces around its codes.
        line.strip_prefix("\u{2009}".as_bytes()).unwrap_or(line)
    }

    fn end_line(&mut self, mut line: &[u8], is_line: bool) {
        if HAS_ROOM && self.kind == OutputKind::Log {
            line = self.without_prefix(line);
        }
        let needs_paths = self.info.paths.len() < PATHS;
        let is_content = self.kind == OutputKind::Content;
        if is_content && !needs_paths {
            return;
        }
        let is_indented = line.starts_with(b"  ");
        self.is_at_margin = !matches!(behind_colour(line), [b' ' | b'\t', ..]);
        let is_quoted = self.quotes && line.starts_with(b"    ");
        let (printed, line) = (line, line.trim_ascii());
        if is_quoted {
            return;
        }
        self.quotes &= line.is_empty();
        let is_log = self.kind == OutputKind::Log;
        let passes = is_log && is_passed_test(printed);
        if is_log && !line.is_empty() {
            self.examples.add(printed);
        }
        self.full_lines += u32::from(is_line && !line.is_empty());
        // Most lines contain nothing of interest; detecting that must be cheap.
        let signs = LineSigns::of(line);
        let names_path = needs_paths && signs.may_name_path();
        if line.is_empty() && self.open == Open::Name {
            self.open = Open::Nothing;
        }
        let words = match self.kind {
            OutputKind::Log if HAS_ROOM && may_be_return_code(line) => signs.words | EXIT,
            OutputKind::Log => signs.words,
            OutputKind::Matches if matches!(line.first(), Some(b'F' | b'N')) => MATCH,
            OutputKind::Matches => signs.words & MATCH,
            OutputKind::Content => 0,
        };
        if line.is_empty() || !(names_path || words != 0 || self.may_say(line, signs)) {
            return;
        }
        let object = line.strip_prefix(b"{").filter(|rest| matches!(rest, [b'"' | b'}', ..]));
        let line = object.map_or_else(
            || plain_text(line, LINE_LIMIT),
            |fields| plain_text(fields, OBJECT_LIMIT),
        );
        if names_path {
            self.add_paths(&line);
        }
        if HAS_ROOM {
            self.judge_crossed(&line);
        }
        match self.kind {
            OutputKind::Log if passes && self.open == Open::Nothing => {
                self.run_tests(Runner::UNKNOWN)
            }
            OutputKind::Log => {
                self.add_log_line(
                    &line,
                    if is_indented { words & !EXIT } else { words },
                    is_indented,
                );
            }
            OutputKind::Matches if words & MATCH != 0 => self.add_matches(&line),
            _ => {}
        }
    }

    /// Returns whether a line without any of the words may still be relevant.
    fn may_say(&self, line: &[u8], signs: LineSigns) -> bool {
        let goes_on =
            self.open != Open::Nothing || self.list.is_some() || self.verdict.has_succeeded();
        let is_placed = || signs.may_be_placed() && is_placed(line);
        // Without the rules of other tools, any text makes a success doubtful.
        let may_doubt = !HAS_ROOM && !self.is_doubtful;
        let is_progress = HAS_ROOM && (line.ends_with(b"%]") || line.ends_with(b"%)"));
        self.kind == OutputKind::Log
            && (goes_on
                || is_progress
                || may_doubt
                || signs.has_control()
                || may_fit(line)
                || is_placed())
    }

    fn add_matches(&mut self, line: &str) {
        let told = matches_in(&line.to_ascii_lowercase());
        self.info.matches = told.or(self.info.matches);
    }

    fn add_paths(&mut self, line: &str) {
        for path in paths_in(line) {
            if self.info.paths.len() >= PATHS {
                return;
            }
            if !self.info.paths.iter().any(|known| known == path) {
                self.info.paths.push(path.to_owned());
            }
        }
    }

    fn add_log_line(&mut self, line: &str, words: u32, is_indented: bool) {
        if self.continues(line) {
            return;
        }
        if words & EXIT != 0 {
            self.add_exit_status(line);
        }
        let in_report = self.in_report();
        let is_anywhere =
            words & ANYWHERE != 0 || self.list.is_some() || is_placed(line.as_bytes());
        let found = self.rule_of(line, is_anywhere, is_indented);
        if let Some((rule, kept)) = found.filter(|(rule, kept)| !self.is_crossed(*rule, kept)) {
            // An error below a success is of another command.
            if HAS_ROOM && rule.has(says::ERROR) && self.verdict.has_succeeded() {
                self.verdict.go_on(true);
            }
            self.apply(rule, line, kept);
        } else if in_report {
            // What a report quotes was said elsewhere.
            if line == "}" && !is_indented {
                self.list = None;
            } else if words & ERRORS != 0 && names_error(line) {
                let end = line.strip_suffix("</failure>").or_else(|| line.strip_suffix("</error>"));
                self.add_error(&in_xml(end.unwrap_or(line)), false, false);
            }
        } else if HAS_ROOM && let Some(runner) = runner_of_failed_sign(line) {
            self.verdict.name_failure(runner);
        } else if is_progress(line) {
            self.run_tests(Runner::UNKNOWN);
        } else if words & ERRORS != 0 && names_error(line) {
            if begins_with_progress(line) {
                self.run_tests(Runner::UNKNOWN);
            }
            let states_error = self.is_at_margin && states_error(line);
            // The core wasm takes no error line for an outcome.
            match states_error {
                _ if !HAS_ROOM => {}
                true => self.verdict.name_error(),
                false => self.verdict.mention_error(),
            }
            self.is_doubtful = true;
            self.add_error(line, states_error, self.has_details);
        } else if is_placed(line.as_bytes()) {
            self.is_doubtful = true;
            // Below a success, a place in a file is the finding of another tool.
            if HAS_ROOM && self.is_at_margin && self.verdict.has_succeeded() {
                self.verdict.go_on(true);
            } else {
                self.go_on(line);
            }
            self.add_error(line, false, self.has_details);
        } else if !HAS_ROOM {
            self.is_doubtful |= is_prose(line) && self.exit_line != self.full_lines;
        } else {
            self.go_on(line);
        }
    }

    /// Records a line that no rule knows, below a success.
    fn go_on(&mut self, line: &str) {
        if HAS_ROOM && self.verdict.has_succeeded() && is_prose(line) {
            let tells_of_failure = tells_of_failure(line);
            if tells_of_failure || self.is_at_margin {
                self.verdict.go_on(tells_of_failure);
            }
        }
    }

    /// Returns the rule that a line matches, and the part of the line to keep.
    fn rule_of<'a>(
        &self,
        line: &'a str,
        is_anywhere: bool,
        is_indented: bool,
    ) -> Option<(Rule, &'a str)> {
        find_rule(line, is_anywhere, |rule| {
            let is_open = match self.list {
                None => !rule.has(says::LISTED),
                // A report ends at its margin.
                Some(List { of, is_joined }) if of.is_report() => {
                    let is_within = is_indented || (is_joined && rule.has(says::JOINED));
                    of == rule.runner && !(is_within && rule.has(says::CLOSES))
                }
                // Only names and failures are read in another runner's list.
                Some(List { of, .. }) => {
                    of == rule.runner || !rule.has(says::LISTED) || {
                        let is_failure = rule.has(says::FAILED) || !rule.has(says::ERROR);
                        is_failure && !rule.has(says::OK | says::COUNTS)
                    }
                }
            };
            let fits = is_open && (is_anywhere || !rule.has(says::WORD));
            if fits { rule.kept_of(line).map(|kept| (rule, kept)) } else { None }
        })
    }

    /// Records that tests are running: the lines are not about a failed one.
    fn run_tests(&mut self, runner: Runner) {
        self.verdict.run_tests(runner);
        self.has_details = false;
    }

    /// Records the exit status of the whole command, else the first one of a failure: `worker-1 exited with code 0`
    /// says nothing.
    fn add_exit_status(&mut self, line: &str) {
        let known = self.info.exit_status;
        let found = exit_status(line);
        let counts = |exit: &ExitStatus| exit.is_own || (exit.status > 0 && known.is_none());
        let found = found.filter(counts).map(|exit| exit.status);
        if found.is_some() {
            self.exit_line = self.full_lines;
        }
        if found > Some(0) {
            self.verdict.exit(self.full_lines <= HEAD_LINES);
        }
        self.info.exit_status = found.or(known);
    }
}
mod continued;
mod meaning;
mod reasons;
#[cfg(test)]
mod tests;
#[cfg(feature = "files")]
mod visible;
