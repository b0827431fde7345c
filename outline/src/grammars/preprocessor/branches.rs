//! Handles conditional branches that share a bracket: `#if A`, `while (a) {`, `#else`, `while (b) {`, `#endif`, closed
//! by one bracket. No grammar can parse this, so one branch is kept and the others are blanked, with the conditions. So
//! are conditions around a part of a declaration: the base of a class, a parameter, an attribute.

use crate::text::blank::blank;
use crate::text::line::is_word;
use std::borrow::Cow;
use std::ops::Range;

/// Maximum lines of a branch. Longer ones hold more than a condition, and blanking them would lose code.
const MAX_LINES: usize = 30;

/// Returns the text with only one branch of each choice that opens or closes brackets.
#[cfg(any(feature = "c", feature = "cpp"))]
pub(super) fn blanked(text: &str) -> Cow<'_, str> {
    read(Reader::default(), text)
}

/// The same for C#, whose symbols are undefined unless a build defines them. Branches that open brackets stay: its grammar
/// finds the declarations of all.
#[cfg(feature = "csharp")]
pub(crate) fn blanked_undefined(text: &str) -> Cow<'_, str> {
    read(Reader { is_undefined: true, ..Reader::default() }, text)
}

fn read(mut reader: Reader, text: &str) -> Cow<'_, str> {
    if !text.contains("#if") {
        return Cow::Borrowed(text);
    }
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        reader.line(start..start + line.len(), line);
        start += line.len();
    }
    reader.hidden.sort_by_key(|range| range.start);
    blank(text, &reader.hidden)
}

/// What the code of a branch is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Code {
    #[default]
    Nothing,
    /// Items of an enumeration, or words before a declaration.
    Items,
    /// A part of a declaration or statement: it has no end.
    Part,
    Whole,
}

impl Code {
    /// Returns what a line without comments is.
    fn of(line: &str) -> Self {
        let item = line.trim_start_matches(is_word);
        let is_item = item.len() < line.len()
            && matches!(item.trim_start().chars().next(), None | Some(',' | '='));
        match line {
            "" => Self::Nothing,
            _ if line.contains([';', '{', '}']) || line.ends_with([':', '\\']) => Self::Whole,
            _ if is_item => Self::Items,
            _ => Self::Part,
        }
    }

    /// Returns what this code is together with more.
    fn and(self, more: Self) -> Self {
        match (self, more) {
            (Self::Nothing, other) | (other, Self::Nothing) => other,
            (Self::Whole, _) | (_, Self::Whole) => Self::Whole,
            (Self::Items, Self::Items) => Self::Items,
            _ => Self::Part,
        }
    }
}

/// A branch of a choice: its lines of code, at most one more than [`MAX_LINES`], and the number of brackets it opens.
#[derive(Default)]
struct Branch {
    lines: Vec<Range<usize>>,
    opens: isize,
    code: Code,
    /// Whether its code is only the beginning of a declaration: `template <class T>`.
    is_template: bool,
    /// Whether its code is the end of the declaration above: `=> value;`, or a body.
    is_end: bool,
}

#[derive(Default)]
struct Choice {
    conditions: Vec<Range<usize>>,
    branches: Vec<Branch>,
    /// `#if 0`: the first branch is never compiled.
    is_off: bool,
    /// `#if !A`: the first branch is compiled where nothing is defined.
    is_negated: bool,
}

#[derive(Default)]
struct Reader {
    open: Vec<Choice>,
    hidden: Vec<Range<usize>>,
    is_comment: bool,
    continues: bool,
    /// Whether symbols count as undefined.
    is_undefined: bool,
}

impl Reader {
    fn line(&mut self, at: Range<usize>, line: &str) {
        let code = line.trim();
        let directive = code
            .strip_prefix('#')
            .map(str::trim_start)
            .filter(|_| !self.is_comment && !self.continues);
        let Some(directive) = directive else {
            let is_comment = self.is_comment;
            let opens = if self.continues { 0 } else { self.opens(code) };
            self.continues = self.continues && code.ends_with('\\');
            self.note_kind(code);
            if !is_comment {
                self.note(Code::of(&without_comments(code)));
            }
            return self.code(at, opens);
        };
        if directive.starts_with("if") {
            let condition = directive.strip_prefix("if").unwrap_or_default().trim();
            self.open.push(Choice {
                conditions: vec![at],
                branches: vec![Branch::default()],
                is_off: condition == "0",
                is_negated: condition.starts_with('!'),
            });
        } else if directive.starts_with("el") {
            if let Some(choice) = self.open.last_mut() {
                choice.conditions.push(at);
                choice.branches.push(Branch::default());
            }
        } else if directive.starts_with("endif") {
            if let Some(mut choice) = self.open.pop() {
                choice.conditions.push(at);
                self.close(choice);
            }
        } else {
            self.continues = code.ends_with('\\');
            self.note(Code::Whole);
        }
    }

    /// Notes code in the innermost branch.
    fn note(&mut self, code: Code) {
        if let Some(branch) = self.open.last_mut().and_then(|choice| choice.branches.last_mut()) {
            branch.code = branch.code.and(code);
        }
    }

    fn note_kind(&mut self, code: &str) {
        if let Some(branch) = self.open.last_mut().and_then(|choice| choice.branches.last_mut()) {
            let begins = branch.lines.is_empty() && code.starts_with("template");
            branch.is_template = (begins || branch.is_template) && !code.contains([';', '{']);
            branch.is_end |= branch.lines.is_empty() && code.starts_with(['{', '=']);
        }
    }

    fn code(&mut self, at: Range<usize>, opens: isize) {
        if let Some(branch) = self.open.last_mut().and_then(|choice| choice.branches.last_mut()) {
            // More are not asked for, and those of inner choices are noted again.
            if branch.lines.len() <= MAX_LINES {
                branch.lines.push(at);
            }
            branch.opens += opens;
        }
    }

    /// Ends a choice: hides its other branches, and adds the kept one to the enclosing choice.
    fn close(&mut self, choice: Choice) {
        let kept = if self.is_undefined && !choice.is_negated {
            choice.branches.len() - 1
        } else {
            usize::from(choice.is_off && choice.branches.len() > 1)
        };
        let is_open = !self.is_undefined && choice.branches.iter().any(|branch| branch.opens != 0);
        let is_short = choice.branches.iter().all(|branch| branch.lines.len() <= MAX_LINES);
        let is_choice = choice.branches.len() > 1 || choice.is_off;
        let code = choice.branches.iter().fold(Code::Nothing, |code, branch| code.and(branch.code));
        let is_part = matches!(code, Code::Items | Code::Part);
        // The declaration that it is part of is below, or is complete without it.
        let is_extra = choice.branches.iter().any(|branch| branch.is_template)
            || code == Code::Part && !is_choice;
        if is_extra && is_short {
            self.hidden.extend(choice.branches.into_iter().flat_map(|branch| branch.lines));
            return self.hidden.extend(choice.conditions);
        }
        let opens = choice.branches.get(kept).map_or(0, |branch| branch.opens);
        let stays: Vec<Range<usize>> =
            choice.branches.get(kept).map(|branch| branch.lines.clone()).unwrap_or_default();
        let is_end = is_choice && choice.branches.iter().all(|branch| branch.is_end);
        if self.are_fields(&choice) {
            self.hidden.extend(choice.conditions.iter().cloned());
        }
        if (is_open && is_choice || is_part || is_end) && is_short {
            let others =
                choice.branches.into_iter().enumerate().filter(|(index, _)| *index != kept);
            self.hidden.extend(others.flat_map(|(_, branch)| branch.lines));
            self.hidden.extend(choice.conditions);
        }
        self.note(code);
        for (index, line) in stays.into_iter().enumerate() {
            self.code(line, if index == 0 { opens } else { 0 });
        }
    }

    /// Returns whether a choice has only one branch, which is between the name of a type and the end of its declaration:
    /// `typedef struct a`, `#if B`, `{...}`, `#endif`, `name;`.
    fn are_fields(&self, choice: &Choice) -> bool {
        let [branch] = choice.branches.as_slice() else { return false };
        !self.is_undefined && !choice.is_off && branch.is_end && branch.opens == 0
    }

    /// Returns the number of brackets that a line opens minus those it closes, outside of strings and comments.
    fn opens(&mut self, line: &str) -> isize {
        let mut opens = 0;
        let mut quote = None;
        let mut rest = line.char_indices().peekable();
        while let Some((at, char)) = rest.next() {
            let pair = line.get(at..at + 2).unwrap_or_default();
            if self.is_comment {
                self.is_comment = pair != "*/";
                continue;
            }
            match (quote, char) {
                (Some(_), '\\') => drop(rest.next()),
                (Some(open), _) if open == char => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(char),
                (None, '/') if pair == "//" => return opens,
                (None, '/') if pair == "/*" => self.is_comment = true,
                (None, '{') => opens += 1,
                (None, '}') => opens -= 1,
                (None, _) => {}
            }
        }
        opens
    }
}

/// Returns the code of a line without its comments.
fn without_comments(line: &str) -> Cow<'_, str> {
    let line = line.split("//").next().unwrap_or_default();
    let Some((before, comment)) = line.split_once("/*") else {
        return Cow::Borrowed(line.trim_end());
    };
    let mut code = before.to_owned();
    let mut rest = Some(comment);
    while let Some((_, after)) = rest.and_then(|comment| comment.split_once("*/")) {
        let (more, next) =
            after.split_once("/*").map_or((after, None), |(more, next)| (more, Some(next)));
        code.push_str(more);
        rest = next;
    }
    Cow::Owned(code.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::blanked;

    #[test]
    fn keeps_one_branch_where_brackets_do_not_match() {
        let text = "#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\n}\n";
        let expected = "        \nif (a) {\n     \n        \n      \n}\n";
        assert_eq!(blanked(text), expected);
        let off = "#if 0\nint f(a) {\n#else\nint f() {\n#endif\n}\n";
        let expected = "     \n          \n     \nint f() {\n      \n}\n";
        assert_eq!(blanked(off), expected);
        let template = "#ifdef A\ntemplate <class T>\n#endif\nvoid f();\n";
        let expected = "        \n                  \n      \nvoid f();\n";
        assert_eq!(blanked(template), expected);
        let base = "class B\n#ifdef A\n  : public C\n#endif\n{\n};\n";
        let expected = "class B\n        \n            \n      \n{\n};\n";
        assert_eq!(blanked(base), expected);
        let either = "int f(\n#ifdef A\n  int a\n#else\n  long a // ;\n#endif\n);\n";
        let expected = "int f(\n        \n  int a\n     \n             \n      \n);\n";
        assert_eq!(blanked(either), expected);
        let items = "enum {\n  A,\n#ifdef B\n  /* a; */\n  C = 1\n#endif\n};\n";
        let expected = "enum {\n  A,\n        \n  /* a; */\n  C = 1\n      \n};\n";
        assert_eq!(blanked(items), expected);
        let inner = "#ifdef A\n#ifdef B\nint\n#else\nlong\n#endif\nf(void);\n#endif\n";
        let expected = "#ifdef A\n        \nint\n     \n    \n      \nf(void);\n#endif\n";
        assert_eq!(blanked(inner), expected);
        let same = [
            "#ifdef A\n// f(a)\n#endif\n",
            "#ifdef A\nint /* of A */ f(/* n */ int n);\n#endif\n",
            "#ifdef A\n#define B\nf(a)\n#endif\n",
            "#ifdef A\npublic:\n#endif\n",
            "#ifdef A\ntemplate <class T>\nvoid f();\n#endif\n",
            "#ifdef A\nint f() {}\n#else\nint g() {}\n#endif\n",
            "#ifdef A\nchar *a = \"{\"; // {\n#else\nint b; /* {\n{ */\n#endif\n",
            "#define F \\\n  if (a) {\n",
            "#endif\n#else\n",
        ];
        for text in same {
            assert_eq!(blanked(text), text);
        }
    }
}
