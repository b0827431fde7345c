//! The wasm boundary in a real browser: the arrays, reads and objects that cross it. Run by `npm test -- --only wasm`.
#![cfg(target_arch = "wasm32")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Allowed in tests.

use js_sys::{Array, JSON, Object, Reflect};
use trimtab::formats::Format;
use trimtab::projection::PLAN_HEAD as HEAD;
use trimtab::text::TextSize;
use trimtab::wasm::{CompiledPolicy, Host, Session, sentences, steps, tables, usage};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

/// Host for these tests: plain reads, text in small pieces, and a count of the watched fields.
#[wasm_bindgen(inline_js = r#"
export class TestHost {
  constructor(keys, words, memory, address, length) {
    Object.assign(this, { keys, words, memory, address, length, watched: 0, text: '', position: 0 })
  }
  message(messages, index) { return messages[index] }
  peek(messages, index) { return messages[index] }
  forget(length) { this.forgotten = length }
  field(holder, key, watch) { this.watched += watch ? 1 : 0; return holder?.[this.keys[key]] }
  hasAny(holder, first, last) { return this.keys.slice(first, last + 1).some((key) => holder?.[key] != null) }
  item(list, index) { return list?.[index] }
  len(list) { return Array.isArray(list) ? list.length : 0 }
  fieldCount(value) { return typeof value === 'object' && value !== null ? Object.keys(value).length : 0 }
  returned() {}
  kind(value) {
    if (value == null) return 0
    if (typeof value === 'string') return 1
    return Array.isArray(value) ? 2 : typeof value === 'object' ? 3 : 4
  }
  word(value) { return this.words.indexOf(value) }
  integer(value) { return typeof value === 'number' ? value : NaN }
  isStub() { return false }
  openText(value) { this.position = 0; this.text = typeof value === 'string' ? value : ''; return this.text.length }
  openJson(value) { return this.openText(JSON.stringify(value) ?? '') }
  fill() {
    const piece = this.text.slice(this.position, this.position + 1000)
    this.position += piece.length
    const { written } = new TextEncoder().encodeInto(piece, new Uint8Array(this.memory.buffer, this.address, this.length))
    return this.position < this.text.length ? -written : written
  }
}
"#)]
extern "C" {
    type TestHost;
    #[wasm_bindgen(constructor)]
    fn new(keys: Array, words: Array, memory: JsValue, address: u32, length: u32) -> TestHost;
    #[wasm_bindgen(method, getter)]
    fn watched(this: &TestHost) -> u32;
}

fn list(name: &str) -> Array {
    Array::from(&Reflect::get(&tables().expect("tables"), &name.into()).expect("an object"))
}

fn host() -> Host {
    let place: Vec<u32> = list("scratch")
        .iter()
        .filter_map(|number| number.as_f64())
        .map(|number| number as u32)
        .collect();
    let host =
        TestHost::new(list("keys"), list("words"), wasm_bindgen::memory(), place[0], place[1]);
    host.unchecked_into()
}

fn session() -> Session {
    Session::new("").expect("no format is forced")
}

fn json_of(value: &JsValue) -> String {
    JSON::stringify(value).expect("plain").as_string().expect("text")
}

fn parse(json: &str) -> JsValue {
    JSON::parse(json).expect("JSON")
}

/// A prompt, then `count` calls with results of 1,200 bytes.
fn history(count: usize) -> JsValue {
    let steps: Vec<String> = (0..count)
        .map(|i| {
            let call = format!(r#"{{"id":"c{i}","type":"function","function":{{"name":"bash","arguments":"{{}}"}}}}"#);
            let output = format!("output {i} é ").repeat(100);
            format!(
                r#"{{"role":"assistant","content":null,"tool_calls":[{call}]}},{{"role":"tool","tool_call_id":"c{i}","content":"{output}"}}"#
            )
        })
        .collect();
    parse(&format!(r#"[{{"role":"user","content":"go"}},{}]"#, steps.join(",")))
}

fn length(messages: &JsValue) -> u32 {
    Array::from(messages).length()
}

fn age(json: &str) -> CompiledPolicy {
    CompiledPolicy::new(json).unwrap_or_else(|_| panic!("{json} is a policy"))
}

#[wasm_bindgen_test]
fn plans_cross_as_numbers_and_texts_on_request() {
    let messages = history(8);
    let (host, mut session) = (host(), session());
    session.read(&host, &messages, length(&messages)).expect("a history");
    let policy = age(r#"{"age":true}"#);
    let numbers = session.plan(&host, &messages, &policy, -1, 0.0, -1.0);
    // Steps, step, tokens before and after, first changed message + 1, no known requests, nothing waiting, nothing
    // removed; then two edits of four numbers each.
    assert_eq!(numbers[..2], [8, 8]);
    assert!(numbers[2] > numbers[3]);
    assert_eq!(numbers[4..HEAD], [3, 0, 0, 0]);
    let edits: Vec<[u32; 3]> =
        numbers[HEAD..].chunks(4).map(|edit| [edit[0], edit[1], edit[2] & 0xff]).collect();
    let age = 3;
    assert_eq!(edits, [[2, 0, age], [4, 0, age]]);
    assert_eq!(
        json_of(&session.edit(&host, &messages, &policy, 0).expect("an edit")),
        r#"[["content"],"content","[cleared bash output, 1100 chars; re-run if needed]"]"#
    );
}

#[wasm_bindgen_test]
fn decisions_cross_as_numbers_and_are_found_again() {
    let messages = history(8);
    let (host, mut session) = (host(), self::session());
    session.read(&host, &messages, length(&messages)).expect("a history");
    let policy = age(r#"{"age":true}"#);
    let numbers = session.plan(&host, &messages, &policy, -1, 0.0, 0.0);
    let state = session.state(&host, &messages, &policy, 1);
    assert_eq!(state[0], 2);
    session.load(&host, &messages, &policy, &numbers);
    assert_eq!(session.state(&host, &messages, &policy, 1), state);
    let mut other = self::session();
    other.read(&host, &messages, length(&messages)).expect("a history");
    assert_eq!(other.restore(&state), 0);
    let mut broken = state.clone();
    broken[1..].fill(u32::MAX);
    assert!(other.restore(&broken) > 0);
    assert_eq!(other.restore(&state), 0);
    let again = other.plan(&host, &messages, &policy, 1, 0.0, 0.0);
    assert_eq!(again[HEAD..], numbers[HEAD..]);
}

#[wasm_bindgen_test]
fn problems_are_plain_objects_and_keep_what_was_read() {
    let messages = history(2);
    let (host, mut session) = (host(), session());
    session.read(&host, &messages, length(&messages)).expect("a history");
    let broken = parse(
        r#"[{"role":"user","content":"go"},{"role":"tool","tool_call_id":"1","content":"x"},null]"#,
    );
    session.truncate(0);
    let problem = session.read(&host, &broken, 3).expect_err("null is no message");
    let field = |name: &str| Reflect::get(&problem, &name.into()).expect("an object");
    assert_eq!(field("code").as_string().as_deref(), Some("invalid_message"));
    assert_eq!(field("index").as_f64(), Some(2.0));
    assert_eq!(session.length(), 0);
    session.read(&host, &messages, length(&messages)).expect("still works");
    assert_eq!(session.length(), 5);
}

#[wasm_bindgen_test]
fn the_format_is_settled_by_what_comes_later() {
    let messages = parse(
        r#"[{"role":"user","content":"go"},
            {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"read","input":{"path":"a"}}]},
            {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"x"}]}]"#,
    );
    let (host, mut session) = (host(), session());
    session.read(&host, &messages, 1).expect("either format");
    assert_eq!(session.format(), Format::OpenAiChat as u32);
    session.read(&host, &messages, 3).expect("the other one");
    assert_eq!((session.format(), session.length()), (Format::Anthropic as u32, 3));
}

#[wasm_bindgen_test]
fn facts_cross_as_plain_objects() {
    let messages = history(3);
    let (host, mut session) = (host(), session());
    session.read(&host, &messages, length(&messages)).expect("a history");
    let json = json_of(&session.messages().expect("messages"));
    let messages: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let blocks: Vec<&serde_json::Value> = messages
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|message| message["blocks"].as_array().expect("a list"))
        .collect();
    assert_eq!(steps(&session), 3);
    assert_eq!(blocks[2]["tool"], "bash");
    assert_eq!(blocks[2]["bytes"], 1200);
    assert_eq!(blocks[2]["utf16"], 1100);
    assert!(Object::keys(&Object::from(usage(&session).expect("usage"))).length() > 5);
}

#[wasm_bindgen_test]
fn only_what_can_change_is_watched() {
    let messages = parse(r#"[{"role":"user","content":"go"}]"#);
    let (host, mut session) = (host(), session());
    session.read(&host, &messages, 1).expect("a history");
    assert_eq!(host.unchecked_into::<TestHost>().watched(), 1);
}

#[wasm_bindgen_test]
fn policies_are_refused_with_a_reason() {
    let Err(problem) = CompiledPolicy::new(r#"{"aged":1}"#) else { panic!("aged is no pass") };
    let message = Reflect::get(&problem, &"message".into())
        .expect("an object")
        .as_string()
        .unwrap_or_default();
    assert!(message.contains("unknown field `aged`"), "{message}");
    assert_eq!(list("scratch").length(), 2);
}

#[wasm_bindgen_test]
fn sentences_are_json() {
    assert!(Object::keys(&Object::from(sentences().expect("sentences"))).length() > 3);
}

/// The checksum of a text is computed with SIMD in wasm, and saved states contain it.
#[wasm_bindgen_test]
fn checksums_are_those_of_other_builds() {
    let text: String = ('a'..='z').chain("éß€\u{1F600}\n".chars()).cycle().take(200).collect();
    for (end, _) in text.char_indices() {
        let start = &text[..end];
        let next = |print: u32, byte: u8| print.wrapping_mul(251).wrapping_add(u32::from(byte));
        assert_eq!(TextSize::of(start).print, start.bytes().fold(0, next), "{end}");
    }
}
