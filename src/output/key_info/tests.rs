use super::{KeyInfo, KeyInfoReader, Outcome, OutputKind};

fn info(kind: OutputKind, text: &str) -> KeyInfo {
    KeyInfoReader::new(kind).read(|sink| sink(text.as_bytes()))
}

#[test]
fn finds_what_a_reader_would_note() {
    use Outcome::{Failed, Succeeded, Unknown};
    let cases = [
        ("", "", Unknown),
        ("all good\n", "", Unknown),
        ("Tests: 3 failed, 120 passed, 123 total\n", "3 failed; 120 passed", Failed),
        ("Tests: 3 failed, 120 passed\n", "3 failed; 120 passed", Failed),
        ("test result: ok. 12 passed; 0 failed; 0 ignored", "0 failed; 12 passed", Succeeded),
        ("Command exited with code 2", "exit 2", Failed),
        ("exit code: 1\nexit code: 0", "exit 0", Succeeded),
        ("a\nerror: b\nexit code: 0", "exit 0; errors: error: b", Succeeded),
        ("BUILD SUCCESSFUL in 3s", "succeeded", Succeeded),
        ("error: logged\n2 passed in 0.01s", "2 passed; errors: error: logged", Unknown),
        ("...\nerror: logged\n2 passed in 0.01s", "2 passed; errors: error: logged", Succeeded),
        (
            "src/a.ts(3,1): error TS2304: Cannot find name 'x'.\n",
            "failed; errors: src/a.ts(3,1): error TS2304: Cannot find name 'x'.; files: src/a.ts",
            Failed,
        ),
        (
            "error: a\nerror: b\nerror: c\nerror: d\nerror: e",
            "failed; errors: error: a | error: b | error: c (+2 more)",
            Failed,
        ),
        ("error: a\nerror: a\n", "failed; errors: error: a", Failed),
    ];
    for (text, expected, outcome) in cases {
        let info = info(OutputKind::Log, text);
        assert_eq!((info.to_line().as_str(), info.outcome), (expected, outcome), "{text:?}");
    }
}

#[test]
fn what_is_shown_of_files_is_not_taken_for_a_failure() {
    let source = "throw new Error('error: exit code: 1')\n3 failed\nOK\n";
    let info = info(OutputKind::Content, source);
    assert_eq!((info.outcome, info.failed, info.lines), (Outcome::Unknown, None, 3));
    assert!(info.errors.is_empty());
}

#[test]
fn matches_as_the_search_says_or_else_its_lines() {
    let cases = [
        ("src/a.ts:1:x\n\nsrc/b.ts:2:x", 2),
        ("Found 41 matches in 3 files\nsrc/a.ts:1:x", 41),
        ("No matches found\n", 0),
        ("No files found", 0),
        ("No results found.\n", 0),
        ("Found 0 results.", 0),
        ("Found 2 files\nsrc/a.ts\nsrc/b.ts", 2),
        ("Found 1 file limit: 250\nsrc/a.ts", 1),
        ("src/a.ts:3\nsrc/b.ts:1\n\nFound 4 total occurrences across 2 files.", 4),
        ("Found reasons to retry\nNo file is safe", 2),
        ("12:Found 3 files", 1),
        ("", 0),
    ];
    for (text, expected) in cases {
        assert_eq!(info(OutputKind::Matches, text).matches, Some(expected), "{text:?}");
    }
}

#[test]
fn the_first_five_paths() {
    let text = "p/1.c p/2.c p/1.c\np/3.c p/4.c p/5.c p/6.c";
    let expected = ["p/1.c", "p/2.c", "p/3.c", "p/4.c", "p/5.c"];
    assert_eq!(info(OutputKind::Content, text).paths, expected);
}

#[test]
fn chunks_do_not_change_it() {
    let text = "héllo src/é/a.ts:3\n\x1b[31merror: né\x1b[0m\nTests: 3 failed, 9 passed, 12 total\nexit code: 1\n";
    for kind in [OutputKind::Log, OutputKind::Matches, OutputKind::Content] {
        for cut in 0..text.len() {
            let mut reader = KeyInfoReader::new(kind);
            reader.add_chunk(&text.as_bytes()[..cut]);
            reader.add_chunk(&text.as_bytes()[cut..]);
            assert_eq!(reader.finish(), info(kind, text), "cut at {cut}");
        }
    }
}

/// What identifies a failure: the names of failed tests, and the first error lines.
#[test]
fn names_and_errors_of_failed_tests() {
    let go = |verdict: &str| {
        format!(
            "=== RUN   TestLoad\n    a_test.go:3: loading\n--- {verdict}: TestLoad (0.00s)\n=== RUN   TestSum\n\
             === RUN   TestSum/one\n    a_test.go:5: in one\n=== RUN   TestSum/two\n    a_test.go:4: got 1, want 2\n\
             --- FAIL: TestSum (0.00s)\n    --- PASS: TestSum/one (0.00s)\n    --- FAIL: TestSum/two (0.00s)\nFAIL\n"
        )
    };
    let parallel = "=== RUN   TestA\n=== PAUSE TestA\n=== RUN   TestB\n=== PAUSE TestB\n=== CONT  TestA\n    a_test.go:3: a\n\
                    === CONT  TestB\n    a_test.go:4: b\n--- PASS: TestB (0.00s)\n--- FAIL: TestA (0.00s)\nFAIL\n";
    let stopped = "=== RUN   TestA\n    a_test.go:3: a\npanic: no\nFAIL\tx\t0.1s\n";
    let ctest = "Test project /b\n1/3 Test #1: slow ......***Failed 0.01 sec\n2/3 Test #2: late ...***Timeout 1.50 sec\n\
                 3/3 Test #3: gone ....Not Run***Not Run 0.00 sec\n0% tests passed, 3 tests failed out of 3\n";
    let exunit = "Running ExUnit with seed: 1, max_cases: 16\n\n  1) test adds (CalcTest)\n     test/calc_test.exs:5\n     \
                  Assertion with == failed\n     stacktrace:\n       test/calc_test.exs:6: (test)\n\n\
                  Finished in 0.02 seconds (0.00s async, 0.02s sync)\n2 tests, 1 failure\n";
    let vite = "✗ Build failed in 35ms\nerror during build:\nsrc/a.ts (1:9): \"x\" is not exported by \"src/b.ts\".\n";
    let cases: [(&str, &[&str], &[&str]); 7] = [
        (&go("PASS"), &["TestSum", "TestSum/two"], &["a_test.go:4: got 1, want 2"]),
        (&go("SKIP"), &["TestSum", "TestSum/two"], &["a_test.go:4: got 1, want 2"]),
        (parallel, &["TestA"], &["a_test.go:3: a"]),
        (stopped, &[], &["panic: no", "a_test.go:3: a"]),
        (ctest, &["slow", "late", "gone"], &[]),
        (exunit, &["test adds (CalcTest)"], &["Assertion with == failed"]),
        (vite, &[], &["src/a.ts (1:9): \"x\" is not exported by \"src/b.ts\"."]),
    ];
    for (text, names, errors) in cases {
        let info = info(OutputKind::Log, text);
        assert_eq!(info.outcome, Outcome::Failed, "{text}");
        assert_eq!((info.failed_tests, info.errors), (owned(names), owned(errors)), "{text}");
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
