//! Parsed JSON as a [`Value`]: the arguments of calls, and the histories of native tests.

use super::access::{Kind, Value};
use super::words::{Key, Word};
use crate::text::utf16_len;
use serde_json::Value as Json;

/// A borrowed JSON value; `None` if absent.
#[derive(Debug, Clone, Copy)]
pub struct JsonValue<'a>(pub Option<&'a Json>);

impl<'a> From<&'a Json> for JsonValue<'a> {
    fn from(json: &'a Json) -> Self {
        Self(Some(json))
    }
}

impl JsonValue<'_> {
    fn text(&self) -> Option<&str> {
        self.0.and_then(Json::as_str)
    }

    /// An integer, or a text that contains one.
    pub fn integer(&self) -> Option<i64> {
        let json = self.0?;
        json.as_i64().or_else(|| json.as_str().and_then(|text| text.trim().parse().ok()))
    }
}

impl Value for JsonValue<'_> {
    fn kind(&self) -> Kind {
        match self.0 {
            None | Some(Json::Null) => Kind::Absent,
            Some(Json::String(_)) => Kind::Text,
            Some(Json::Array(_)) => Kind::List,
            Some(Json::Object(_)) => Kind::Object,
            Some(Json::Bool(_) | Json::Number(_)) => Kind::Scalar,
        }
    }

    fn field(&self, key: Key) -> Self {
        Self(self.0.and_then(|json| json.get(key.text())))
    }

    fn watched(&self, key: Key) -> Self {
        self.field(key)
    }

    fn unwatched(&self) -> Self {
        *self
    }

    fn item(&self, index: usize) -> Self {
        Self(self.0.and_then(|json| json.get(index)))
    }

    fn len(&self) -> usize {
        self.0.and_then(Json::as_array).map_or(0, Vec::len)
    }

    fn field_count(&self) -> usize {
        self.0.and_then(Json::as_object).map_or(0, serde_json::Map::len)
    }

    fn word(&self) -> Option<Word> {
        self.text().and_then(Word::from_text)
    }

    fn is_true(&self) -> bool {
        self.0 == Some(&Json::Bool(true))
    }

    fn is_blank(&self) -> bool {
        self.text().is_some_and(|text| text.trim().is_empty())
    }

    fn read_text(&self, sink: &mut dyn FnMut(&[u8])) -> u64 {
        let Some(text) = self.text() else { return 0 };
        sink(text.as_bytes());
        utf16_len(text)
    }

    fn read_json(&self, sink: &mut dyn FnMut(&[u8])) -> u64 {
        let Some(json) = self.0 else { return 0 };
        let text = json.to_string();
        sink(text.as_bytes());
        utf16_len(&text)
    }
}
