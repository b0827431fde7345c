//! Examples of RSpec that were seen to end.
//!
//! RSpec prints the same summary if an example ended the whole run: it counts that example, and no failure. Such a run
//! shows fewer ends of examples than its summary counts.

use super::colours::behind_colour;

/// Counts ends of examples, by the two forms in which RSpec prints them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Examples {
    /// Signs of the progress: `..F*`.
    signs: u32,
    /// Names in the list of groups and examples: lines with no deeper line below them.
    named: u32,
    /// The indentation of the line before, if it may be a name.
    depth: usize,
}

impl Examples {
    /// Looks at a line as printed, which is not empty.
    pub fn add(&mut self, line: &[u8]) {
        let line = behind_colour(line);
        let depth = line.iter().take_while(|byte| **byte == b' ').count();
        self.named += u32::from(self.depth > 1 && depth <= self.depth);
        self.depth = depth;
        if depth == 0 {
            self.signs += signs_of(line);
        }
    }

    /// Returns whether as many examples were seen to end as a summary counts, and begins anew.
    pub fn take(&mut self, all: u32) -> bool {
        let Self { signs, named, .. } = std::mem::take(self);
        signs.max(named) >= all
    }
}

/// Returns the number of signs at the beginning of a line. A test may print behind them, but not a blank: `... and more`.
fn signs_of(mut line: &[u8]) -> u32 {
    let mut signs = 0;
    loop {
        line = behind_colour(line);
        match line {
            [b' ', ..] | [b'F', b'a'..=b'z', ..] => return 0,
            [b'.' | b'F' | b'*', rest @ ..] => {
                signs += 1;
                line = rest;
            }
            _ => return signs,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Examples;

    fn sees(text: &str, all: u32) -> bool {
        let mut examples = Examples::default();
        text.lines().filter(|line| !line.is_empty()).for_each(|line| examples.add(line.as_bytes()));
        examples.take(all)
    }

    #[test]
    fn ends_of_examples_as_they_are_printed() {
        let end = "\nFinished in 0.1 seconds\n";
        for (text, seen) in [
            ("..*F", 4),
            ("\x1b[32m.\x1b[0m\x1b[32m.\x1b[0m", 2),
            (".Error: logged\n.usage\n\n", 2),
            ("... 12 lines truncated ...\n", 0),
            ("", 0),
            ("cli\n  adds\n  when empty\n    stops\n    adds\n\ncart\n  adds\n", 4),
            ("cli\nlogged\n\x1b[32m  adds\x1b[0m\n\x1b[32m  stops\x1b[0m\n", 2),
            ("cli\n  adds\nlogged\n  stops\n", 2),
        ] {
            let text = format!("{text}{end}");
            assert!(sees(&text, seen) && !sees(&text, seen + 1), "{text}");
        }
    }
}
