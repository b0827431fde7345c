//! Counts the words of a text by passage, and finds the names it defines.

use super::declared::declared_name;
use super::passages::{Lines, passage_starts};
use super::section::Section;
use super::terms::{Term, each_term, term_of_name};

/// A range of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Passage {
    /// Index of its first line, from 0.
    pub start: u32,
    /// Index after its last line.
    pub end: u32,
    /// Number of words, including those of the path.
    pub words: u32,
}

/// Number of occurrences of a word in a passage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Count {
    pub term: Term,
    pub passage: u32,
    pub count: u32,
}

/// The passages, words and definitions of a text.
#[derive(Debug)]
pub(crate) struct Counts {
    pub passages: Vec<Passage>,
    /// Sorted by word, then passage.
    pub counts: Vec<Count>,
    /// The names that the text defines, each with its passage.
    pub definitions: Vec<(Term, u32)>,
}

impl Counts {
    /// Reads a text. Without sections, definitions are found by keywords.
    pub fn of(path: &str, text: &str, sections: &[Section]) -> Self {
        let lines = Lines::of(text);
        let starts = passage_starts(&lines, sections);
        let mut of_path = Vec::new();
        each_term(path, &mut |term| of_path.push(term));
        let mut passages = Vec::with_capacity(starts.len());
        let mut found: Vec<(Term, u32)> = Vec::new();
        for (at, start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(lines.len());
            let before = found.len();
            // The words of its path also count as words of a passage.
            found.extend(of_path.iter().map(|term| (*term, at as u32)));
            each_term(lines.span(*start, end), &mut |term| found.push((term, at as u32)));
            let words = (found.len() - before) as u32;
            passages.push(Passage { start: *start as u32, end: end as u32, words });
        }
        found.sort_unstable();
        let count = |run: &[(Term, u32)]| Count {
            term: run[0].0,
            passage: run[0].1,
            count: run.len() as u32,
        };
        let counts: Vec<Count> = found.chunk_by(|one, other| one == other).map(count).collect();
        let definitions = definitions(&lines, sections, &starts, &counts);
        Self { passages, counts, definitions }
    }

    /// Returns the counts of a word in the passages that have it.
    pub fn of_term(&self, term: Term) -> &[Count] {
        of_term(&self.counts, term)
    }
}

fn of_term(counts: &[Count], term: Term) -> &[Count] {
    let first = counts.partition_point(|count| count.term < term);
    let length = counts[first..].iter().take_while(|count| count.term == term).count();
    &counts[first..first + length]
}

fn definitions(
    lines: &Lines,
    sections: &[Section],
    starts: &[usize],
    counts: &[Count],
) -> Vec<(Term, u32)> {
    let mut found = Vec::new();
    let mut add = |name: &str, line: usize| {
        let passage = starts.partition_point(|start| *start <= line).saturating_sub(1);
        // A name made up by an outline does not occur in the text, so nothing refers to it.
        let term = term_of_name(name).filter(|term| !of_term(counts, *term).is_empty());
        found.extend(term.map(|term| (term, passage as u32)));
    };
    for section in sections.iter().filter(|section| section.start_line <= lines.len()) {
        let line = section.start_line.saturating_sub(1);
        section.name.iter().for_each(|name| add(name, line));
    }
    if sections.is_empty() {
        for line in 0..lines.len() {
            declared_name(lines.line(line)).into_iter().for_each(|name| add(name, line));
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::{Counts, Section};
    use crate::index::terms::term_of_name;

    fn count(counts: &Counts, word: &str) -> Vec<(u32, u32)> {
        let term = term_of_name(word).into_iter();
        term.flat_map(|term| counts.of_term(term)).map(|one| (one.passage, one.count)).collect()
    }

    #[test]
    fn words_are_counted_by_passage() {
        let text = format!("one two\n{}two two\n", "\n".repeat(39));
        let counts = Counts::of("src/a.ts", &text, &[]);
        assert_eq!(counts.passages.len(), 2);
        assert_eq!(count(&counts, "two"), [(0, 1), (1, 2)]);
        assert_eq!(count(&counts, "src"), [(0, 1), (1, 1)]);
        assert_eq!(counts.passages.iter().map(|passage| passage.words).collect::<Vec<_>>(), [4, 4]);
    }

    #[test]
    fn definitions_come_from_sections_or_keywords() {
        let text = "fn read() {}\nfn write() {}\n";
        let names = |sections: &[Section]| {
            Counts::of("a", text, sections)
                .definitions
                .iter()
                .map(|(term, _)| *term)
                .collect::<Vec<_>>()
        };
        let mut both: Vec<_> = ["read", "write"].into_iter().filter_map(term_of_name).collect();
        both.sort_unstable();
        assert_eq!(names(&[]), both);
        let section = |name: &str, line| Section {
            name: Some(name.to_owned()),
            start_line: line,
            end_line: line,
        };
        assert_eq!(
            names(&[section("write", 2), section("made_up", 1), section("read", 9)]),
            [term_of_name("write").unwrap_or(both[0])]
        );
    }
}
