//! The retire pass: clears results that cost more to carry than they will be missed, in batches that pay for their
//! rewrite.

use super::session::{Session, check, check_places, policy, session};
use crate::support::view::{read, view_repeating};
use serde_json::{Value as Json, json};
use trimtab::projection::{
    Ask, Engine, Finder, Found, PassName, PlannedEdit, Replacement, SavedEdit,
};

/// Policy under which every batch is worth its rewrite and no result is missed: all results that may be cleared are.
pub fn retired_with(settings: &str) -> String {
    let mut policy = json!({"missing": 0, "rewriteCost": 0, "mostLoss": 100});
    let given: Json = serde_json::from_str(&format!("{{{settings}}}")).unwrap();
    for (name, value) in given.as_object().unwrap() {
        policy[name] = value.clone();
    }
    json!({ "retire": policy }).to_string()
}

#[test]
fn what_was_shown_goes_unless_it_may_be_missed() {
    check(&[
        ("b:1 g:2 l:3 r:a t:x b:4", &retired_with(""), "ccccc."),
        ("b:1 b:2#37 b:3#38 b:4", &retired_with(""), "c.c."),
        // No further requests are expected.
        ("b:1 g:2 l:3 b:4", &retired_with(r#""expectedSteps":0"#), "...."),
        // Results that may be missed stay for a while: reads, file contents printed by commands, and failures.
        ("b:1 g:2 l:3 r:a t:x b:4", &retired_with(r#""missing":100"#), "ccc.c."),
        ("b:cat b:1;sed b:1 b:2", &retired_with(r#""missing":100"#), "..c."),
        ("b:1! b:2 b:3", &retired_with(r#""missing":100"#), ".c."),
        // A read is cleared when a newer one shows the same lines, or when the whole file was written.
        ("r:a@1-50 r:a b:3", &retired_with(r#""missing":30"#), "c.."),
        ("r:a r:a@1-50 b:3", &retired_with(r#""missing":30"#), "..."),
        ("r:a r:a! b:3", &retired_with(r#""missing":30"#), "..."),
        ("r:a r:a* b:3", &retired_with(r#""missing":30"#), "..."),
        ("r:a r:a> b:3", &retired_with(r#""missing":30"#), "..."),
        ("r:a r:a@-20 b:3", &retired_with(r#""missing":30"#), "..."),
        ("r:a w:a b:3", &retired_with(r#""missing":30"#), "cc."),
        ("r:a e:a b:3", &retired_with(r#""missing":30"#), ".c."),
        ("r:a w:a! b:3", &retired_with(r#""missing":30"#), "..."),
        // A failure is cleared when the same call is tried again, whatever its outcome; failed edits and writes stay.
        ("b:1! b:1 b:3", &retired_with(r#""missing":100"#), "cc."),
        ("b:1! b:1! b:3", &retired_with(r#""missing":100"#), "c.."),
        ("b:1! b:1+b:1 b:3", &retired_with(r#""missing":100"#), "ccc."),
        ("b:1!+b:1! b:1 b:3", &retired_with(r#""missing":100"#), "ccc."),
        // In the order of the calls: the second runs behind `cd`, whose result may come later.
        ("b:1! b:cd+b:1 b:3", &retired_with(r#""missing":100"#), ".cc."),
        ("b:1! b:cd+b:1^ b:3", &retired_with(r#""missing":100"#), ".cc."),
        ("b:1! b:1+b:cd^ b:3", &retired_with(r#""missing":100"#), "ccc."),
        ("b:1!+b:1! b:2 b:3", &retired_with(r#""missing":100"#), "..c."),
        ("b:1! b:1? b:3 b:4", &retired_with(r#""missing":100"#), ".c."),
        ("b:1! g:1 b:3", &retired_with(r#""missing":100"#), ".c."),
        ("r:a! r:b r:a", &retired_with(r#""missing":100"#), "c.."),
        // Edits and writes as well.
        ("e:a! b:2 b:3 b:4 e:a", &retired_with(r#""missing":100"#), "cccc."),
        ("e:a! b:2 b:3 b:4 e:b", &retired_with(r#""missing":100"#), ".ccc."),
    ]);
}

/// A large read in a session of which much is expected: by itself it is kept for some requests.
#[test]
fn a_read_goes_along_with_a_batch_that_begins_before_it() {
    let early = "b:1#20 ".repeat(8);
    let policy = retired_with(r#""missing":30"#);
    let marks = |words: &str| session(&format!("{early}{words}")).marks(&self::policy(&policy));
    assert_eq!(marks("b:2#20 r:a#90000 b:3"), "...........");
    assert_eq!(marks("b:2 r:a#90000 b:3"), "........cc.");
    // Nothing before it is rewritten for it.
    assert_eq!(marks("r:a#90000 b:2 b:3"), ".........c.");
    // So does a printed file in its first four requests.
    assert_eq!(marks("b:2 b:cat#90000 b:3"), "........cc.");
}

/// The text of a written file may be needed like a read of it; the text that an edit replaced is not.
#[test]
fn which_calls_are_cut() {
    check_places(&[
        ("w:a<3000 b:1 b:2", &retired_with(""), "1.0 Retire, 2.0 Retire, 4.0 Retire"),
        ("w:a<3000 b:1 b:2", &retired_with(r#""missing":100"#), "2.0 Retire, 4.0 Retire"),
        ("w:a<3000 b:1 b:2", &retired_with(r#""oldTexts":false"#), "2.0 Retire, 4.0 Retire"),
        ("w:a<40 b:1 b:2", &retired_with(""), "2.0 Retire, 4.0 Retire"),
        // The model needs the text of a failed write to try again, as long as it sees that it failed.
        ("w:a<3000! b:1 b:2", &retired_with(r#""missing":100"#), "4.0 Retire"),
        ("w:a<3000! b:1 b:2", &retired_with(""), "2.0 Retire, 4.0 Retire"),
    ]);
}

/// First the text that an edit replaced is cut, then the text that it put into the file, once a read shows that. The
/// call has one decision throughout, also after the state was saved and restored.
#[test]
fn a_call_is_cut_twice() {
    let policy = policy(&retired_with(""));
    let old_only = |decided: &[PlannedEdit]| -> Vec<bool> {
        let trims = decided.iter().filter_map(|edit| match edit.replacement {
            Replacement::Trimmed(trim) => Some(trim.old_only),
            _ => None,
        });
        trims.collect()
    };
    let (first, second) = (session("e:a<300 b:1 b:2"), session("e:a<300 b:1 b:2 r:a b:3"));
    let (first, second) = (read(&first.messages), read(&second.messages));
    let step = second.history.steps();
    let now = view_repeating(&first, &policy, first.history.steps(), &[]).decided;
    assert_eq!(old_only(&now), [true]);
    let restored = |edit: &PlannedEdit| {
        let saved = SavedEdit::of(&first.history, edit, None)?;
        match Finder::new(&second.history, PassName::puts).find(&saved) {
            Some(Found::Edit(edit)) => Some(edit),
            _ => None,
        }
    };
    let restored: Vec<PlannedEdit> = now.iter().filter_map(restored).collect();
    assert_eq!(restored, now);
    let later = view_repeating(&second, &policy, step, &restored);
    assert_eq!(old_only(&later.decided), [false]);
    let saved = later.decided.iter().map(|edit| edit.saves(&second.history));
    assert_eq!(later.tokens_saved, saved.sum::<u64>());
    // Nothing is cut a third time.
    let same = view_repeating(&second, &policy, step, &later.decided);
    assert_eq!(same.decided, later.decided);
    // Several are cut again in one projection.
    let (first, several) = (
        session("e:a<300 e:a<400 e:a<500 b:1 b:2"),
        session("e:a<300 e:a<400 e:a<500 b:1 b:2 r:a b:3"),
    );
    let (first, several) = (read(&first.messages), read(&several.messages));
    let now = view_repeating(&first, &policy, first.history.steps(), &[]).decided;
    assert_eq!(old_only(&now), [true; 3]);
    let later = view_repeating(&several, &policy, several.history.steps(), &now);
    assert_eq!(old_only(&later.decided), [false; 3]);
    // It stays as it is if it is protected since.
    let protected = r#"{"retire":{"missing":0,"rewriteCost":0,"mostLoss":100},"protect":{"tools":["edit_file"]}}"#;
    let kept = view_repeating(&second, &self::policy(protected), step, &restored);
    assert_eq!(old_only(&kept.decided), [true]);
}

/// A call that was cut stays as it is before reasoning that nothing may change before.
#[test]
fn no_call_is_cut_again_before_reasoning() {
    let retire = retired_with("");
    let with =
        |reasoning: &str| format!(r#"{},"reasoning":"{reasoning}"}}"#, &retire[..retire.len() - 1]);
    let is_cut_again = |reasoning: &str, words: &str| {
        let policy = policy(&with(reasoning));
        let first = session("e:a<300 b:1 b:2").in_anthropic();
        let first = read(&first.messages);
        let now = view_repeating(&first, &policy, first.history.steps(), &[]).decided;
        let second = session(words).in_anthropic();
        let second = read(&second.messages);
        let later = view_repeating(&second, &policy, second.history.steps(), &now).decided;
        let cut =
            |edits: &[PlannedEdit]| edits.iter().find(|edit| edit.block == now[0].block).copied();
        assert!(matches!(now[0].replacement, Replacement::Trimmed(_)));
        cut(&now) != cut(&later)
    };
    assert!(is_cut_again("append-only", "e:a<300 b:1 b:2 r:a b:3"));
    assert!(is_cut_again("keep", "e:a<300 b:1 b:2 r:a~ b:3"));
    assert!(!is_cut_again("append-only", "e:a<300 b:1 b:2 r:a~ b:3"));
}

/// The reason in the line of an edit or a block.
fn reason(line: &str) -> &str {
    let end = line.split_once(", ").map_or(line, |(_, end)| end);
    end.split_once(": ").map_or(end, |(reason, _)| reason)
}

const OVERTAKEN: &str =
    "a newer read or a write overtook it, or carrying it costs more than missing it";
const REPLACED: &str = "the text that it replaced is no longer in the file";

#[test]
fn why_something_went() {
    let rows: &[(&str, &str, &[&str])] = &[
        ("b:1 b:2", "", &["the model has seen it"]),
        ("r:a b:2", "", &[OVERTAKEN]),
        (
            "b:1! b:1 b:3",
            "",
            &[
                "the same was tried again, or carrying it costs more than missing it",
                "the model has seen it",
            ],
        ),
        ("e:a<300 b:1", "", &[REPLACED, "the model has seen it"]),
        ("e:a<300 b:1", r#""oldTexts":false"#, &["the model has seen it"]),
        ("w:a<300 b:1", "", &[OVERTAKEN, "the model has seen it"]),
        // A file that is read as a whole shows what was put into it.
        ("e:a<300 r:a b:1", "", &[OVERTAKEN, "the model has seen it", OVERTAKEN]),
        ("e:a<300 w:a b:1", "", &[OVERTAKEN, "the model has seen it", "the model has seen it"]),
        ("e:a<300 r:a@1-9 b:1", "", &[REPLACED, "the model has seen it", OVERTAKEN]),
        ("e:a<300 r:a* b:1", "", &[REPLACED, "the model has seen it", OVERTAKEN]),
        ("e:a<300 r:b b:1", "", &[REPLACED, "the model has seen it", OVERTAKEN]),
        ("w:a<3000 r:a b:1", r#""missing":30"#, &[OVERTAKEN, "the model has seen it"]),
    ];
    for (words, settings, expected) in rows {
        let edits = session(words).edits(&policy(&retired_with(settings)));
        let reasons: Vec<&str> = edits.iter().map(|line| reason(line)).collect();
        assert_eq!(reasons, *expected, "{words}: {edits:?}");
    }
}

#[test]
fn why_something_stays() {
    let rows = [
        ("b:1 b:2 b:3", "retired: cleared with the next batch that pays for its rewrite"),
        ("b:1! b:2 b:3", "a failure is kept"),
        ("b:1#37 b:2 b:3", "too short to be worth a stub"),
        ("r:a b:2 b:3", "not retired: it may still be needed"),
    ];
    let policy = policy(&retired_with(r#""missing":100,"rewriteCost":1000"#));
    for (words, expected) in rows {
        let lines = session(words).explain(&policy, 2);
        assert!(lines[0].ends_with(&format!(": {expected}")), "{words}: {lines:?}");
    }
}

#[test]
fn room_is_made_where_much_can_go() {
    // All results but the last make up a full window; more than a fifth of it can be cleared, or less.
    let policy = |window: u32| {
        let policy = retired_with(r#""missing":30,"rewriteCost":1000"#);
        format!(r#"{},"window":{window}}}"#, &policy[..policy.len() - 1])
    };
    check(&[
        ("b:1 r:a r:b b:3#20", &policy(800), "c..."),
        ("b:1 r:a r:b b:3#20", &policy(2000), "...."),
        ("b:1#300 r:a r:b b:3#20", &policy(700), "...."),
    ]);
}

/// A read without a known file is needed as long as one whose file is not named again.
#[test]
fn a_read_without_a_file() {
    check(&[("t:read_file b:2 b:3", &retired_with(r#""missing":100"#), ".c.")]);
}

/// Messages of the results that are cleared at a request `idle` seconds after the previous one.
fn cleared(session: &Session, json: &str, idle: f64) -> Vec<usize> {
    let (policy, read) = (policy(json), read(&session.messages));
    let mut engine = Engine::default();
    let ask = Ask { policy: &policy, step: None, sticky: true, idle, prefix: 0 };
    engine.project(&read.history, ask, &read.contents());
    let cleared = engine.plan().edits().iter().filter(|edit| edit.pass == PassName::Retire);
    cleared.map(|edit| edit.message).collect()
}

#[test]
fn a_cold_cache_costs_nothing_to_write() {
    let session = session("b:1 b:2 b:3");
    let after =
        |idle| cleared(&session, &retired_with(r#""rewriteCost":1000,"atLeast":1000"#), idle);
    let nothing: [usize; 0] = [];
    assert_eq!((after(0.0).as_slice(), after(300.0).as_slice()), (&nothing[..], &nothing[..]));
    assert_eq!((after(301.0), after(1000.0)), (vec![2, 4], vec![2, 4]));
    // The cost so far of a history that began elsewhere is unknown, so no rewrite of it is too expensive.
    assert_eq!(cleared(&session, &retired_with(r#""rewriteCost":0.1,"mostLoss":0"#), 0.0), [2, 4]);
}

/// The cost counts reasoning after the cleared results that is dropped with them.
#[test]
fn reasoning_behind_a_result() {
    let session = session("b:1 b:2~ b:3 b:4").in_anthropic();
    let at = |binding: &str, reasoning: u32| {
        let policy = retired_with(&format!(r#""reasoning":{reasoning}"#));
        cleared(
            &session,
            &format!(r#"{},"binding":"{binding}"}}"#, &policy[..policy.len() - 1]),
            0.0,
        )
    };
    assert_eq!((at("bound", 0), at("bound", 1000)), (vec![2, 4, 6], vec![4, 6]));
    assert_eq!(at("free", 1000), [2, 4, 6]);
}

/// Number of unrelated steps until the first result is cleared.
fn steps_kept(words: &str, settings: &str) -> usize {
    let policy = policy(&retired_with(settings));
    let is_kept = |steps: &usize| {
        let words = format!("{words}{}", " b:1#20".repeat(*steps));
        session(&words).marks(&policy).starts_with('.')
    };
    (1..100).take_while(is_kept).count()
}

#[test]
fn how_long_a_read_stays() {
    let kept = |words: &str| steps_kept(words, r#""missing":100,"rewriteCost":11.5"#);
    let missing =
        |missing: f64| steps_kept("r:a#9000", &format!(r#""missing":{missing},"rewriteCost":1"#));
    let by_missing = [missing(0.0), missing(30.0), missing(60.0), missing(100.0)];
    assert!(by_missing.is_sorted_by(|a, b| a < b), "{by_missing:?}");
    // Results that cost more to carry are cleared sooner.
    let by_size = [kept("r:a#90000"), kept("r:a#9000"), kept("r:a#2000")];
    assert!(by_size.is_sorted_by(|a, b| a <= b) && by_size[0] < by_size[2], "{by_size:?}");
    // A call that names the file restarts the count.
    let again = kept(&format!("r:a#9000{} r:a@1-5", " b:1#20".repeat(5)));
    assert_eq!(again, kept("r:a#9000") - 1);
    // File contents printed by a command stay for four requests.
    assert_eq!([kept("b:cat#9000"), kept("b:make#9000")], [4, 0]);
}

#[test]
fn what_is_retired_goes_when_it_pays() {
    let limited = |limits: &str, least: u32| {
        let policy = retired_with(&format!(r#""atLeast":{least},"rewriteCost":1000"#));
        format!("{}{limits}}}", &policy[..policy.len() - 1])
    };
    check(&[
        // 700 characters are 200 tokens; `[cleared, 700 chars]` has 6.
        ("b:1 b:2 b:3", &retired_with(r#""atLeast":388"#), "cc."),
        ("b:1 b:2 b:3", &retired_with(r#""atLeast":389"#), "..."),
        // Rewriting everything after the first result costs too much, but not rewriting what follows the third.
        ("b:1 r:a! b:3 b:4", &retired_with(r#""missing":30,"rewriteCost":10"#), "..c."),
        ("b:1 r:a! b:3 b:4", &retired_with(r#""missing":30,"rewriteCost":2"#), "c.c."),
        // No batch has to pay while the window is full or the view must fit.
        ("b:1 r:a b:3", &limited(r#","window":1000"#, 194), "..."),
        ("b:1 r:a b:3", &limited(r#","window":850"#, 194), "cc."),
        ("b:1 r:a b:3", &limited(r#","window":850"#, 389), "..."),
        ("b:1 r:a b:3", &limited(r#","budget":{"maxTokens":640}"#, 0), "..."),
        ("b:1 r:a b:3", &limited(r#","budget":{"maxTokens":600}"#, 389), "cc."),
    ]);
}
