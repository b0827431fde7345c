//! A number of tokens in settings: a number, or `{"type": "input_tokens", "value": 5000}`, as in Anthropic's
//! `clear_at_least`.

use super::settings::{Setting, Wrong, settings, words};
use crate::text::json::Json;
use serde::Serialize;

/// A number of estimated tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct TokenAmount(pub u32);

/// The same in the form of a trigger, with the name of the unit.
#[derive(Default)]
struct NamedAmount {
    measure: TokenMeasure,
    value: u32,
}

/// The unit; only tokens are allowed.
#[derive(Clone, Copy, Default)]
enum TokenMeasure {
    #[default]
    InputTokens,
}

settings!(complete NamedAmount { measure as "type", value as "value" });
words!(TokenMeasure { InputTokens = "input_tokens" });

impl Setting for TokenAmount {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        if !matches!(value, Json::Object(_)) {
            return self.0.read(value);
        }
        let mut named = NamedAmount::default();
        named.read(value)?;
        self.0 = named.value;
        Ok(())
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
impl schemars::JsonSchema for TokenAmount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TokenAmount".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": ["integer", "object"],
            "minimum": 0,
            "maximum": u32::MAX,
            "properties": {
                "type": { "const": "input_tokens" },
                "value": { "type": "integer", "minimum": 0, "maximum": u32::MAX }
            },
            "required": ["type", "value"],
            "additionalProperties": false
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Setting, TokenAmount};
    use crate::text::json::parsed;
    use serde_json::json;

    #[test]
    fn a_number_or_the_form_of_a_trigger() {
        let read = |json: serde_json::Value| {
            let text = json.to_string();
            let mut amount = TokenAmount::default();
            let read = parsed(text.as_bytes()).map(|json| amount.read(&json));
            read.map(|read| read.map(|()| amount.0).map_err(|wrong| wrong.reason))
        };
        assert_eq!(read(json!(5000)), Some(Ok(5000)));
        assert_eq!(read(json!({"type": "input_tokens", "value": 5000})), Some(Ok(5000)));
        let refused = [
            (json!({"type": "tool_uses", "value": 5}), "unknown value `tool_uses`"),
            (json!({"value": 5}), "missing field `type`"),
            (json!({"type": "input_tokens"}), "missing field `value`"),
            (json!({"type": "input_tokens", "value": -1}), "a whole number"),
            (json!({"type": "input_tokens", "value": 1, "of": 2}), "unknown field `of`"),
            (json!("5000"), "a whole number"),
        ];
        for (json, reason) in refused {
            let answer = read(json.clone());
            assert!(matches!(answer, Some(Err(found)) if found.contains(reason)), "{json}");
        }
    }
}
