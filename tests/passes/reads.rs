//! The reads pass: repeated reads of the same lines, and reads superseded by newer reads or by writes.

use super::session::{check, check_edits, check_marks};

const KEEP: &str = r#"{"reads":{"maxFileReads":5}}"#;
const CLEAR: &str = r#"{"reads":{"maxFileReads":5,"superseded":"clear"}}"#;

#[test]
fn which_reads_stay() {
    check(&[
        ("r:a", KEEP, "."),
        ("r:a r:a", KEEP, ".."),
        ("r:a r:a r:a", KEEP, ".p."),
        ("r:a r:a r:a", r#"{"reads":true}"#, ".p."),
        ("r:a r:a r:a r:a", KEEP, ".pp."),
        ("r:a r:a r:a r:a r:a", KEEP, ".ppp."),
        // Of more reads, three stay between the first and the last, spread evenly.
        ("r:a r:a r:a r:a r:a r:a", KEEP, "....p."),
        ("r:a r:a r:a r:a r:a r:a r:a r:a", KEEP, "..p.p.p."),
        ("r:a r:a r:a r:a r:a r:a r:a r:a r:a r:a r:a", KEEP, "..pp.pp.pp."),
        ("r:a r:a r:a r:a", r#"{"reads":{"maxFileReads":3}}"#, "..p."),
        ("r:a r:a r:a r:a", r#"{"reads":{"maxFileReads":2}}"#, ".pp."),
        ("r:a r:a r:a r:a", r#"{"reads":{"maxFileReads":0}}"#, ".pp."),
        ("r:a r:b r:a r:b r:a", KEEP, "..p.."),
        // Two reads have the same lines if their first and last lines are the same.
        ("r:a@1-50 r:a@51-99 r:a@1-50 r:a@1-50", KEEP, "..p."),
        ("r:a@51-99 r:a@1-50 r:a@51-99 r:a@51-99", KEEP, "..p."),
        ("r:a@51-99 r:a@1-50 r:a@1-50 r:a@51-99 r:a@1-50", KEEP, "..p.."),
        ("r:a@1-50 r:a@10-50 r:a@20-50", KEEP, "..."),
        ("r:a@1-30 r:a@1-40 r:a@1-50", KEEP, "..."),
        ("r:a@1-50 r:a@2-25 r:a@5-10", KEEP, "..."),
        // Two reads of the same lines have none between them.
        ("r:a@1-50 r:a@1-50 r:a@60-99", CLEAR, "p.."),
        // In the order of the results, not of the calls.
        ("r:a+r:a^ r:a", KEEP, ".p."),
        ("r:a+r:a^ r:a", CLEAR, ".p."),
    ]);
}

#[test]
fn what_is_no_read_of_the_file() {
    check(&[
        ("r:a r:a! r:a", KEEP, "..."),
        ("r:a* r:a r:a", KEEP, "..."),
        ("r:a r:a? r:a", KEEP, ".."),
        ("r:a r:a,b r:a", KEEP, "..."),
        ("g:a g:a g:a", KEEP, "..."),
        ("r:a r:a | r:a", KEEP, "..."),
        ("r:a r:a | r:a r:a", CLEAR, "p..."),
        ("r:a r:a% r:a", KEEP, "..."),
        ("r:a r:a r:a", r#"{"reads":true,"protect":{"paths":["a"]}}"#, "..."),
        // A pointer to the latest read has 50 characters and must be at most half as long as the text.
        ("r:a r:a#99 r:a", KEEP, "..."),
        ("r:a r:a#100 r:a", KEEP, ".p."),
    ]);
    check_marks(&[("r:a r:a$ r:a", KEEP, "...")]);
}

/// Law 8: the stub of a failed read says that it failed, so a failed read counts neither before nor after it is cleared.
#[test]
fn a_failed_read_does_not_count() {
    let beside =
        |other: &str| format!(r#"{{"reads":true,"protect":{{"failureTokens":0}},{other}}}"#);
    let age = beside(r#""age":{"maxToolOutputAge":3,"preserveRecentFiles":false}"#);
    let budget = beside(r#""budget":{"maxTokens":0,"keepSteps":4}"#);
    let clear = r#"{"reads":true,"clear":{"trigger":{"type":"tool_uses","value":1},"keep":{"type":"tool_uses","value":3},"clearErrors":true}}"#;
    for policy in [&age, &budget, clear] {
        check(&[("r:a! r:a=x r:a=x b:1 a", policy, "c...")]);
        check(&[("r:a! r:a=x r:a=x r:a=x a", policy, "c.p.")]);
    }
    check(&[
        ("r:a r:a r:a!", KEEP, "..."),
        ("r:a! r:a r:a r:a", KEEP, "..p."),
        ("r:a r:a! r:a! r:a", KEEP, "...."),
        ("r:a! r:a r:a", CLEAR, ".p."),
        ("r:a r:a r:a!", CLEAR, "p.."),
    ]);
}

#[test]
fn views_and_ends_of_a_file_take_nothing_away() {
    check(&[
        ("r:a r:a>", CLEAR, ".."),
        ("r:a@1-50 r:a>", CLEAR, ".."),
        ("r:a> r:a>", CLEAR, ".."),
        ("r:a> r:a", CLEAR, ".."),
        ("r:a> r:a r:a>", KEEP, "..."),
        // After an edit of the file, a view does not replace a read as the newest one.
        ("r:a e:a r:a>", CLEAR, "..."),
        ("r:a r:a@-20", CLEAR, ".."),
        ("r:a@1-50 r:a@-20", CLEAR, ".."),
        ("r:a@-20 r:a r:a@-20", KEEP, "..."),
        ("r:a@-20 r:a", CLEAR, ".."),
        // Views count as reads of a file, because their stubs do, but pointers never name or replace them.
        ("r:a r:a> r:a r:a r:a r:a> r:a", KEEP, "...p..."),
        ("r:a> r:a r:a", KEEP, ".p."),
        ("r:a> r:a r:a r:a>", KEEP, "...."),
        (
            "r:a r:a> r:a r:a> r:a r:a r:a",
            r#"{"reads":true,"age":{"maxToolOutputAge":2,"preserveRecentFiles":false}}"#,
            "cccc.p.",
        ),
    ]);
}

#[test]
fn what_pointers_name() {
    let first = "[Re-read of a - see first read above for content]";
    let latest = "[Re-read of a - see latest read below for content]";
    let at = |message: usize, text: &str| {
        let (tokens, why) = if text == first {
            (14, "the first read of these lines shows the same")
        } else {
            (15, "a later read of these lines shows them")
        };
        format!("{message}.0 Reads 200>{tokens} read_file, {why}: {text}")
    };
    check_edits(&[
        ("r:a=x r:a=x r:a=x", KEEP, &[&at(4, first)]),
        // A command or another process may have changed the file: neither the first read nor a call shows that.
        ("r:a=x b:1 r:a=y b:2 r:a=z", KEEP, &[&at(6, latest)]),
        ("r:a=x b:1 r:a=y r:a=y", KEEP, &[&at(6, latest)]),
        ("r:a=x b:1 r:a=x r:a=y", KEEP, &[&at(6, first)]),
        (
            "r:a#700 r:a#720 r:a",
            KEEP,
            &["4.0 Reads 206>15 read_file, a later read of these lines shows them: \
            [Re-read of a - see latest read below for content]"],
        ),
        // The read in between shows content that was written after the first read.
        ("r:a e:a r:a r:a", KEEP, &[&at(6, latest)]),
        ("r:a w:a r:a r:a", KEEP, &[&at(6, latest)]),
        ("r:a=x e:a! r:a=x r:a", KEEP, &[&at(6, first)]),
        ("r:a=x e:b r:a=x r:a", KEEP, &[&at(6, first)]),
        ("e:a r:a=x r:a=x r:a", KEEP, &[&at(6, first)]),
        ("r:a=x r:a=x e:a r:a", KEEP, &[&at(4, first)]),
        // A file that was changed and changed back has the same content, but the change must stay visible.
        ("r:a=x e:a r:a=x r:a", KEEP, &[&at(6, latest)]),
        // The first read is as short as a stub could be, or is one.
        ("r:a#319 r:a r:a", KEEP, &[&at(4, latest)]),
        ("r:a#320 r:a r:a", KEEP, &[&at(4, latest)]),
        (
            "r:a=x#320 r:a=x#320 r:a",
            KEEP,
            &["4.0 Reads 92>14 read_file, the first read of these lines shows the same: \
            [Re-read of a - see first read above for content]"],
        ),
        ("r:a$ r:a r:a", KEEP, &[&at(4, latest)]),
        // A pointer names no read whose ephemeral content is removed.
        ("r:a*=x r:a=x r:a=x r:a=x", KEEP, &[&at(6, latest)]),
        ("r:a*=x e:a r:a=y r:a=y r:a=y", KEEP, &[&at(8, latest)]),
        ("r:a,b*=x r:a=x r:a=x r:a=x", KEEP, &[&at(6, latest)]),
        ("r:a=x r:a*=x r:a=x r:a=x", KEEP, &[&at(6, first)]),
        ("r:a=x r:a=x r:a=x r:a*=x", KEEP, &[&at(4, first)]),
        ("r:a=x r:a=y r:a=z r:a*=z", KEEP, &[]),
        ("r:a r:a r:a*", CLEAR, &[]),
        // Neither the first nor the last read shows what the read between them shows.
        ("r:a e:a r:a r:a#20", KEEP, &[]),
        ("r:a#20 r:a r:a#20", KEEP, &[]),
        (
            "r:a@10-20 r:a@1-50",
            CLEAR,
            &["2.0 Reads 200>16 read_file, a later read of these lines shows them: \
               [Re-read of a:10-20 - see latest read below for content]"],
        ),
        (
            "r:a@1-50 e:a r:a@60-99",
            CLEAR,
            &["2.0 Reads 200>21 read_file, the file was changed since: \
               [cleared a:1-50, 700 chars; the file was changed since; re-run if needed]"],
        ),
    ]);
}

#[test]
fn superseded() {
    check(&[
        ("r:a r:a", CLEAR, "p."),
        // A newer read covers the older one's lines, or the file was changed since.
        ("r:a@10-50 r:a@1-99", CLEAR, "p."),
        ("r:a@1-99 r:a@10-50", CLEAR, ".."),
        ("r:a@1-50 r:a@40-99", CLEAR, ".."),
        ("r:a@40-99 r:a@1-50", CLEAR, ".."),
        ("r:a@1-50 r:a@1-50", CLEAR, "p."),
        ("r:a@10-50 r:a", CLEAR, "p."),
        ("r:a r:a@10-50", CLEAR, ".."),
        ("r:a@1-50 e:a r:a@60-99", CLEAR, "c.."),
        ("r:a@1-50 r:a@60-99 e:a", CLEAR, "c.."),
        ("e:a r:a@1-50 r:a@60-99", CLEAR, "..."),
        ("r:a@1-50 e:a! r:a@60-99", CLEAR, "..."),
        ("r:a@1-50 e:a! r:a@60-99", KEEP, "..."),
        ("r:a@1-50 e:a r:a@60-99", KEEP, "..."),
        // The newest read of each file stays.
        ("r:a e:a", CLEAR, ".."),
        ("r:a r:b e:b", CLEAR, "..."),
        ("r:a@1-50 e:a r:a@60-99#20", CLEAR, "..."),
        // A read that may not be edited is still shown.
        ("r:a% r:a", CLEAR, ".."),
        ("r:a@5-6 r:a@1-9% r:a@20-30", CLEAR, "p.."),
        ("r:a@1-9 e:a r:a@20-30%", CLEAR, "c.."),
        ("r:a r:a", r#"{"reads":{"superseded":"clear"},"protect":{"paths":["a"]}}"#, ".."),
        // Boundary of the length below which a result may be a stub.
        ("r:a#319 r:a", CLEAR, ".."),
        ("r:a#320 r:a", CLEAR, "p."),
    ]);
    check_marks(&[("r:a r:a$", CLEAR, ".."), ("r:a r:a$ r:a@1-9", CLEAR, "...")]);
}

#[test]
fn what_a_pointer_names_stays() {
    let clip = r#""clip":{"max":100,"head":10,"tail":10,"tools":["read_file"]}"#;
    check(&[
        ("r:a r:a", &format!(r#"{{"reads":{{"superseded":"clear"}},{clip}}}"#), "p."),
        ("r:a r:a r:a", &format!(r#"{{"reads":true,{clip}}}"#), ".p."),
        ("r:a r:b", &format!(r#"{{"reads":true,{clip}}}"#), "xx"),
        ("r:a=x r:a=x r:a=x", r#"{"reads":true,"dedupe":true}"#, ".p."),
    ]);
    // Also if the pointer was decided earlier.
    check_marks(&[
        ("r:a r:a ; b:1", &format!(r#"{{"reads":{{"superseded":"clear"}},{clip}}}"#), "p.."),
        ("r:a r:a ; e:a r:a@1-5", r#"{"reads":{"superseded":"clear"}}"#, "p..."),
        ("r:a r:a r:a ; b:1 b:2", r#"{"reads":true,"age":{"maxToolOutputAge":2}}"#, ".p..."),
    ]);
}
