//! Rules for formats whose messages are items with unique ids.

use super::check::Check;
use super::edits::{RepairEdit, RepairEntry};
use super::findings::Position;
use super::problem::ValidityRule;
use super::rules::is_providers;
use crate::message::{Block, BlockKind, Key, Names, Role, Value, read_string};

/// Applies the rules that depend on other items of the history.
pub fn settle_items<V: Value>(check: &mut Check<'_, V>) {
    let entries = std::mem::take(&mut check.findings.entries);
    let unique = without_duplicates(check, entries);
    check.findings.entries = without_lost_reasoning(check, unique);
}

/// `duplicate-item`: ids of items are unique. Of a repeated call or message the id is removed; a repeated opaque item
/// is removed.
fn without_duplicates<V: Value>(
    check: &mut Check<'_, V>,
    entries: Vec<RepairEntry>,
) -> Vec<RepairEntry> {
    let mut seen = Names::default();
    let mut kept = Vec::with_capacity(entries.len());
    for entry in entries {
        let index = check.said_by(&entry).1.filter(|index| !check.is_result(*index));
        let Some((index, id)) = index.and_then(|index| Some((index, item_id(check, index)?)))
        else {
            kept.push(entry);
            continue;
        };
        if seen.find(&id).is_none() {
            seen.intern(&id);
            kept.push(entry);
            continue;
        }
        let at = Position::message(index);
        let (rule, problem) =
            (ValidityRule::DuplicateItem, format!("another item has the id {id}"));
        // These have no place without their id.
        let needs_id = |block: &Block| {
            matches!(block.kind, BlockKind::Reasoning | BlockKind::Unknown)
                || is_providers(check.history, block)
        };
        if check.history.blocks_of(index).1.first().is_some_and(needs_id) {
            check.findings.repaired(at, rule, problem, "took the item out");
            continue;
        }
        check.findings.repaired(at, rule, problem, "took its id out");
        kept.push(entry.with(index, RepairEdit::delete(Key::Id)));
    }
    kept
}

fn item_id<V: Value>(check: &Check<'_, V>, index: usize) -> Option<String> {
    read_string(&(check.message)(index).field(Key::Id)).filter(|id| !id.is_empty())
}

fn is<V>(check: &Check<'_, V>, index: usize, kind: BlockKind) -> bool {
    check.history.blocks_of(index).1.first().is_some_and(|block| block.kind == kind)
}

/// `reasoning-last`: an item of reasoning is followed by the item it led to. Otherwise it is removed: an item added
/// after it would not be the one it led to.
fn without_lost_reasoning<V: Value>(
    check: &mut Check<'_, V>,
    entries: Vec<RepairEntry>,
) -> Vec<RepairEntry> {
    let mut leads = false;
    let mut kept = Vec::with_capacity(entries.len());
    for entry in entries.into_iter().rev() {
        let index = check.said_by(&entry).1;
        let is_reasoning = index.filter(|index| is(check, *index, BlockKind::Reasoning));
        match is_reasoning {
            Some(index) if !leads => {
                let (at, rule) = (Position::block(index, 0), ValidityRule::ReasoningLast);
                let problem = "the reasoning leads to nothing";
                check.findings.repaired(at, rule, problem, "took the reasoning out");
            }
            Some(_) => kept.push(entry),
            None => {
                leads = index.is_some_and(|index| {
                    check.role(index) == Role::Assistant || is(check, index, BlockKind::Unknown)
                });
                kept.push(entry);
            }
        }
    }
    kept.reverse();
    kept
}
