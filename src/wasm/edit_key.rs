//! Edits as numbers: message, position of the block in it, and a key.

use crate::message::{BlockId, History, UseId};
use crate::projection::{
    Cache, Edit, OLD_TEXTS, Outline, PassName, Policy, Replacement, Source, replacement_text,
};
use crate::tokens::estimate_tokens;

/// What tells the text of an edit from that of another edit of the same block: the pass, in four bits, then whether it
/// is the pass's other way to edit, then the tool use that it points to or the policy's number.
pub fn key_of(edit: &Edit, serial: u32) -> u32 {
    let (is_other, rest) = match edit.replacement {
        Replacement::Reread { of, latest } => (latest, of.0 as u32),
        Replacement::Duplicate { of } => (false, of.0 as u32),
        Replacement::Removed => (true, 0),
        Replacement::Outlined(_) => (matches!(edit.pass, PassName::Clear | PassName::Done), serial),
        Replacement::Noted { from } => (true, from.0 as u32),
        Replacement::Ephemeral => (false, 0),
        Replacement::Cleared(_) if edit.pass == PassName::Reads => (false, OVERTAKEN),
        Replacement::Cleared(_) | Replacement::Placeholder | Replacement::Clipped => {
            (false, serial)
        }
    };
    edit.pass as u32 | u32::from(is_other) << 4 | rest << 5
}

/// Stands for the tool use of a pointer where a read became no pointer: no history has as many.
const OVERTAKEN: u32 = (1 << 27) - 1;

/// The edit that these numbers stand for under a policy.
pub fn edit_of(
    history: &History,
    policy: &Policy,
    numbers: &[u32],
    source: &dyn Source,
    cache: &mut Cache,
) -> Option<Edit> {
    let [message, position, key] = *numbers else { return None };
    let (first, blocks) = history.blocks_of(message as usize);
    let facts = blocks.get(position as usize)?;
    let pass = *PassName::ALL.get((key & 15) as usize)?;
    let (is_other, rest) = (key & 16 != 0, key >> 5);
    let of = UseId(rest as usize);
    let replacement = match pass {
        PassName::Ephemeral if is_other => Replacement::Removed,
        PassName::Ephemeral => Replacement::Ephemeral,
        PassName::Reasoning => Replacement::Removed,
        PassName::Clear if is_other => Replacement::Outlined(Outline::SHORTEST),
        PassName::Edits if is_other => Replacement::Noted { from: of },
        PassName::Edits => Replacement::Outlined(Outline::LONG),
        PassName::Inputs => Replacement::Outlined(policy.inputs.settings()?.outline()),
        PassName::Done if is_other => OLD_TEXTS,
        PassName::Clear => Replacement::Placeholder,
        PassName::Reads if rest != OVERTAKEN => Replacement::Reread { of, latest: is_other },
        PassName::Clip => Replacement::Clipped,
        PassName::Dedupe => Replacement::Duplicate { of },
        _ => Replacement::Cleared(policy.stub_style(pass)?),
    };
    if replacement.rests_on().is_some_and(|id| id.0 >= history.uses().len()) {
        return None;
    }
    let block = BlockId(first + position as usize);
    let (message, tool_use) = (message as usize, facts.tool_use);
    let mut edit = Edit { block, message, tool_use, pass, replacement, tokens: 0 };
    let text = replacement_text(history, policy, &edit, source, cache);
    edit.tokens = text.map_or(0, |text| estimate_tokens(text.len() as u64));
    Some(edit)
}
