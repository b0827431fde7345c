//! The description of a language: the roles of the nodes in its tree. `grammars` has one table per language.

use crate::section::SectionKind;
use std::borrow::Cow;
use tree_sitter::Language;

/// Returns a text of the same length as its argument.
pub(crate) type Overwrite = for<'t> fn(&'t str) -> Cow<'t, str>;

/// The table of a language. Other nodes are statements at the top level, and are ignored elsewhere.
pub(crate) struct Grammar {
    /// Its name in options.
    pub name: &'static str,
    /// The generated parser; `None` only in [`Grammar::EMPTY`].
    pub language: Option<fn() -> Language>,
    /// Nodes that are sections.
    pub sections: &'static [(&'static str, SectionKind)],
    /// Nodes that are part of a type or of data, and not sections themselves.
    pub fields: &'static [&'static str],
    /// Nodes that import other files.
    pub imports: &'static [&'static str],
    /// Nodes that only wrap sections: their children are treated as if they were in their place.
    pub wrappers: &'static [&'static str],
    /// Loops, blocks and other code: only functions, classes and tests in them are sections.
    pub code: &'static [&'static str],
    /// Whether types in the code of functions are sections.
    pub has_local_types: bool,
    /// Words that make a call with a function argument a test, or a group of tests (`it('reads', () => {...})`).
    pub tests: &'static [&'static str],
    /// Beginnings of the names of functions whose code may contain further tests.
    pub test_functions: &'static [&'static str],
    /// Beginning of the type of a parameter that only such functions have; empty if there is none.
    pub test_parameter: &'static str,
    /// Nodes that hold members or fields, for sections without a field `body`.
    pub members: &'static [&'static str],
    /// Nodes that are folded as a whole: code and data.
    pub bodies: &'static [&'static str],
    /// Nodes between a section and the types that it returns or chooses from (`return struct {...}`).
    pub choices: &'static [&'static str],
    /// Statements that define what they assign if that is a function, a class or an export (`exports.f = ...`).
    pub assignments: &'static [&'static str],
    /// Sections whose name is everything between their first word and their body (`impl Display for Id`).
    pub headers: &'static [&'static str],
    /// Overwrites code that the parser rejects; every other byte keeps its position.
    pub overwritten: Option<Overwrite>,
    /// Whether lines that begin with `#define` define macros at any position.
    pub has_macros: bool,
    /// Whether a text is nested too deeply for the parser, if that is not told by its brackets; it is then outlined by its
    /// indentation.
    pub is_too_deep: Option<fn(&str) -> bool>,
    /// Whether code is in brackets that close at the indentation at which it began. The end of a function is then found
    /// even if the grammar cannot parse it.
    pub is_braced: bool,
    /// How private members are marked.
    pub privacy: Privacy,
    /// Whether top-level sections are usually many and small: they then rank as members, so that a budget can fold
    /// them.
    pub has_small_sections: bool,
}

/// How a language marks private members.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Privacy {
    /// Not at all, or not in the member itself.
    Unknown,
    /// The name begins with `_` or `#`, or is preceded by `private`.
    Marked,
    /// It is not preceded by `pub`.
    NotPub,
}

impl Privacy {
    /// Returns whether a member is private, by its name and the text before it.
    pub fn is_private(self, before: &str, name: &str) -> bool {
        match self {
            Self::Unknown => false,
            Self::Marked => {
                let is_magic = name.starts_with("__") && name.ends_with("__");
                let is_word = |word: &str| word == "private";
                (name.starts_with(['_', '#']) && !is_magic)
                    || before.split_whitespace().any(is_word)
            }
            Self::NotPub => !before.trim_start().starts_with("pub"),
        }
    }
}

impl Grammar {
    /// Base of the language tables.
    pub const EMPTY: Self = Self {
        name: "",
        language: None,
        sections: &[],
        fields: &[],
        imports: &[],
        wrappers: &[],
        code: &[],
        has_local_types: false,
        tests: &[],
        test_functions: &[],
        test_parameter: "",
        members: &[],
        bodies: &[],
        choices: &[],
        assignments: &[],
        headers: &[],
        overwritten: None,
        has_macros: false,
        is_too_deep: None,
        is_braced: false,
        privacy: Privacy::Unknown,
        has_small_sections: false,
    };
}
