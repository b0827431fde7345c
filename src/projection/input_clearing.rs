//! The setting for whether the clear pass also cuts arguments: `true`, `false`, or a list of tools, as in Anthropic's
//! `clear_tool_inputs`.

use super::settings::{Setting, Wrong, names_tool, wrong_type};
use crate::text::json::Json;
use serde::{Serialize, Serializer};

/// The tools whose arguments are cut when their results are cleared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ClearInputs {
    /// No tool.
    #[default]
    None,
    /// All tools.
    All,
    /// The tools with these names.
    Of(Vec<String>),
}

impl ClearInputs {
    /// Whether a tool's arguments are cut.
    pub fn take(&self, tool: &str) -> bool {
        match self {
            ClearInputs::None => false,
            ClearInputs::All => true,
            ClearInputs::Of(tools) => names_tool(tools, tool),
        }
    }
}

impl Serialize for ClearInputs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ClearInputs::Of(tools) => tools.serialize(serializer),
            all => serializer.serialize_bool(*all == ClearInputs::All),
        }
    }
}

impl Setting for ClearInputs {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        *self = match value {
            Json::Bool(true) => ClearInputs::All,
            Json::Bool(false) => ClearInputs::None,
            Json::Array(_) => {
                let mut tools = Vec::new();
                tools.read(value)?;
                ClearInputs::Of(tools)
            }
            _ => return Err(wrong_type(value, "true, false or a list of tools")),
        };
        Ok(())
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
impl schemars::JsonSchema for ClearInputs {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ClearInputs".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": ["boolean", "array"],
            "items": { "type": "string" }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{ClearInputs, Setting};
    use crate::text::json::parsed;

    #[test]
    fn in_json() {
        for (json, inputs) in [
            ("true", ClearInputs::All),
            ("false", ClearInputs::None),
            (r#"["bash"]"#, ClearInputs::Of(vec!["bash".to_owned()])),
        ] {
            let mut read = ClearInputs::default();
            assert_eq!(parsed(json.as_bytes()).map(|json| read.read(&json)), Some(Ok(())));
            assert_eq!(read, inputs);
            assert_eq!(serde_json::to_string(&inputs).ok().as_deref(), Some(json));
        }
        let refused = parsed(b"7").and_then(|json| ClearInputs::default().read(&json).err());
        assert!(refused.is_some_and(|wrong| wrong.reason.contains("a list of tools")));
    }
}
