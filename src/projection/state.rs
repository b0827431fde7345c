//! What projections decided, in a form that outlives the process: plain JSON, small, and found again in a history that
//! was saved, loaded, cut or compacted in between.
//!
//! An edit is known by its message and block, and by the provider's id of its tool use where that has moved. What is
//! found with another size is not the content that was judged: the decision is dropped, and the next plan takes a new
//! one.

use super::stub::StubStyle;
use super::{Edit, PassName, Replacement};
use crate::message::{BlockId, History, Problem, UseId};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The newest form of a [`State`].
pub const STATE_VERSION: u32 = 1;

/// The decisions of a projection, for the next one to repeat. Plain JSON.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct State {
    /// The form of this object; a newer one is refused.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(type = "1"))]
    pub version: u32,
    /// The edits that were decided.
    #[serde(default)]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Vec<Decision>>"))]
    pub edits: Vec<Decision>,
}

/// Where a block stands: message, position in it, and a checksum of its tool use's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct Spot(u32, u32, u32);

/// A decided edit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
pub struct Decision {
    /// The block.
    at: Spot,
    /// The size of the content that was judged, in bytes.
    bytes: u64,
    /// The pass.
    pass: PassName,
    /// What stands there.
    now: Standing,
    /// Estimated tokens of it.
    tokens: u64,
    /// The first digits of the digest of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional))]
    digest: Option<String>,
}

/// What stands in the place of a block.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
enum Standing {
    Cleared { limit: u32, summary: bool, outdated: bool },
    First(Spot),
    Latest(Spot),
    Clipped,
    Placeholder,
    Duplicate(Spot),
}

impl State {
    /// Reads the JSON of a state.
    pub fn from_json(json: &str) -> Result<Self, Problem> {
        let invalid = |reason: String| Problem::InvalidState { reason };
        let state: Self = serde_json::from_str(json).map_err(|error| invalid(error.to_string()))?;
        if state.version != STATE_VERSION {
            return Err(invalid(format!("version {} is not known here", state.version)));
        }
        Ok(state)
    }
}

impl Decision {
    /// The portable form of an edit; `None` for one that is decided anew each time.
    pub fn of(history: &History, edit: &Edit, text: Option<&str>) -> Option<Self> {
        let spot = |id: UseId| Some(Spot::of(history, history.uses()[id.0].result?));
        let now = match edit.replacement {
            Replacement::Ephemeral | Replacement::Removed => return None,
            Replacement::Cleared(StubStyle { max_tokens: limit, summary, outdated }) => {
                Standing::Cleared { limit, summary, outdated }
            }
            Replacement::Reread { of, latest: true } => Standing::Latest(spot(of)?),
            Replacement::Reread { of, latest: false } => Standing::First(spot(of)?),
            Replacement::Clipped => Standing::Clipped,
            Replacement::Placeholder => Standing::Placeholder,
            Replacement::Duplicate { of } => Standing::Duplicate(spot(of)?),
        };
        Some(Self {
            at: Spot::of(history, edit.block),
            bytes: history.blocks()[edit.block.0].size.bytes,
            pass: edit.pass,
            now,
            tokens: edit.tokens,
            digest: text.map(|text| crate::text::Digest::of(text).short()),
        })
    }
}

/// What became of a decision in the history as it is now.
pub enum Found {
    /// It stands.
    Edit(Edit),
    /// The block may hold the stub already, if its digest is this.
    Stub(UseId, BlockId, String),
}

/// Finds decisions again.
pub struct Finder<'h> {
    history: &'h History,
    by_id: HashMap<u32, BlockId>,
}

impl<'h> Finder<'h> {
    /// Looks through this history.
    pub fn new(history: &'h History) -> Self {
        let uses = history.uses().iter().filter(|one| one.id.is_some());
        let by_id = uses.filter_map(|one| {
            let block = one.result?;
            Some((Spot::of(history, block).2, block))
        });
        Self { history, by_id: by_id.collect() }
    }

    /// The decision in this history.
    pub fn find(&self, decision: &Decision) -> Option<Found> {
        let block = self.block(decision.at)?;
        let facts = &self.history.blocks()[block.0];
        let tool_use = facts.tool_use;
        if facts.size.bytes != decision.bytes {
            return Some(Found::Stub(tool_use?, block, decision.digest.clone()?));
        }
        let of = |spot: Spot| self.history.blocks()[self.block(spot)?.0].tool_use;
        let replacement = match decision.now {
            Standing::Cleared { limit: max_tokens, summary, outdated } => {
                Replacement::Cleared(StubStyle { max_tokens, summary, outdated })
            }
            Standing::Latest(spot) => Replacement::Reread { of: of(spot)?, latest: true },
            Standing::First(spot) => Replacement::Reread { of: of(spot)?, latest: false },
            Standing::Clipped => Replacement::Clipped,
            Standing::Placeholder => Replacement::Placeholder,
            Standing::Duplicate(spot) => Replacement::Duplicate { of: of(spot)? },
        };
        let (message, pass, tokens) = (facts.message, decision.pass, decision.tokens);
        Some(Found::Edit(Edit { block, message, tool_use, pass, replacement, tokens }))
    }

    fn block(&self, spot: Spot) -> Option<BlockId> {
        let Spot(message, position, checksum) = spot;
        let (first, blocks) = self.history.blocks_of(message as usize);
        let here = BlockId(first + position as usize);
        let is_here = (position as usize) < blocks.len() && Spot::of(self.history, here) == spot;
        if is_here { Some(here) } else { self.by_id.get(&checksum).copied() }
    }
}

impl Spot {
    fn of(history: &History, block: BlockId) -> Self {
        let facts = &history.blocks()[block.0];
        let name = facts.tool_use.map_or("", |id| {
            let one = &history.uses()[id.0];
            one.id.as_deref().unwrap_or_else(|| history.names().text(one.tool))
        });
        Spot(facts.message as u32, history.position(block) as u32, checksum(name.as_bytes()))
    }
}

/// FNV-1a (draft-eastlake-fnv): it tells ids of one history apart, and need not do more.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
