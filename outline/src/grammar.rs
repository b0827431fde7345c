//! What there is to know about a language: which nodes of its tree are what. `grammars` has one table for each.

use crate::section::SectionKind;
use std::borrow::Cow;
use tree_sitter::Language;

/// A text as long as the one given.
pub(crate) type Blanked = for<'t> fn(&'t str) -> Cow<'t, str>;

/// A language's table. Nodes of other kinds are statements at the top level, and nothing elsewhere.
pub(crate) struct Grammar {
    /// Its name, as users give it.
    pub name: &'static str,
    /// The generated parser; none in [`Grammar::EMPTY`] alone.
    pub language: Option<fn() -> Language>,
    /// Nodes that are sections.
    pub sections: &'static [(&'static str, SectionKind)],
    /// Nodes that are part of a type or of data, and no sections of their own.
    pub fields: &'static [&'static str],
    /// Nodes that bring in other files.
    pub imports: &'static [&'static str],
    /// Nodes that only wrap sections: their children count as standing in their place.
    pub wrappers: &'static [&'static str],
    /// Loops, blocks and other code: of what stands in it only functions, classes and tests are sections.
    pub code: &'static [&'static str],
    /// Words that make a call a test, or a group of tests, where a function is given to it (`it('reads', () => {...})`).
    pub tests: &'static [&'static str],
    /// How functions begin in whose code further tests stand.
    pub test_functions: &'static [&'static str],
    /// Nodes that hold members or fields, where a section's `body` does not say so by itself.
    pub members: &'static [&'static str],
    /// Nodes that are folded whole: code and data.
    pub bodies: &'static [&'static str],
    /// Statements that define what they assign, where that is a function, a class or an export (`exports.f = ...`).
    pub assignments: &'static [&'static str],
    /// Sections whose name is all that stands between their first word and their body (`impl Display for Id`).
    pub headers: &'static [&'static str],
    /// Blanks what no parser of the language takes, and leaves every other byte in its place.
    pub blanked: Option<Blanked>,
    /// Whether lines that begin with `#define` define macros, wherever they stand.
    pub has_macros: bool,
    /// Whether a text may stand so deep that the parser's own code cannot follow: it is read by its indentation then.
    pub is_too_deep: Option<fn(&str) -> bool>,
    /// Code stands in brackets, and what closes them at the place where it began: of a function that the grammar cannot
    /// read the end is found all the same.
    pub is_braced: bool,
    /// Which members are private.
    pub privacy: Privacy,
    /// Where sections of the top level are many and small, they rank as members, so that a budget can fold them.
    pub has_small_sections: bool,
}

/// How a language says that a member is private.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Privacy {
    /// It does not, or not in the member itself.
    Unknown,
    /// The name begins with `_` or `#`, or `private` stands before it.
    Marked,
    /// `pub` does not stand before it.
    NotPub,
}

impl Privacy {
    /// Whether a member is private, of its name and what stands before that.
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
    /// For languages to begin with.
    pub const EMPTY: Self = Self {
        name: "",
        language: None,
        sections: &[],
        fields: &[],
        imports: &[],
        wrappers: &[],
        code: &[],
        tests: &[],
        test_functions: &[],
        members: &[],
        bodies: &[],
        assignments: &[],
        headers: &[],
        blanked: None,
        has_macros: false,
        is_too_deep: None,
        is_braced: false,
        privacy: Privacy::Unknown,
        has_small_sections: false,
    };
}
