//! Edits of calls: cut arguments and notes on repeated edits of one file, on fixed histories in several formats.

use crate::support::{read, view, view_repeating};
use serde_json::{Value as Json, json};
use trimtab::formats::Format;
use trimtab::message::ToolArguments;
use trimtab::projection::{PassName, Policy};

fn policy(json: &Json) -> Policy {
    Policy::from_json(&json.to_string()).expect("a policy")
}

/// Anthropic messages that call these tools one after the other.
fn session(calls: &[(&str, Json, &str)]) -> Vec<Json> {
    let mut messages = vec![json!({"role": "user", "content": "go"})];
    for (i, (tool, input, result)) in calls.iter().enumerate() {
        let id = format!("toolu_{i}");
        messages.push(json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": tool, "input": input}]}));
        let failed = result.starts_with("Error");
        messages.push(json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": result, "is_error": failed}]}));
    }
    messages
}

fn edit(path: &str, number: usize) -> (&'static str, Json, &'static str) {
    let (old, new) = ("old line\n".repeat(40), format!("new line {number}\n").repeat(40));
    ("edit_file", json!({"path": path, "old_string": old, "new_string": new}), "Edited")
}

fn inputs(messages: &[Json]) -> Vec<Json> {
    messages
        .iter()
        .filter(|message| message["role"] == "assistant")
        .map(|message| message["content"][0]["input"].clone())
        .collect()
}

const INPUTS: [PassName; 1] = [PassName::Inputs];

#[test]
fn old_edits_of_one_file_become_a_note() {
    let mut calls: Vec<_> = (0..10).map(|number| edit("src/a.ts", number)).collect();
    calls[3].1["intent"] = "count from one".into();
    calls[4].1["new_string"] = "".into();
    calls[5].2 = "Error: old_string not found in src/a.ts";
    calls.insert(6, edit("src/b.ts", 0));
    let messages = session(&calls);
    let before = inputs(&messages);
    let policy = policy(&json!({"edits": {"after": 1, "atLeast": 3}}));
    let after = inputs(&view(&messages, &policy).messages);
    // The ninth call is the newest one that is old enough; the sixth failed and the seventh edits another file.
    let note = "[Edits to src/a.ts: 7 changes between turns 1-9]\n- new line 0\n- new line 1\n- new line 2\n- count from one\n- (removed text)\n- new line 6\n- new line 7\n[Full diff available in ground truth]";
    let cut = format!("{}old … [360 chars]", "old line\n".repeat(9));
    assert_eq!(after[8], json!({"path": "src/a.ts", "old_string": cut, "new_string": note}));
    for kept in [5, 6, 9, 10] {
        assert_eq!(after[kept], before[kept], "{kept}");
    }
    for outlined in [0, 1, 2, 3, 4, 7] {
        assert_eq!(after[outlined]["old_string"], cut, "{outlined}");
    }
}

#[test]
fn few_edits_stay_and_many_are_told_in_part() {
    let note_of = |count: usize| {
        let calls: Vec<_> = (0..count).map(|number| edit("src/a.ts", number)).collect();
        let view = view(&session(&calls), &policy(&json!({"edits": {"after": 0, "atLeast": 5}})));
        let last = inputs(&view.messages)[count.max(2) - 2].clone();
        last["new_string"].as_str().unwrap().to_owned()
    };
    assert!(note_of(5).starts_with("new line 3"));
    assert!(
        note_of(6).starts_with("[Edits to src/a.ts: 5 changes between turns 1-5]\n- new line 0\n")
    );
    let long = note_of(21);
    assert!(
        long.starts_with(
            "[Edits to src/a.ts: 20 changes between turns 1-20]\n- (12 earlier)\n- new line 12\n"
        ),
        "{long}"
    );
    assert_eq!(long.lines().count(), 11);
}

/// Law 8: a note is longer than the cut texts, and it stays whole when its view is projected again.
#[test]
fn notes_stay_whole_in_views_of_views() {
    let policy = policy(&json!({"edits": {"after": 0, "atLeast": 2}}));
    for count in 3..24 {
        let calls: Vec<_> = (0..count).map(|number| edit("src/a.ts", number)).collect();
        let once = view(&session(&calls), &policy).messages;
        assert_eq!(view(&once, &policy).messages, once, "{count} edits");
    }
}

#[test]
fn notes_that_were_decided_stay_and_further_edits_get_their_own() {
    let calls: Vec<_> = (0..12).map(|number| edit("src/a.ts", number)).collect();
    let messages = session(&calls);
    let policy = policy(&json!({"edits": {"after": 1, "atLeast": 3}}));
    let mut decided = Vec::new();
    let mut notes = Vec::new();
    for length in (3..=messages.len()).step_by(2) {
        let read = read(&messages[..length]);
        let view = view_repeating(&read, &policy, read.history.steps(), &decided);
        decided = view.decided;
        notes = inputs(&view.messages)
            .iter()
            .filter_map(|input| {
                let text =
                    input["new_string"].as_str().filter(|text| text.starts_with("[Edits"))?;
                Some(text.lines().next().unwrap().to_owned())
            })
            .collect();
    }
    let note =
        |from: usize| format!("[Edits to src/a.ts: 3 changes between turns {from}-{}]", from + 2);
    assert_eq!(notes, [note(1), note(4), note(7)]);
}

#[test]
fn only_text_that_was_replaced() {
    let calls = [
        edit("src/a.ts", 0),
        ("write_file", json!({"path": "b.ts", "content": "x".repeat(999)}), "Written"),
    ];
    let mut messages = session(&calls);
    let policy = policy(&json!({"inputs": {"after": 0, "what": "old"}}));
    messages.push(json!({"role": "assistant", "content": "done"}));
    let after = inputs(&view(&messages, &policy).messages[..5]);
    assert_eq!(after[1], calls[1].1);
    assert_eq!(after[0]["new_string"], calls[0].1["new_string"]);
    assert!(after[0]["old_string"].as_str().unwrap().ends_with("… [360 chars]"));
}

#[test]
fn cleared_results_take_arguments_along() {
    let script = format!("cat > notes.txt <<'EOF'\n{}EOF", "a note\n".repeat(50));
    let bash = |result| ("bash", json!({"command": script}), result);
    let result: &str = Box::leak("output\n".repeat(100).into_boxed_str());
    let messages =
        session(&[bash(result), edit("src/a.ts", 1), bash(result), bash("ok"), bash(result)]);
    let clear = |inputs: Json| {
        policy(
            &json!({"clear": {"trigger": {"type": "tool_uses", "value": 1}, "keep": {"type": "tool_uses", "value": 1}, "clearToolInputs": inputs}}),
        )
    };
    let short = json!({"command": "cat > notes.txt <<'EOF'\n… [377 chars]"});
    for (setting, is_cut) in [
        (json!(true), true),
        (json!(["bash"]), true),
        (json!(["edit_file"]), false),
        (json!(false), false),
    ] {
        let view = view(&messages, &clear(setting.clone()));
        let after = inputs(&view.messages);
        let shown = inputs(&messages);
        let expected = |i: usize| if is_cut && i < 3 && i != 1 { &short } else { &shown[i] };
        for (i, input) in after.iter().enumerate() {
            assert_eq!(input, expected(i), "{setting}: {i}");
        }
        assert_eq!(view.edits, if is_cut { 4 } else { 2 }, "{setting}");
    }
}

/// For each format, calls that must stay as they are because the provider may check them, and calls that may be cut.
#[test]
fn calls_that_a_provider_may_check_stay() {
    let long = "x".repeat(999);
    let args = json!({"path": "a.ts", "content": long});
    let text = args.to_string();
    let chat = |call: Json| {
        (
            json!({"role": "assistant", "content": "", "tool_calls": [call]}),
            json!({"role": "tool", "tool_call_id": "a", "content": "ok"}),
        )
    };
    let sdk = |part: Json| {
        (
            json!({"role": "assistant", "content": [part]}),
            json!({"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "write_file", "output": {"type": "text", "value": "ok"}}]}),
        )
    };
    let ui = |part: Json| {
        (
            json!({"id": "m", "role": "assistant", "parts": [part]}),
            json!({"id": "n", "role": "user", "parts": [{"type": "text", "text": "more"}]}),
        )
    };
    let gemini = |part: Json| {
        (
            json!({"role": "model", "parts": [part]}),
            json!({"role": "user", "parts": [{"functionResponse": {"name": "write_file", "response": {"output": "ok"}}}]}),
        )
    };
    let chain = |extra: Json, content: Json| {
        (
            json!({"type": "ai", "content": content, "tool_calls": [{"id": "a", "name": "write_file", "args": args}], "additional_kwargs": extra}),
            json!({"type": "tool", "tool_call_id": "a", "content": "ok"}),
        )
    };
    let cases = [
        (
            Format::OpenAiChat,
            true,
            chat(
                json!({"id": "a", "type": "function", "function": {"name": "write_file", "arguments": text}}),
            ),
        ),
        (
            Format::OpenAiChat,
            true,
            chat(
                json!({"id": "a", "type": "function", "function": {"name": "write_file", "arguments": args}}),
            ),
        ),
        (
            Format::OpenAiChat,
            false,
            chat(
                json!({"id": "a", "type": "custom", "custom": {"name": "write_file", "input": text}}),
            ),
        ),
        (
            Format::OpenAiResponses,
            true,
            (
                json!({"type": "function_call", "call_id": "a", "name": "write_file", "arguments": text}),
                json!({"type": "function_call_output", "call_id": "a", "output": "ok"}),
            ),
        ),
        (
            Format::OpenAiResponses,
            false,
            (
                json!({"type": "custom_tool_call", "call_id": "a", "name": "write_file", "input": text}),
                json!({"type": "custom_tool_call_output", "call_id": "a", "output": "ok"}),
            ),
        ),
        (
            Format::AiSdk,
            true,
            sdk(
                json!({"type": "tool-call", "toolCallId": "a", "toolName": "write_file", "input": args}),
            ),
        ),
        (
            Format::AiSdk,
            false,
            sdk(
                json!({"type": "tool-call", "toolCallId": "a", "toolName": "write_file", "input": args, "providerOptions": {"openai": {"itemId": "fc"}}}),
            ),
        ),
        (
            Format::AiSdkUi,
            true,
            ui(
                json!({"type": "tool-write_file", "toolCallId": "a", "state": "output-available", "input": args, "output": "ok"}),
            ),
        ),
        (
            Format::AiSdkUi,
            false,
            ui(
                json!({"type": "tool-write_file", "toolCallId": "a", "state": "output-available", "input": args, "output": "ok", "callProviderMetadata": {"google": {"thoughtSignature": "c2ln"}}}),
            ),
        ),
        (
            Format::Gemini,
            true,
            gemini(json!({"functionCall": {"name": "write_file", "args": args}})),
        ),
        (
            Format::Gemini,
            false,
            gemini(
                json!({"functionCall": {"name": "write_file", "args": args}, "thoughtSignature": "c2ln"}),
            ),
        ),
        (Format::LangChain, true, chain(json!({}), json!(""))),
        (Format::LangChain, false, chain(json!({"tool_calls": [{"id": "a"}]}), json!(""))),
        (
            Format::LangChain,
            false,
            chain(
                json!({}),
                json!([{"type": "tool_use", "id": "a", "name": "write_file", "input": args}]),
            ),
        ),
    ];
    for (format, is_cut, (call, answer)) in cases {
        let messages = [call, answer];
        let read = crate::support::read_as(&messages, format);
        let policy = policy(&json!({"inputs": {"after": 0, "tools": ["write_file"]}}));
        let view = crate::support::view_at(&read, &policy, 9);
        assert_eq!(
            view.decided.iter().map(|edit| edit.pass).collect::<Vec<_>>(),
            &INPUTS[..usize::from(is_cut)],
            "{}",
            messages[0]
        );
        let shown = view.messages[0].to_string();
        assert_eq!(shown.contains("[999 chars]"), is_cut, "{shown}");
        assert_eq!(view.messages[1], messages[1]);
    }
}

/// Anthropic counts a prompt that follows tool results as part of their turn, and requires the reasoning of that turn.
#[test]
fn reasoning_of_a_turn_that_was_broken_off_stays() {
    let thought = json!({"type": "thinking", "thinking": "hm", "signature": "c2ln"});
    let call = |id: &str| json!({"role": "assistant", "content": [thought, {"type": "tool_use", "id": id, "name": "ls", "input": {}}]});
    let answer = |id: &str| json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "a"}]});
    let says = json!({"role": "assistant", "content": [thought, {"type": "text", "text": "done"}]});
    let prompt = json!({"role": "user", "content": "go on"});
    let messages = [
        prompt.clone(),
        call("a"),
        answer("a"),
        says,
        prompt.clone(),
        call("b"),
        answer("b"),
        prompt,
    ];
    let view = view(&messages, &policy(&json!({"reasoning": "drop"}))).messages;
    let thoughts: Vec<usize> =
        (0..view.len()).filter(|i| view[*i].to_string().contains("thinking")).collect();
    assert_eq!(thoughts, [5]);
    assert_eq!(view[1]["content"].as_array().map(Vec::len), Some(1));
}

#[test]
fn settings_that_cannot_be_used() {
    for (json, part) in [
        (r#"{"inputs":{"maxChars":63}}"#, "inputs.maxChars must be at least 64, it is 63"),
        (r#"{"inputs":{"what":"new"}}"#, "unknown value `new`"),
        (r#"{"clear":{"clearToolInputs":3}}"#, "true, false or a list of tools"),
        (r#"{"reasoning":"append"}"#, "unknown value `append`"),
        (r#"{"reasoning":"drop","ephemeral":{"mode":"remove"}}"#, "works alone"),
    ] {
        let text = Policy::from_json(json).expect_err(json).to_string();
        assert!(text.contains(part), "{json}: {text}");
    }
}

/// The same table is read by tests/timeline/normal-path.test.ts.
#[test]
fn a_file_has_one_name() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/paths.json");
    let text = std::fs::read_to_string(file).expect("the table");
    let table: Vec<(String, String)> = serde_json::from_str(&text).expect("pairs");
    assert!(table.len() > 30);
    for (written, name) in table {
        for path in [&written, &name] {
            let arguments = ToolArguments::from_text(json!({"path": path}).to_string().as_bytes());
            let files: Vec<&str> = arguments.files.iter().map(|file| &*file.path).collect();
            assert_eq!(files, [&name], "{path}");
        }
    }
}
