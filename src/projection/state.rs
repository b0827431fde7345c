//! What projections decided, in a form that outlives the process: a row of numbers for each edit, found again in a
//! history that was saved, loaded, cut or compacted in between.
//!
//! An edit is known by its message and block, and by the provider's id of its tool use where that has moved. What is
//! found with another size is not the content that was judged: the decision is dropped, and the next plan takes a new
//! one.

use super::outline::{MIN_CHARS, Outline};
use super::stub::StubStyle;
use super::{Edit, PassName, Replacement};
use crate::message::{BlockId, BlockKind, History, UseId, stable_merge_sort};

/// How many numbers a [`Decision`] is.
pub const DECISION_NUMBERS: usize = 11;

/// Where a block stands: message, position in it, and a checksum of its tool use's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spot(u32, u32, u32);

/// A decided edit, as it outlives the process: eleven whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The block.
    at: Spot,
    /// The size of the content that was judged, in bytes.
    bytes: u32,
    pass: PassName,
    now: Standing,
    /// Estimated tokens of what stands there.
    tokens: u32,
    /// The first bits of the digest of its text, 0 where that is not known.
    digest: u32,
}

/// What stands in the place of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Cleared(StubStyle),
    First(Spot),
    Latest(Spot),
    Clipped,
    Placeholder,
    Duplicate(Spot),
    Outlined(Outline),
    Noted(Spot),
}

impl Standing {
    /// Whether it stands in the place of a call's arguments.
    fn is_call(self) -> bool {
        matches!(self, Standing::Outlined(_) | Standing::Noted(_))
    }
}

impl Standing {
    fn to_numbers(self) -> [u32; 4] {
        match self {
            Standing::Cleared(style) => {
                let flags = [style.summary, style.outdated, style.brief];
                let flags = (0..).zip(flags).map(|(bit, flag)| u32::from(flag) << bit).sum();
                [0, style.max_tokens, flags, 0]
            }
            Standing::First(Spot(a, b, c)) => [1, a, b, c],
            Standing::Latest(Spot(a, b, c)) => [2, a, b, c],
            Standing::Clipped => [3, 0, 0, 0],
            Standing::Placeholder => [4, 0, 0, 0],
            Standing::Duplicate(Spot(a, b, c)) => [5, a, b, c],
            Standing::Outlined(Outline { max_chars, old_only }) => {
                [6, max_chars, u32::from(old_only), 0]
            }
            Standing::Noted(Spot(a, b, c)) => [7, a, b, c],
        }
    }

    fn from_numbers([kind, a, b, c]: [u32; 4]) -> Option<Self> {
        let style = StubStyle {
            max_tokens: a,
            summary: b & 1 != 0,
            outdated: b & 2 != 0,
            brief: b & 4 != 0,
        };
        Some(match kind {
            0 => Standing::Cleared(style),
            1 => Standing::First(Spot(a, b, c)),
            2 => Standing::Latest(Spot(a, b, c)),
            3 => Standing::Clipped,
            4 => Standing::Placeholder,
            5 => Standing::Duplicate(Spot(a, b, c)),
            6 if a >= MIN_CHARS => Standing::Outlined(Outline { max_chars: a, old_only: b != 0 }),
            7 => Standing::Noted(Spot(a, b, c)),
            _ => return None,
        })
    }
}

impl Decision {
    /// The portable form of an edit, whose text is `text`; `None` for one that is decided anew each time.
    pub fn of(history: &History, edit: &Edit, text: Option<&str>) -> Option<Self> {
        let spot = |id: UseId| Some(Spot::of(history, history[id].result?));
        let now = match edit.replacement {
            Replacement::Ephemeral | Replacement::Removed => return None,
            Replacement::Cleared(style) => Standing::Cleared(style),
            Replacement::Reread { of, latest: true } => Standing::Latest(spot(of)?),
            Replacement::Reread { of, latest: false } => Standing::First(spot(of)?),
            Replacement::Clipped => Standing::Clipped,
            Replacement::Placeholder => Standing::Placeholder,
            Replacement::Duplicate { of } => Standing::Duplicate(spot(of)?),
            Replacement::Outlined(outline) => Standing::Outlined(outline),
            Replacement::Noted { from } => Standing::Noted(spot(from)?),
        };
        Some(Self {
            at: Spot::of(history, edit.block),
            bytes: bytes_of(history, edit.block),
            pass: edit.pass,
            now,
            tokens: edit.tokens as u32,
            digest: text.map_or(0, |text| crate::text::Digest::of(text).start()),
        })
    }

    /// `[message, position, checksum, bytes, pass, tokens, digest, kind and three numbers of what stands there]`
    pub fn to_numbers(self) -> [u32; DECISION_NUMBERS] {
        let Self { at: Spot(message, position, checksum), bytes, pass, now, tokens, digest } = self;
        let [kind, a, b, c] = now.to_numbers();
        [message, position, checksum, bytes, pass as u32, tokens, digest, kind, a, b, c]
    }

    /// The decision that these numbers stand for; `None` where they stand for none.
    pub fn from_numbers(numbers: &[u32]) -> Option<Self> {
        let [message, position, checksum, bytes, pass, tokens, digest, kind, a, b, c] = *numbers
        else {
            return None;
        };
        let at = Spot(message, position, checksum);
        let pass = *PassName::ALL.get(pass as usize)?;
        let now = Standing::from_numbers([kind, a, b, c])?;
        Some(Self { at, bytes, pass, now, tokens, digest })
    }
}

fn bytes_of(history: &History, block: BlockId) -> u32 {
    u32::try_from(history[block].size.bytes).unwrap_or(u32::MAX)
}

/// What became of a decision in the history as it is now.
pub enum Found {
    /// It stands.
    Edit(Edit),
    /// The block may hold the stub already, if its digest starts with this.
    Stub(UseId, BlockId, u32),
}

/// Finds decisions again.
pub struct Finder<'h> {
    history: &'h History,
    /// Answered tool uses by the checksums of their ids, the newest of equals last.
    by_id: Vec<(u32, UseId)>,
}

impl<'h> Finder<'h> {
    /// Looks through this history.
    pub fn new(history: &'h History) -> Self {
        let uses = history.uses().iter().enumerate().filter(|(_, one)| one.id.is_some());
        let by_id = uses.filter_map(|(i, one)| {
            let block = one.result?;
            Some((Spot::of(history, block).2, UseId(i)))
        });
        Self {
            history,
            by_id: stable_merge_sort(by_id.collect(), |(checksum, _)| u64::from(*checksum)),
        }
    }

    /// The decision in this history.
    pub fn find(&self, decision: &Decision) -> Option<Found> {
        let is_call = decision.now.is_call();
        let block = self.block(decision.at, is_call)?;
        let facts = &self.history[block];
        let tool_use = facts.tool_use;
        if bytes_of(self.history, block) != decision.bytes {
            let stub = || Some(Found::Stub(tool_use?, block, decision.digest));
            return if is_call { None } else { stub() };
        }
        // A state is the host's to keep, and may have been changed.
        let may_change = |id: UseId| self.history[id].call_editable;
        if is_call && (facts.size.bytes == 0 || !tool_use.is_some_and(may_change)) {
            return None;
        }
        let of = |spot: Spot| self.history.blocks()[self.block(spot, false)?.0].tool_use;
        let replacement = match decision.now {
            Standing::Cleared(style) => Replacement::Cleared(style),
            Standing::Latest(spot) => Replacement::Reread { of: of(spot)?, latest: true },
            Standing::First(spot) => Replacement::Reread { of: of(spot)?, latest: false },
            Standing::Clipped => Replacement::Clipped,
            Standing::Placeholder => Replacement::Placeholder,
            Standing::Duplicate(spot) => Replacement::Duplicate { of: of(spot)? },
            Standing::Outlined(outline) => Replacement::Outlined(outline),
            Standing::Noted(spot) => Replacement::Noted { from: of(spot)? },
        };
        if !replacement.is_of(decision.pass) {
            return None;
        }
        let (message, pass, tokens) = (facts.message, decision.pass, u64::from(decision.tokens));
        Some(Found::Edit(Edit { block, message, tool_use, pass, replacement, tokens }))
    }

    /// The call or the result that was at this spot.
    fn block(&self, spot: Spot, is_call: bool) -> Option<BlockId> {
        let Spot(message, position, checksum) = spot;
        let (first, blocks) = self.history.blocks_of(message as usize);
        let here = BlockId(first + position as usize);
        let kind = if is_call { BlockKind::ToolCall } else { BlockKind::ToolResult };
        let is_here = blocks.get(position as usize).is_some_and(|block| block.kind == kind)
            && Spot::of(self.history, here) == spot;
        if is_here {
            return Some(here);
        }
        let up_to = self.by_id.partition_point(|(other, _)| *other <= checksum);
        let (found, id) = self.by_id.get(up_to.checked_sub(1)?)?;
        let one = Some(&self.history[*id]).filter(|_| *found == checksum)?;
        if is_call { one.call } else { one.result }
    }
}

impl Spot {
    fn of(history: &History, block: BlockId) -> Self {
        let facts = &history[block];
        let name = facts.tool_use.map_or("", |id| {
            let one = &history[id];
            one.id.as_deref().unwrap_or_else(|| history.names().text(one.tool))
        });
        Spot(facts.message as u32, history.position(block) as u32, checksum(name.as_bytes()))
    }
}

/// FNV-1a (draft-eastlake-fnv): it tells ids of one history apart, and need not do more.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
