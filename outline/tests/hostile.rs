//! Texts that repeat a piece: the outline of each is there at once, in every language. Most took minutes, and some ran out
//! of stack or memory, before texts without the shape of a program were outlined by their indentation.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::sections;

const LENGTH: usize = 20_000;

const LANGUAGES: [&str; 18] = [
    "bash",
    "c",
    "cpp",
    "csharp",
    "css",
    "go",
    "html",
    "java",
    "javascript",
    "json",
    "python",
    "ruby",
    "rust",
    "toml",
    "tsx",
    "typescript",
    "yaml",
    "zig",
];

const PIECES: [&str; 36] = [
    "(",
    "[",
    "{",
    ")",
    "}",
    "f(",
    "a[",
    "a{",
    "%w(",
    "if(a)",
    "List<",
    "a<b,",
    "a<b<",
    "a<b>::",
    "a|",
    "a=>",
    "-> ",
    "<!--",
    "case a:",
    "a: ",
    "a?b:",
    "/*",
    "<<A\n",
    "<a ",
    "<a>",
    "else if(a)",
    "where T:",
    "[[a",
    "\"",
    "`${",
    "@(",
    "a?.b",
    "a|\n",
    "a=>\n",
    "a &&\n",
    "[[a]]\n",
];

#[test]
fn a_repeated_piece_is_outlined_at_once() {
    for language in LANGUAGES {
        for piece in PIECES {
            let text = piece.repeat(LENGTH / piece.len());
            let found = sections(language, &text);
            assert!(found.len() < LENGTH, "{language}: {piece}");
        }
    }
}
