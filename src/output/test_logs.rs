//! What the tests of a verbose `go test` log: it is printed before the verdict on the test, which tells whether it is
//! about a failure.

/// Lines kept until their tests end: of thousands of running tests, the last lines.
const MOST: usize = 100;

/// Lines that running tests have logged.
#[derive(Debug, Clone, Default)]
pub struct TestLogs {
    /// The test that logs; empty if none runs.
    test: String,
    /// Tests and lines.
    lines: Vec<(String, String)>,
}

impl TestLogs {
    /// Reads a line that says which test runs (`=== RUN TestSum`), or that one ended (`--- PASS: TestSum (0.00s)`). Returns
    /// what the test logged if it failed.
    pub fn follow(&mut self, line: &str) -> Vec<String> {
        let mut words = line.split(' ');
        let (sign, said) = (words.next(), words.next());
        let test = words.next().unwrap_or_default();
        match (sign, said) {
            (Some("==="), Some("RUN" | "CONT" | "NAME")) => test.clone_into(&mut self.test),
            (Some("---"), Some(verdict)) => {
                self.test.clear();
                let ended = self.lines.extract_if(.., |(of, _)| of == test);
                let lines = ended.map(|(_, line)| line).collect();
                if verdict == "FAIL:" {
                    return lines;
                }
            }
            _ => {}
        }
        Vec::new()
    }

    /// Keeps a line of the test that runs. Returns whether one does.
    pub fn keep(&mut self, line: &str) -> bool {
        let runs = !self.test.is_empty();
        if runs {
            let first = usize::from(self.lines.len() == MOST);
            self.lines.drain(..first);
            self.lines.push((self.test.clone(), line.to_owned()));
        }
        runs
    }

    /// Returns what tests logged that did not end.
    pub fn rest(&mut self) -> impl Iterator<Item = String> + use<> {
        std::mem::take(&mut self.lines).into_iter().map(|(_, line)| line)
    }
}
