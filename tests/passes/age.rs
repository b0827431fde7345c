//! Rolling context: results older than a number of steps are cleared, except failures, active files and the newest read
//! of each edited file.

use super::session::{check, check_edits, check_marks, policy, session};
use crate::support::view::read;
use trimtab::projection::{
    AgePolicy, Cache, Engine, Pass, Replacement, active_files, should_truncate,
};

#[test]
fn by_age() {
    check(&[
        ("b:1 b:2 b:3 b:4", r#"{"age":{"maxToolOutputAge":1}}"#, "cc.."),
        ("b:1 b:2 b:3 b:4", r#"{"age":{"maxToolOutputAge":3}}"#, "...."),
        ("b:1 b:2 b:3 b:4 b:5 b:6 b:7", r#"{"age":true}"#, "c......"),
        // Results of later steps than the view's are ignored.
        ("b:1 b:2 | b:3 b:4", r#"{"age":{"maxToolOutputAge":0}}"#, "c..."),
        ("b:1+b:2 b:3", r#"{"age":{"maxToolOutputAge":0}}"#, "cc."),
    ]);
}

#[test]
fn what_stays_whatever_its_age() {
    let all = r#"{"age":{"maxToolOutputAge":0}}"#;
    check(&[
        ("b:1 b:2! b:3 b:4", all, "c.c."),
        ("b:1 g:2 b:3", r#"{"age":{"maxToolOutputAge":0,"excludeTools":["bash"]}}"#, ".c."),
        ("b:1 g:2 b:3", r#"{"age":{"maxToolOutputAge":0,"excludeTools":["b*"]}}"#, ".c."),
        ("b:1 g:2 b:3", r#"{"age":{"maxToolOutputAge":0,"excludeTools":["none"]}}"#, "cc."),
        ("b:1% b:2 b:3", all, ".c."),
        ("b:1? b:2 b:3", all, "c."),
        // A stub must be at most half as long as the result; this one has 49 characters.
        ("b:1#97 b:2#98 b:3", all, ".c."),
        // With the clear pass on, a result shorter than twice its placeholder stays, since it may be one.
        ("b:1#129 b:2#130 b:3", r#"{"age":{"maxToolOutputAge":0},"clear":true}"#, ".c."),
        (
            "b:1#165 b:2#166 b:3",
            r#"{"age":{"maxToolOutputAge":0},"clear":true,"recall":true}"#,
            ".c.",
        ),
        // The newest read of an edited file stays; that of a file that was only read is cleared.
        ("r:a r:a e:a b:1 b:2 b:3", all, "c.ccc."),
        ("r:a r:a w:a b:1 b:2 b:3", all, "c.ccc."),
        ("r:a r:b e:a b:1 b:2 b:3", all, ".cccc."),
        ("r:a e:b b:1", all, "cc."),
        ("r:a e:a! b:1", all, "c.."),
        ("e:a r:a b:1", all, "c.."),
        ("r:a g:a e:a b:1", all, ".cc."),
        // A failed read, or a result as short as a stub, does not show the file. A read of two files stays for either.
        ("r:a r:a! e:a b:1", all, "..c."),
        ("r:a r:a#20 e:a b:1", r#"{"age":{"maxToolOutputAge":0},"clear":true}"#, "..c."),
        ("r:a r:b,a e:a b:1", all, "c.c."),
        ("r:a e:b,a b:1", all, ".c."),
        ("r:a r:a? e:a b:1", all, ".c."),
        // Calls after the view's step change nothing.
        ("r:a b:1 | e:a", all, "c.."),
        ("r:a e:a b:1 | r:a", all, ".c.."),
    ]);
    check_marks(&[("b:1$ b:2 b:3", all, ".c."), ("r:a r:a$ e:a b:1", all, "..c.")]);
}

#[test]
fn active_files_stay() {
    let one = r#"{"age":{"maxToolOutputAge":1}}"#;
    check(&[
        // A file is active while calls read or change it; searching or listing it does not count.
        ("r:a b:1 b:2 r:a", one, ".c.."),
        ("r:a b:1 b:2 e:a", one, ".c.."),
        ("r:a b:1 b:2 w:a", one, ".c.."),
        ("r:a b:1 b:2 g:a", one, "cc.."),
        ("r:a b:1 b:2 l:a", one, "cc.."),
        ("r:a b:1 b:2 r:b", one, "cc.."),
        ("r:a b:1 b:2 r:b,a", one, ".c.."),
        ("r:b,a b:1 b:2 r:a", one, ".c.."),
        ("g:a b:1 b:2 r:a", one, ".c.."),
        (
            "r:a b:1 b:2 r:a",
            r#"{"age":{"maxToolOutputAge":1,"preserveRecentFiles":false}}"#,
            "cc..",
        ),
        // The last call of the file is exactly the maximum age back, then one step more.
        ("r:a@1-9 r:a@20-29 b:1 b:2", r#"{"age":{"maxToolOutputAge":2}}"#, "...."),
        ("r:a@1-9 r:a@20-29 b:1 b:2 b:3", r#"{"age":{"maxToolOutputAge":2}}"#, "cc..."),
        // A call after the view's step does not count yet.
        ("r:a b:1 b:2 | r:a", one, "c..."),
    ]);
}

#[test]
fn stubs_say_what_was_cleared() {
    let policy = |settings: &str| format!(r#"{{"age":{{"maxToolOutputAge":0,{settings}}}}}"#);
    let tokens = |most: u32| policy(&format!(r#""maxToolOutputTokens":{most}"#));
    check_edits(&[
        (
            "b:1 r:src/a.ts@1-50 t:weather b:2",
            &policy(r#""preserveRecentFiles":false"#),
            &[
                "2.0 Age 200>15 bash, 3 steps old: [cleared bash output, 700 chars; re-run if needed]",
                "4.0 Age 200>15 read_file, 2 steps old: [cleared src/a.ts:1-50, 700 chars; re-run if needed]",
                "6.0 Age 200>16 weather, 1 steps old: [cleared weather output, 700 chars; re-run if needed]",
            ],
        ),
        // A stub over the token limit is replaced by a shorter one, down to the shortest.
        (
            "b:1 b:2",
            &tokens(15),
            &[
                "2.0 Age 200>15 bash, 1 steps old: [cleared bash output, 700 chars; re-run if needed]",
            ],
        ),
        ("b:1 b:2", &tokens(14), &["2.0 Age 200>6 bash, 1 steps old: [cleared, 700 chars]"]),
        ("b:1 b:2", &tokens(6), &["2.0 Age 200>6 bash, 1 steps old: [cleared, 700 chars]"]),
        ("b:1 b:2", &tokens(5), &["2.0 Age 200>3 bash, 1 steps old: [cleared]"]),
        ("b:1 b:2", &tokens(0), &["2.0 Age 200>3 bash, 1 steps old: [cleared]"]),
    ]);
}

#[test]
fn files_in_use() {
    let session = session("r:a r:b e:c g:d r:a! r:b? w:b,e | r:f r:a");
    let read = read(&session.messages);
    let files = |age: u32| -> Vec<String> {
        let settings = AgePolicy { max_tool_output_age: age, ..AgePolicy::default() };
        let files = active_files(&read.history, 7, &settings);
        let line = |file: &trimtab::projection::ActiveFile| {
            let path = read.history.names().text(file.path);
            let newest = file.newest_read.map(|(id, block)| {
                assert_eq!(read.history.uses()[id.0].result, Some(block));
                id.0
            });
            format!("{path} {} {newest:?}", file.last_access_step)
        };
        files.iter().map(line).collect()
    };
    // In the order of their first calls. A failure, or a read without a result, is not the newest read.
    assert_eq!(files(9), ["a 5 Some(0)", "b 7 Some(1)", "c 3 None", "e 7 None"]);
    assert_eq!(files(4), ["a 5 Some(0)", "b 7 Some(1)", "c 3 None", "e 7 None"]);
    assert_eq!(files(3), ["a 5 Some(0)", "b 7 Some(1)", "e 7 None"]);
    assert_eq!(files(0), ["b 7 Some(1)", "e 7 None"]);
}

#[test]
fn files_in_use_as_they_cross() {
    let session = session("r:a e:c r:b r:a");
    let read = read(&session.messages);
    let files = |settings: &str, step: Option<u32>| {
        let contents = read.contents();
        Engine::default().active_files(&read.history, &policy(settings), step, &contents)
    };
    let shown = files(r#"{"age":{"maxToolOutputAge":2}}"#, None);
    let starts = shown.iter().map(|[path, step, digest]| format!("{path} {step} {}", digest.len()));
    assert_eq!(starts.collect::<Vec<_>>(), ["a 4 64", "c 2 0", "b 3 64"]);
    assert_eq!(files(r#"{"age":true}"#, Some(1)).len(), 1);
    assert!(files("{}", None).is_empty());
}

#[test]
fn one_result_by_itself() {
    let asked = |word: &str, age: u32, length: usize| {
        let mut read_session = session(&format!("{word}#{length}"));
        read_session.messages.truncate(3);
        let mut read = read(&read_session.messages);
        if word.contains('$') {
            read.history.mark_stub(trimtab::message::UseId(0));
        }
        let settings = AgePolicy {
            max_tool_output_age: 2,
            exclude_tools: vec!["ls".to_owned(), "grep".to_owned()],
            ..AgePolicy::default()
        };
        should_truncate(&read.history, 2, age, &settings)
    };
    assert!(asked("b:1", 3, 700) && asked("b:1", 9, 700));
    assert!(!asked("b:1", 2, 700) && !asked("b:1", 1, 700));
    for word in ["b:1!", "b:1%", "b:1$", "l:a", "g:a"] {
        assert!(!asked(word, 3, 700), "{word}");
    }
    // The stub says `tool output`: 49 characters with a two-digit size.
    assert!(asked("b:1", 3, 98) && !asked("b:1", 3, 97));
}

#[test]
fn a_plan_that_clears_every_result() {
    let session = session("b:1#20 b:2! b:3% r:a b:4? b:5");
    let mut read = read(&session.messages);
    read.history.mark_stub(trimtab::message::UseId(3));
    let settings = policy(r#"{"age":true}"#);
    let age = settings.age.settings().unwrap();
    let mut cache = Cache::default();
    let plan = age.clear_all(&read.history, true, &read.contents(), &mut cache);
    let edits: Vec<_> = plan.edits().iter().map(|edit| (edit.message, edit.tokens)).collect();
    // With references: [cleared bash output, 20 chars; recall 01234567]
    assert_eq!(edits, [(2, 14), (4, 14), (11, 14)]);
    assert!(plan.edits().iter().all(|edit| edit.replacement == Replacement::Cleared(age.style())));
}
