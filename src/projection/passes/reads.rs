//! Keeps the first and the last of many reads of the same lines, and samples between them; the other reads become
//! pointers. Source: document "Smart Tool History", read strategy. Optionally, superseded reads are replaced too: those
//! that a newer read covers, or whose file was changed since. Views of a part of a file, and lines counted from the end
//! of the file, are not reads of known lines: they are kept, and replace no other read.
//!
//! Reads are of the same lines if path and range are equal. Which reads are kept depends only on their number, so that
//! a view projected again is unchanged.

use crate::message::{FileTimeline, History, PlainRead, UseId};
use crate::projection::passes::pass::Pass;
use crate::projection::plan::PlannedEdit;
use crate::projection::registry::PassName;
use crate::projection::replacement::kind::{Kind, Replacement, StubStyle};
use crate::projection::replacement::texts::reread_pointer;
use crate::projection::replacement::worth::STUB_LIMIT;
use crate::projection::settings::{settings, words};
use crate::projection::view::pass_view::View;
use crate::tokens::estimate_tokens;
use serde::Serialize;

/// Settings of the reads pass: document "Smart Tool History", `max_file_reads`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReadsPolicy {
    /// Up to this many reads of the same lines: the first and the last are kept. More reads: this many are kept,
    /// at least two. Default 5.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_file_reads: u32,
    /// What happens to superseded reads: a newer read covers their lines, or the file was changed since. The newest
    /// read of each file is always kept. Default `keep`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Superseded>"))]
    pub superseded: Superseded,
}

settings!(ReadsPolicy { max_file_reads as "maxFileReads", superseded as "superseded" });

/// What happens to superseded reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts")
)]
#[serde(rename_all = "lowercase")]
pub enum Superseded {
    /// They stay.
    #[default]
    Keep,
    /// They are replaced with a pointer to the newer read, or a stub that says that the file was changed.
    Clear,
}

words!(Superseded { Keep = "keep", Clear = "clear" });

impl Default for ReadsPolicy {
    fn default() -> Self {
        Self { max_file_reads: 5, superseded: Superseded::Keep }
    }
}

impl Pass for ReadsPolicy {
    const PUTS: &'static [Kind] = &[Kind::FirstRead, Kind::LatestRead, Kind::Cleared];

    fn run(&self, view: &mut View<'_>) {
        for file in view.files.all().iter().filter(|file| file.plain_reads.len() > 1) {
            self.point_rereads(view, file);
            if self.superseded == Superseded::Clear {
                self.clear_superseded(view, file);
            }
        }
    }

    fn reason(_: &History, edit: &PlannedEdit, _: u32) -> String {
        match edit.replacement.kind() {
            Kind::FirstRead => "the first read of these lines shows the same",
            Kind::LatestRead => "a later read of these lines shows them",
            _ => "the file was changed since",
        }
        .to_owned()
    }

    fn style(&self) -> StubStyle {
        StubStyle { outdated: true, ..StubStyle::PLAIN }
    }
}

impl ReadsPolicy {
    /// Replaces the superseded reads of one file, newest first: with a pointer if a newer read shows the lines, or with
    /// a stub if the file was changed since.
    fn clear_superseded(&self, view: &mut View<'_>, file: &FileTimeline) {
        let mut newer = file.no_reads();
        for &PlainRead { result, id, lines } in file.plain_reads.iter().rev() {
            let covering = newer.showing(lines).filter(|of| is_latest(view, file, *of));
            // Also if the pointer exists already: its target must stay in full when the view is projected again.
            if let Some(of) = covering {
                view.plan.refer_to(of);
            }
            if !is_shown(view, id) {
                continue;
            }
            match covering {
                _ if !view.is_eligible(id, &view.history[id], 0) => newer.add(lines, id),
                Some(of) => point(view, id, of, true),
                None if file.changed_after(result) && !newer.is_empty() => {
                    view.clear(id, PassName::Reads, self.style());
                }
                None => newer.add(lines, id),
            }
        }
    }

    fn point_rereads(&self, view: &mut View<'_>, file: &FileTimeline) {
        let by_lines = file.by_lines();
        for reads in by_lines.chunk_by(|a, b| a.0 == b.0).filter(|reads| reads.len() > 2) {
            let read = |index: usize| file.plain_reads[reads[index].1].id;
            let (first, last) = (read(0), read(reads.len() - 1));
            view.plan.refer_to(first);
            view.plan.refer_to(last);
            for index in self.middle(reads.len()) {
                point_to_end(view, file, read(index), first, last);
            }
        }
    }

    /// The positions of the reads that are not kept: all between the first and the last, except evenly spaced samples
    /// if there are more than `max_file_reads` reads.
    fn middle(&self, count: usize) -> impl Iterator<Item = usize> + use<> {
        let between = count.saturating_sub(2);
        let samples = if count > self.max_file_reads as usize {
            self.max_file_reads.saturating_sub(2) as usize
        } else {
            0
        };
        let mut sampled = 0;
        (1..=between).filter(move |index| {
            let is_sample = sampled < samples && *index == 1 + sampled * between / samples;
            sampled += usize::from(is_sample);
            !is_sample
        })
    }
}

/// Replaces a read with a pointer to the first read if that shows the same content, otherwise with one to the last.
/// Contents are compared, because commands can change a file without a call that is known to change it.
fn point_to_end(view: &mut View<'_>, file: &FileTimeline, id: UseId, first: UseId, last: UseId) {
    let tool_use = &view.history[id];
    // Most reads are already decided, which is known without reading them.
    if !view.is_eligible(id, tool_use, 0) || tool_use.is_error || tool_use.partial_result {
        return;
    }
    let (Some(block), Some(start)) = (tool_use.result, view.history[first].result) else { return };
    let latest = file.changed_between(start, block)
        || !file.is_first(start)
        || !is_shown(view, first)
        || !view.has_same_content(first, id);
    let of = if latest { last } else { first };
    let is_named = !latest || is_latest(view, file, last);
    let bytes = reread_pointer(view.history, tool_use, latest).len();
    if is_named && is_shown(view, of) && view.is_long(tool_use, bytes) {
        point(view, id, of, latest);
    }
}

/// Whether a pointer to the latest read names this one.
fn is_latest(view: &View<'_>, file: &FileTimeline, id: UseId) -> bool {
    view.history[id].result.is_some_and(|read| file.is_latest(read))
}

/// Replaces a read with a pointer. For a read that [`is_shown`], the pointer is at most half as long.
fn point(view: &mut View<'_>, id: UseId, of: UseId, latest: bool) {
    let Some(block) = view.history[id].result else { return };
    let bytes = reread_pointer(view.history, &view.history[id], latest).len();
    let tokens = estimate_tokens(bytes as u64);
    let replacement = Replacement::Reread { of, latest };
    view.plan.replace(view.history, block, PassName::Reads, replacement, tokens);
}

/// Whether a result is shown in full and shows its lines. A failure shows none, and a result as short as a stub may be
/// a stub of an earlier projection.
fn is_shown(view: &View<'_>, id: UseId) -> bool {
    if view.plan.is_taken(id) {
        return false;
    }
    let tool_use = &view.history[id];
    !tool_use.is_error
        && !tool_use.is_stub
        && !tool_use.partial_result
        && view.is_long(tool_use, STUB_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::{ReadsPolicy, Superseded};

    fn settings(max_file_reads: u32) -> ReadsPolicy {
        ReadsPolicy { max_file_reads, superseded: Superseded::Keep }
    }

    #[test]
    fn which_reads_stay() {
        let gone = |count| settings(5).middle(count).collect::<Vec<_>>();
        let none: [usize; 0] = [];
        assert_eq!(gone(0), none);
        assert_eq!(gone(2), none);
        assert_eq!(gone(3), [1]);
        assert_eq!(gone(5), [1, 2, 3]);
        assert_eq!(gone(6), [4]);
        assert_eq!(gone(8), [2, 4, 6]);
        assert_eq!(gone(11), [2, 3, 5, 6, 8, 9]);
        assert!(settings(2).middle(4).eq([1, 2]));
        assert!(settings(0).middle(4).eq([1, 2]));
    }
}
