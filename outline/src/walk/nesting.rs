//! Texts that no program has: thousands of open brackets, or one line with hundreds of operators. A parser takes time
//! that grows with the square of such a text, or runs out of memory; counting its steps does not tell.

/// Maximum number of brackets that are open, and of those that close none.
const MAX_BRACKETS: usize = 1000;
/// Maximum number of open `<` beside something else than space. 32 KB of lines `<a` took 24 s in C#, and 60 KB of lines
/// `<!a` took 21 s and 3 GB in C++.
const MAX_ANGLES: usize = 500;
/// Maximum number of operators on a line without anything between them but names.
const MAX_OPERATORS: usize = 500;
/// Maximum number of attributes (`[[a]]`) on a line, one after the other.
const MAX_ATTRIBUTES: usize = 1000;
/// Maximum number of lines that end with an operator or are only attributes, one after the other.
const MAX_OPEN_LINES: usize = 1000;

#[derive(Default)]
struct Nesting {
    open: usize,
    closed: usize,
    angles: usize,
    operators: usize,
    attributes: usize,
    previous: u8,
    before: u8,
}

impl Nesting {
    fn pass(&mut self, byte: u8) {
        if self.opens_angle(byte) {
            self.angles += 1;
        }
        match byte {
            b'(' | b'[' | b'{' => self.open += 1,
            b')' | b']' | b'}' if self.open == 0 => self.closed += 1,
            b')' | b']' | b'}' => self.open -= 1,
            b'>' => self.angles = self.angles.saturating_sub(1),
            _ => {}
        }
        // Strings may hold anything: `+` and `/` of base64 are no operators here.
        match byte {
            b'(' | b'[' | b'{' | b')' | b']' | b'}' | b',' | b';' | b'"' | b'\'' | b'`' | b'\n' => {
                self.operators = 0;
            }
            _ if is_operator(byte) && !is_operator(self.previous) => self.operators += 1,
            _ => {}
        }
        if matches!(byte, b';' | b'{' | b'}' | b':' | b'=') {
            self.angles = 0;
        }
        match byte {
            b']' if self.previous == b']' => self.attributes += 1,
            b',' | b';' | b'{' | b'}' | b'\n' => self.attributes = 0,
            _ => {}
        }
        (self.before, self.previous) = (self.previous, byte);
    }

    /// Returns whether the last byte was a `<` beside something else than space, and no part of `<<` or `<=`.
    fn opens_angle(&self, byte: u8) -> bool {
        let is_beside = !byte.is_ascii_whitespace() && !matches!(byte, b'<' | b'=');
        self.previous == b'<'
            && self.before != b'<'
            && (is_beside || self.before.is_ascii_alphanumeric())
    }

    fn is_too_deep(&self) -> bool {
        self.open > MAX_BRACKETS
            || self.closed > MAX_BRACKETS
            || self.angles > MAX_ANGLES
            || self.operators > MAX_OPERATORS
            || self.attributes > MAX_ATTRIBUTES
    }
}

fn is_operator(byte: u8) -> bool {
    matches!(
        byte,
        b'*' | b'|' | b'&' | b'<' | b'>' | b'?' | b'!' | b'=' | b':' | b'@' | b'~' | b'^'
    )
}

/// Returns whether a text is nested more deeply than a program.
pub(crate) fn is_too_deep(text: &str) -> bool {
    let mut nesting = Nesting::default();
    let is_nested = text.bytes().any(|byte| {
        nesting.pass(byte);
        nesting.is_too_deep()
    });
    is_nested || has_open_lines(text)
}

/// Returns whether an expression or a declaration goes on for more lines than in a program: `a |`, `b |`, `c |`.
fn has_open_lines(text: &str) -> bool {
    let mut open = 0;
    text.as_bytes().split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).any(|line| {
        match line {
            [] => {}
            // Rows of tables, comments, tags.
            [b'|' | b'/' | b'#' | b'*' | b'-' | b'<', ..] => open = 0,
            [.., b'=', b'>'] | [b'[', b'[', .., b']', b']'] => open += 1,
            // Labels and keys; ends of comments, tags and types.
            [.., b':' | b'*' | b'>'] => open = 0,
            [.., last] if is_operator(*last) => open += 1,
            _ => open = 0,
        }
        open > MAX_OPEN_LINES
    })
}

#[cfg(test)]
mod tests {
    use super::is_too_deep;

    #[test]
    fn repeated_openings_are_too_deep() {
        for piece in [
            "(",
            "f(\n",
            "a[",
            "{\n",
            ")",
            "}\n",
            "List<",
            "a<b,",
            "<a // b\n",
            "<!a\n",
            "a\n<-- ",
            "[[a]] ",
            "a|",
            "a => ",
            "<!--",
            "case a: ",
            "a |\n",
            "a =>\n\n",
            "\"a\" &\n",
            "[[a]]\n",
        ] {
            assert!(is_too_deep(&piece.repeat(1500)), "{piece}");
            assert!(!is_too_deep(&piece.repeat(400)), "{piece}");
        }
    }

    #[test]
    fn what_programs_have_is_not() {
        let base64 =
            format!("const image = 'data:image/png;base64,{}'\n", "iVBORw0KGgo+AA/".repeat(10_000));
        let pieces = [
            "f(a)[0] {}\n",
            "a < b;\n",
            "x<y>\n",
            "x<>(), ",
            "a | b\n",
            "'=>', ",
            "// ====== a =======\n",
            "if a<b:\n",
            "case A:\n",
            "| a | b |\n",
            "#include <a>\n",
            "<b>\n",
            "sort <a >b\n",
            "# <a\nb=1\n",
            "out << a << b;\n",
            "cat < a\n",
            "[[1]],",
            "[[ a ]] && b\n",
        ];
        for text in pieces.map(|piece| piece.repeat(5000)).into_iter().chain([base64]) {
            assert!(!is_too_deep(&text), "{}", text.get(..40).unwrap_or_default());
        }
    }
}
