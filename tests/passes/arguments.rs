//! Arguments with their long texts cut: still JSON, with every other byte unchanged.

use serde_json::{Value as Json, json};
use trimtab::projection::ArgumentTrim;

const OLD: ArgumentTrim = ArgumentTrim { max_chars: 200, old_only: true };

#[test]
fn what_is_cut() {
    let long = |letter: &str| letter.repeat(300);
    let cut = |letter: &str| format!("{}… [300 chars]", letter.repeat(85));
    let rows: &[(Json, ArgumentTrim, Json)] = &[
        (
            json!({"path": long("p"), "content": long("c"), "n": 1.5}),
            ArgumentTrim::LONG,
            json!({"path": long("p"), "content": cut("c"), "n": 1.5}),
        ),
        // At any depth; values in a list belong to the key of the list.
        (
            json!({"edits": [{"a": long("a")}, long("b")], "c": {"d": long("d")}}),
            ArgumentTrim::LONG,
            json!({"edits": [{"a": cut("a")}, cut("b")], "c": {"d": cut("d")}}),
        ),
        (
            json!({"old": [{"k": "v"}, long("o")], "new": [{"old": "v"}, long("n")]}),
            OLD,
            json!({"old": [{"k": "v"}, cut("o")], "new": [{"old": "v"}, long("n")]}),
        ),
        (
            json!({"oldText": long("o"), "newText": long("n"), "path": long("p")}),
            OLD,
            json!({"oldText": cut("o"), "newText": long("n"), "path": long("p")}),
        ),
        // A command keeps its first line, up to 160 bytes.
        (
            json!({"command": format!("cat > a\n{}", long("x"))}),
            ArgumentTrim::LONG,
            json!({"command": "cat > a\n… [308 chars]"}),
        ),
        (
            json!({"command": format!("echo {}", "x".repeat(2000))}),
            ArgumentTrim::SHORTEST,
            json!({"command": format!("echo {}…\n… [2,005 chars]", "x".repeat(152))}),
        ),
        (
            json!({"a": "é".repeat(500)}),
            ArgumentTrim::LONG,
            json!({"a": format!("{}… [500 chars]", "é".repeat(42))}),
        ),
        (
            json!({"a": "x".repeat(65)}),
            ArgumentTrim::SHORTEST,
            json!({"a": format!("{}… [65 chars]", "x".repeat(18))}),
        ),
    ];
    for (arguments, outline, expected) in rows {
        let found = outline.of(&arguments.to_string()).unwrap_or_default();
        assert_eq!(found, expected.to_string());
        assert_eq!(outline.of(&found), None, "cut once only");
    }
}

#[test]
fn what_stays() {
    let long = "x".repeat(999);
    let rows = [
        json!({"a": "x".repeat(200)}).to_string(),
        // 150 characters, which take 300 bytes as JSON.
        json!({"a": "\"".repeat(150)}).to_string(),
        json!({"path": long}).to_string(),
        json!({"input": format!("*** Update File: a.ts\n{long}")}).to_string(),
        // The first line is most of the command.
        json!({"command": format!("{}\n{}", "x".repeat(150), "y".repeat(150))}).to_string(),
        json!([long]).to_string(),
        json!({}).to_string(),
        // The key `path`, written with an escape.
        format!("{{\"p\\u0061th\":\"{long}\"}}"),
        // A text with a lone surrogate is not cut.
        format!("{{\"a\":\"\\ud800{long}\"}}"),
        format!("{{\"a\":\"{long}"),
        format!("*** Update File: a.ts\n{long}"),
        "{\"a\\".to_owned(),
        String::new(),
    ];
    for json in rows {
        assert_eq!(ArgumentTrim::LONG.of(&json), None, "{json}");
    }
}

#[test]
fn every_other_byte_stays() {
    let json = format!(
        "{{ \"n\": 12345678901234567890123, \"a\" :\t\"{}\",\n\"path\" : \"{}\", \"n\": 1.0 }}",
        "q\\\"".repeat(300),
        "p".repeat(300)
    );
    let cut = format!(
        "{{ \"n\": 12345678901234567890123, \"a\" :\t\"{}q… [600 chars]\",\n\"path\" : \"{}\", \"n\": 1.0 }}",
        "q\\\"".repeat(8),
        "p".repeat(300)
    );
    assert_eq!(ArgumentTrim::SHORTEST.of(&json), Some(cut));
}
