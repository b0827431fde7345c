//! The budget pass: clears the oldest results until the view fits.

use super::session::{check, check_edits, check_marks, policy, session};

#[test]
fn what_goes() {
    check(&[
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":5000}}"#, "...."),
        ("b:1 b:2 b:3 b:4", r#"{"budget":true}"#, "...."),
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":0}}"#, "ccc."),
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":0,"keepSteps":3}}"#, "c..."),
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":0,"keepSteps":4}}"#, "...."),
        ("b:1 b:2 b:3 b:4", r#"{"budget":{"maxTokens":0,"keepSteps":0}}"#, "cccc"),
        ("b:1 b:2 | b:3 b:4", r#"{"budget":{"maxTokens":0,"keepSteps":0}}"#, "cc.."),
        ("b:1 b:2! b:3 b:4", r#"{"budget":{"maxTokens":0,"keepSteps":0}}"#, "c.cc"),
        ("b:1 b:2% b:3 b:4", r#"{"budget":{"maxTokens":0,"keepSteps":0}}"#, "c.cc"),
        ("b:1#319 b:2#320", r#"{"budget":{"maxTokens":0,"keepSteps":0}}"#, ".c"),
        ("r:a e:a b:3 b:4", r#"{"budget":{"maxTokens":0,"keepSteps":0}}"#, ".ccc"),
        (
            "b:1 b:2",
            r#"{"budget":{"maxTokens":0,"keepSteps":0},"protect":{"tools":["bash"]}}"#,
            "..",
        ),
    ]);
    check_marks(&[
        ("b:1$ b:2", r#"{"budget":{"maxTokens":0,"keepSteps":0}}"#, ".c"),
        // A result that a pointer names stays.
        ("b:1=x b:2=x ; b:3", r#"{"dedupe":true,"budget":{"maxTokens":300,"keepSteps":0}}"#, ".dc"),
        // When the budget must clear, other edits do not wait for a batch.
        (
            "b:1 b:2 b:3",
            r#"{"clearAtLeast":9999,"age":{"maxToolOutputAge":1},"budget":{"maxTokens":500}}"#,
            "cc.",
        ),
        (
            "b:1 b:2 b:3",
            r#"{"clearAtLeast":9999,"age":{"maxToolOutputAge":1},"budget":{"maxTokens":5000}}"#,
            "...",
        ),
    ]);
    check_edits(&[(
        "b:1 b:2",
        r#"{"budget":{"maxTokens":400}}"#,
        &[
            "2.0 Budget 200>15 bash, among the oldest when the view did not fit: [cleared bash output, 700 chars; re-run if needed]",
        ],
    )]);
}

/// Compared with the arithmetic: no more results than needed are cleared to come down to the limit, and none while the
/// view is within its maximum.
#[test]
fn as_many_as_it_takes() {
    for count in 1..=9_u32 {
        let words = (0..count).map(|i| format!("b:{i}")).collect::<Vec<_>>().join(" ");
        let session = session(&words);
        let total = 2 + 205 * count;
        for max in [total, total - 1, total * 9 / 10, total / 2, 100, 1] {
            for down_to in [None, Some(max), Some(max / 2), Some(max + 50), Some(0)] {
                let settings =
                    down_to.map_or(String::new(), |tokens| format!(r#","downTo":{tokens}"#));
                let json = format!(r#"{{"budget":{{"maxTokens":{max},"keepSteps":0{settings}}}}}"#);
                let wanted = down_to.unwrap_or(max / 5 * 4).min(max);
                let enough = (0..=count).find(|gone| total - 185 * gone <= wanted).unwrap_or(count);
                let expected = if total <= max { 0 } else { enough as usize };
                let marks = session.marks(&policy(&json));
                let found = marks.chars().take_while(|mark| *mark == 'c').count();
                assert_eq!(
                    (found, marks.matches('c').count()),
                    (expected, expected),
                    "{words} under {json}"
                );
            }
        }
    }
}

/// Tokens that other passes save reduce what the budget clears.
#[test]
fn beside_other_passes() {
    check(&[
        // 617 tokens in total; the duplicate saves 150.
        ("b:1=x b:2=x b:3", r#"{"dedupe":true,"budget":{"maxTokens":467,"downTo":467}}"#, ".d."),
        // When the original is cleared, the duplicate is shown in full.
        ("b:1=x b:2=x b:3", r#"{"dedupe":true,"budget":{"maxTokens":466,"downTo":466}}"#, "c.."),
    ]);
}
