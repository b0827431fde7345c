//! Policies as JSON: their contents, and the error messages of invalid ones.

use super::session::policy;
use serde_json::{Value as Json, json};
use trimtab::projection::{
    AgePolicy, BudgetPolicy, ClearInputs, ClipPolicy, EditsPolicy, InputsPolicy, ListsPolicy,
    ORDER, Pass, PassName, PassSetting, Policy, ReadsPolicy, StubStyle, SummarizePolicy,
    Superseded,
};

fn problem(json: &str) -> String {
    Policy::from_json(json).err().map(|problem| problem.to_string()).unwrap_or_default()
}

#[test]
fn settings_that_cannot_be_used() {
    let placeholder =
        |length: usize| format!(r#"{{"clear":{{"placeholder":"{}"}}}}"#, "x".repeat(length));
    let trigger = |kind: &str, value: &str| {
        format!(r#"{{"clear":{{"trigger":{{"type":"{kind}","value":{value}}}}}}}"#)
    };
    let ends =
        "policy: clip.head and clip.tail together must be at most half of clip.max, for every tool";
    let alone = "policy: ephemeral mode `remove` works alone: clean up with it first, then project with the other passes";
    let beside_done = "policy: `retire` decides what becomes of results and calls: of the other passes only `exclude`, `reasoning`, `ephemeral` and `budget` can be on beside it";
    let rows: &[(&str, &str)] = &[
        (&placeholder(0), "policy: clear.placeholder must have 1 to 160 bytes, it has 0"),
        (&placeholder(1), ""),
        (&placeholder(160), ""),
        (&placeholder(161), "policy: clear.placeholder must have 1 to 160 bytes, it has 161"),
        (&trigger("window_fraction", "0"), ""),
        (&trigger("window_fraction", "1"), ""),
        (
            &trigger("window_fraction", "1.01"),
            "policy: clear.trigger.value must be a fraction from 0 to 1",
        ),
        (
            &trigger("window_fraction", "-0.1"),
            "policy: clear.trigger.value must be a fraction from 0 to 1",
        ),
        (&trigger("tool_uses", "2"), ""),
        (&trigger("tool_uses", "-1"), "policy: clear.trigger.value must be 0 or more"),
        (&trigger("input_tokens", "4294967295"), ""),
        (&trigger("input_tokens", "1e10"), "policy: clear.trigger.value must be 0 or more"),
        (r#"{"clip":true}"#, ""),
        (r#"{"clip":{"max":100,"head":25,"tail":25}}"#, ""),
        (r#"{"clip":{"max":100,"head":25,"tail":26}}"#, ends),
        (r#"{"clip":{"max":100,"head":50,"tail":0}}"#, ""),
        (r#"{"clip":{"max":101,"head":50,"tail":1}}"#, ends),
        (r#"{"clip":{"head":5000,"tail":0}}"#, ""),
        (r#"{"clip":{"head":5001,"tail":0}}"#, ends),
        (r#"{"clip":{"head":3000}}"#, ""),
        (r#"{"clip":{"head":3001}}"#, ends),
        (r#"{"clip":{"perTool":{"ls":{"max":100,"head":51,"tail":0}}}}"#, ends),
        (r#"{"clip":{"max":10,"head":9,"perTool":{"ls":{"max":100}}}}"#, ends),
        (r#"{"inputs":{"maxChars":63}}"#, "policy: inputs.maxChars must be at least 64, it is 63"),
        (r#"{"inputs":{"maxChars":64}}"#, ""),
        (r#"{"inputs":{"maxChars":65}}"#, ""),
        (r#"{"warn":{"at":0}}"#, ""),
        (r#"{"warn":{"at":1}}"#, ""),
        (r#"{"warn":{"at":1.1}}"#, "policy: warn.at must be a fraction from 0 to 1"),
        (r#"{"ephemeral":{"mode":"remove"}}"#, ""),
        (r#"{"ephemeral":{"mode":"remove"},"dedupe":true}"#, alone),
        (r#"{"ephemeral":{"mode":"remove"},"reasoning":"drop"}"#, alone),
        (r#"{"ephemeral":{"mode":"remove"},"reasoning":"append-only"}"#, ""),
        (r#"{"ephemeral":{"mode":"remove"},"dedupe":false}"#, ""),
        (r#"{"ephemeral":{"mode":"remove"},"exclude":["a"]}"#, ""),
        (r#"{"retire":true,"exclude":["a"]}"#, ""),
        (r#"{"exclude":["a"],"protect":{"pinned":["b"]}}"#, ""),
        (
            r#"{"exclude":["a","b"],"protect":{"pinned":["b"]}}"#,
            "policy: exclude.1 is \"b\", which `protect.pinned` has too: take it out of one of them",
        ),
        (r#"{"ephemeral":true,"dedupe":true}"#, ""),
        (r#"{"dedupe":true,"age":true}"#, ""),
        (r#"{"retire":{"rewriteCost":0}}"#, ""),
        (r#"{"retire":{"rewriteCost":-1}}"#, "policy: retire.rewriteCost must be 0 or more"),
        (r#"{"retire":{"mostLoss":-1}}"#, "policy: retire.mostLoss must be 0 or more"),
        (r#"{"retire":{"missing":-1}}"#, "policy: retire.missing must be 0 or more"),
        (r#"{"retire":{"missing":0.5,"cacheSeconds":null}}"#, ""),
        (r#"{"retire":true,"dedupe":true}"#, beside_done),
        (r#"{"retire":true,"ephemeral":true,"budget":true,"reasoning":"drop"}"#, ""),
    ];
    for (json, expected) in rows {
        assert_eq!(problem(json), *expected, "{json}");
    }
}

#[test]
fn names_that_are_not_known() {
    let rows = [
        (
            r#"{"aged":true}"#,
            "policy: unknown field `aged`, expected one of `reasoning`, `ephemeral`",
            "; did you mean `age`?",
        ),
        (r#"{"AGE":true}"#, "policy: unknown field `AGE`", "; did you mean `age`?"),
        (
            r#"{"age":{"maxtooloutputage":1}}"#,
            "policy: age: unknown field `maxtooloutputage`",
            "; did you mean `maxToolOutputAge`?",
        ),
        (
            r#"{"clear":{"keep":{"type":"tool_use","value":1}}}"#,
            "policy: clear.keep.type: unknown value `tool_use`",
            "; did you mean `tool_uses`?",
        ),
        // A name is suggested only if at most half of its letters are wrong.
        (r#"{"agXXX":true}"#, "policy: unknown field `agXXX`", ""),
        (r#"{"wXrX":true}"#, "policy: unknown field `wXrX`", "; did you mean `warn`?"),
        (r#"{"qqqqqq":true}"#, "policy: unknown field `qqqqqq`", ""),
        (
            r#"{"age":3}"#,
            "policy: age: invalid type: number `3`, expected true, false, null or an object of settings",
            "",
        ),
        (
            r#"{"clear":{"clearToolInputs":7}}"#,
            "policy: clear.clearToolInputs: invalid type: number `7`, expected true, false or a list of tools",
            "",
        ),
        (
            r#"{"age":{"maxToolOutputAge":-1}}"#,
            "policy: age.maxToolOutputAge: invalid type: number `-1`, expected a whole number",
            "",
        ),
        ("[]", "policy: invalid type: a list, expected an object of settings", ""),
        ("3", "policy: invalid type: number `3`, expected an object of settings", ""),
        ("{", "policy: it is not JSON", ""),
        (r#"{"age":"#, "policy: it is not JSON", ""),
        (r#"{"age":"\ud800"}"#, "policy: a text of it has half of a surrogate pair", ""),
        // Lists of expected names of each length: none, one and two.
        (r#"{"dedupe":{"zz":1}}"#, "policy: dedupe: unknown field `zz`, expected no fields", ""),
        (r#"{"warn":{"zz":1}}"#, "policy: warn: unknown field `zz`, expected `at`", ""),
        (
            r#"{"clear":{"keep":{"zzzzz":1}}}"#,
            "policy: clear.keep: unknown field `zzzzz`, expected `type` or `value`",
            "",
        ),
    ];
    for (json, start, end) in rows {
        let text = problem(json);
        assert!(text.starts_with(start), "{json}: {text}");
        assert!(
            text.ends_with(end) && (text.contains("did you mean") != end.is_empty()),
            "{json}: {text}"
        );
    }
}

#[test]
fn switches() {
    let age = |json: &str| policy(json).age;
    for off in ["{}", r#"{"age":null}"#, r#"{"age":false}"#] {
        assert_eq!(age(off), PassSetting::default());
        assert!(!age(off).is_on() && age(off).settings().is_none());
    }
    assert_eq!(age(r#"{"age":true}"#), PassSetting::on(AgePolicy::default()));
    let shorter = AgePolicy { max_tool_output_age: 2, ..AgePolicy::default() };
    assert_eq!(age(r#"{"age":{"maxToolOutputAge":2}}"#), PassSetting::on(shorter));
    assert!(age(r#"{"age":true}"#).is_on());
}

/// The defaults in docs/guides/policies.md and in the documents.
#[test]
fn defaults() {
    let age = AgePolicy::default();
    assert_eq!((age.max_tool_output_age, age.max_tool_output_tokens), (5, 2000));
    assert!(age.preserve_recent_files && !age.summarize_on_truncate);
    let reads = ReadsPolicy::default();
    assert_eq!((reads.max_file_reads, reads.superseded), (5, Superseded::Keep));
    assert_eq!(ListsPolicy::default(), ListsPolicy { keep: 3, tools: None });
    let summarize = SummarizePolicy { after: 5, min_chars: 1000, max_tokens: 200, tools: None };
    assert_eq!(SummarizePolicy::default(), summarize);
    assert_eq!(EditsPolicy::default(), EditsPolicy { after: 20, at_least: 3 });
    let inputs = InputsPolicy::default();
    assert_eq!((inputs.after, inputs.max_chars, inputs.tools), (10, 200, None));
    let budget = BudgetPolicy { max_tokens: 140_000, down_to: None, keep_steps: 1 };
    assert_eq!(BudgetPolicy::default(), budget);
    assert_eq!(ClipPolicy::default().max, None);
    let policy = policy(r#"{"clear":true,"warn":true}"#);
    assert_eq!((policy.window, policy.clear_at_least.0, policy.recall), (200_000, 0, false));
    assert_eq!(policy.warn.settings().unwrap().at, 0.8);
    let clear = policy.clear.settings().unwrap();
    assert_eq!((clear.trigger.value, clear.keep.value), (100_000.0, 3));
    assert_eq!(
        clear.placeholder,
        "[Tool result cleared to save context. Re-run the tool if needed.]"
    );
}

#[test]
fn as_json_again() {
    let again = |json: Json| serde_json::to_value(policy(&json.to_string())).unwrap();
    let inputs = |tools: Json| {
        again(json!({"clear": {"clearToolInputs": tools}}))["clear"]["clearToolInputs"].clone()
    };
    for tools in [json!(true), json!(false), json!(["bash", "ls"]), json!([])] {
        assert_eq!(inputs(tools.clone()), tools);
    }
    let written = again(json!({"age": {"maxToolOutputAge": 2}, "dedupe": true}));
    assert_eq!(written["age"]["maxToolOutputAge"], 2);
    assert_eq!((&written["dedupe"], &written["reads"]), (&json!({}), &json!(false)));
    let whole = policy(&written.to_string());
    assert_eq!(serde_json::to_value(&whole).unwrap(), written);
    assert!(ClearInputs::All.take("ls") && !ClearInputs::None.take("ls"));
    let some = ClearInputs::Of(vec!["ls".to_owned()]);
    assert!(some.take("ls") && !some.take("bash"));
}

#[test]
fn which_passes_are_on() {
    use PassName::*;
    let on = |json: &str| -> Vec<PassName> {
        let policy = policy(json);
        PassName::ALL.iter().copied().filter(|pass| policy.has(*pass)).collect()
    };
    for (json, pass) in [
        (r#"{"reasoning":"drop"}"#, Reasoning),
        (r#"{"ephemeral":true}"#, Ephemeral),
        (r#"{"clear":true}"#, Clear),
        (r#"{"age":true}"#, Age),
        (r#"{"reads":true}"#, Reads),
        (r#"{"lists":true}"#, Lists),
        (r#"{"summarize":true}"#, Summarize),
        (r#"{"clip":true}"#, Clip),
        (r#"{"dedupe":true}"#, Dedupe),
        (r#"{"edits":true}"#, Edits),
        (r#"{"inputs":true}"#, Inputs),
        (r#"{"budget":true}"#, Budget),
        (r#"{"retire":true}"#, Retire),
        (r#"{"exclude":["a"]}"#, Exclude),
    ] {
        assert_eq!(on(json), [pass]);
    }
    assert_eq!(on(r#"{"exclude":[]}"#), []);
    assert_eq!(on(r#"{"reasoning":"append-only","warn":true,"recall":true}"#), []);
}

/// Each pass has one style for its stubs.
#[test]
fn how_passes_word_their_stubs() {
    let policy = policy(
        r#"{"age":{"maxToolOutputTokens":70,"summarizeOnTruncate":true},"summarize":{"maxTokens":90},"reads":true,"lists":true}"#,
    );
    let words = |style: StubStyle| (style.max_tokens, style.summary, style.outdated, style.brief);
    let age = policy.age.settings().unwrap().style();
    assert_eq!(words(age), (70, true, false, false));
    let summarize = policy.summarize.settings().unwrap().style();
    assert_eq!(words(summarize), (90, true, false, false));
    let reads = policy.reads.settings().unwrap().style();
    assert_eq!(words(reads), (80, false, true, false));
    let lists = policy.lists.settings().unwrap().style();
    assert_eq!(words(lists), (80, false, false, false));
}

/// Saved states contain the codes, so they must not change.
#[test]
fn codes_of_passes() {
    let codes: Vec<(u32, String)> =
        PassName::ALL.iter().map(|pass| (pass.code(), format!("{pass:?}"))).collect();
    let expected = [
        "Reasoning",
        "Ephemeral",
        "Clear",
        "Age",
        "Reads",
        "Lists",
        "Summarize",
        "Clip",
        "Dedupe",
        "Edits",
        "Inputs",
        "Budget",
        "Retire",
        "Exclude",
    ];
    assert!(codes.iter().map(|(code, _)| *code).eq(0..14));
    assert!(codes.iter().map(|(_, name)| name.as_str()).eq(expected));
    for pass in PassName::ALL {
        assert_eq!(PassName::from_code(pass.code()), Some(*pass));
        assert_eq!(ORDER.iter().filter(|other| *other == pass).count(), 1, "{pass:?} runs once");
    }
    assert_eq!(PassName::from_code(14), None);
}
