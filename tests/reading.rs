//! Property tests of formatted reads: pages add up to the file, hints work, and chunk sizes have no effect.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use trimtab::bytes::{Slices, Source, TextEncoding};
use trimtab::reading::{
    FileRead, FileRequest, Files, FilesRequest, LineEnding, LineRange, ReadErrorType, ReadLimits,
    ReadOptions, ReadResult, format_read, read_files,
};

/// Same as in `tests/laws.rs`.
fn config() -> ProptestConfig {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let cases = number("TRIMTAB_CASES").and_then(|cases| u32::try_from(cases).ok()).unwrap_or(1000);
    let rng_seed = RngSeed::Fixed(number("TRIMTAB_SEED").unwrap_or(1));
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

fn read_by(content: &[u8], size: usize, options: &ReadOptions) -> FileRead {
    format_read("p", &mut Slices::new(content, size), None, options).unwrap()
}

fn read(content: &[u8], options: &ReadOptions) -> FileRead {
    read_by(content, 64, options)
}

fn slice(offset: i64, limit: u64) -> ReadOptions {
    ReadOptions { offset: Some(offset), limit: Some(limit), ..ReadOptions::default() }
}

fn lines_of(count: usize) -> String {
    (1..=count).map(|line| format!("line {line}\n")).collect()
}

/// Texts with one kind of line end or several, made of pieces that are hard for a reader.
fn text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a",
        "word ",
        "\t",
        "é",
        "e\u{301}",
        "\u{4e16}",
        "\u{1F600}",
        "👩\u{200D}👩\u{200D}👧",
        "\u{2028}",
        "\u{85}",
        "\u{feff}",
        "[Showing lines 1-2 of 3 total lines]",
        "     9\tx",
        "... [line of",
        "$&",
        "a long piece of a line ",
        "END",
        "END",
        "END",
    ];
    let ends = prop::sample::select(vec!["\n", "\r\n", "\r", "\n\r\n", "\n\r"]);
    (prop::collection::vec(prop::sample::select(pieces), 0..40), ends)
        .prop_map(|(pieces, end)| pieces.concat().replace("END", end))
}

/// Text of the file, rebuilt from the lines of its pages and the reported line ending.
fn rebuilt(content: &[u8], page: u64, width: u64, size: usize) -> String {
    let whole = read_by(content, size, &ReadOptions::default());
    let mut lines = Vec::new();
    let mut offset = 1;
    while offset <= whole.total_lines {
        let options = ReadOptions { max_line_length: Some(width), ..slice(offset as i64, page) };
        let text = read_by(content, size, &options).text;
        for (index, line) in numbered(&text).into_iter().enumerate() {
            lines.push(whole_line(content, size, width, line, offset + index as u64));
        }
        offset += page;
    }
    let end = match whole.line_ending {
        LineEnding::Crlf => "\r\n",
        LineEnding::Cr => "\r",
        _ => "\n",
    };
    lines.join(end) + if whole.final_line_end { end } else { "" }
}

/// Texts after the line numbers; everything before the first number is header and notices.
fn numbered(text: &str) -> Vec<String> {
    let is_numbered = |line: &&str| {
        line.split_once('\t').is_some_and(|(number, _)| number.trim_start().parse::<u64>().is_ok())
    };
    let lines: Vec<&str> = text.split('\n').skip_while(|line| !is_numbered(line)).collect();
    lines.into_iter().map(|line| line.split_once('\t').unwrap().1.to_owned()).collect()
}

/// Reads a truncated line to its end by following its hints, as a model would.
fn whole_line(content: &[u8], size: usize, width: u64, line: String, number: u64) -> String {
    let mut whole = String::new();
    let mut rest = line;
    while let Some((shown, hint)) =
        rest.rsplit_once(" ... [line of ").filter(|(_, hint)| hint.ends_with(']'))
    {
        whole.push_str(shown);
        let field = |name: &str| -> u64 {
            let value = hint.split(name).nth(1).unwrap();
            value.split([',', ']']).next().unwrap().parse().unwrap()
        };
        assert_eq!(field("offset="), number);
        let options = ReadOptions {
            column: Some(field("column=")),
            max_line_length: Some(width),
            ..slice(number as i64, field("limit="))
        };
        rest = numbered(&read_by(content, size, &options).text).remove(0);
    }
    whole + &rest
}

fn utf16(text: &str, big: bool) -> Vec<u8> {
    let bytes = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
}

proptest! {
    #![proptest_config(config())]

    /// All pages together are the file, including truncated lines that are read to their end by their hints.
    #[test]
    fn pages_make_up_the_file(text in text(), page in 1_u64..5, width in 1_u64..30, size in 1_usize..40) {
        let shown = text.strip_prefix('\u{feff}').unwrap_or(&text);
        prop_assert_eq!(rebuilt(text.as_bytes(), page, width, size), shown);
    }

    /// The same for invalid UTF-8, which is shown as U+FFFD.
    #[test]
    fn pages_make_up_malformed_files(
        bytes in prop::collection::vec(prop::sample::select(vec![b'a', b'\n', b' ', 0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80, 0xED]), 0..60),
        page in 1_u64..5, width in 1_u64..12, size in 1_usize..40,
    ) {
        prop_assume!(!bytes.starts_with(b"\xFF\xFE"));
        prop_assert_eq!(rebuilt(&bytes, page, width, size), String::from_utf8_lossy(&bytes));
    }

    /// UTF-16 is read as the same text as UTF-8.
    #[test]
    fn utf16_reads_as_utf8(text in text(), times in 1_usize..20, big: bool, size in 1_usize..400, offset in -5_i64..8, limit in 0_u64..4) {
        // A second byte order mark would be taken for the file's own.
        let text = text.trim_start_matches('\u{feff}').repeat(times);
        let expected = read(text.as_bytes(), &slice(offset, limit));
        let found = read_by(&utf16(&text, big), size, &slice(offset, limit));
        prop_assert_eq!(found.encoding, Some(if big { TextEncoding::Utf16Be } else { TextEncoding::Utf16Le }));
        prop_assert_eq!((found.text, found.total_lines, found.line_ending), (expected.text, expected.total_lines, expected.line_ending));
    }

    /// The result does not depend on how the bytes are split into chunks.
    #[test]
    fn chunks_change_nothing(
        bytes in prop::collection::vec(prop::sample::select(b"ab\r\n\n\xC3\xA9\xEF\xBB\xBF\xFF".to_vec()), 0..80),
        size in 1_usize..9, offset in -5_i64..8, limit in 0_u64..4, column in 1_u64..9, width in 1_u64..9,
    ) {
        let options = ReadOptions { column: Some(column), max_line_length: Some(width), ..slice(offset, limit) };
        prop_assert_eq!(read_by(&bytes, size, &options), read_by(&bytes, 1000, &options));
    }

    /// Slices and ranges, compared with the lines themselves.
    #[test]
    fn slices_are_exact(count in 0_usize..12, offset in -14_i64..15, limit in 0_u64..6, start in 1_i64..14, len in 0_i64..6, from_end: bool) {
        let content = lines_of(count);
        let lines: Vec<&str> = content.lines().collect();
        let first = if offset < 0 { count.saturating_sub(offset.unsigned_abs() as usize) } else { (offset as usize).saturating_sub(1) };
        let taken: Vec<&str> = lines.iter().skip(first).take(if limit == 0 { usize::MAX } else { limit as usize }).copied().collect();
        let found = read(content.as_bytes(), &slice(offset, limit));
        prop_assert_eq!(numbered(&found.text), taken.clone(), "{}", found.text);
        prop_assert_eq!(found.text.contains("[Showing lines"), !taken.is_empty() && taken.len() < count);

        let (start, end) = if from_end { (-start - len, -start) } else { (start, start + len) };
        let number = |line: i64| if line < 0 { count as i64 + line + 1 } else { line };
        let expected: Vec<&str> = (number(start)..=number(end))
            .filter_map(|line| lines.get(usize::try_from(line - 1).ok()?).copied()).collect();
        let ranges = ReadOptions { ranges: Some(vec![LineRange { start, end: Some(end) }]), ..ReadOptions::default() };
        let text = read(content.as_bytes(), &ranges).text;
        prop_assert_eq!(numbered(&text), expected, "{}", text);
    }

    /// An offset past the end is answered with hints that give what they promise.
    #[test]
    fn hints_do_what_they_say(count in 1_usize..12, beyond in 1_i64..20, limit in 1_u64..15) {
        let content = lines_of(count);
        let text = read(content.as_bytes(), &slice(count as i64 + beyond, limit)).text;
        let number = |after: &str| -> u64 {
            let digits: String = text.split(after).nth(1).unwrap().chars().take_while(char::is_ascii_digit).collect();
            digits.parse().unwrap()
        };
        let (last_page, promised) = (number("or offset="), number("to read the last "));
        let followed = read(content.as_bytes(), &slice(last_page as i64, limit));
        prop_assert_eq!(numbered(&followed.text).len() as u64, promised);
        prop_assert_eq!(followed.shown[0].end, count as u64);
        prop_assert_eq!(read(content.as_bytes(), &slice(1, 0)).shown[0].end, count as u64);
    }
}

/// The document's five cases, and the other forms of its notices.
#[test]
fn says_what_the_document_says() {
    let file = lines_of(500);
    let cases: &[(&str, i64, u64, &str)] = &[
        (
            &file,
            12000,
            100,
            "=== p ===\n[Cannot read from offset 12000: file only has 500 lines. Use offset=1 to start from the beginning, or offset=401 to read the last 100 lines.]",
        ),
        (
            &file,
            1000,
            0,
            "=== p ===\n[Cannot read from offset 1000: file only has 500 lines. Use offset=1 to start from the beginning.]",
        ),
        (
            "one",
            2,
            0,
            "=== p ===\n[Cannot read from offset 2: file only has 1 line. Use offset=1 to start from the beginning.]",
        ),
        (
            "one\ntwo",
            3,
            9,
            "=== p ===\n[Cannot read from offset 3: file only has 2 lines. Use offset=1 to start from the beginning, or offset=1 to read the last 2 lines.]",
        ),
        ("", 1, 0, "=== p ===\n[Cannot read from offset 1: file only has 0 lines. It is empty.]"),
        ("", 0, 0, "=== p ===\n[File is empty: it has 0 lines.]"),
        ("one\n", 0, 0, "=== p ===\n     1\tone"),
        ("a\nb\nc", 2, 1, "=== p ===\n[Showing lines 2-2 of 3 total lines]\n     2\tb"),
        ("a\nb\nc", 3, 0, "=== p ===\n[Showing lines 3-3 of 3 total lines]\n     3\tc"),
        ("a\nb\nc", 1, 3, "=== p ===\n     1\ta\n     2\tb\n     3\tc"),
        ("a\nb\nc", -2, 0, "=== p ===\n[Showing lines 2-3 of 3 total lines]\n     2\tb\n     3\tc"),
        ("a\nb\nc", -9, 2, "=== p ===\n[Showing lines 1-2 of 3 total lines]\n     1\ta\n     2\tb"),
    ];
    for (content, offset, limit, expected) in cases {
        assert_eq!(read(content.as_bytes(), &slice(*offset, *limit)).text, *expected);
    }
    let hundred = lines_of(100);
    let middle = read(hundred.as_bytes(), &slice(50, 25)).text;
    assert!(
        middle
            .starts_with("=== p ===\n[Showing lines 50-74 of 100 total lines]\n    50\tline 50\n")
    );
    assert!(middle.ends_with("\n    74\tline 74"));
    let end = read(hundred.as_bytes(), &slice(90, 0)).text;
    assert!(
        end.starts_with("=== p ===\n[Showing lines 90-100 of 100 total lines]\n    90\tline 90\n")
    );
    assert!(end.ends_with("\n   100\tline 100"));
    assert!(
        read(hundred.as_bytes(), &slice(101, 0))
            .text
            .contains("[Cannot read from offset 101: file only has 100 lines.")
    );
}

#[test]
fn says_what_a_file_is() {
    let text = |content: &[u8], options: &ReadOptions| read(content, options).text;
    let whole = ReadOptions::default();
    assert_eq!(
        text(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &whole),
        "=== p ===\n[Binary file: PNG image, 16 bytes. Its content is not shown.]"
    );
    assert_eq!(
        text(b"\0", &slice(5, 5)),
        "=== p ===\n[Binary file: unknown type, 1 byte. Its content is not shown.]"
    );
    assert_eq!(
        text(b"caf\xE9\n", &whole),
        "=== p ===\n[Bytes that are not valid UTF-8 are shown as U+FFFD]\n     1\tcaf\u{FFFD}"
    );
    let narrow = ReadOptions { max_line_length: Some(4), ..ReadOptions::default() };
    assert_eq!(
        text(b"ab\nabcdefghij\n", &narrow),
        "=== p ===\n     1\tab\n     2\tabcd ... [line of 10 chars: read on with offset=2, limit=1, column=5]"
    );
    let on = ReadOptions { column: Some(5), ..slice(2, 1) };
    assert_eq!(
        text(b"ab\nabcdefghij\n", &on),
        "=== p ===\n[Showing lines 2-2 of 2 total lines]\n[Line 2 is shown from column 5 of 10]\n     2\tefghij"
    );
    let beyond = ReadOptions { column: Some(50), ..slice(2, 1) };
    assert!(
        text(b"ab\nabcdefghij\n", &beyond)
            .contains("[Cannot read from column 50: line 2 only has 10 chars. Use column=1")
    );
    let ranges =
        [(1, Some(1)), (3, Some(4)), (9, None)].map(|(start, end)| LineRange { start, end });
    let ranges = ReadOptions { ranges: Some(ranges.into()), ..ReadOptions::default() };
    assert_eq!(
        text(b"a\nb\nc\nd\ne", &ranges),
        "=== p ===\n[Showing lines 1-1 of 5 total lines]\n     1\ta\n[Showing lines 3-4 of 5 total lines]\n     3\tc\n     4\td\n[Cannot read from line 9: file only has 5 lines. Use start=1 to start from the beginning.]"
    );
    let range = |start, end| {
        let ranges = Some(vec![LineRange { start, end: Some(end) }]);
        ReadOptions { ranges, max_line_length: Some(4), ..ReadOptions::default() }
    };
    assert_eq!(
        text(b"a\nb\nc", &range(7, 8)),
        "=== p ===\n[Cannot read from line 7: file only has 3 lines. Use start=1 to start from the beginning, or start=2, end=3 to read the last 2 lines.]"
    );
    assert!(
        text(b"ab\nabcdefghij\n", &range(1, 2))
            .ends_with("abcd ... [line of 10 chars: read on with start=2, end=2, column=5]")
    );
}

#[test]
fn refuses_options_that_contradict_themselves() {
    let range = |start, end| ReadOptions {
        ranges: Some(vec![LineRange { start, end }]),
        ..ReadOptions::default()
    };
    let refused = [
        range(0, None),
        range(5, Some(4)),
        range(-1, Some(5)),
        ReadOptions { offset: Some(1), ..range(1, None) },
        ReadOptions { column: Some(0), ..ReadOptions::default() },
        ReadOptions { max_line_length: Some(0), ..ReadOptions::default() },
    ];
    for options in refused {
        assert!(
            format_read("p", &mut Slices::new(b"a", 9), None, &options).is_err(),
            "{options:?}"
        );
    }
}

/// Files in memory; one token per character.
struct Memory<'a>(&'a [&'a [u8]]);

impl Files for Memory<'_> {
    fn source(&mut self, index: usize) -> impl Source {
        Slices::new(self.0[index], 100)
    }
    fn count_tokens(&mut self, text: &str) -> f64 {
        text.chars().count() as f64
    }
}

fn request(paths: &[(&str, Option<&str>)], limits: Option<u64>) -> FilesRequest {
    let file = |(path, error): &(&str, Option<&str>)| FileRequest {
        encoding: None,
        path: (*path).to_owned(),
        error: error.map(str::to_owned),
    };
    let limits = limits.map(|context_size| ReadLimits {
        context_size,
        read_max_tokens: None,
        ephemeral_read_max_percent: None,
        ephemeral_read_enabled: None,
        purpose: None,
    });
    FilesRequest {
        tool: None,
        files: paths.iter().map(file).collect(),
        options: ReadOptions::default(),
        ephemeral: false,
        limits,
    }
}

#[test]
fn several_files_fail_one_by_one() {
    let result = |request| read_files(&request, &mut Memory(&[b"a\n", b"", b"b"])).unwrap();
    let ReadResult::Read(read) =
        result(request(&[("x", None), ("y", Some("ENOENT")), ("z", None)], None))
    else {
        panic!("two files were read");
    };
    assert_eq!(
        read.content,
        "=== x ===\n     1\ta\n\n=== y ===\nError: ENOENT\n\n=== z ===\n     1\tb"
    );
    assert_eq!((read.files_read, read.files_failed, read.partial_failure), (2, 1, true));
    let failed = |request| match result(request) {
        ReadResult::Failed(failure) => (failure.error, failure.error_type, failure.suggestion),
        ReadResult::Read(read) => panic!("{read:?}"),
    };
    assert_eq!(
        failed(request(&[("x", Some("E1")), ("y", Some("E2"))], None)),
        ("Failed to read 2 files: x: E1, y: E2".to_owned(), ReadErrorType::FileError, None)
    );
    assert_eq!(failed(request(&[("x", Some("E1"))], None)).0, "Failed to read 1 file: x: E1");
    assert_eq!(
        failed(request(&[], None)),
        (
            "file_paths must be a non-empty array".to_owned(),
            ReadErrorType::ValidationError,
            Some("Example: read(file_paths=[\"src/main.ts\", \"package.json\"])".to_owned())
        )
    );
}

#[test]
fn limits_hold_before_the_read() {
    let content = "x".repeat(7000);
    // 7,000 bytes are 2,000 tokens; a fifth of 9,999 is 1,999.
    let estimate = |context, ephemeral| {
        let request = FilesRequest { ephemeral, ..request(&[("x", None)], Some(context)) };
        read_files(&request, &mut Memory(&[content.as_bytes()])).unwrap()
    };
    assert!(matches!(estimate(10_000, false), ReadResult::Read(_)));
    let ReadResult::Failed(failure) = estimate(9_999, false) else { panic!("too large") };
    assert!(
        failure.error.starts_with(
            "File(s) too large: estimated 2000.0 tokens exceeds limit of 1999. Use grep"
        )
    );
    assert!(failure.error.contains("ephemeral=true"));
    let ReadResult::Read(read) = estimate(9_999, true) else { panic!("0.9 of the context") };
    assert_eq!(read._ephemeral, Some(true));
    let ReadResult::Failed(failure) = estimate(2_000, true) else { panic!("too large") };
    assert!(!failure.error.contains("ephemeral=true"));
    // Only the slice counts: 63 characters of header and line.
    let lines = lines_of(1000);
    let sliced = |context| {
        let request =
            FilesRequest { options: slice(1, 1), ..request(&[("x", None)], Some(context)) };
        read_files(&request, &mut Memory(&[lines.as_bytes()])).unwrap()
    };
    let shown = "=== x ===\n[Showing lines 1-1 of 1000 total lines]\n     1\tline 1".len() as u64;
    assert!(matches!(sliced(shown * 5), ReadResult::Read(_)));
    assert!(matches!(sliced(shown * 5 - 1), ReadResult::Failed(_)));
    // A binary file is not shown, so its size does not matter.
    let binary = [0_u8; 100_000];
    let request = request(&[("x", None)], Some(100));
    assert!(matches!(read_files(&request, &mut Memory(&[&binary])).unwrap(), ReadResult::Read(_)));
}

#[test]
fn a_refused_read_proposes_calls_that_can_be_made() {
    let lines = lines_of(3000);
    let refused = |paths: &[(&str, Option<&str>)], contents: &[&[u8]]| {
        let request = request(paths, Some(9_999));
        let ReadResult::Failed(failure) = read_files(&request, &mut Memory(contents)).unwrap()
        else {
            panic!("too large")
        };
        failure.error.split("Example: ").nth(1).unwrap_or_default().to_owned()
    };
    assert_eq!(
        refused(&[("a \"b\"\\c", None)], &[lines.as_bytes()]),
        r#"read(file_paths=["a \"b\"\\c"], limit=100) or read(file_paths=["a \"b\"\\c"], offset=50, limit=100)"#
    );
    // The first file has no lines.
    let several = [("empty", None), ("gone", Some("E")), ("full", None)];
    assert_eq!(
        refused(&several, &[b"", b"", lines.as_bytes()]),
        r#"read(file_paths=["full"], limit=100) or read fewer files"#
    );
}

/// Files in memory; 3.5 bytes per token, the engine's estimate.
struct Bytes<'a>(&'a [&'a [u8]]);

impl Files for Bytes<'_> {
    fn source(&mut self, index: usize) -> impl Source {
        Slices::new(self.0[index], 100)
    }
    fn count_tokens(&mut self, text: &str) -> f64 {
        text.len() as f64 / 3.5
    }
}

/// However small the limit, some call shows part of any line and leads on to its end.
#[test]
fn a_line_that_is_more_than_the_limit_is_cut_and_read_on_with() {
    let line = "word ".repeat(800);
    let mut options = slice(1, 1);
    let mut shown = String::new();
    loop {
        let request =
            FilesRequest { options: options.clone(), ..request(&[("a.txt", None)], Some(2000)) };
        let contents = [line.as_bytes()];
        let Ok(ReadResult::Read(read)) = read_files(&request, &mut Bytes(&contents)) else {
            panic!("a line is refused")
        };
        assert!(read.content.len() as f64 / 3.5 <= 400.0, "{}", read.content);
        let text = read.content.split_once("     1\t").unwrap().1;
        shown.push_str(text.split(" ... [line of").next().unwrap());
        let Some(clipped) = read.files[0].clipped.first() else { break };
        options.column = Some(clipped.next_column);
    }
    assert_eq!(shown, line);
}
