//! Of many reads of the same lines the first and the last stay, some between them are sampled, and the others become
//! pointers: document "Smart Tool History", read strategy. On request, reads that a newer one covers, or that a write
//! has overtaken, go as well. Views of a part of a file, and lines counted from its end, are no reads of known lines:
//! nothing gives way to them, and they stay.
//!
//! A read is of the same lines when path and range are the same. Which reads stay depends only on their number, so that
//! a view is its own view.

use super::file_uses::{FileUses, Files, first_lines};
use super::policy::PLACEHOLDER_LIMIT;
use super::stub::{StubStyle, is_worth, reread_pointer};
use super::{Pass, PassName, Replacement, View};
use crate::message::{BlockId, UseId};
use crate::tokens::estimate_tokens;
use serde::{Deserialize, Serialize};
use std::mem::take;

/// Settings of the reads pass: document "Smart Tool History", `max_file_reads`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    all(test, not(target_arch = "wasm32")),
    derive(ts_rs::TS, schemars::JsonSchema),
    ts(export, export_to = "types.ts", optional_fields)
)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ReadsPolicy {
    /// Of up to this many reads of the same lines, the first and the last stay; of more, this many. Default 5.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<u32>"))]
    pub max_file_reads: u32,
    /// What becomes of reads that are superseded: a newer read covers their lines, or the file was changed since.
    /// The newest read of each file always stays. Default `keep`.
    #[cfg_attr(all(test, not(target_arch = "wasm32")), ts(optional, as = "Option<Superseded>"))]
    pub superseded: Superseded,
}

/// What becomes of superseded reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// They become a pointer to the newer read, or a stub that says that the file was changed.
    Clear,
}

impl Default for ReadsPolicy {
    fn default() -> Self {
        Self { max_file_reads: 5, superseded: Superseded::Keep }
    }
}

impl Pass for ReadsPolicy {
    fn run(&self, view: &mut View<'_>) {
        let is_newest = view.current_step >= view.history.steps();
        let mut files = if is_newest { take(&mut view.cache.files) } else { Files::default() };
        files.follow(view.history, view.current_step);
        for file in files.all().iter().filter(|file| file.reads.len() > 1) {
            self.point_rereads(view, file);
            if self.superseded == Superseded::Clear {
                clear_superseded(view, file);
            }
        }
        if is_newest {
            view.cache.files = files;
        }
    }
}

/// Reads of one file, newest first: one that a newer one shows becomes a pointer to it, one that was written over a
/// stub.
fn clear_superseded(view: &mut View<'_>, file: &FileUses) {
    let last_write = file.writes.last();
    let mut newer: Vec<UseId> = Vec::new();
    for (block, id) in file.reads.iter().rev() {
        let one = &view.history[*id];
        let covers =
            |other: &&UseId| contains(first_lines(&view.history[**other]), first_lines(one));
        let covering = newer.iter().find(covers).copied();
        // Also where the pointer stands already: what it names must stay as it is in the view of a view.
        if let Some(of) = covering {
            view.plan.refer_to(of);
        }
        if !is_shown(view, *id) {
            continue;
        }
        let is_overtaken = last_write.is_some_and(|write| write > block);
        match covering {
            _ if !one.editable || !view.is_free(*id, one) => newer.push(*id),
            Some(of) => point_to_newer(view, *id, of),
            None if is_overtaken && !newer.is_empty() => clear_overtaken(view, *id),
            None => newer.push(*id),
        }
    }
}

/// Whether the lines of one read are among those of the other; `None` is the whole file.
pub(super) fn contains(outer: Option<(u32, u32)>, inner: Option<(u32, u32)>) -> bool {
    match (outer, inner) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some((first, last)), Some((from, to))) => first <= from && to <= last,
    }
}

/// Of a read that [`is_shown`]: no pointer is as long as half of it.
fn point_to_newer(view: &mut View<'_>, id: UseId, of: UseId) {
    let bytes = reread_pointer(view.history, &view.history[id], true).len();
    let replacement = Replacement::Reread { of, latest: true };
    let tokens = estimate_tokens(bytes as u64);
    view.plan.replace(view.history, id, PassName::Reads, replacement, tokens);
}

fn clear_overtaken(view: &mut View<'_>, id: UseId) {
    view.clear(id, PassName::Reads, StubStyle { outdated: true, ..StubStyle::PLAIN });
}

impl ReadsPolicy {
    fn point_rereads(&self, view: &mut View<'_>, file: &FileUses) {
        for (_, reads) in file.by_lines.iter().filter(|(_, reads)| reads.len() > 2) {
            let (first, last) = (reads[0], reads[reads.len() - 1]);
            let ends = Ends { first, last, written: &file.writes };
            view.plan.refer_to(first);
            view.plan.refer_to(last);
            for index in self.middle(reads.len()) {
                ends.point(view, reads[index]);
            }
        }
    }

    /// The positions of the reads that do not stay: all between the first and the last, but for samples spread evenly
    /// where there are more than `max_file_reads`.
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

/// The reads that stay at either end, and the writes to the file.
struct Ends<'w> {
    first: UseId,
    last: UseId,
    written: &'w [BlockId],
}

impl Ends<'_> {
    /// Makes a read a pointer to the first, where that still shows what this one showed, or else to the last.
    fn point(&self, view: &mut View<'_>, id: UseId) {
        let one = &view.history[id];
        let Some(block) = one.result else { return };
        if !view.is_free(id, one) || !one.editable || one.is_stub || one.partial_result {
            return;
        }
        let between = view.history[self.first].result..Some(block);
        let written_before = self.written.iter().any(|write| between.contains(&Some(*write)));
        let latest = written_before || !is_shown(view, self.first);
        let shown = if latest { self.last } else { self.first };
        let bytes = reread_pointer(view.history, one, latest).len();
        if is_shown(view, shown) && is_worth(view.history[block].size, bytes) {
            let tokens = estimate_tokens(bytes as u64);
            view.plan.replace(
                view.history,
                id,
                PassName::Reads,
                Replacement::Reread { of: shown, latest },
                tokens,
            );
        }
    }
}

/// Whether a result stands in full and shows its lines. One as short as a stub may be a stub of an earlier projection.
fn is_shown(view: &View<'_>, id: UseId) -> bool {
    let one = &view.history[id];
    let is_long = |block: BlockId| is_worth(view.history[block].size, PLACEHOLDER_LIMIT);
    !view.plan.is_taken(id)
        && !one.is_stub
        && !one.partial_result
        && one.result.is_some_and(is_long)
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
