//! A cache of digests and replacement texts, each made at most once for the same settings.

use crate::message::{BlockId, History, UseId};
use crate::projection::content::digest::digested;
use crate::projection::content::reader::{ContentReader, read_telling};
use crate::projection::replacement::clipped::ClipEnds;
use crate::projection::replacement::kind::{Replacement, StubStyle};
use crate::projection::replacement::worth::is_worth;
use crate::text::{Digest, ReadText};
use crate::tokens::estimate_tokens;
use std::cell::Cell;

/// Digests and replacement texts by tool use. The cache can be dropped at any time and is rebuilt as needed.
#[derive(Debug, Default)]
pub struct TextCache {
    digests: Vec<Option<Digest>>,
    /// Kept small and contiguous, because a projection reads all of them.
    stubs: Vec<KnownStub>,
    texts: Vec<String>,
    /// Empty until a pass shortens calls; few do. Apart for notes, for texts that an edit replaced, and for all texts,
    /// because a pass asks for two of them.
    calls: Vec<[Option<CallFacts>; 3]>,
}

/// The settings that determine the replacement text of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StubKey {
    /// The kind of text.
    pub text: StubText,
    /// Whether it contains a reference for recall.
    pub recall: bool,
}

/// The kind of text that replaces a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StubText {
    /// A stub that describes the result.
    Cleared(StubStyle),
    /// Head and tail of the content.
    Clipped(ClipEnds),
}

/// Facts about the stub of a result.
#[derive(Debug, Clone, Copy, Default)]
pub struct StubFacts {
    /// Estimated tokens of the stub.
    pub tokens: u32,
    /// Whether replacing the result with it is worth it.
    pub is_worth: bool,
}

/// The stub that was made last for a result, and its settings.
#[derive(Debug, Clone, Copy, Default)]
struct KnownStub {
    made_for: Option<StubKey>,
    facts: StubFacts,
}

/// The length of the shortened arguments of a call that was computed last, and for which replacement.
#[derive(Debug, Clone, Copy)]
struct CallFacts {
    made_for: Replacement,
    /// Estimated tokens; `None` if it is not worth it.
    tokens: Option<u32>,
}

impl TextCache {
    /// Resizes the cache to this many tool uses.
    pub fn fit(&mut self, uses: usize) {
        self.digests.resize(uses, None);
        self.stubs.resize(uses, KnownStub::default());
        self.texts.resize(uses, String::new());
        self.calls.truncate(uses);
    }

    /// Forgets what was computed from the result of this tool use.
    pub fn forget_result(&mut self, id: UseId) {
        self.digests[id.0] = None;
        self.stubs[id.0] = KnownStub::default();
    }

    /// Forgets what was computed from all calls, because a note describes other calls too.
    pub fn forget_calls(&mut self) {
        self.calls.clear();
    }

    /// The digest of a result ([`read_telling`]), read at most once.
    pub fn digest(
        &mut self,
        history: &History,
        id: UseId,
        block: BlockId,
        reader: &dyn ContentReader,
    ) -> Digest {
        let read = |sink: &mut dyn FnMut(&[u8])| {
            read_telling(history, id, &history[block], reader, sink);
        };
        *self.digests[id.0].get_or_insert_with(|| digested(read, &mut |_| {}))
    }

    /// The stub of a result, if it was made last for these settings. A projection asks for hundreds of known ones.
    pub fn known_stub(&self, id: UseId, key: StubKey) -> Option<StubFacts> {
        let KnownStub { made_for, facts } = &self.stubs[id.0];
        (*made_for == Some(key)).then_some(*facts)
    }

    /// Makes the stub of a result and keeps it. `shown_bytes` is the size of the result in a request ([`is_worth`]). The
    /// text is returned by [`TextCache::stub_text`].
    pub fn make_stub(
        &mut self,
        id: UseId,
        key: StubKey,
        shown_bytes: u64,
        make: impl FnOnce(&Reading<'_>) -> String,
        read: ReadText<'_>,
    ) -> StubFacts {
        let reading = Reading { read, wanted: key.recall, digest: Cell::new(self.digests[id.0]) };
        let text = make(&reading);
        self.digests[id.0] = reading.digest.get();
        let facts = StubFacts {
            tokens: estimate_tokens(text.len() as u64) as u32,
            is_worth: is_worth(shown_bytes, text.len()),
        };
        self.texts[id.0] = text;
        self.stubs[id.0] = KnownStub { made_for: Some(key), facts };
        facts
    }

    /// The text of the stub made last for this tool use.
    pub fn stub_text(&self, id: UseId) -> &str {
        &self.texts[id.0]
    }

    /// Estimated tokens of a call's arguments after a replacement; `None` if it is not worth it. Computed at most once
    /// for the same replacement.
    pub fn call_tokens(
        &mut self,
        id: UseId,
        replacement: Replacement,
        make: &dyn Fn() -> Option<String>,
    ) -> Option<u32> {
        if self.calls.len() <= id.0 {
            self.calls.resize(self.stubs.len(), [None; 3]);
        }
        let known = &mut self.calls[id.0][match replacement {
            Replacement::Noted { .. } => 0,
            Replacement::Trimmed(trim) if trim.old_only => 1,
            _ => 2,
        }];
        if let Some(facts) = known.filter(|facts| facts.made_for == replacement) {
            return facts.tokens;
        }
        let tokens = make().map(|text| estimate_tokens(text.len() as u64) as u32);
        *known = Some(CallFacts { made_for: replacement, tokens });
        tokens
    }
}

/// A content that is digested while it is read for its stub, if the stub contains a reference.
pub struct Reading<'r> {
    read: ReadText<'r>,
    wanted: bool,
    digest: Cell<Option<Digest>>,
}

impl Reading<'_> {
    /// Writes the content to `sink`.
    pub fn read(&self, sink: &mut dyn FnMut(&[u8])) {
        if !self.wanted || self.digest.get().is_some() {
            return (self.read)(sink);
        }
        self.digest.set(Some(digested(self.read, sink)));
    }

    /// The reference for recall, if the stub contains one.
    pub fn reference(&self) -> Option<String> {
        if self.wanted && self.digest.get().is_none() {
            self.read(&mut |_| {});
        }
        self.digest.get().filter(|_| self.wanted).map(Digest::short)
    }
}
