//! Reads with small limits: what a read proposes can be read.

use trimtab::bytes::{Slices, Source};
use trimtab::reading::{
    FileRequest, Files, FilesRequest, LineRange, ReadLimits, ReadOptions, ReadResult, read_files,
};

/// A file in memory; one token per byte.
struct OneFile<'a>(&'a [u8]);

impl Files for OneFile<'_> {
    fn source(&mut self, _: usize) -> impl Source {
        Slices::new(self.0, 100)
    }
    fn count_tokens(&mut self, text: &str) -> f64 {
        text.len() as f64
    }
}

/// Reads a part of a file: its text, or the error.
fn read(
    content: &str,
    path: &str,
    max_tokens: u64,
    options: &ReadOptions,
) -> Result<String, String> {
    let limits = ReadLimits {
        context_size: 200_000,
        read_max_tokens: Some(max_tokens),
        ephemeral_read_max_percent: None,
        ephemeral_read_enabled: Some(false),
        purpose: None,
    };
    let request = FilesRequest {
        tool: None,
        files: vec![FileRequest { encoding: None, path: path.to_owned(), error: None }],
        options: options.clone(),
        ephemeral: false,
        limits: Some(limits),
    };
    match read_files(&request, &mut OneFile(content.as_bytes())).unwrap() {
        ReadResult::Read(read) => {
            assert!(read.content.len() as u64 <= max_tokens, "{}", read.content);
            Ok(read.content)
        }
        ReadResult::Failed(failure) => Err(failure.error),
    }
}

fn line(offset: i64, column: u64) -> ReadOptions {
    let column = (column > 1).then_some(column);
    ReadOptions { offset: Some(offset), limit: Some(1), column, ..ReadOptions::default() }
}

/// Returns the number behind the last `name=`, if there is one.
fn argument(text: &str, name: &str) -> Option<u64> {
    let (_, behind) = text.rsplit_once(&format!("{name}="))?;
    behind.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

const PATHS: [&str; 3] =
    ["a", "src/a/b/file name.ts", "a/rather/long/path/of/a/file/of/some/folders.txt"];

/// However small the limit and wide a character: a line is refused at once, or read to its end.
#[test]
fn a_line_that_is_begun_is_read_to_its_end() {
    for character in ["x", "é", "文", "\u{1F600}"] {
        let content = character.repeat(130);
        for (path, is_alone) in PATHS.iter().flat_map(|path| [(path, true), (path, false)]) {
            let content = if is_alone { content.clone() } else { format!("a\n{content}\nb\n") };
            let number = if is_alone { 1 } else { 2 };
            for max_tokens in (100..300).step_by(3) {
                let Ok(mut text) = read(&content, path, max_tokens, &line(number, 1)) else {
                    continue;
                };
                let mut shown = text.matches(character).count();
                while let Some(column) = argument(&text, "column") {
                    text = read(&content, path, max_tokens, &line(number, column))
                        .unwrap_or_else(|error| panic!("{path} {max_tokens} {column}: {error}"));
                    shown += text.rsplit_once('\t').unwrap().1.matches(character).count();
                }
                let own = content.matches(character).count() - path.matches(character).count();
                assert!(shown >= own, "{path} {max_tokens}: {shown} of {own}");
            }
        }
    }
}

/// A notice of an offset beyond the end proposes only what can be read.
#[test]
fn beyond_the_end_is_proposed_what_can_be_read() {
    let content = format!("{}\n", "é".repeat(300)).repeat(3);
    let mut proposed = 0;
    for path in PATHS {
        for max_tokens in 100..300 {
            let Ok(text) = read(&content, path, max_tokens, &line(9, 1)) else { continue };
            assert!(text.contains("[Cannot read from offset 9: file only has 3 lines."), "{text}");
            let Some(offset) = argument(&text, "offset") else { continue };
            proposed += 1;
            for offset in [1, offset as i64] {
                let limit = argument(&text, "limit");
                let part = ReadOptions { offset: Some(offset), limit, ..ReadOptions::default() };
                let followed = read(&content, path, max_tokens, &part);
                assert!(followed.is_ok(), "{path} {max_tokens}: {text}\n{followed:?}");
            }
        }
    }
    assert!(proposed > 100, "{proposed}");
}

/// An example keeps a column only if its line has it.
#[test]
fn an_example_has_a_column_that_is_there() {
    let content = format!("a\n{}\n{}", "é".repeat(50), "b\n".repeat(2_000));
    for (offset, column, kept) in [
        (1, 2425, None),
        (1, 2, None),
        (1, 1, None),
        (2, 20, Some(20)),
        (2, 50, Some(50)),
        (2, 51, None),
    ] {
        let offsets = ReadOptions { offset: Some(offset), ..ReadOptions::default() };
        let ranges = vec![LineRange { start: offset, end: None }];
        for part in [offsets, ReadOptions { ranges: Some(ranges), ..ReadOptions::default() }] {
            let options = ReadOptions { column: Some(column), ..part };
            let error = read(&content, "a", 400, &options).unwrap_err();
            let (_, example) = error.split_once("Example: ").unwrap();
            assert_eq!(argument(example, "column"), kept, "{error}");
        }
    }
}
