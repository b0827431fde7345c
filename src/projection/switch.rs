//! A pass is off, on, or on with settings.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::marker::PhantomData;

/// A pass that is off (`false`, `null` or absent), on with its defaults (`true`), or on with settings.
#[derive(Debug, Clone, PartialEq)]
pub struct Switch<T>(Option<T>);

impl<T> Default for Switch<T> {
    fn default() -> Self {
        Switch(None)
    }
}

impl<T> Switch<T> {
    /// On with these settings.
    pub fn on(settings: T) -> Self {
        Switch(Some(settings))
    }

    /// Whether the pass is on.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// The settings of a pass that is on.
    pub fn settings(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

impl<T: Serialize> Serialize for Switch<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(settings) => settings.serialize(serializer),
            None => serializer.serialize_bool(false),
        }
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Switch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SwitchVisitor(PhantomData))
    }
}

struct SwitchVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for SwitchVisitor<T> {
    type Value = Switch<T>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("true, false, null or an object of settings")
    }

    fn visit_bool<E>(self, on: bool) -> Result<Self::Value, E> {
        Ok(Switch(on.then(T::default)))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Switch(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Switch::on)
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Switch<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Switch_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let settings = generator.subschema_for::<T>();
        schemars::json_schema!({ "anyOf": [{ "type": ["boolean", "null"] }, settings] })
    }
}
