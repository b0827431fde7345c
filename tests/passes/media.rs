//! Results with images and files: their token counts, and the passes that edit them, in each format.

use super::session::policy;
use crate::support::view::{read, view};
use serde_json::{Value as Json, json};
use trimtab::formats::Format;
use trimtab::message::Word;
use trimtab::projection::{Cache, find_result};

/// First digits of the SHA-256 of a result with one image: `[{"type":"image_url",...}]` with the data `{DATA}0`.
const REFERENCE: &str = "0f5ef40c";
const DATA: &str = "iVBORw0KGgo=";

/// Screenshots as OpenAI messages: a call and its result for each text, which is the data of the image.
fn screenshots(data: &[String]) -> Vec<Json> {
    let mut messages = vec![json!({"role": "user", "content": "begin"})];
    for (i, data) in data.iter().enumerate() {
        let id = format!("call_{i}");
        let function = json!({"name": "computer", "arguments": "{\"action\":\"screenshot\"}"});
        messages.push(json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function", "function": function}]}));
        let url = format!("data:image/png;base64,{data}");
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": [{"type": "image_url", "image_url": {"url": url}}]}));
    }
    messages
}

fn different(count: usize) -> Vec<Json> {
    screenshots(&(0..count).map(|i| format!("{DATA}{i}")).collect::<Vec<_>>())
}

/// The stubs in a view, each with the index of its message.
fn stubs(messages: &[Json]) -> Vec<String> {
    let text = |(i, message): (usize, &Json)| {
        let text = message["content"][0]["text"].as_str()?;
        Some(format!("{i} {text}"))
    };
    messages.iter().enumerate().filter_map(text).collect()
}

#[test]
fn each_pass_takes_images() {
    let cases = [
        (
            r#"{"age":{"maxToolOutputAge":1}}"#,
            "2 [cleared computer output, 1 image, 1600 tokens, step 1; re-run if needed]",
        ),
        (
            r#"{"age":{"maxToolOutputAge":1,"summarizeOnTruncate":true},"recall":true}"#,
            "2 [cleared computer output, 1 image, 1600 tokens, step 1; recall 0f5ef40c]", // The digits of REFERENCE.
        ),
        (r#"{"age":{"maxToolOutputAge":1,"maxToolOutputTokens":12}}"#, "2 [cleared, 1 image]"),
        (
            r#"{"clear":{"trigger":{"type":"input_tokens","value":4000},"keep":{"type":"tool_uses","value":2}}}"#,
            "2 [Tool result cleared to save context. Re-run the tool if needed.]",
        ),
        (
            r#"{"budget":{"maxTokens":4000,"downTo":4000}}"#,
            "2 [cleared computer output, 1 image, 1600 tokens, step 1; re-run if needed]",
        ),
        (
            r#"{"lists":{"keep":2,"tools":["computer"]}}"#,
            "2 [cleared computer output, 1 image, 1600 tokens, step 1; re-run if needed]",
        ),
        (
            r#"{"summarize":{"after":1,"tools":["computer"]}}"#,
            "2 [cleared computer output, 1 image, 1600 tokens, step 1; re-run if needed]",
        ),
    ];
    for (json, expected) in cases {
        let once = view(&different(3), &policy(json)).messages;
        assert_eq!(stubs(&once), [expected], "{json}");
        assert_eq!(view(&once, &policy(json)).messages, once, "{json}: a view is its own view");
    }
    let retire = view(&different(20), &policy(r#"{"retire":true,"recall":true}"#)).messages;
    let first = format!("2 [cleared, 1 image; recall {REFERENCE}]");
    assert_eq!(stubs(&retire).first(), Some(&first));
}

/// Images without text are duplicates only if their data is the same.
#[test]
fn identical_images_are_duplicates_and_others_are_not() {
    let of = |names: [&str; 3]| names.map(|name| format!("{DATA}{name}"));
    let dedupe = policy(r#"{"dedupe":true}"#);
    let view_of = |names| stubs(&view(&screenshots(&of(names)), &dedupe).messages);
    assert_eq!(view_of(["a", "b", "c"]), Vec::<String>::new());
    let pointers = view_of(["a", "b", "a"]);
    assert_eq!(pointers.len(), 1);
    assert!(pointers[0].starts_with("6 [Duplicate result: "), "{pointers:?}");
}

#[test]
fn each_image_has_its_own_reference() {
    let messages = different(4);
    let recall = policy(r#"{"age":{"maxToolOutputAge":0},"recall":true}"#);
    let cleared = stubs(&view(&messages, &recall).messages);
    assert_eq!(cleared.len(), 3);
    let read = read(&messages);
    for (i, stub) in cleared.iter().enumerate() {
        let (_, rest) = stub.split_once("recall ").expect("a reference");
        let mut cache = Cache::default();
        let found = find_result(&read.history, &rest[..8], &read.contents(), &mut cache);
        assert_eq!(found.map(|(id, _)| id.0), Ok(i), "{stub}");
    }
}

/// A result with a file in each format, and its stub.
#[test]
fn in_every_format_that_has_files_in_results() {
    let stub = |what: &str| format!("[cleared shot output, {what}, step 1; re-run if needed]");
    let image = stub("1 image, 1600 tokens");
    let both = stub("1 image, 1601 tokens");
    let anthropic = |content: Json| {
        vec![
            json!({"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "shot", "input": {}}]}),
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": content}]}),
        ]
    };
    let responses = |output: Json| {
        vec![
            json!({"type": "function_call", "call_id": "a", "name": "shot", "arguments": "{}"}),
            json!({"type": "function_call_output", "call_id": "a", "output": output}),
        ]
    };
    let ai_sdk = |value: Json| {
        let call = json!({"type": "tool-call", "toolCallId": "a", "toolName": "shot", "input": {}});
        let output = json!({"type": "content", "value": value});
        let result =
            json!({"type": "tool-result", "toolCallId": "a", "toolName": "shot", "output": output});
        vec![
            json!({"role": "assistant", "content": [call]}),
            json!({"role": "tool", "content": [result]}),
        ]
    };
    let gemini = |answer: Json| {
        vec![
            json!({"role": "user", "parts": [{"text": "go"}]}),
            json!({"role": "model", "parts": [{"functionCall": {"name": "shot", "args": {}}}]}),
            json!({"role": "user", "parts": [{"functionResponse": answer}]}),
        ]
    };
    let langchain = |content: Json| {
        vec![
            json!({"type": "ai", "content": "", "tool_calls": [{"id": "a", "name": "shot", "args": {}}]}),
            json!({"type": "tool", "tool_call_id": "a", "name": "shot", "content": content}),
        ]
    };
    let source = json!({"type": "base64", "media_type": "image/png", "data": DATA});
    let pdf = json!({"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": DATA}});
    let url = format!("data:image/png;base64,{DATA}");
    let inline = json!({"inlineData": {"mimeType": "image/png", "data": DATA}});
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let last =
        |messages: &[Json], pointer: &str| messages[messages.len() - 1].pointer(pointer).cloned();
    let cases = [
        (
            anthropic(json!([{"type": "image", "source": source}])),
            "/content/0/content",
            text(&image),
        ),
        (anthropic(json!([pdf])), "/content/0/content", text(&stub("1 document, 1600 tokens"))),
        (
            anthropic(json!([{"type": "text", "text": "ok"}, {"type": "image", "source": source}])),
            "/content/0/content",
            text(&both),
        ),
        (
            responses(json!([{"type": "input_image", "image_url": url}])),
            "/output",
            json!([{"type": "input_text", "text": image}]),
        ),
        (
            ai_sdk(json!([{"type": "media", "data": DATA, "mediaType": "image/png"}])),
            "/content/0/output",
            json!({"type": "text", "value": image}),
        ),
        (
            ai_sdk(json!([{"type": "media", "data": DATA, "mediaType": "audio/wav"}])),
            "/content/0/output",
            json!({"type": "text", "value": stub("1 audio file, 1600 tokens")}),
        ),
        // Files that the provider stores, by id.
        (
            ai_sdk(json!([{"type": "image-file-id", "fileId": "file-abc"}])),
            "/content/0/output",
            json!({"type": "text", "value": image}),
        ),
        (
            ai_sdk(json!([{"type": "image-file-reference", "providerReference": {"openai": "a"}}])),
            "/content/0/output",
            json!({"type": "text", "value": image}),
        ),
        (
            ai_sdk(
                json!([{"type": "file-id", "fileId": {"openai": "a"}}, {"type": "file-reference", "providerReference": {"openai": "b"}}]),
            ),
            "/content/0/output",
            json!({"type": "text", "value": stub("2 files, 3200 tokens")}),
        ),
        (
            gemini(json!({"name": "shot", "response": {}, "parts": [inline]})),
            "/parts/0/functionResponse",
            json!({"name": "shot", "response": {"output": stub("1 image, 1601 tokens")}}),
        ),
        (
            langchain(json!([{"type": "image_url", "image_url": {"url": url}}])),
            "/content",
            text(&image),
        ),
        (
            langchain(json!([{"type": "audio", "source_type": "base64", "data": DATA}])),
            "/content",
            text(&stub("1 audio file, 1600 tokens")),
        ),
    ];
    let age = policy(r#"{"age":{"maxToolOutputAge":0}}"#);
    for (mut messages, pointer, expected) in cases {
        let format = read(&messages).format;
        messages.push(match format {
            Format::Gemini => json!({"role": "model", "parts": [{"text": "seen"}]}),
            Format::LangChain => json!({"type": "ai", "content": "seen"}),
            _ => json!({"role": "assistant", "content": "seen"}),
        });
        let view = view(&messages, &age).messages;
        let found = last(&view[..view.len() - 1], pointer);
        assert_eq!(found, Some(expected), "{}", messages[messages.len() - 2]);
    }
}

/// OpenAI accepts only a screenshot as the result of its own computer tool, so a blank one is the stub, and stays one.
#[test]
fn what_must_be_a_screenshot_becomes_a_blank_one() {
    let step = |id: &str| {
        vec![
            json!({"type": "computer_call", "call_id": id, "action": {"type": "screenshot"}}),
            json!({"type": "computer_call_output", "call_id": id, "output": {"type": "computer_screenshot", "image_url": DATA.repeat(900)}}),
            json!({"role": "assistant", "content": "seen"}),
        ]
    };
    let start = vec![json!({"role": "user", "content": "go"})];
    let messages = [start, step("a"), step("b")].concat();
    assert_eq!(read(&messages).history.blocks()[2].tokens, 1600);
    let output = |messages: &[Json], at: usize| messages[at]["output"].clone();
    let age = policy(r#"{"age":{"maxToolOutputAge":1}}"#);
    let seen = view(&messages, &age).messages;
    let blank = json!({"type": "computer_screenshot", "image_url": Word::BlankScreen.text()});
    assert_eq!([output(&seen, 2), output(&seen, 5)], [blank, output(&messages, 5)]);
    assert_eq!(view(&seen, &age).messages, seen);
    // They are identical, but a blank screenshot cannot point to the other one.
    assert_eq!(view(&messages, &policy(r#"{"dedupe":true}"#)).messages, messages);
}
