//! The failures that were retried, updated as the history grows.
//!
//! A failure counts as retried once a later call of the same tool with the same arguments was answered. For shell
//! commands, the description, the timeout and the permissions are not compared, but the working directory must be the
//! same: a shell that is kept between calls may have changed it.

use crate::message::{BlockId, History, Names, Origin, UseId};
use crate::projection::content::reader::{ContentReader, arguments};
use crate::text::json::{Json, parsed, text};
use crate::text::{Digest, Digester};

/// Arguments of shell tools other than the command itself begin or end with these words, such as `timeout_ms` and
/// `sandbox_permissions`.
const ASIDE: [&str; 5] = ["description", "explanation", "justification", "permissions", "timeout"];

/// Words that may change the working directory of later commands, and ends of such words: `\ncd` in JSON,
/// `Set-Location`. A word too many only keeps a failure.
const MOVES: [&str; 7] = ["cd", "pushd", "popd", "chdir", "location", "sl", "restart"];

/// Failures by call, and the steps that retried them.
#[derive(Debug, Default)]
pub struct Retries {
    /// Number of blocks that were processed.
    seen: usize,
    /// For each name, whether a call of this tool failed; before them, whether a shell command did.
    failing: Vec<bool>,
    /// Number of commands so far that may have changed the working directory.
    moves: usize,
    /// Calls of tools that failed, by the digest of tool and arguments.
    calls: Names,
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

    /// Updates the failures for a history that has grown. Each block is processed once, and only the arguments of tools
    /// that have failed are read.
    pub fn follow(&mut self, history: &History, reader: &dyn ContentReader) {
        self.failing.resize(history.names().len() + 1, false);
        self.tried.resize(history.uses().len(), None);
        for (i, block) in history.blocks().iter().enumerate().skip(self.seen) {
            let Some(id) = block.tool_use else { continue };
            let tool_use = &history[id];
            let is_shell = tool_use.origin == Origin::Shell;
            let failing = &mut self.failing[if is_shell { 0 } else { tool_use.tool.index() + 1 }];
            *failing |= tool_use.is_error;
            if *failing && tool_use.result == Some(BlockId(i)) {
                self.add(history, id, reader);
            }
        }
        self.seen = history.blocks().len();
    }

    fn add(&mut self, history: &History, id: UseId, reader: &dyn ContentReader) {
        let tool_use = &history[id];
        let Some(mut json) = arguments(history, id, reader) else { return };
        let digest = self.call_digest(history, id, &json);
        // Shells of Windows ignore case.
        json.make_ascii_lowercase();
        let mut words = json.split(|c: char| !c.is_ascii_alphanumeric());
        let may_move = words.any(|word| MOVES.iter().any(|end| word.ends_with(end)));
        self.moves += usize::from(may_move);
        let call = self.calls.intern(&digest.to_hex());
        self.open.resize_with(self.calls.len(), Vec::new);
        let open = &mut self.open[call.index()];
        // A call of the same step is not a retry: it was made before the failure was known.
        let known = open.partition_point(|older| history[*older].step < tool_use.step);
        for older in open.drain(..known) {
            self.tried[older.0] = Some(tool_use.step);
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
        let mut moves = if is_shell { self.moves } else { 0 };
        match parsed(json.as_bytes()) {
            Some(Json::Object(mut fields)) if is_shell => {
                fields.retain(|(key, _)| {
                    !ASIDE.iter().any(|aside| key.starts_with(aside) || key.ends_with(aside))
                });
                // Such a command sets its directory itself: `cd /app && make`.
                let is_set = |(_, value): &(_, Json<'_>)| {
                    let text = text(value).unwrap_or_default().as_bytes();
                    let joined = || text.split(|byte| *byte == b' ').nth(2) == Some(b"&&");
                    text.starts_with(b"cd /") && joined()
                };
                if fields.iter().any(is_set) {
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
        Json::Number((number, _)) => {
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
