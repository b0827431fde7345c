//! Texts within reports, as they were before they were written in XML or JSON.

use super::HAS_ROOM;
use super::lines::{RAW_LIMIT, plain_text};
use std::borrow::Cow;

/// Returns the part of a line that a rule keeps, without the escapes of the report that the line is of.
pub fn unquoted<'a>(line: &str, kept: &'a str) -> Cow<'a, str> {
    let is_part = HAS_ROOM && kept.len() < line.len();
    if is_part && line.starts_with('<') {
        in_xml(kept)
    } else if is_part && (line.starts_with('"') || line.starts_with("[\"")) {
        in_json(kept)
    } else {
        Cow::Borrowed(kept)
    }
}

/// Returns a text of a report in XML, as it was before.
pub fn in_xml(text: &str) -> Cow<'_, str> {
    // In a report in JSON, such a line begins with a name.
    if !HAS_ROOM || !text.contains('&') || text.starts_with('"') {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let entity = part.split_once(';').and_then(|(name, rest)| Some((sign_of(name)?, rest)));
        if let Some((sign, rest)) = entity {
            plain.push(sign);
            plain.push_str(rest);
        } else {
            plain.push('&');
            plain.push_str(part);
        }
    }
    Cow::Owned(in_one_line(&plain))
}

/// Returns the sign that an entity of XML stands for.
fn sign_of(name: &str) -> Option<char> {
    let number = match name {
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "amp" => return Some('&'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => name.strip_prefix('#')?,
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
}

/// Returns a text of a report in JSON, as it was before. One that is cut within an escape stays as it is.
fn in_json(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    // The `files` wasm has no other use for the engine's own JSON reader, which is 5 KB larger.
    let plain = serde_json::from_str::<String>(&format!("\"{text}\""));
    plain.map_or(Cow::Borrowed(text), |plain| Cow::Owned(in_one_line(&plain)))
}

/// Returns a text of several lines in one, without colours.
fn in_one_line(text: &str) -> String {
    plain_text(text.replace('\r', " ").as_bytes(), RAW_LIMIT).into_owned()
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::unquoted;

    #[test]
    fn texts_within_reports() {
        for (line, kept, plain) in [
            (
                "<a x=\"1\"",
                "a &gt; b &#x22;c&#34; &lt;&apos;&quot;&amp;gt;",
                "a > b \"c\" <'\"&gt;",
            ),
            ("<a x=\"1\"", "no:&#10;&#10;1 !== 2&#10;", "no: 1 !== 2"),
            (
                "<a x=\"1\"",
                "a & b &x; &#xZ; &#; &#1114112; &l",
                "a & b &x; &#xZ; &#; &#1114112; &l",
            ),
            ("\"message\": 1", r#"\"a\" \u003e b\nc \\ \u001b[2md"#, "\"a\" > b c \\ d"),
            ("[\"fail\",{}]", r#"\"a\""#, "\"a\""),
            ("\"message\": 1", r"a\u00", r"a\u00"),
            ("[vite] C:\\new", r"C:\new", r"C:\new"),
        ] {
            let line = format!("{line}{kept}");
            assert_eq!(unquoted(&line, kept), plain, "{line}");
        }
    }
}
