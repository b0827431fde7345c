/// A named part of a file, from an outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The name it defines; `None` if others cannot refer to it (a heading, a rule).
    pub name: Option<String>,
    /// Its first line, from 1.
    pub start_line: usize,
    /// Its last line.
    pub end_line: usize,
}
