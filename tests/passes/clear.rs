//! Clearing the oldest results once the context has grown too large, in batches.

use super::session::{check, check_edits, check_marks, policy, session};

/// Policy with the clear pass: its trigger as type and value, such as `tool_uses 2`, and further settings as JSON.
fn clear(trigger: &str, settings: &str) -> String {
    let (kind, value) = trigger.split_once(' ').unwrap();
    format!(
        r#"{{"window":1000,"clear":{{"trigger":{{"type":"{kind}","value":{value}}},{settings}}}}}"#
    )
}

const NONE: &str = r#""keep":{"type":"tool_uses","value":0}"#;

fn keep(kind: &str, value: u32) -> String {
    clear("tool_uses 1", &format!(r#""keep":{{"type":"{kind}","value":{value}}}"#))
}

#[test]
fn keeps_the_newest() {
    // The trigger is checked before each answer and at the end.
    check(&[
        ("b:1 b:2 b:3 b:4 a", &keep("tool_uses", 2), "cc.."),
        ("b:1 b:2 b:3 b:4 a", &keep("tool_uses", 0), "cccc"),
        ("b:1 b:2 b:3 b:4 a", &keep("tool_uses", 9), "...."),
        ("b:1 b:2 b:3 b:4 a", &keep("steps", 1), "ccc."),
        ("b:1 b:2 b:3 b:4 b:5", &keep("steps", 2), "ccc.."),
        ("b:1 b:2 b:3 b:4 b:5", &keep("steps", 4), "c...."),
        ("b:1 b:2 b:3 b:4 b:5", &keep("steps", 5), "....."),
        ("b:1 b:2+b:3 b:4", &keep("steps", 1), "ccc."),
        ("b:1 b:2 a u b:3 a u b:4 a", &keep("turns", 1), "ccc."),
        ("b:1 b:2 a u b:3 a u b:4 a", &keep("turns", 2), "cc.."),
        ("b:1 b:2 a u b:3 a u b:4 a", &keep("turns", 3), "...."),
        // Results that are too short to be cleared do not count as kept.
        ("b:1 b:2 b:3#20 b:4#20 a", &keep("tool_uses", 1), "c..."),
        // Later steps than the view's do not count.
        ("b:1 b:2 | b:3 b:4 a", &keep("tool_uses", 0), "cc.."),
        ("b:1 | b:2 b:3 b:4 a", &keep("tool_uses", 0), "...."),
    ]);
    // Messages that hold only results begin no turn.
    let marks = session("b:1 b:2 b:3 a u b:4").in_anthropic().marks(&policy(&keep("turns", 2)));
    assert_eq!(marks, "....");
    let marks = session("b:1 b:2 b:3 a u b:4").in_anthropic().marks(&policy(&keep("turns", 1)));
    assert_eq!(marks, "ccc.");
}

#[test]
fn what_stays() {
    let all = |more: &str| clear("tool_uses 0", &format!("{NONE}{more}"));
    let two = clear("tool_uses 2", NONE);
    let no_failures = two.replacen('{', r#"{"protect":{"failureTokens":0},"#, 1);
    check(&[
        ("b:1 g:2 b:3", &all(r#","excludeTools":["bash"]"#), ".c."),
        ("b:1 g:2 b:3", &all(r#","includeTools":["bash"]"#), "c.c"),
        (
            "b:1 g:2 l:3",
            &all(r#","includeTools":["bash","grep"],"excludeTools":["ls","grep"]"#),
            "c..",
        ),
        ("b:1 g:2 b:3", &all(r#","includeTools":[]"#), "..."),
        ("b:1 b:2! b:3", &all(""), "c.c"),
        ("b:1 b:2! b:3", &all(r#","clearErrors":true"#), "ccc"),
        ("b:1 b:2!", &all(r#","clearErrors":true,"excludeTools":["bash"]"#), ".."),
        // The newest read of an edited file stays; before the edit it may be cleared.
        ("r:a e:a b:1", &clear("tool_uses 2", NONE), ".cc"),
        ("r:a r:a e:a b:1", &clear("tool_uses 3", NONE), "c.cc"),
        ("r:a e:a b:1", &all(""), "ccc"),
        // A failed read after it is cleared like any other failure.
        ("r:a r:a! e:a b:1", &no_failures, ".cc."),
        (
            "r:a r:a! e:a b:1",
            &clear("tool_uses 2", &format!(r#"{NONE},"clearErrors":true"#)),
            ".cc.",
        ),
        ("b:1% b:2", &all(""), ".c"),
        ("b:1? b:2", &all(""), "c"),
        // A placeholder has 65 characters, and 18 more with a reference.
        ("b:1#129 b:2#130", &all(""), ".c"),
        // That of a failure begins with `Error: `.
        ("b:1#143! b:2#144!", &all(r#","clearErrors":true"#), ".c"),
        ("b:1#15! b:2#16! b:3#16!", &all(r#","clearErrors":true,"placeholder":"-""#), ".cc"),
        ("b:1#39 b:2#40", &all(r#","placeholder":"twenty characters...""#), ".c"),
        (
            "b:1 b:2",
            r#"{"clear":{"trigger":{"type":"tool_uses","value":0},"keep":{"type":"tool_uses","value":0}},"protect":{"tools":["bash"]}}"#,
            "..",
        ),
        (
            "b:1#165 b:2#166",
            r#"{"clear":{"trigger":{"type":"tool_uses","value":0},"keep":{"type":"tool_uses","value":0}},"recall":true}"#,
            ".c",
        ),
    ]);
    check_marks(&[
        ("b:1$ b:2", &all(""), ".c"),
        // A result that was removed, or is a stub, shows no file.
        ("r:a r:a$ e:a", &clear("tool_uses 1", NONE), "..c"),
        (
            "r:a r:a* e:a u b:1",
            r#"{"ephemeral":true,"clear":{"trigger":{"type":"tool_uses","value":2},"keep":{"type":"tool_uses","value":0}}}"#,
            ".ecc",
        ),
    ]);
}

#[test]
fn waits_for_its_trigger() {
    let at = |trigger: &str| clear(trigger, NONE);
    let with = |trigger: &str, more: &str| clear(trigger, &format!("{NONE},{more}"));
    // The prompt has 2 tokens, each call 5 and each result 200, of which clearing saves all but 19.
    check(&[
        ("b:1 b:2 b:3", &at("tool_uses 2"), "ccc"),
        ("b:1 b:2 b:3", &at("tool_uses 3"), "..."),
        ("b:1 b:2", &at("input_tokens 412"), "cc"),
        ("b:1 b:2", &at("input_tokens 413"), ".."),
        ("b:1 b:2 b:3", &at("input_tokens 412"), "cc."),
        ("b:1 b:2", &at("window_fraction 0.412"), "cc"),
        ("b:1 b:2", &at("window_fraction 0.413"), ".."),
        ("b:1 b:2 b:3", &at("window_fraction 1.0"), "..."),
        // Cleared results no longer count: 74 tokens are left at 617, and 484 at the end.
        ("b:1 b:2 b:3 b:4 b:5", &at("input_tokens 484"), "ccccc"),
        ("b:1 b:2 b:3 b:4 b:5", &at("input_tokens 485"), "ccc.."),
        // A batch must save at least `clearAtLeast`.
        ("b:1 b:2", &with("tool_uses 1", r#""clearAtLeast":362"#), "cc"),
        ("b:1 b:2", &with("tool_uses 1", r#""clearAtLeast":363"#), ".."),
        ("b:1 b:2 b:3", &with("tool_uses 1", r#""clearAtLeast":363"#), "ccc"),
        // Clears down to the low watermark, oldest first: from 617 to 436, and to 255.
        ("b:1 b:2 b:3", &with("tool_uses 2", r#""downTo":617"#), "..."),
        ("b:1 b:2 b:3", &with("tool_uses 2", r#""downTo":616"#), "c.."),
        ("b:1 b:2 b:3", &with("tool_uses 2", r#""downTo":436"#), "c.."),
        ("b:1 b:2 b:3", &with("tool_uses 2", r#""downTo":435"#), "cc."),
        ("b:1! b:2 b:3", &with("tool_uses 2", r#""downTo":436"#), ".c."),
        ("b:1 b:2 b:3", &with("tool_uses 2", r#""downTo":0"#), "ccc"),
    ]);
}

/// Results that a batch left stay until the next batch, which considers them again.
#[test]
fn what_stays_of_a_batch_stands() {
    let keep_one = clear("tool_uses 2", r#""keep":{"type":"tool_uses","value":1}"#);
    check(&[
        ("b:1 b:2 b:3 b:4", &keep_one, "cc.."),
        ("b:1 b:2 b:3 b:4 b:5", &keep_one, "cccc."),
        ("b:1! b:2 b:3 b:4", &keep_one, ".cc."),
        ("b:1! b:2 b:3 b:4 b:5", &keep_one, ".ccc."),
    ]);
}

/// Tokens that earlier decisions save do not count as context.
#[test]
fn decisions_count_as_saved() {
    let policy = |trigger: u32| {
        format!(
            r#"{{"age":{{"maxToolOutputAge":0}},"inputs":{{"after":0,"tools":["*"]}},"clear":{{"trigger":{{"type":"input_tokens","value":{trigger}}},"keep":{{"type":"tool_uses","value":0}}}}}}"#
        )
    };
    // 2 tokens for the prompt, 5 and 200 for each use. The first result is decided in the first view and has 15 tokens
    // in the second. When the context reaches the trigger, the last result is cleared too.
    check_marks(&[("b:1 b:2 ; b:3", &policy(432), "ccc"), ("b:1 b:2 ; b:3", &policy(433), "cc.")]);
    // Two calls with arguments of 929 bytes have 266 tokens each, and 36 once they are cut.
    let words = "w:a<900+w:b<900 b:2 ; b:3 b:4 b:5 b:6 b:7";
    let decided = 2 + 2 * 36 + 2 * 12 + 6 * 205;
    check_marks(&[
        (words, &policy(decided), "cccccccc"),
        (words, &policy(decided + 1), "ccccccc."),
    ]);
}

#[test]
fn what_stands_there_then() {
    let placeholder = "[Tool result cleared to save context. Re-run the tool if needed.]";
    let line = |message: usize| {
        format!(
            "{message}.0 Clear 200>19 bash, among the oldest when the context had grown too large: {placeholder}"
        )
    };
    check_edits(&[
        ("b:1 b:2", &clear("tool_uses 1", NONE), &[&line(2), &line(4)]),
        (
            "b:1 b:2",
            &clear("tool_uses 1", &format!(r#"{NONE},"placeholder":"gone""#)),
            &[
                "2.0 Clear 200>2 bash, among the oldest when the context had grown too large: gone",
                "4.0 Clear 200>2 bash, among the oldest when the context had grown too large: gone",
            ],
        ),
        (
            "b:1=x",
            r#"{"recall":true,"clear":{"trigger":{"type":"tool_uses","value":0},"keep":{"type":"tool_uses","value":0},"placeholder":"gone"}}"#,
            // SHA-256 of 700 bytes of repeated "120 line\n".
            &[
                "2.0 Clear 200>7 bash, among the oldest when the context had grown too large: gone [recall a71e0661]",
            ],
        ),
    ]);
}
