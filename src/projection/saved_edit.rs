//! Saved edits: the decisions of projections as rows of numbers, found again in a history that was saved, loaded, cut
//! or compacted in between.
//!
//! An edit is identified by its message and block, and by the provider's id of its tool use if the block has moved. If
//! the content has another size than when the edit was decided, the decision is dropped, and the next plan makes a new
//! one.

use super::plan::PlannedEdit;
use super::registry::PassName;
use super::replacement::codec::Code;
use super::replacement::kind::{Kind, Part};
use crate::message::{BlockId, BlockKind, History, Removable, ToolUse, UseId, in_order};
use crate::text::checksum;

/// Length of a row: the numbers of one [`SavedEdit`].
pub const SAVED_EDIT_NUMBERS: usize = 11;

/// The position of a block: message, position in the message, and a checksum of the id of its tool use (of the tool's
/// name if it has no id).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spot(u32, u32, u32);

/// A decided edit in its saved form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavedEdit {
    /// The block.
    at: Spot,
    /// The size in bytes of the content about which it was decided.
    bytes: u32,
    pass: PassName,
    /// The replacement. Its value is unused if it depends on another tool use.
    code: Code,
    /// The result of the tool use on which it depends.
    rests_on: Option<Spot>,
    /// Estimated tokens of the replacement.
    tokens: u32,
    /// The first 32 bits of the SHA-256 of the replacement text; 0 if unknown.
    digest: u32,
}

impl SavedEdit {
    /// Converts an edit to its saved form. `text` is its replacement text. `None` if it depends on a tool use that has
    /// no result.
    pub fn of(history: &History, edit: &PlannedEdit, text: Option<&str>) -> Option<Self> {
        let rests_on = match edit.replacement.rests_on() {
            Some(id) => Some(Spot::of(history, history[id].result?)),
            None => None,
        };
        Some(Self {
            at: Spot::of(history, edit.block),
            bytes: bytes_of(history, edit.block),
            pass: edit.pass,
            code: Code::of(edit.replacement),
            rests_on,
            tokens: edit.tokens as u32,
            digest: text.map_or(0, |text| crate::text::Digest::of(text).start()),
        })
    }

    /// Encodes the edit as `[message, position, checksum, bytes, pass, tokens, digest, kind, a, b, c]`. The last three
    /// are value, flags and 0 of the replacement, or message, position and checksum of the result on which it depends.
    pub fn to_numbers(self) -> [u32; SAVED_EDIT_NUMBERS] {
        let Self { at: Spot(message, position, checksum), bytes, pass, tokens, digest, .. } = self;
        let Spot(a, b, c) =
            self.rests_on.unwrap_or(Spot(self.code.value, self.code.flags.into(), 0));
        let (pass, kind) = (pass.code(), self.code.kind as u32);
        [message, position, checksum, bytes, pass, tokens, digest, kind, a, b, c]
    }

    /// Decodes an edit; `None` if the numbers are not valid.
    pub fn from_numbers(numbers: &[u32]) -> Option<Self> {
        let [message, position, checksum, bytes, pass, tokens, digest, kind, a, b, c] = *numbers
        else {
            return None;
        };
        let at = Spot(message, position, checksum);
        let pass = PassName::from_code(pass)?;
        let kind = Kind::of_number(kind)?;
        let rests_on = kind.rests_on_another().then_some(Spot(a, b, c));
        let (value, flags) = if rests_on.is_some() { (0, 0) } else { (a, u8::try_from(b).ok()?) };
        let code = Code { kind, flags, value };
        code.replacement()?;
        Some(Self { at, bytes, pass, code, rests_on, tokens, digest })
    }

    /// The pass that decided it.
    pub fn pass(&self) -> PassName {
        self.pass
    }

    fn is_call(&self) -> bool {
        self.code.kind.part() == Part::Arguments
    }
}

fn bytes_of(history: &History, block: BlockId) -> u32 {
    u32::try_from(history[block].shown_bytes()).unwrap_or(u32::MAX)
}

/// A saved edit that was found in the current history.
pub enum Found {
    /// The edit still applies.
    Edit(PlannedEdit),
    /// The block may already contain the stub: it does if the digest of its text starts with the number.
    Stub(UseId, BlockId, u32),
}

/// Returns the kinds of replacements that a pass makes.
pub type Puts = fn(PassName) -> &'static [Kind];

/// Finds saved edits in a history.
pub struct Finder<'h> {
    history: &'h History,
    puts: Puts,
    /// The checksums of the tool uses' ids in order, each with its tool use; for equal checksums, the newest is last.
    by_id: Vec<(u64, usize)>,
}

impl<'h> Finder<'h> {
    /// Indexes a history. Edits with a kind of replacement that their pass does not make (`puts`) are not found.
    pub fn new(history: &'h History, puts: Puts) -> Self {
        let key = |one: &ToolUse| match one.result.filter(|_| one.id.is_some()) {
            Some(block) => Spot::of(history, block).2.into(),
            None => u64::MAX,
        };
        Self { history, puts, by_id: in_order(history.uses().iter().map(key)) }
    }

    /// Finds an edit in the history.
    ///
    /// The host keeps the state and may have changed it, so the result is restricted to what the pass could have
    /// decided.
    pub fn find(&self, saved: &SavedEdit) -> Option<Found> {
        if saved.code.kind.part() == Part::Block {
            let edit = self.find_in_place(saved)?;
            let facts = &self.history[edit.block];
            let is_signed = || self.history.signed().binary_search(&edit.block).is_ok();
            let may_go = facts.kind == BlockKind::Reasoning
                && (facts.removable != Removable::Never || is_signed());
            return may_go.then_some(Found::Edit(edit));
        }
        let block = self.block(saved.at, saved.is_call())?;
        let facts = &self.history[block];
        if bytes_of(self.history, block) != saved.bytes {
            let stub = || Some(Found::Stub(facts.tool_use?, block, saved.digest));
            return if saved.is_call() { None } else { stub() };
        }
        let may_change = |id: UseId| self.history[id].call_editable;
        if saved.is_call() && (facts.size.bytes == 0 || !facts.tool_use.is_some_and(may_change)) {
            return None;
        }
        self.edit(saved, block).map(Found::Edit)
    }

    /// Finds an edit of any kind at its original position only.
    pub fn find_in_place(&self, saved: &SavedEdit) -> Option<PlannedEdit> {
        let Spot(message, position, _) = saved.at;
        let (first, blocks) = self.history.blocks_of(message as usize);
        blocks.get(position as usize)?;
        let block = BlockId(first + position as usize);
        let is_same = Spot::of(self.history, block) == saved.at
            && bytes_of(self.history, block) == saved.bytes;
        if is_same { self.edit(saved, block) } else { None }
    }

    fn edit(&self, saved: &SavedEdit, block: BlockId) -> Option<PlannedEdit> {
        let SavedEdit { pass, mut code, .. } = *saved;
        if let Some(spot) = saved.rests_on {
            code.value = self.history[self.block(spot, false)?].tool_use?.0 as u32;
        }
        // Each pass that clears results puts the stub of ephemeral ones.
        let is_put = code.kind == Kind::Ephemeral || (self.puts)(pass).contains(&code.kind);
        let replacement = code.replacement().filter(|_| is_put)?;
        Some(PlannedEdit::of(self.history, block, pass, replacement, saved.tokens.into()))
    }

    /// The call or the result that was at this position; if it has moved, it is found by the id of its tool use.
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
        let checksum = checksum.into();
        let up_to = self.by_id.partition_point(|(other, _)| *other <= checksum);
        let (found, id) = *self.by_id.get(up_to.checked_sub(1)?)?;
        let one = Some(&self.history[UseId(id)]).filter(|_| found == checksum)?;
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
