//! Whether the clear pass cuts arguments as well: `true`, `false`, or the tools meant, as Anthropic's
//! `clear_tool_inputs` has it.

use super::tool_list::names_tool;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The tools whose arguments are cut when their results are cleared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ClearInputs {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those with these names.
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

impl<'de> Deserialize<'de> for ClearInputs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ToolsVisitor)
    }
}

struct ToolsVisitor;

impl<'de> Visitor<'de> for ToolsVisitor {
    type Value = ClearInputs;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("true, false or a list of tools")
    }

    fn visit_bool<E>(self, all: bool) -> Result<ClearInputs, E> {
        Ok(if all { ClearInputs::All } else { ClearInputs::None })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<ClearInputs, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(ClearInputs::Of)
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
    use super::ClearInputs;

    #[test]
    fn in_json() {
        for (json, inputs) in [
            ("true", ClearInputs::All),
            ("false", ClearInputs::None),
            (r#"["bash"]"#, ClearInputs::Of(vec!["bash".to_owned()])),
        ] {
            assert_eq!(serde_json::from_str(json).ok().as_ref(), Some(&inputs));
            assert_eq!(serde_json::to_string(&inputs).unwrap_or_default(), json);
        }
        assert!(
            serde_json::from_str::<ClearInputs>("7")
                .is_err_and(|error| error.to_string().contains("a list of tools"))
        );
    }
}
