//! Texts that repeat a piece: the outline of each is there at once, in every language. Most took minutes, and some ran out
//! of stack or memory, before texts without the shape of a program were outlined by their indentation.

#![cfg(not(target_arch = "wasm32"))]

mod support;

use support::sections;
use trimtab_outline::{Budget, outline};

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

#[test]
fn lines_that_stand_deeper_and_deeper_are_outlined_at_once() {
    for language in LANGUAGES {
        for word in ["def f():", "if a", "<div>"] {
            let lines: Vec<String> =
                (0..300).map(|depth| format!("{}{word}\n", " ".repeat(depth))).collect();
            let found = sections(language, &lines.concat());
            assert!(found.len() <= lines.len(), "{language}: {word}");
        }
    }
}

#[test]
fn thousands_of_conditions_in_another_are_outlined_at_once() {
    let text = ["#if A\n", "int a;\n", "#endif\n"].map(|line| line.repeat(8000)).concat();
    for language in ["c", "cpp", "csharp"] {
        assert!(sections(language, &text).len() <= 8000, "{language}");
    }
}

/// Runs of errors with comments between them, which the parser walks over at each error, and open `<`.
#[test]
fn what_takes_a_parser_minutes_is_outlined_by_indentation() {
    const LINES: [(&str, &str); 16] = [
        ("rust", "\"a\" // b\n"),
        ("rust", "namespace a /* b */\n"),
        ("rust", "class A // b\n\n// c\n"),
        ("cpp", "class A // b\n"),
        ("cpp", "package a /* b */ "),
        ("c", "'a' // b\n"),
        ("java", "a.b // c\n"),
        ("go", "x = // b\n"),
        ("zig", "type A // b\n"),
        ("bash", "function # b\n"),
        ("csharp", "var a // b\n"),
        ("csharp", "<a // b\n"),
        ("csharp", "=< a\n"),
        ("cpp", "<!a\n"),
        ("cpp", "[[a]] "),
        ("tsx", "<-a\n"),
    ];
    for (language, line) in LINES {
        let found = outline(language, &line.repeat(5000), Budget::default());
        assert_eq!(found.map(|found| found.language), Ok("text"), "{language}: {line}");
    }
}
