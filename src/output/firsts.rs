//! The first different ones of many lines.

use crate::text::keep_start;

/// The first different lines, cut to a length, and how many more there were.
#[derive(Debug, Clone, Default)]
pub struct Firsts {
    /// The lines.
    pub texts: Vec<String>,
    /// How many more different lines were offered, as far as the first ones can tell.
    pub more: u32,
}

impl Firsts {
    /// Takes a line if there is room for it; whether it is the last one now, so that more can be put behind it.
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

    /// Puts more behind the last line.
    pub fn extend_last(&mut self, more: &str, limit: usize) {
        if let Some(last) = self.texts.last_mut() {
            *last = keep_start(&format!("{last} {more}"), limit);
        }
    }
}
