//! A call's arguments with their long texts cut to their beginnings: still JSON, with the same keys, order and types,
//! and everything short as it was. Document "Smart Tool History", `hide_tool_args`.

use crate::message::{ToolArguments, is_command_key, is_file_key};
use crate::text::{grouped, keep_start, quoted, utf16_len};
use serde_json::Value as Json;
use std::ops::Range;

/// Arguments that hold a text which an edit takes out of its file: once that is done, it is nowhere else.
const OLD_KEYS: &[&str] = &[
    "old_string",
    "oldString",
    "old_str",
    "oldStr",
    "old_text",
    "oldText",
    "old_content",
    "oldContent",
    "old_code",
    "old",
    "search",
    "find",
];

/// A command is known by its first line, as [`ToolArguments`] reads it; this much of that stays.
const COMMAND_HEAD: usize = 160;

/// Arguments with their long texts cut: those of more than `max_chars` UTF-16 units, or of them only those that an edit
/// replaced. What is cut is no longer than half of that.
///
/// Each text that is cut is at least halved, so that none is cut again. `None` where there is none, where the
/// arguments are no object, or where what the engine understands of them would change.
pub fn trimmed(json: &str, max_chars: u32, old_only: bool) -> Option<String> {
    rewritten(json, &text_values(json), json.len().saturating_sub(1), |value| {
        (!old_only || OLD_KEYS.contains(&value.key)).then(|| cut(value, json, max_chars)).flatten()
    })
}

fn cut(value: &TextValue<'_>, json: &str, max_chars: u32) -> Option<String> {
    // An escaped text is longer than what it stands for.
    if value.range.len() <= max_chars as usize || is_file_key(value.key) {
        return None;
    }
    let text = value.text(json)?;
    let chars = utf16_len(&text);
    if chars <= u64::from(max_chars) {
        return None;
    }
    let size = format!(" [{} chars]", grouped(chars));
    let cut = if is_command_key(value.key) {
        let line = text.trim().lines().next().unwrap_or("");
        format!("{}\n…{size}", keep_start(line, COMMAND_HEAD))
    } else {
        let room = (max_chars as usize / 2).saturating_sub(size.len());
        // The mark of what was cut stands there even where nothing else does.
        format!("{}{size}", keep_start(&text, room.max('…'.len_utf8())))
    };
    (text.len() >= 2 * cut.len()).then_some(cut)
}

/// Arguments whose largest text gave way to a note, and whose other texts of more than `max_chars` UTF-16 units are cut;
/// `None` as in [`trimmed`], and where they would not be halved.
pub fn noted(json: &str, note: &str, max_chars: u32) -> Option<String> {
    let values = text_values(json);
    let place = largest(&values, |key| is_file_key(key) || is_command_key(key))?;
    rewritten(json, &values, json.len() / 2, |value| {
        let is_place = value.range == place.range;
        if is_place { Some(note.to_owned()) } else { cut(value, json, max_chars) }
    })
}

/// What a call says that it is for (`intent`), or else the text that it put into the file.
pub fn purpose(json: &str) -> Option<String> {
    let values = text_values(json);
    let intent = values.iter().find(|value| value.key == "intent");
    let is_other = |key: &str| is_file_key(key) || is_command_key(key) || OLD_KEYS.contains(&key);
    intent.or_else(|| largest(&values, is_other))?.text(json)
}

fn largest<'v, 'a>(
    values: &'v [TextValue<'a>],
    is_other: impl Fn(&str) -> bool,
) -> Option<&'v TextValue<'a>> {
    values.iter().filter(|value| !is_other(value.key)).max_by_key(|value| value.range.len())
}

/// JSON with some texts replaced, if it takes no more than so many bytes then; every other byte stays.
fn rewritten<'a>(
    json: &str,
    values: &[TextValue<'a>],
    most: usize,
    new_text: impl Fn(&TextValue<'a>) -> Option<String>,
) -> Option<String> {
    let mut out = String::new();
    let mut copied = 0;
    for value in values {
        if let Some(text) = new_text(value) {
            out.push_str(json.get(copied..value.range.start)?);
            out.push_str(&quoted(&text));
            copied = value.range.end;
        }
    }
    out.push_str(json.get(copied..)?);
    let facts = |json: &str| ToolArguments::from_object(json.as_bytes());
    (out.len() <= most && facts(&out)? == facts(json)?).then_some(out)
}

/// A text in JSON.
struct TextValue<'a> {
    /// Where it stands, with its quotes.
    range: Range<usize>,
    /// The innermost key above it, as it is written.
    key: &'a str,
}

impl TextValue<'_> {
    fn text(&self, json: &str) -> Option<String> {
        match serde_json::from_slice(json.get(self.range.clone())?.as_bytes()) {
            Ok(Json::String(text)) => Some(text),
            _ => None,
        }
    }
}

/// The texts in JSON, but for keys. What is no JSON gives texts that mean nothing.
fn text_values(json: &str) -> Vec<TextValue<'_>> {
    let bytes = json.as_bytes();
    let mut values = Vec::new();
    // The key read last, of each object that is open.
    let mut keys: Vec<&str> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'{' => keys.push(""),
            b'}' => {
                keys.pop();
            }
            b'"' => {
                at = text_end(bytes, start);
                let (text, rest) = (json.get(start..at).unwrap_or_default(), bytes.get(at..));
                let after =
                    rest.unwrap_or_default().iter().find(|byte| !byte.is_ascii_whitespace());
                match keys.last_mut() {
                    Some(key) if after == Some(&b':') => *key = text.trim_matches('"'),
                    key => {
                        let key = key.map_or("", |key| *key);
                        values.push(TextValue { range: start..at, key });
                    }
                }
            }
            _ => {}
        }
    }
    values
}

/// The position behind the text whose opening quote stands at `start`.
fn text_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::{noted, purpose, trimmed};
    use serde_json::{Value as Json, json};

    fn trim(arguments: &Json, max_chars: u32, old_only: bool) -> Option<Json> {
        let text = trimmed(&arguments.to_string(), max_chars, old_only)?;
        Some(serde_json::from_str(&text).unwrap_or_default())
    }

    #[test]
    fn long_texts_are_cut_at_any_depth() {
        let old = "const a = 1;\n".repeat(40);
        let arguments = json!({
            "path": "a".repeat(300),
            "edits": [{"old_string": old, "new_string": "short", "line": 7}, {"files": ["b".repeat(300)]}],
            "replace_all": true,
            "ratio": 1.5,
            "note": "é".repeat(500),
        });
        let Some(cut) = trim(&arguments, 200, false) else {
            return assert_eq!("not cut", "");
        };
        assert_eq!(
            cut["edits"][0]["old_string"],
            "const a = 1;\nconst a = 1;\nconst a = 1;\nconst a = 1;\nconst a = 1;\nconst a = 1;\nconst a… [520 chars]"
        );
        assert_eq!(cut["note"], format!("{}… [500 chars]", "é".repeat(42)));
        let mut rest = cut.clone();
        rest["edits"][0]["old_string"] = arguments["edits"][0]["old_string"].clone();
        rest["note"] = arguments["note"].clone();
        assert_eq!(rest, arguments);
        assert_eq!(trim(&cut, 200, false), None);
    }

    #[test]
    fn only_replaced_text() {
        let arguments =
            json!({"path": "a.ts", "oldText": "o".repeat(3000), "newText": "n".repeat(900)});
        let cut = trim(&arguments, 200, true).unwrap_or_default();
        assert_eq!(cut["newText"], arguments["newText"]);
        assert_eq!(cut["oldText"], format!("{}… [3,000 chars]", "o".repeat(83)));
    }

    #[test]
    fn a_commands_first_line_stays() {
        let script = format!(
            "cat > a.txt <<'EOF' # a file that is written by a command\n{}EOF",
            "x\n".repeat(500)
        );
        let cut = trim(&json!({"command": script}), 64, false).unwrap_or_default();
        assert_eq!(
            cut["command"],
            "cat > a.txt <<'EOF' # a file that is written by a command\n… [1,061 chars]"
        );
        let line = json!({"command": format!("echo {}", "x".repeat(2000))});
        let cut = trim(&line, 64, false).unwrap_or_default();
        assert_eq!(cut["command"], format!("echo {}…\n… [2,005 chars]", "x".repeat(152)));
    }

    #[test]
    fn what_stays_as_it_is() {
        let long = "x".repeat(999);
        let patch = json!({"input": format!("*** Update File: a.ts\n{long}")}).to_string();
        let cases = [
            patch.as_str(),
            &format!("*** Update File: a.ts\n{long}"),
            &json!([long]).to_string(),
            &json!({"path": long}).to_string(),
            // No text is long by itself.
            &json!({"a": "y".repeat(150), "b": "y".repeat(150), "c": "y".repeat(200)}).to_string(),
            // A lone surrogate is no text that could be cut.
            &format!("{{\"a\":\"\\ud800{long}\"}}"),
            // A path, spelled in another way.
            &format!("{{\"p\\u0061th\":\"{long}\"}}"),
            &format!("{{\"a\":\"{long}"),
            "{\"a\\",
            "",
        ];
        for json in cases {
            assert_eq!(trimmed(json, 200, false), None, "{json}");
        }
    }

    #[test]
    fn every_other_byte_stays() {
        let json = format!(
            "{{ \"n\": 12345678901234567890123, \"a\" :\t\"{}\",\n\"n\": 1.0 }}",
            "q\\\"".repeat(300)
        );
        let cut = trimmed(&json, 64, false).unwrap_or_default();
        assert_eq!(
            cut,
            "{ \"n\": 12345678901234567890123, \"a\" :\t\"q\\\"q\\\"q\\\"q\\\"q\\\"q\\\"q\\\"q\\\"q… [600 chars]\",\n\"n\": 1.0 }"
        );
    }

    #[test]
    fn notes_stand_in_the_largest_text() {
        let arguments = json!({"path": "a.ts", "old": "o".repeat(300), "new": "n".repeat(400), "intent": "why"});
        let json = arguments.to_string();
        let cut: Json = serde_json::from_str(&noted(&json, "[note]", 200).unwrap_or_default())
            .unwrap_or_default();
        assert_eq!(
            cut,
            json!({"path": "a.ts", "old": format!("{}… [300 chars]", "o".repeat(85)), "new": "[note]", "intent": "why"})
        );
        assert_eq!(purpose(&json).as_deref(), Some("why"));
        assert_eq!(
            purpose(r#"{"path":"abc","old_str":"abcd","new_str":"ab"}"#).as_deref(),
            Some("ab")
        );
        assert_eq!(purpose(r#"{"path":"abc"}"#), None);
    }
}
