//! Which failures were tried again, kept up as the history grows.
//!
//! A failure counts as tried again once a later call of the same tool with the same arguments was answered; of a shell
//! command, neither what it is said to be for nor how long it may take is an argument here.

use crate::message::{BlockId, History, Origin, UseId};
use crate::projection::content::reader::{ContentReader, arguments};
use crate::text::{Digest, Digester};
use std::collections::BTreeMap;

/// What shell tools take beside what they run.
const ASIDE: [&str; 3] = ["description", "timeout", "timeout_ms"];

/// Failures by what was called, and when they were tried again.
#[derive(Debug, Default)]
pub struct Retries {
    /// How many blocks were looked at.
    seen: usize,
    /// Whether a tool failed, by the number of its name.
    failing: Vec<bool>,
    /// Failures that were not tried again yet, by tool and arguments.
    open: BTreeMap<Digest, Vec<UseId>>,
    /// The step that first tried a tool use again, by its number.
    tried: Vec<Option<u32>>,
}

impl Retries {
    /// The step of the call that first tried a failure again.
    pub fn of(&self, id: UseId) -> Option<u32> {
        self.tried.get(id.0).copied().flatten()
    }

    /// Brings it up to a history that has grown. Each block is looked at once, and only the arguments of tools that have
    /// failed are read.
    pub fn follow(&mut self, history: &History, reader: &dyn ContentReader) {
        self.failing.resize(history.names().len(), false);
        self.tried.resize(history.uses().len(), None);
        for (i, block) in history.blocks().iter().enumerate().skip(self.seen) {
            let Some(id) = block.tool_use else { continue };
            let tool_use = &history[id];
            let failing = &mut self.failing[tool_use.tool.index()];
            *failing |= tool_use.is_error;
            if *failing && tool_use.result == Some(BlockId(i)) {
                self.add(history, id, reader);
            }
        }
        self.seen = history.blocks().len();
    }

    fn add(&mut self, history: &History, id: UseId, reader: &dyn ContentReader) {
        let tool_use = &history[id];
        let Some(digest) = call_digest(history, id, reader) else { return };
        let same = self.open.entry(digest).or_default();
        // What was called in the same step did not know of the failure.
        same.retain(|older| {
            let is_older = history[*older].step < tool_use.step;
            if is_older {
                self.tried[older.0] = Some(tool_use.step);
            }
            !is_older
        });
        if tool_use.is_error {
            same.push(id);
        }
    }
}

/// The digest of what a call asks of which tool; `None` where there is no call.
fn call_digest(history: &History, id: UseId, reader: &dyn ContentReader) -> Option<Digest> {
    let tool_use = &history[id];
    let json = arguments(history, id, reader)?;
    let is_shell = tool_use.origin == Origin::Shell;
    let asked = if is_shell { without_asides(&json) } else { None };
    let mut digester = Digester::default();
    digester.add_chunk(history.names().text(tool_use.tool).as_bytes());
    digester.add_chunk(&[0]);
    digester.add_chunk(asked.as_ref().unwrap_or(&json).as_bytes());
    Some(digester.finish())
}

fn without_asides(json: &str) -> Option<String> {
    let mut value: serde_json::Value = serde_json::from_slice(json.as_bytes()).ok()?;
    value.as_object_mut()?.retain(|key, _| !ASIDE.contains(&key.as_str()));
    Some(value.to_string())
}
