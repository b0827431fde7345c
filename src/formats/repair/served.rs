//! Results of tools that the provider runs itself. The blocks are opaque, so their pairing is read from the messages.

use super::check::{Check, ServedOrphan};
use super::findings::{Findings, Position};
use super::problem::ValidityRule;
use crate::message::{BlockKind, Key, Names, Role, Value, Word, read_string};

/// Reports `orphan-result` of these results, and returns those that are taken out.
pub fn orphans<V: Value>(check: &mut Check<'_, V>, list: Key) -> Vec<ServedOrphan> {
    let mut calls = Names::default();
    let mut taken_out = Vec::new();
    for message in check.first_message()..check.locked.len() {
        if check.role(message) != Role::Assistant {
            continue;
        }
        let content = (check.message)(message).field(list);
        for (block, facts) in check.history.blocks_of(message).1.iter().enumerate() {
            if facts.kind != BlockKind::Unknown {
                continue;
            }
            match Half::read(&content.item(block)) {
                Some(Half::Call(id)) => _ = calls.intern(&id),
                Some(Half::Result(id)) if calls.find(&id).is_none() => {
                    let at = Position::block(message, block);
                    if report(&mut check.findings, at, &id, check.locked[message]) {
                        taken_out.push(ServedOrphan { message, block });
                    }
                }
                _ => (),
            }
        }
    }
    taken_out
}

/// Returns whether the result is taken out.
fn report(findings: &mut Findings, at: Position, id: &str, is_locked: bool) -> bool {
    let (rule, problem) = (ValidityRule::OrphanResult, format!("there is no call {id} before it"));
    if is_locked {
        findings.left(at, rule, &problem);
    } else {
        findings.repaired(at, rule, problem, "took the result out");
    }
    !is_locked
}

/// A call of the provider's own tool, or its result, with the id of the call.
enum Half {
    Call(String),
    Result(String),
}

impl Half {
    /// Goes by the ends of types: new tools come often.
    fn read<V: Value>(block: &V) -> Option<Self> {
        let id = |key| read_string(&block.field(key)).filter(|id| !id.is_empty());
        let kind = read_string(&block.field(Key::Type))?;
        if kind.ends_with("_tool_use") {
            id(Key::Id).map(Half::Call)
        } else if kind.ends_with("_tool_result") {
            id(Key::ToolUseId).map(Half::Result)
        } else {
            None
        }
    }
}

/// Whether a block of a locked message is a result of an MCP server, which the assistant may say.
pub fn is_servers<V: Value>(block: &V) -> bool {
    block.field(Key::Type).word() == Some(Word::McpToolResult)
}
