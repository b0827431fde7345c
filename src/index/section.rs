/// A part of a file that has a name, as an outline gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it defines; `None` where it defines nothing that others could name (a heading, a rule).
    pub name: Option<String>,
    /// Its first line, from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
}
