//! Removes calls from every view by their ids, each with its result and with the content that providers reject without
//! it.

use crate::message::{
    Block, BlockId, BlockKind, FileTimelines, History, Names, Role, ToolUse, UseId,
    keep_for_instructions,
};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::{Plan, PlannedEdit};
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{Kind, Replacement};
use crate::projection::settings::pass_setting::Setting;
use crate::projection::settings::{Setting as Readable, Wrong};
use crate::projection::view::pass_view::View;
use crate::text::json::Json;
use serde::Serialize;

/// Ids of calls that are left out of every view.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
pub struct ExcludedCalls(pub Vec<String>);

impl Readable for ExcludedCalls {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        self.0.read(value)
    }
}

impl Setting for Option<ExcludedCalls> {
    type Pass = ExcludedCalls;

    fn settings(&self) -> Option<&ExcludedCalls> {
        self.as_ref()
    }
}

impl Pass for ExcludedCalls {
    const PUTS: &'static [Kind] = &[Kind::Removed];
    /// The policy lists the ids each time, so a call that is no longer listed comes back.
    const LASTING: bool = false;
    const WAITS: bool = false;

    fn run(&self, view: &mut View<'_>) {
        let gone = self.uses_in(view.history).into_iter().enumerate().filter(|(_, gone)| *gone);
        for (i, _) in gone {
            view.plan.remove(view.history, UseId(i), PassName::Exclude);
        }
    }

    fn edits(&self) -> bool {
        !self.0.is_empty()
    }

    fn reason(_: &History, edit: &PlannedEdit, _: u32) -> String {
        match edit.tool_use {
            Some(_) => "the policy excludes it",
            None => "the calls that it stood with are excluded",
        }
        .to_owned()
    }

    fn why_kept(&self, view: &View<'_>, id: UseId) -> Option<&'static str> {
        let is_named = view.history[id].id.as_ref().is_some_and(|id| self.0.contains(id));
        is_named.then_some("kept: a system message or calls beside it need it")
    }
}

impl ExcludedCalls {
    /// For each tool use, whether it is excluded. A call without a result is kept until it has one. Content before a
    /// provider's compaction is not excluded.
    pub fn uses_in(&self, history: &History) -> Vec<bool> {
        let mut ids = Names::default();
        for id in &self.0 {
            ids.intern(id);
        }
        let is_named = |one: &ToolUse| one.id.as_ref().is_some_and(|id| ids.find(id).is_some());
        let is_shown = |one: &ToolUse| one.call.min(one.result) >= Some(history.start());
        let named = |one: &ToolUse| one.result.is_some() && is_shown(one) && is_named(one);
        let mut gone: Vec<bool> = history.uses().iter().map(named).collect();
        for i in 0..gone.len() {
            gone[i] = gone[i] && !signs_others(history, UseId(i), &gone);
        }
        keep_for_instructions(history, &mut gone);
        gone
    }
}

/// Whether an earlier decision is about an excluded tool use, points to one, or describes one in a note.
pub fn rests_on(
    edit: &PlannedEdit,
    history: &History,
    files: &FileTimelines,
    gone: &[bool],
) -> bool {
    let Some(id) = edit.tool_use else { return false };
    let (is_gone, of) = (|of: UseId| gone[of.0], edit.replacement.names());
    let tells_of_gone = || match (edit.replacement, history[id].files.as_slice()) {
        (Replacement::Noted { from }, [(path, _)]) => {
            let changes = &files.of(*path).changes;
            let told = changes[changes.partition_point(|of| *of < from)..].iter();
            told.take_while(|of| **of <= id).any(|of| is_gone(*of))
        }
        _ => false,
    };
    is_gone(id) || of.is_some_and(is_gone) || tells_of_gone()
}

/// Whether a call carries the signature of calls beside it that are kept. Gemini requires it during their turn.
fn signs_others(history: &History, UseId(id): UseId, gone: &[bool]) -> bool {
    let Some(call) = history.uses()[id].call else { return false };
    let message = history[call].message;
    let (first, blocks) = history.blocks_of(message);
    let stays = |block: &Block| is_call(block) && block.tool_use.is_some_and(|id| !gone[id.0]);
    call.0 > first
        && history.blocks()[call.0 - 1].is_mark()
        && blocks.iter().any(stays)
        && !history.messages()[message..].iter().any(|message| message.ends_turn)
}

fn is_call(block: &Block) -> bool {
    block.kind == BlockKind::ToolCall
}

/// Removes the content that providers reject without the excluded calls: reasoning that led to nothing else; at the end
/// of the view, the text before the calls, since a view must not end with the model; and text that may not stand
/// without calls.
pub fn take_along(history: &History, plan: &mut Plan) {
    plan.order();
    let mut along = Vec::new();
    let mut is_end = true;
    let mut after = After { step: u32::MAX, is_reasoning: false, goes: false, stays: false };
    let mut without_calls = None;
    // The provider's own compaction is kept.
    let first = history.start().0 + usize::from(history.is_compacted());
    let blocks = history.blocks().iter().enumerate().skip(first);
    for (i, block) in blocks.rev() {
        let is_gone = plan.removes(BlockId(i));
        if block.is_mark() && block.kind == BlockKind::Unknown {
            let (first, blocks) = history.blocks_of(block.message);
            let stays = |(i, block)| is_call(block) && !plan.removes(BlockId(first + i));
            without_calls = (!blocks.iter().enumerate().any(stays)).then_some(block.message);
        }
        if block.is_nothing() && !is_gone {
            continue;
        }
        let is_reasoning = block.kind == BlockKind::Reasoning;
        let is_models = history.messages()[block.message].role == Role::Assistant;
        let is_said = is_models && (is_reasoning || block.kind == BlockKind::Text);
        is_end = is_end && (is_gone || is_said && block.step == after.step);
        if block.step != after.step || after.is_reasoning && !is_reasoning {
            (after.goes, after.stays) = (false, false);
        }
        let leads_nowhere = is_reasoning && after.goes && !after.stays;
        let goes = is_gone || is_end || leads_nowhere || without_calls == Some(block.message);
        if goes && !is_gone {
            along.push(BlockId(i));
        }
        (after.step, after.is_reasoning) = (block.step, is_reasoning);
        if is_models && !is_reasoning && block.kind != BlockKind::ToolResult {
            after.goes |= goes;
            after.stays |= !goes;
        }
    }
    for block in along {
        plan.replace(history, block, PassName::Exclude, Replacement::Removed, 0);
    }
}

/// What follows a block in its step, up to the next reasoning: whether anything of it is removed, and whether anything
/// is kept.
struct After {
    step: u32,
    is_reasoning: bool,
    goes: bool,
    stays: bool,
}
