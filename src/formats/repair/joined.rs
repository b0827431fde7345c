//! Repaired history for formats in which a call and its result are one part. Only assistant messages are sent with
//! their tool parts.

use super::check::Check;
use super::edits::{RepairEdit, RepairEntry, path_to};
use super::findings::{Findings, Position};
use super::problem::ValidityRule;
use super::rules::NO_CONTENT;
use crate::message::{BlockPath, Role, Value};

/// Builds the repaired history. No message moves.
pub fn lay_out<V: Value>(mut check: Check<'_, V>) -> Findings {
    let list = check.format.places().list;
    let count = check.history.messages().len();
    for index in 0..count {
        let parts = (check.message)(index).field(list);
        let mut edits = Vec::new();
        for call in check.pairs.calls_of(index) {
            let BlockPath::Item(item) = call.half.path else { continue };
            let way = path_to(&[list], Some(item));
            let at = Position::block(index, call.half.block);
            let mut own = Vec::new();
            if let (Some(rule), Some(id)) = (call.fault, &call.new_id) {
                let problem = match &call.half.id {
                    Some(id) => format!("another call has the id {id}"),
                    None => "a call without id".to_owned(),
                };
                check.findings.repaired(at, rule, problem, format!("got the id {id}"));
                own.push(RepairEdit::set(check.rules.call_id, id.as_str()));
            }
            let is_last = index + 1 == count;
            if let Some(fault) = check.format.part_fault(&parts.item(item as usize), is_last) {
                let id = call.final_id().unwrap_or("");
                let problem = format!("{} ({id})", fault.problem);
                check.findings.repaired(at, fault.rule, problem, fault.remedy);
                own.extend(fault.edits);
            }
            edits.extend(own.into_iter().map(|edit| edit.within(&way)));
        }
        if parts.is_empty() && check.role(index) != Role::Assistant {
            edits.push(RepairEdit::set(&[list], check.format.content_of(NO_CONTENT)));
            let (at, rule) = (Position::message(index), ValidityRule::EmptyContent);
            check.findings.repaired(at, rule, "the message has no parts", "put a text there");
        }
        check.findings.entries.push(RepairEntry::of(index, edits));
    }
    check.findings
}
