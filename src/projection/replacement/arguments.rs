//! Cuts long texts in a call's arguments to their beginnings. The result is JSON with the same keys, order and types,
//! and with all short texts unchanged. Source: document "Smart Tool History", `hide_tool_args`.

use crate::message::{ToolArguments, is_command_key, is_file_key};
use crate::text::json::{Json, parsed};
use crate::text::{grouped, keep_start, quoted, utf16_len};
use std::ops::Range;

/// Keys of texts that an edit replaces. After the edit, no file contains them.
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

/// Bytes that are kept of a command's first line, by which [`ToolArguments`] identifies a command.
const COMMAND_HEAD: usize = 160;

/// Cuts texts of more than `max_chars` UTF-16 units in arguments, or only those of them that an edit replaced. A cut
/// text has at most half of `max_chars`, except a command, which keeps its first line.
///
/// Each cut at least halves the text, so no text is cut twice. `None` if nothing is cut, if the arguments are not an
/// object, or if the facts that the engine reads from them would change.
pub fn trimmed(json: &str, max_chars: u32, old_only: bool) -> Option<String> {
    rewritten(json, &text_values(json), json.len().saturating_sub(1), |value| {
        (!old_only || OLD_KEYS.contains(&value.key)).then(|| cut(value, json, max_chars)).flatten()
    })
}

fn cut(value: &TextValue<'_>, json: &str, max_chars: u32) -> Option<String> {
    // The JSON has at least as many bytes as the text has UTF-16 units.
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
        // The `…` is kept even if no text is.
        format!("{}{size}", keep_start(&text, room.max('…'.len_utf8())))
    };
    (text.len() >= 2 * cut.len()).then_some(cut)
}

/// Replaces the largest text in arguments with a note, and cuts the other texts of more than `max_chars` UTF-16 units.
/// `None` as in [`trimmed`], and if the arguments would not be halved.
pub fn noted(json: &str, note: &str, max_chars: u32) -> Option<String> {
    let values = text_values(json);
    let place = largest(&values, |key| is_file_key(key) || is_command_key(key))?;
    rewritten(json, &values, json.len() / 2, |value| {
        let is_place = value.range == place.range;
        if is_place { Some(note.to_owned()) } else { cut(value, json, max_chars) }
    })
}

/// The stated purpose of a call (`intent`), or else the text that it put into the file.
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

/// Replaces some texts in JSON and copies every other byte. `None` if the output is longer than `most` bytes, or if the
/// facts that the engine reads from it change.
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

/// A string value in JSON.
struct TextValue<'a> {
    /// Its byte range, including the quotes.
    range: Range<usize>,
    /// The innermost key that contains it, as written.
    key: &'a str,
}

impl TextValue<'_> {
    fn text(&self, json: &str) -> Option<String> {
        match parsed(json.get(self.range.clone())?.as_bytes()) {
            Some(Json::String(text)) => Some(text.into_owned()),
            _ => None,
        }
    }
}

/// The string values in JSON, without keys. Input that is not JSON gives meaningless values.
fn text_values(json: &str) -> Vec<TextValue<'_>> {
    let bytes = json.as_bytes();
    let mut values = Vec::new();
    // The last key of each open object.
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

/// The position after the string whose opening quote is at `start`.
fn text_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(next) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += next + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        // What a backslash precedes ends no string.
        at += 1;
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
            // No single text is long.
            &json!({"a": "y".repeat(150), "b": "y".repeat(150), "c": "y".repeat(200)}).to_string(),
            // A lone surrogate cannot be decoded.
            &format!("{{\"a\":\"\\ud800{long}\"}}"),
            // The key `path`, with an escape.
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
