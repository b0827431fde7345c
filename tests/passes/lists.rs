//! The lists pass: the newest listings stay.

use super::session::{check, check_edits, check_marks};

#[test]
fn the_newest_stay() {
    let one = r#"{"lists":{"keep":1}}"#;
    check(&[
        ("l:a l:b l:c", one, "cc."),
        ("l:a l:b l:c", r#"{"lists":{"keep":3}}"#, "..."),
        ("l:a l:b l:c l:d", r#"{"lists":true}"#, "c..."),
        ("l:a b:1 l:c", r#"{"lists":{"keep":0}}"#, "c.c"),
        ("l:a! l:b l:c", one, ".c."),
        ("l:a% l:b l:c", one, ".c."),
        ("l:a l:b | l:c", one, "c.."),
        // A listing that is too short for a stub does not count.
        ("l:a#319 l:b#320 l:c", one, ".c."),
        ("l:a l:b#319", one, ".."),
        ("l:a b:1 b:2", r#"{"lists":{"keep":0,"tools":["bash"]}}"#, ".cc"),
        ("l:a b:1 b:2", r#"{"lists":{"keep":0,"tools":["b*"]}}"#, ".cc"),
        ("t:focus t:unfocus t:other l:a", one, "cc.."),
        ("l:a l:b l:c", r#"{"lists":{"keep":1},"protect":{"paths":["a"]}}"#, ".c."),
        // Protected listings do not count.
        ("l:a l:b l:c", r#"{"lists":{"keep":1},"protect":{"paths":["c"]}}"#, "c.."),
    ]);
    check_marks(&[
        ("l:a$ l:b l:c", one, ".c."),
        // A result that a pointer names stays.
        ("l:a=x l:a=x ; l:b", r#"{"dedupe":true,"lists":{"keep":2}}"#, ".d."),
        ("l:a=x l:a=x ; l:b l:c", r#"{"dedupe":true,"lists":{"keep":2}}"#, ".d.."),
    ]);
    check_edits(&[(
        "l:a l:b",
        one,
        &[
            "2.0 Lists 200>12 ls, there are newer listings: [cleared a, 700 chars; re-run if needed]",
        ],
    )]);
}
