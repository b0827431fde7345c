//! JSON that the engine parses itself: the arguments of calls, and the settings of policies.
//!
//! Numbers stay text. Parsers that convert each to a float bring a table of powers of ten, and their objects a hash table
//! each: together a twentieth of the core. The values of `hifijson` bring the formatting of errors that never happen.

use hifijson::SliceLexer;
use hifijson::num::LexWrite as _;
use hifijson::str::LexAlloc as _;
use hifijson::token::{Expect, Lex};
use std::borrow::Cow;

/// A parsed value, which borrows texts without escapes from the JSON.
#[derive(Debug)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it was written.
    Number(&'a str),
    /// A text.
    String(Cow<'a, str>),
    /// A list.
    Array(Vec<Self>),
    /// An object. The fields are in their order, with those that come twice.
    Object(Vec<(Cow<'a, str>, Self)>),
}

/// Maximum levels of lists and objects within each other.
const MOST_LEVELS: usize = 128;

/// Parses one JSON value; `None` if the text is anything else, not UTF-8, or nested more than 128 levels deep.
pub fn parsed(text: &[u8]) -> Option<Json<'_>> {
    let value = |next, lexer: &mut _| value(next, lexer, MOST_LEVELS).ok_or(NotJson);
    SliceLexer::new(text).exactly_one(Lex::ws_peek, value).ok()
}

/// The text is not JSON.
struct NotJson;

impl From<Expect> for NotJson {
    fn from(_: Expect) -> Self {
        Self
    }
}

fn value<'a>(next: u8, lexer: &mut SliceLexer<'a>, levels: usize) -> Option<Json<'a>> {
    let levels = levels.checked_sub(1)?;
    let json = match next {
        b'a'..=b'z' => lexer.null_or_bool()?.map_or(Json::Null, Json::Bool),
        b'0'..=b'9' | b'-' => {
            let (digits, _) = lexer.num_bytes().validated().ok()?;
            Json::Number(std::str::from_utf8(digits).ok()?)
        }
        b'"' => Json::String(lexer.discarded().str_string().ok()?),
        b'[' => Json::Array(list(lexer, b']', |next, lexer| value(next, lexer, levels))?),
        b'{' => Json::Object(list(lexer, b'}', |next, lexer| field_of(next, lexer, levels))?),
        _ => return None,
    };
    Some(json)
}

/// Parses what stands between two brackets, with commas between.
fn list<'a, T>(
    lexer: &mut SliceLexer<'a>,
    end: u8,
    mut parse: impl FnMut(u8, &mut SliceLexer<'a>) -> Option<T>,
) -> Option<Vec<T>> {
    let mut parts = Vec::new();
    let part = |next, lexer: &mut _| {
        parts.push(parse(next, lexer).ok_or(NotJson)?);
        Ok::<_, NotJson>(())
    };
    lexer.discarded().seq(end, Lex::ws_peek, part).ok()?;
    Some(parts)
}

fn field_of<'a>(
    next: u8,
    lexer: &mut SliceLexer<'a>,
    levels: usize,
) -> Option<(Cow<'a, str>, Json<'a>)> {
    lexer.expect(|_| Some(next), b'"')?;
    let name = lexer.str_string().ok()?;
    lexer.expect(Lex::ws_peek, b':')?;
    let next = lexer.ws_peek()?;
    Some((name, value(next, lexer, levels)?))
}

/// Replaces escapes of half a surrogate pair with U+FFFD, as encoders do: JavaScript writes and reads them, and a text
/// that was cut within a character ends in one. `None` if there are none.
pub fn with_whole_characters(text: &[u8]) -> Option<Vec<u8>> {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
    };
    let mut whole = text.to_vec();
    let mut at = 0;
    while let Some(offset) = memchr::memchr(b'\\', text.get(at..)?) {
        at += offset;
        at += match (unit(at), unit(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                whole[at + 2..at + 6].copy_from_slice(b"fffd");
                6
            }
            _ => 2,
        };
    }
    (whole != text).then_some(whole)
}

/// The field of an object; the last, if several have the name.
pub fn field<'j, 'a>(json: &'j Json<'a>, name: &str) -> Option<&'j Json<'a>> {
    let Json::Object(fields) = json else { return None };
    fields.iter().rev().find_map(|(own, value)| (own == name).then_some(value))
}

/// The entries of a list.
pub fn entries<'j, 'a>(json: &'j Json<'a>) -> Option<&'j [Json<'a>]> {
    if let Json::Array(entries) = json { Some(entries) } else { None }
}

/// The content of a text.
pub fn text<'j>(json: &'j Json<'_>) -> Option<&'j str> {
    if let Json::String(text) = json { Some(text) } else { None }
}

/// An integer, written without fraction and exponent.
pub fn integer(json: &Json<'_>) -> Option<i64> {
    if let Json::Number(digits) = json { digits.parse().ok() } else { None }
}

/// A number. It may differ from the nearest float in the last bit, if it has more than 15 digits.
pub fn number(json: &Json<'_>) -> Option<f64> {
    let Json::Number(number) = json else { return None };
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut exponent = i32::try_from(exponent.parse::<i64>().ok()?).ok()?;
    let mut significand = 0_u64;
    for (i, digit) in whole.bytes().chain(fraction.bytes()).enumerate() {
        let is_kept = significand < 10_u64.pow(18);
        if is_kept && digit != b'-' {
            significand = significand * 10 + u64::from(digit - b'0');
        }
        exponent += i32::from(!is_kept) - i32::from(i >= whole.len());
    }
    let power = (0..exponent.unsigned_abs().min(400)).fold(1.0, |power, _| power * 10.0);
    let significand = significand as f64;
    let size = if exponent < 0 { significand / power } else { significand * power };
    let signed = if number.starts_with('-') { -size } else { size };
    // Rounding may lead beyond the largest number, and JavaScript writes none beyond.
    Some(signed.clamp(f64::MIN, f64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{
        Json as Parsed, entries, field, integer, number, parsed, text, with_whole_characters,
    };
    use proptest::prelude::*;
    use serde_json::Value as Json;

    /// The value as serde_json has it. Its own numbers are floats beyond 64 bits, so only their text is given.
    fn converted(json: &Parsed<'_>) -> Json {
        match json {
            Parsed::Null => Json::Null,
            Parsed::Bool(on) => Json::Bool(*on),
            Parsed::Number(number) => serde_json::from_str(number).unwrap_or_default(),
            Parsed::String(text) => Json::String(text.to_string()),
            Parsed::Array(entries) => entries.iter().map(converted).collect(),
            Parsed::Object(fields) => {
                fields.iter().map(|(name, value)| (name.to_string(), converted(value))).collect()
            }
        }
    }

    fn compare(json: &[u8]) -> Result<(), TestCaseError> {
        let expected = match serde_json::from_slice::<Json>(json) {
            // Only serde_json refuses numbers that no float can hold.
            Err(error) if error.to_string().starts_with("number out of range") => return Ok(()),
            expected => expected.ok(),
        };
        let ours = parsed(json);
        prop_assert_eq!(ours.as_ref().map(converted), expected);
        Ok(())
    }

    fn values() -> impl Strategy<Value = Json> {
        let leaves = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            any::<i64>().prop_map(Json::from),
            any::<f64>().prop_map(Json::from),
            any::<String>().prop_map(Json::from),
        ];
        leaves.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|fields| fields.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn parses_as_serde_json_does(value in values(), pretty: bool) {
            let json = if pretty { format!("{value:#}") } else { value.to_string() };
            compare(json.as_bytes())?;
        }

        /// Pieces of JSON in any order, with bytes that are no UTF-8 among them.
        #[test]
        fn refuses_what_serde_json_refuses(
            pieces in prop::collection::vec(prop_oneof![
                r#"[\[\]{}:,"0-9eE.+ \n-]{1,3}"#.prop_map(String::into_bytes),
                r#"null|true|false|nul|"a"|"\\u[0-9a-fD]{3,4}"|"\\[a-z"/]"|-?[01]{1,2}(\.[0-9]*)?(e[+-]?[0-9]*)?"#
                    .prop_map(String::into_bytes),
                prop::collection::vec(any::<u8>(), 1..3),
            ], 0..8),
        ) {
            compare(&pieces.concat())?;
        }

        #[test]
        fn numbers_are_floats(number in any::<f64>().prop_filter("finite", |n| n.is_finite() && (n.abs() > 1e-290 || *n == 0.0)), exponent: bool) {
            let json = if exponent { format!("{number:e}") } else { Json::from(number).to_string() };
            let read = parsed(json.as_bytes()).and_then(|json| super::number(&json)).unwrap_or(f64::NAN);
            prop_assert!((read - number).abs() <= number.abs() * 1e-13, "{json}: {read}");
        }

        /// As settings are written: exact.
        #[test]
        fn short_numbers_are_exact(whole in 0_u32..1_000_000, fraction in "[0-9]{1,9}") {
            let json = format!("{whole}.{fraction}");
            let read = parsed(json.as_bytes()).and_then(|json| super::number(&json));
            prop_assert_eq!(read, json.parse().ok());
        }
    }

    #[test]
    fn halves_of_characters_are_replaced() {
        for (json, expected) in [
            (r#"["\ud83d"]"#, Some(r#"["\ufffd"]"#)),
            (
                r#"["\uDE00\uD83D\ude00\ud83d\u0041"]"#,
                Some(r#"["\ufffd\uD83D\ude00\ufffd\u0041"]"#),
            ),
            (r#"["\\ud83d\ud83d\ude00"]"#, None),
            (r#"["\u12"#, None),
            ("\\", None),
            ("[1]", None),
        ] {
            let found = with_whole_characters(json.as_bytes());
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{json}");
        }
    }

    #[test]
    fn what_is_asked_for() {
        let json = parsed(br#"{"a": 1, "b": [true, "x\n"], "a": -20, "c": 1.5, "d": 1e400}"#)
            .unwrap_or(Parsed::Null);
        let at = |name| field(&json, name);
        assert_eq!(at("a").and_then(integer), Some(-20), "the last of a name");
        assert_eq!(at("b").and_then(entries).and_then(|list| text(list.get(1)?)), Some("x\n"));
        assert_eq!(at("c").and_then(integer), None);
        assert_eq!(at("c").and_then(number), Some(1.5));
        assert_eq!(at("d").and_then(number), Some(f64::MAX));
        assert!(at("e").is_none() && field(&Parsed::Null, "a").is_none());
        let nested = |levels: usize| [b"[".repeat(levels), b"]".repeat(levels)].concat();
        assert!(parsed(&nested(128)).is_some() && parsed(&nested(129)).is_none());
    }
}
