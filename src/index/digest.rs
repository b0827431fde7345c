//! The lines of a file that are most relevant to the current conversation.
//!
//! Most of the lines are windows around words of the conversation. The others are the first lines of definitions, outermost
//! first, so that the model can ask for the rest of the file by name.

use super::counts::Counts;
use super::declared::declared_name;
use super::files::{FileIndex, Place};
use super::passages::Lines;
use super::query::Query;
use super::score::{Sought, scores_of_text, sought, sought_beside};
use super::section::Section;
use super::terms::each_term;

/// Number of lines in a window.
const WINDOW: usize = 12;
/// One part in this many of the lines is for definitions.
const HEADS: usize = 3;
/// Bytes per unit of room: a wider line takes the room of two lines, and so on, to keep digests short.
const WIDE: usize = 200;

/// Input of a digest.
#[derive(Debug, Clone, Copy)]
pub struct DigestRequest<'d> {
    /// The file's path. If the index has this file with the same passages, references to it count.
    pub path: &'d str,
    /// Its content.
    pub text: &'d str,
    /// Its sections; empty if unknown.
    pub sections: &'d [Section],
    /// Recent text of the conversation.
    pub conversation: &'d str,
    /// Maximum number of lines; wide ones count several times.
    pub lines: usize,
}

impl FileIndex {
    /// Returns the lines to show: first and last of each run, from 1, in the order of the file.
    pub fn digest(&self, request: DigestRequest) -> Vec<(usize, usize)> {
        let lines = Lines::of(request.text);
        let mut values = self.values(&request, &lines);
        let mut choice = Choice::of(&lines, request.lines);
        if !choice.takes(0, lines.len()) {
            let heads = heads(&lines, request.sections);
            let kept = if heads.is_empty() { 0 } else { request.lines / HEADS };
            choice.take_windows(&mut values, kept);
            heads.into_iter().for_each(|line| choice.take(line));
            choice.take_windows(&mut values, 0);
        }
        choice.runs()
    }

    /// Returns the value of each line: the weight of the conversation's words in it, plus its share of its passage's
    /// score.
    fn values(&self, request: &DigestRequest, lines: &Lines) -> Vec<f64> {
        let counts = Counts::of(request.path, request.text, request.sections);
        let (sought, scores) = self.sought_and_scores(request, &counts);
        let mut values = vec![0.0; lines.len()];
        for (passage, score) in counts.passages.iter().zip(scores) {
            let (start, end) = (passage.start as usize, passage.end as usize);
            for (line, value) in (start..end).zip(&mut values[start..end]) {
                *value = score / (end - start) as f64;
                let mut words: Vec<_> = Vec::new();
                each_term(lines.line(line), &mut |term| words.push(term));
                let found = sought.iter().filter(|one| words.contains(&one.term));
                *value += found.map(|one| one.weight).sum::<f64>();
            }
        }
        values
    }

    /// Returns the conversation's words, and the score of each passage. A file that the index does not have is scored as
    /// if it had it: a word that only this file has counts most.
    fn sought_and_scores(
        &self,
        request: &DigestRequest,
        counts: &Counts,
    ) -> (Vec<Sought>, Vec<f64>) {
        let text = request.conversation;
        let same =
            |slot: &u32| self.file(*slot).is_some_and(|file| *file.passages == *counts.passages);
        let Some(file) = self.slot(request.path).filter(same) else {
            let sought = sought_beside(self, counts, text);
            let scores = scores_of_text(self, &sought, counts);
            return (sought, scores);
        };
        let scores = self.scores(Query { text, conversation: "", symbols: true });
        let of = |passage: usize| scores.at(Place { file, passage: passage as u32 });
        (sought(self, text), (0..counts.passages.len()).map(of).collect())
    }
}

/// Returns the first lines of definitions, least indented first.
fn heads(lines: &Lines, sections: &[Section]) -> Vec<usize> {
    let mut heads: Vec<usize> = if sections.is_empty() {
        (0..lines.len()).filter(|at| declared_name(lines.line(*at)).is_some()).collect()
    } else {
        let starts = sections.iter().map(|section| section.start_line.saturating_sub(1));
        starts.filter(|line| *line < lines.len()).collect()
    };
    let indentation = |line: &usize| lines.line(*line).len() - lines.line(*line).trim_start().len();
    heads.sort_by_key(|line| (indentation(line), *line));
    heads
}

/// The lines chosen so far.
struct Choice {
    taken: Vec<bool>,
    /// The room that each line takes.
    costs: Vec<usize>,
    room: usize,
}

impl Choice {
    fn of(lines: &Lines, room: usize) -> Self {
        let costs = (0..lines.len()).map(|at| 1 + lines.line(at).len() / WIDE).collect();
        Self { taken: vec![false; lines.len()], costs, room }
    }

    /// Takes all lines of a range, if there is room for them.
    fn takes(&mut self, from: usize, to: usize) -> bool {
        let fits = self.costs[from..to].iter().sum::<usize>() <= self.room;
        if fits {
            (from..to).for_each(|line| self.take(line));
        }
        fits
    }

    /// Takes a line, if there is room for it.
    fn take(&mut self, line: usize) {
        if !self.taken[line] && self.costs[line] <= self.room {
            self.taken[line] = true;
            self.room -= self.costs[line];
        }
    }

    /// Takes the most valuable windows, one after the other, until only `kept` room is left.
    fn take_windows(&mut self, values: &mut [f64], kept: usize) {
        while self.room > kept {
            let length = WINDOW.min(self.room - kept);
            let Some(start) = best_window(values, length) else { return };
            let end = (start + length).min(values.len());
            let before = self.room;
            for line in start..end {
                if self.costs[line] <= self.room.saturating_sub(kept) {
                    self.take(line);
                }
            }
            // Taken or too wide: ignored from now on.
            values[start..end].fill(0.0);
            if self.room == before {
                return;
            }
        }
    }

    fn runs(&self) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for line in (0..self.taken.len()).filter(|line| self.taken[*line]) {
            match runs.last_mut() {
                Some((_, last)) if *last == line => *last = line + 1,
                _ => runs.push((line + 1, line + 1)),
            }
        }
        runs
    }
}

/// Returns the start of the most valuable window of this length; the first of equals, `None` if all values are 0.
fn best_window(values: &[f64], length: usize) -> Option<usize> {
    let last = values.len().saturating_sub(length);
    let mut best = None;
    let mut most = 0.0;
    for start in 0..=last {
        let worth: f64 = values.iter().skip(start).take(length).sum();
        if worth > most {
            most = worth;
            best = Some(start);
        }
    }
    best
}
