//! Collects the first distinct lines of an output.

use crate::text::keep_start;

/// The first distinct lines, cut to a length, and the number of further ones.
#[derive(Debug, Clone, Default)]
pub struct Firsts {
    /// The lines.
    pub texts: Vec<String>,
    /// Number of further lines that differ from those kept. Repetitions among them are counted each time.
    pub more: u32,
}

impl Firsts {
    /// Adds a line if there is room. Returns whether it was added, so that [`Firsts::extend_last`] can extend it.
    pub fn offer(&mut self, line: &str, most: usize, limit: usize) -> bool {
        let is_known = |known: &String| match known.strip_suffix('…') {
            Some(start) => line.starts_with(start),
            None if line.ends_with(':') => known.starts_with(line),
            None => known == line,
        };
        if line.is_empty() || self.texts.iter().any(is_known) {
            return false;
        }
        if self.texts.len() == most {
            self.more += 1;
            return false;
        }
        self.texts.push(keep_start(line, limit));
        true
    }

    /// Returns these lines and, in the room that they leave, other ones. `others` has been offered all of these.
    pub fn before(mut self, others: Self, most: usize) -> Self {
        let known = self.texts.len();
        let all = others.texts.len() + others.more as usize;
        for text in others.texts {
            if self.texts.len() < most && !self.texts[..known].contains(&text) {
                self.texts.push(text);
            }
        }
        let more = all.saturating_sub(self.texts.len());
        self.more = u32::try_from(more).unwrap_or(u32::MAX);
        self
    }

    /// Returns these lines and, in the room that they leave, those of `others`, which are not among them.
    pub fn followed_by(mut self, mut others: Self, most: usize) -> Self {
        let shown = most.saturating_sub(self.texts.len()).min(others.texts.len());
        let rest = others.texts.split_off(shown);
        self.texts.append(&mut others.texts);
        self.more += u32::try_from(rest.len()).unwrap_or(u32::MAX) + others.more;
        self
    }

    /// Appends text to the last line.
    pub fn extend_last(&mut self, more: &str, limit: usize) {
        if let Some(last) = self.texts.last_mut() {
            *last = keep_start(&format!("{last} {more}"), limit);
        }
    }
}
