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

    /// Appends text to the last line.
    pub fn extend_last(&mut self, more: &str, limit: usize) {
        if let Some(last) = self.texts.last_mut() {
            *last = keep_start(&format!("{last} {more}"), limit);
        }
    }
}
