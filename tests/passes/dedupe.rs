//! The dedupe pass: results that repeat one that is still shown.

use super::session::{check, check_edits, check_marks};

const DEDUPE: &str = r#"{"dedupe":true}"#;

#[test]
fn repeats_become_pointers() {
    check(&[
        ("b:1=x b:2=x b:3=x", DEDUPE, ".dd"),
        ("b:1=x b:2=x | b:3=x", DEDUPE, ".d."),
        ("b:1=x b:2 b:3", DEDUPE, "..."),
        ("b:1=x b:2=y", DEDUPE, ".."),
        ("b:1=x b:2=x#701", DEDUPE, ".."),
        ("b:1!=x b:2!=x", DEDUPE, ".."),
        ("b:1*=x b:2*=x", DEDUPE, ".."),
        ("b:1*=x b:2=x b:3=x", DEDUPE, "..d"),
        ("b:1&=x b:2&=x b:3=x", DEDUPE, ".d."),
        ("b:1%=x b:2%=x", DEDUPE, ".."),
        ("b:1=x b:2=x", r#"{"dedupe":true,"clip":{"max":600}}"#, "xx"),
        ("b:1=x b:2=x b:3=x", r#"{"dedupe":true,"age":{"maxToolOutputAge":1}}"#, "c.d"),
        // In the order of the results.
        ("b:1=x+b:2=x^", DEDUPE, ".d"),
    ]);
    check_marks(&[("b:1$=x b:2=x", DEDUPE, ".."), ("b:1=x b:2$=x b:3=x", DEDUPE, "..d")]);
}

/// A result that a decided pointer names stays until the pointer can be cleared too; then both are cleared.
#[test]
fn decided_pointers_let_go() {
    const AGE: &str = r#"{"dedupe":true,"age":{"maxToolOutputAge":1}}"#;
    const READS: &str =
        r#"{"reads":true,"age":{"maxToolOutputAge":0,"preserveRecentFiles":false}}"#;
    check_marks(&[
        ("b:1=x b:2=x ; b:3", AGE, ".d."),
        ("b:1=x b:2=x ; b:3 b:4", AGE, "cc.."),
        ("b:1=x b:2=x ; b:3 b:4=x ; b:5", AGE, "ccc.."),
        ("b:1=x b:2=x ; b:3 b:4=x ; b:5 b:6", AGE, "cccc.."),
        ("b:1=x b:2=x ; b:3=y b:4=y ; b:5", AGE, "cc.d."),
        // A result that may not be cleared keeps the others.
        (
            "b:1=x t:x=x ; b:3 b:4",
            r#"{"dedupe":true,"age":{"maxToolOutputAge":1,"excludeTools":["x"]}}"#,
            ".d..",
        ),
        (
            "t:x=x b:2=x ; b:3 b:4",
            r#"{"dedupe":true,"age":{"maxToolOutputAge":1,"excludeTools":["x"]}}"#,
            ".d..",
        ),
        (
            "t:x=x b:2=x ; b:3 b:4",
            r#"{"dedupe":true,"age":{"maxToolOutputAge":1},"protect":{"tools":["x"]}}"#,
            ".d..",
        ),
        ("r:a=x r:a=x r:a=x ; b:1 b:2", READS, "cccc."),
        // The newest read of an edited file would be shown in full again, so it stays a pointer.
        (
            "b:1=x r:a=x e:a ; b:3 b:4 b:5",
            r#"{"dedupe":true,"age":{"maxToolOutputAge":2,"preserveRecentFiles":false}}"#,
            ".dc...",
        ),
        // Nothing before reasoning changes.
        (
            "b:1=x b:2=x ; b:3~ b:4 b:5",
            r#"{"dedupe":true,"age":{"maxToolOutputAge":1},"reasoning":"append-only"}"#,
            ".dc..",
        ),
        // A batch that is not worth its rewrite leaves the pointers too.
        (
            "b:1=x+b:2=x+b:3=x ; b:4 b:5",
            r#"{"dedupe":true,"age":{"maxToolOutputAge":1},"clearAtLeast":290}"#,
            ".dd..",
        ),
        (
            "b:1=x+b:2=x+b:3=x ; b:4 b:5",
            r#"{"dedupe":true,"age":{"maxToolOutputAge":1},"clearAtLeast":240}"#,
            "ccc..",
        ),
    ]);
}

#[test]
fn news_is_no_repeat() {
    check(&[
        ("r:a=x e:a r:a=x", DEDUPE, "..."),
        ("r:a=x w:a r:a=x", DEDUPE, "..."),
        ("r:a=x e:b r:a=x", DEDUPE, "..d"),
        ("r:a=x e:a! r:a=x", DEDUPE, "..d"),
        ("r:a=x r:a r:a=x", DEDUPE, "..d"),
        ("e:a r:a=x r:a=x", DEDUPE, "..d"),
        ("r:a=x e:a,b r:b=x", DEDUPE, "..."),
        // Only results since the last write count as the same.
        ("r:a=x e:a r:a=x r:a=x", DEDUPE, "...d"),
        // The write of an edit comes with its own result, not between the two.
        ("e:a=x e:a=x", DEDUPE, ".d"),
        ("e:a=x e:a e:a=x", DEDUPE, "..."),
    ]);
}

#[test]
fn pointers() {
    let line = |message: usize, tokens: u32, tool: &str| {
        format!(
            "{message}.0 Dedupe 200>{tokens} {tool}, same content as call call_0: [Duplicate result: This {tool} call returned \
             identical content to call ID call_0. Review that result above instead of re-reading. Repeated identical \
             reads waste context space.]"
        )
    };
    let name = |length: usize| "n".repeat(length);
    check_edits(&[
        ("b:1=x b:2=x", DEDUPE, &[&line(4, 50, "bash")]),
        // A tool name and an id of more than 120 bytes together get no pointer.
        (&format!("b:1=x t:{}=x", name(114)), DEDUPE, &[&line(4, 82, &name(114))]),
        (&format!("b:1=x t:{}=x", name(115)), DEDUPE, &[]),
    ]);
    // This pointer has 174 bytes.
    check(&[("b:1=x#347 b:2=x#347", DEDUPE, ".."), ("b:1=x#348 b:2=x#348", DEDUPE, ".d")]);
}
