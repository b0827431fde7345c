//! Macros before and in a declaration: `API int f(void);`, `class API Reader {`.

use super::words::{
    SPECIFIERS, TAGGED, Word, behind_comment, is_function_below, is_in_brackets, is_in_comment,
    is_macro, is_name, words,
};
use crate::text::line::{Line, is_word};
use std::collections::HashSet;
use std::ops::Range;

/// Maximum lines of a comment between the name of a class and its bracket.
const MAX_COMMENT: usize = 60;

/// Returns the next code that is not a comment: a comment may precede the bracket of a class. `is_open`: whether one goes on
/// from the line above.
fn code_below<'t>(lines: &[Line<'t>], is_open: bool) -> &'t str {
    let mut is_open = is_open;
    let mut code = lines.iter().take(MAX_COMMENT).map(|&(_, line)| code_in(line, &mut is_open));
    code.find(|code| !code.is_empty()).unwrap_or_default()
}

/// Returns a line from its first code on, and tells whether a comment that is or becomes open there goes on.
fn code_in<'t>(line: &'t str, is_open: &mut bool) -> &'t str {
    let mut code = line.trim_start();
    loop {
        let comment = if *is_open { Some(code) } else { code.strip_prefix("/*") };
        let Some(comment) = comment else { break };
        *is_open = true;
        let Some(behind) = behind_comment(comment) else { return "" };
        *is_open = false;
        code = behind.trim_start();
    }
    if code.starts_with("//") { "" } else { code }
}

/// Returns the macros before a line's declaration: words in capitals followed by a type and a name. Of a macro that is
/// the type itself (`STACK_OF(X) *f(void);`), only its arguments. The names of classes are added to `classes`.
pub(super) fn macros<'t>(
    line: &'t str,
    below: &[Line],
    classes: &mut HashSet<&'t str>,
) -> Vec<Range<usize>> {
    let next = below.first().map_or("", |&(_, next)| next);
    let declaration = Declaration::of(line, next, below);
    classes.extend(declaration.class());
    let is_constructor = declaration.is_constructor(classes);
    declaration.macros(is_constructor, declaration.are_only_marks(next))
}

/// The words at the beginning of a line, which may be those of a declaration.
struct Declaration<'t> {
    line: &'t str,
    words: Vec<Word>,
    /// The character after the last word.
    stop: Option<char>,
    /// Whether its next word is on the line below.
    goes_on: bool,
    /// Whether the body or the bases of a type follow.
    opens_tag: bool,
}

impl<'t> Declaration<'t> {
    fn of(line: &'t str, next: &str, below: &[Line]) -> Self {
        let (words, stop) = words(line);
        let goes_on = stop.is_none() && next.trim_start().starts_with(is_word);
        let opens_tag = match stop {
            Some(stop) => matches!(stop, '{' | ':'),
            None => code_below(below, is_in_comment(line, false)).starts_with(['{', ':']),
        };
        Self { line, words, stop, goes_on, opens_tag }
    }

    fn text(&self, word: &Word) -> &'t str {
        self.line.get(word.name.clone()).unwrap_or_default()
    }

    /// Returns the word at an index; empty if there is none.
    fn word(&self, index: usize) -> &'t str {
        self.words.get(index).map_or("", |word| self.text(word))
    }

    /// Returns the name of the type that it defines, of a specialisation too: `struct Reader<int> {`.
    fn class(&self) -> Option<&'t str> {
        let is_tagged = self.words.iter().any(|word| TAGGED.contains(&self.text(word)));
        let mut names = self.words.iter().rev().map(|word| self.text(word));
        let named = names.find(|name| is_name(name)).filter(|_| self.opens_tag && is_tagged);
        named.and_then(|named| named.split('<').next())
    }

    /// Returns whether it declares a constructor, which has no type before its name: `API Reader(int size);` in a class
    /// of that name.
    fn is_constructor(&self, classes: &HashSet<&str>) -> bool {
        self.words.last().map(|last| self.text(last)).is_some_and(|last| match self.stop {
            Some('(') => classes.contains(last) || is_own_constructor(last),
            Some('~') => last.ends_with("::"),
            _ => false,
        })
    }

    fn is_destructor(&self) -> bool {
        let is_mark = |word: &str| is_macro(word) || !is_name(word);
        self.stop == Some('~') && self.words.iter().all(|word| is_mark(self.text(word)))
    }

    /// Returns whether the last word may be a macro after the name of a type: `class API Reader FINAL : public Base {`.
    fn is_after_name(&self) -> bool {
        let behind_tag = self
            .words
            .iter()
            .map(|word| self.text(word))
            .skip_while(|word| !TAGGED.contains(word))
            .skip(1);
        self.opens_tag && behind_tag.into_iter().any(|word| is_name(word) && !is_macro(word))
    }

    /// Returns whether there are only macros between a template's parameters and the type on the next line:
    /// `template <> API PURE`.
    fn are_only_marks(&self, next: &str) -> bool {
        self.goes_on
            && self.line.trim_start().starts_with("template")
            && self.words.iter().all(|word| is_macro(self.text(word)))
            && !is_function_below(next)
    }

    /// Returns the number of words that may be its type or its name, macros too.
    fn others(&self) -> usize {
        // In a type's definition an attribute is behind the name.
        let is_typedef = self.word(0) == "typedef";
        let is_of_type = |word: &&Word| {
            let word = self.text(word);
            let is_attribute = is_typedef && word == "__attribute__";
            !is_attribute && !SPECIFIERS.contains(&word) && !TAGGED.contains(&word)
        };
        // The arguments of its type go on below: `API const Pair<`.
        let is_open = self.stop == Some('<') && self.line.ends_with(['<', ',']);
        let has_more = self.goes_on || is_open || is_in_brackets(self.line, &self.words);
        self.words.iter().filter(is_of_type).count() + usize::from(has_more)
    }

    fn macros(&self, is_constructor: bool, are_marks: bool) -> Vec<Range<usize>> {
        let mut others = self.others();
        let is_after_name = self.is_after_name();
        let is_destructor = self.is_destructor();
        let count = self.words.len();
        let mut hidden = Vec::new();
        let mut follows_tag = false;
        for (index, word) in self.words.iter().enumerate() {
            let text = self.text(word);
            let whole = word.name.start..word.name.end.max(word.arguments.end);
            let is_last = index + 1 == count;
            let is_of_tag = follows_tag && self.opens_tag && !is_last;
            follows_tag = TAGGED.contains(&text) || follows_tag && text == "alignas";
            if is_of_tag && self.is_before_type_name(index) {
                hidden.push(whole);
                others -= 1;
                follows_tag = true;
                continue;
            }
            let is_declared = is_last && !self.goes_on && !is_after_name && !is_destructor;
            // `TEST(Parser, Reads) try {`
            let is_tried = self.word(index + 1) == "try";
            if is_declared || is_tried || !is_macro(text) {
                continue;
            }
            if is_of_tag && self.word(index + 1) != "final"
                || is_destructor
                || is_after_name && is_last
                || are_marks
                || is_constructor && self.is_before_constructor(index)
                || others > 2 && !self.is_pointed_at(index) && !self.is_tag_name(index)
            {
                hidden.push(whole);
                others -= 1;
            } else if !word.arguments.is_empty() {
                hidden.push(word.arguments.clone());
            }
        }
        hidden
    }

    /// Returns whether a word behind that of a type is a macro in any spelling: `class Foundation_API Logger: public
    /// Channel`. There may be several.
    fn is_before_type_name(&self, index: usize) -> bool {
        let (word, next) = (self.word(index), self.word(index + 1));
        is_name(word) && is_name(next) && (is_macro(word) || !is_macro(next))
    }

    /// Returns whether a pointer or a reference follows a word.
    fn is_pointed_at(&self, index: usize) -> bool {
        let Some(word) = self.words.get(index) else { return false };
        let next = self.words.get(index + 1).map_or(self.line.len(), |next| next.name.start);
        let between = self.line.get(word.name.end.max(word.arguments.end)..next);
        between.is_some_and(|between| between.trim_start().starts_with(['*', '&']))
    }

    /// Returns whether only specifiers and macros are between a word and the last one: `API explicit Reader(int size);`.
    fn is_before_constructor(&self, index: usize) -> bool {
        let between = self.words.get(index + 1..self.words.len().saturating_sub(1));
        let is_mark = |word: &str| SPECIFIERS.contains(&word) || is_macro(word);
        between.unwrap_or_default().iter().all(|word| is_mark(self.text(word)))
    }

    /// Returns whether a word is the name of a type rather than a macro: `struct FOO`.
    fn is_tag_name(&self, index: usize) -> bool {
        index.checked_sub(1).is_some_and(|before| TAGGED.contains(&self.word(before)))
    }
}

/// Returns whether a name is that of a constructor outside of its class: `List<T>::List`.
fn is_own_constructor(name: &str) -> bool {
    let Some((class, own)) = name.rsplit_once("::") else { return false };
    let class = class.split('<').next().unwrap_or_default();
    !own.is_empty() && class.rsplit("::").next() == Some(own)
}
