//! Content on demand: facts hold no text, so passes that must see some ask the host's own messages for it.

use super::Replacement;
use super::edits::note_text;
use super::file_uses::Files;
use super::outline::noted;
use super::protect::ProtectedNames;
use super::stub::{StubKey, is_worth, stub_text};
use crate::message::{BlockId, History, UseId};
use crate::text::{Digest, Digester};
use crate::tokens::estimate_tokens;
use std::cell::Cell;

/// Reads the text of tool results from where the host keeps it.
pub trait Source {
    /// Gives the UTF-8 of a tool result's texts to `sink`, in chunks that may split characters; parts of a list one
    /// after the other.
    fn read_result(&self, block: BlockId, sink: &mut dyn FnMut(&[u8]));

    /// Gives the UTF-8 of a call's arguments to `sink`, as JSON where they are an object, in the same way.
    fn read_arguments(&self, block: BlockId, sink: &mut dyn FnMut(&[u8]));
}

/// What was worked out of contents, by tool use. It can be dropped at any time and is rebuilt as needed.
#[derive(Debug, Default)]
pub struct Cache {
    digests: Vec<Option<Digest>>,
    /// Small and together: a projection looks at every one of them.
    stubs: Vec<StubFacts>,
    texts: Vec<String>,
    /// Few passes look at calls: it is empty until one does.
    calls: Vec<CallFacts>,
    /// What the calls did to each file.
    pub files: Files,
    /// The names that the policy protects.
    pub protected: ProtectedNames,
}

/// The stub of a result that could be cleared.
#[derive(Debug, Clone, Copy, Default)]
pub struct StubFacts {
    made_for: Option<StubKey>,
    /// Estimated tokens of the stub.
    pub tokens: u32,
    /// Whether the result is worth replacing by it.
    pub is_worth: bool,
}

/// The arguments of a call that could be shortened.
#[derive(Debug, Clone, Default)]
struct CallFacts {
    made_for: Option<Replacement>,
    /// Estimated tokens of what would stand there; `None` where it is not worth it.
    tokens: Option<u32>,
    /// What would stand there, until it is asked for.
    text: String,
}

impl Cache {
    /// Makes room for a history's tool uses.
    pub fn fit(&mut self, history: &History) {
        let count = history.uses().len();
        self.digests.resize(count, None);
        self.stubs.resize(count, StubFacts::default());
        self.texts.resize(count, String::new());
        self.calls.truncate(count);
    }

    /// Forgets the tool uses that are no longer in `history`, or whose results are not.
    pub fn truncate(&mut self, history: &History) {
        self.fit(history);
        self.calls.clear();
        self.files = Files::default();
        for (i, _) in history.uses().iter().enumerate().filter(|(_, one)| one.result.is_none()) {
            self.digests[i] = None;
            self.stubs[i] = StubFacts::default();
        }
    }

    /// The digest of a result, read at most once.
    pub fn digest(&mut self, id: UseId, block: BlockId, source: &dyn Source) -> Digest {
        *self.digests[id.0].get_or_insert_with(|| digested(source, block, &mut |_| {}))
    }

    /// The stub of a result, made at most once for the same settings; its text is [`Cache::stub_text`].
    pub fn stub(
        &mut self,
        history: &History,
        id: UseId,
        block: BlockId,
        key: StubKey,
        source: &dyn Source,
    ) -> StubFacts {
        let known = self.stubs[id.0];
        if known.made_for == Some(key) {
            return known;
        }
        let reading = Digesting { source, digest: Cell::new(self.digests[id.0]) };
        let text = if key.recall() {
            let reference = || Some(reading.digest(block).short());
            stub_text(history, id, block, key, &reference, &reading)
        } else {
            stub_text(history, id, block, key, &|| None, source)
        };
        self.digests[id.0] = reading.digest.get();
        let facts = StubFacts {
            made_for: Some(key),
            tokens: estimate_tokens(text.len() as u64) as u32,
            is_worth: is_worth(history[block].size, text.len()),
        };
        self.texts[id.0] = text;
        self.stubs[id.0] = facts;
        facts
    }

    /// Estimated tokens of a call's arguments under a replacement; `None` where it is not worth it. Worked out at most
    /// once for the same replacement.
    pub fn call_tokens(
        &mut self,
        history: &History,
        id: UseId,
        replacement: Replacement,
        source: &dyn Source,
    ) -> Option<u32> {
        if self.calls.len() <= id.0 {
            self.calls.resize(history.uses().len(), CallFacts::default());
        }
        if self.calls[id.0].made_for != Some(replacement) {
            let text = call_text(history, id, replacement, source);
            let tokens = text.as_ref().map(|text| estimate_tokens(text.len() as u64) as u32);
            let text = text.unwrap_or_default();
            self.calls[id.0] = CallFacts { made_for: Some(replacement), tokens, text };
        }
        self.calls[id.0].tokens
    }

    /// What stands in the place of a call's arguments; `None` where it is not worth it. It is asked for once as a rule,
    /// when the plan is made, and not kept longer.
    pub fn call_text(
        &mut self,
        history: &History,
        id: UseId,
        replacement: Replacement,
        source: &dyn Source,
    ) -> Option<String> {
        self.call_tokens(history, id, replacement, source)?;
        let kept = std::mem::take(&mut self.calls[id.0].text);
        if kept.is_empty() { call_text(history, id, replacement, source) } else { Some(kept) }
    }

    /// The text of the stub made last.
    pub fn stub_text(&self, id: UseId) -> &str {
        &self.texts[id.0]
    }
}

/// A source that digests a result as it is read for its stub.
struct Digesting<'s> {
    source: &'s dyn Source,
    digest: Cell<Option<Digest>>,
}

impl Digesting<'_> {
    fn digest(&self, block: BlockId) -> Digest {
        let digest = self.digest.get();
        let digest = digest.unwrap_or_else(|| digested(self.source, block, &mut |_| {}));
        self.digest.set(Some(digest));
        digest
    }
}

impl Source for Digesting<'_> {
    fn read_result(&self, block: BlockId, sink: &mut dyn FnMut(&[u8])) {
        match self.digest.get() {
            Some(_) => self.source.read_result(block, sink),
            None => self.digest.set(Some(digested(self.source, block, sink))),
        }
    }

    fn read_arguments(&self, block: BlockId, sink: &mut dyn FnMut(&[u8])) {
        self.source.read_arguments(block, sink);
    }
}

/// Reads a result and digests it.
fn digested(source: &dyn Source, block: BlockId, sink: &mut dyn FnMut(&[u8])) -> Digest {
    let mut digester = Digester::default();
    source.read_result(block, &mut |chunk| {
        digester.add_chunk(chunk);
        sink(chunk);
    });
    digester.finish()
}

/// What stands in the place of a call's arguments; `None` where it is not worth it.
fn call_text(
    history: &History,
    id: UseId,
    replacement: Replacement,
    source: &dyn Source,
) -> Option<String> {
    let json = arguments(history, id, source)?;
    match replacement {
        Replacement::Outlined(outline) => outline.of(&json),
        Replacement::Noted { from } => noted(&json, &note_text(history, from, id, source)),
        _ => None,
    }
}

/// The JSON of a call's arguments.
pub fn arguments(history: &History, id: UseId, source: &dyn Source) -> Option<String> {
    let mut bytes = Vec::new();
    source.read_arguments(history[id].call?, &mut |chunk| bytes.extend_from_slice(chunk));
    String::from_utf8(bytes).ok()
}
