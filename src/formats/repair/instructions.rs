//! Positions at which system messages are valid.

use super::check::Check;
use super::edits::RepairEdit;
use super::findings::Position;
use super::problem::ValidityRule;
use crate::message::{Key, Kind, Role, Value, read_string};

/// Repairs misplaced system messages by giving them the role `user`. `first-role`: instructions at the start of a
/// conversation are not messages. `system-order`: later ones, alone or in a row, are valid only after a user message
/// or a server tool result, and before an assistant message or at the end.
pub fn place_instructions<V: Value>(check: &mut Check<'_, V>, list: Key) {
    let entries = std::mem::take(&mut check.findings.entries);
    let said: Vec<_> = entries.iter().map(|entry| check.said_by(entry)).collect();
    let mut fault = None;
    for (i, entry) in entries.into_iter().enumerate() {
        let (role, message) = said[i];
        if role != Role::System {
            fault = None;
        } else if i == 0 || said[i - 1].0 != Role::System {
            fault = misplaced(check, list, &said, i);
        }
        let misplaced = fault.zip(message.filter(|index| !is_directive(check, *index)));
        let entry = match misplaced {
            Some(((rule, problem), index)) => {
                let at = Position::message(index);
                check.findings.repaired(at, rule, problem, "made it the user's");
                entry.with(index, RepairEdit::set(&[Key::Role], "user"))
            }
            None => entry,
        };
        check.findings.entries.push(entry);
    }
}

/// Returns whether a system message only changes settings (`output_config`). It is valid at any position and needs no
/// content.
pub fn is_directive<V: Value>(check: &Check<'_, V>, index: usize) -> bool {
    check.role(index) == Role::System
        && (check.message)(index).field(Key::OutputConfig).kind() == Kind::Object
}

/// Returns the problem with the position of the system messages that begin at `start`, if any.
fn misplaced<V: Value>(
    check: &Check<'_, V>,
    list: Key,
    said: &[(Role, Option<usize>)],
    start: usize,
) -> Option<(ValidityRule, &'static str)> {
    let Some(before) = start.checked_sub(1) else {
        let problem =
            "a system message at the start: it belongs into `system`, beside the messages";
        return Some((ValidityRule::FirstRole, problem));
    };
    let (role, message) = said[before];
    let is_servers = |message| ends_in_servers_result(check, list, message);
    let follows = role == Role::User || message.is_some_and(is_servers);
    let behind = said[start..].iter().find(|(role, _)| *role != Role::System);
    let precedes = behind.is_none_or(|(role, _)| *role == Role::Assistant);
    let problem = "a system message that is not between the user's message and the assistant's";
    (!follows || !precedes).then_some((ValidityRule::SystemOrder, problem))
}

/// Whether the repaired message does.
fn ends_in_servers_result<V: Value>(check: &Check<'_, V>, list: Key, message: usize) -> bool {
    let content = (check.message)(message).field(list);
    let last = (0..content.len()).rev().find(|block| !check.is_orphan(message, *block));
    let kind = last.and_then(|last| read_string(&content.item(last).field(Key::Type)));
    kind.is_some_and(|kind| kind.ends_with("_tool_result"))
}
