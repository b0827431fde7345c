//! The failures that were retried, updated as the history grows.
//!
//! A failure counts as retried once a later call of the same tool with the same arguments has run: a refusal or an
//! interruption is no answer to what failed, and neither is a failure of less than half its length. For shell commands,
//! descriptions, reasons, timeouts and permissions are not compared. The working directory must be the same: a shell
//! that is kept between calls may have changed it, and a tool of unknown kind may be a shell, or one that moves it.

use crate::message::{BlockId, History, NameId, Names, Origin, ToolUse, UseId, is_aside};
use crate::output::{LONGEST_REFUSAL, is_refusal};
use crate::projection::content::reader::{ContentReader, arguments, result_text};
use crate::text::json::{Json, parsed, text};
use crate::text::{Digest, Digester};

/// Words that may change the working directory of later commands, and ends of such words: `\ncd` in JSON,
/// `Set-Location`. A word too many only keeps a failure.
const MOVES: [&str; 7] = ["cd", "pushd", "popd", "chdir", "location", "sl", "restart"];

/// Ends of the names of tools that may do so: `change_directory`, `EnterWorktree`, `set_cwd`, `restart_shell`.
const MOVING_TOOLS: [&str; 9] = [
    "cd",
    "directory",
    "cwd",
    "worktree",
    "workspace",
    "open_project",
    "open_folder",
    "activate_project",
    "restart_shell",
];

/// Failures by call, and the steps that retried them.
#[derive(Debug, Default)]
pub struct Retries {
    /// Number of blocks that were processed.
    seen: usize,
    /// For each name, whether a call of this tool failed.
    failing: Vec<bool>,
    /// Whether a command failed.
    has_failed_command: bool,
    /// Number of commands so far that may have changed the working directory.
    moves: usize,
    /// Different calls, by the digest of tool and arguments.
    calls: Names,
    /// For each tool use, which of `calls` it is: known of commands when they are called, because the next call may run
    /// in another directory, and of others when a call of their tool has failed.
    call_of: Vec<Option<NameId>>,
    /// For each call, the failures that were not retried yet, sorted by step.
    open: Vec<Vec<UseId>>,
    /// For each tool use, the step that first retried it.
    tried: Vec<Option<u32>>,
}

impl Retries {
    /// The step of the call that first retried a failure.
    pub fn of(&self, id: UseId) -> Option<u32> {
        self.tried.get(id.0).copied().flatten()
    }

    /// Updates the failures for a history that has grown. Each block is processed once, and only the arguments of
    /// tools that have failed, and of commands since one failed, are read, once.
    pub fn follow(&mut self, history: &History, reader: &dyn ContentReader) {
        self.failing.resize(history.names().len(), false);
        self.tried.resize(history.uses().len(), None);
        self.call_of.resize(history.uses().len(), None);
        for (i, block) in history.blocks().iter().enumerate().skip(self.seen) {
            let Some(id) = block.tool_use else { continue };
            let tool_use = &history[id];
            let block = BlockId(i);
            if self.has_failed_command && tool_use.call == Some(block) && may_be_command(tool_use) {
                self.read_call(history, id, reader);
            }
            if !self.has_failed_command && tool_use.is_error && may_be_command(tool_use) {
                self.has_failed_command = true;
                self.read_commands_between(history, id, block, reader);
            }
            let failing = &mut self.failing[tool_use.tool.index()];
            *failing |= tool_use.is_error;
            if *failing && tool_use.result == Some(block) {
                self.add(history, id, reader);
            }
        }
        self.seen = history.blocks().len();
    }

    /// Reads the commands from `first` on whose calls come before block `end`.
    fn read_commands_between(
        &mut self,
        history: &History,
        first: UseId,
        end: BlockId,
        reader: &dyn ContentReader,
    ) {
        for id in (first.0..history.uses().len()).map(UseId) {
            let tool_use = &history[id];
            if tool_use.call.is_some_and(|call| call <= end) && may_be_command(tool_use) {
                self.read_call(history, id, reader);
            }
        }
    }

    fn read_call(&mut self, history: &History, id: UseId, reader: &dyn ContentReader) {
        let Some(mut json) = arguments(history, id, reader) else { return };
        let digest = self.call_digest(history, id, &json);
        self.call_of[id.0] = Some(self.calls.intern(&digest.to_hex()));
        let tool = history.names().text(history[id].tool).to_ascii_lowercase();
        let may_move = may_move(&mut json) || MOVING_TOOLS.iter().any(|end| tool.ends_with(end));
        self.moves += usize::from(may_be_command(&history[id]) && may_move);
    }

    fn add(&mut self, history: &History, id: UseId, reader: &dyn ContentReader) {
        let tool_use = &history[id];
        if self.call_of[id.0].is_none() {
            self.read_call(history, id, reader);
        }
        let Some(call) = self.call_of[id.0] else { return };
        self.open.resize_with(self.calls.len(), Vec::new);
        let open = &mut self.open[call.index()];
        // A call of the same step is not a retry: it was made before the failure was known.
        let known = open.partition_point(|older| history[*older].step < tool_use.step);
        if known > 0 && has_run(history, tool_use, reader) {
            // A host's refusal is much shorter than what failed, whatever its words.
            let longest = if tool_use.is_error { 2 * tool_use.result_bytes } else { u64::MAX };
            let is_tried = |older: &mut UseId| history[*older].result_bytes <= longest;
            for older in open.extract_if(..known, is_tried) {
                self.tried[older.0] = Some(tool_use.step);
            }
        }
        if tool_use.is_error {
            let newer = open.partition_point(|other| history[*other].step <= tool_use.step);
            open.insert(newer, id);
        }
    }

    /// The digest of a call's tool, its arguments and, for a shell, its working directory. The order of arguments and the
    /// spaces between them do not matter.
    fn call_digest(&self, history: &History, id: UseId, json: &str) -> Digest {
        let tool_use = &history[id];
        let is_shell = tool_use.origin == Origin::Shell;
        let mut digester = Digester::default();
        add(&mut digester, history.names().text(tool_use.tool));
        let mut moves = if may_be_command(tool_use) { self.moves } else { 0 };
        match parsed(json.as_bytes()) {
            Some(Json::Object(mut fields)) if is_shell => {
                fields.retain(|(key, _)| !is_aside(key));
                if fields.iter().any(|(_, value)| sets_directory(text(value).unwrap_or_default())) {
                    moves = 0;
                }
                add_value(&mut digester, &Json::Object(fields));
            }
            Some(value) => add_value(&mut digester, &value),
            None => add(&mut digester, json),
        }
        digester.add_chunk(&moves.to_le_bytes());
        digester.finish()
    }
}

/// Whether a call has a result of its own: neither it nor its host's answer says that it was refused or interrupted.
fn has_run(history: &History, tool_use: &ToolUse, reader: &dyn ContentReader) -> bool {
    let Some(block) = tool_use.result.filter(|_| tool_use.result_bytes <= LONGEST_REFUSAL as u64)
    else {
        return true;
    };
    !result_text(&history[block], reader).is_some_and(|text| is_refusal(&text))
}

fn may_be_command(tool_use: &ToolUse) -> bool {
    matches!(tool_use.origin, Origin::Shell | Origin::Other)
}

/// Whether a command may change the working directory of later ones.
fn may_move(json: &mut str) -> bool {
    // Shells of Windows ignore case.
    json.make_ascii_lowercase();
    let mut words = json.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| MOVES.iter().any(|end| word.ends_with(end)))
}

/// Whether a command sets the directory of all its parts itself: `cd /app && make 2>&1 | tail`. A part behind `;`, `||`
/// or `&` runs also if there is no such directory.
fn sets_directory(command: &str) -> bool {
    let words = || command.as_bytes().split(|byte| *byte == b' ');
    command.starts_with("cd /")
        && words().nth(2) == Some(b"&&")
        && words().skip(1).all(|word| word != b"cd" && runs_next_only_on_success(word))
}

/// Whether this word of a command is no end of a list, other than `&&`, and expands nothing.
fn runs_next_only_on_success(word: &[u8]) -> bool {
    let is_plain = |(at, byte): (usize, &u8)| match byte {
        b'&' => at > 0 && word[at - 1] == b'>',
        byte => !b";|\n$`".contains(byte),
    };
    matches!(word, b"&&" | b"|") || word.iter().enumerate().all(is_plain)
}

fn add(digester: &mut Digester, text: &str) {
    digester.add_chunk(&text.len().to_le_bytes());
    digester.add_chunk(text.as_bytes());
}

fn add_value(digester: &mut Digester, value: &Json<'_>) {
    // Each kind has its own first byte, texts and lists have their length, and the digests of fields are added, so
    // different values never give the same bytes.
    match value {
        Json::Null => digester.add_chunk(b"z"),
        Json::Bool(on) => digester.add_chunk(if *on { b"t" } else { b"f" }),
        Json::Number(number) => {
            digester.add_chunk(b"n");
            add(digester, number);
        }
        Json::String(text) => {
            digester.add_chunk(b"s");
            add(digester, text);
        }
        Json::Array(values) => {
            digester.add_chunk(b"[");
            digester.add_chunk(&values.len().to_le_bytes());
            values.iter().for_each(|value| add_value(digester, value));
        }
        Json::Object(fields) => {
            // A sum does not depend on the order.
            let mut sum = [0_u8; 32];
            for (key, value) in fields {
                let mut field = Digester::default();
                add(&mut field, key);
                add_value(&mut field, value);
                for (byte, more) in sum.iter_mut().zip(field.finish().bytes()) {
                    *byte = byte.wrapping_add(more);
                }
            }
            digester.add_chunk(b"{");
            digester.add_chunk(&sum);
        }
    }
}
