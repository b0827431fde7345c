//! A pass is off, on, or on with settings.

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::marker::PhantomData;

/// A pass that is off (`false`, `null` or absent), on with its defaults (`true`), or on with settings.
#[derive(Debug, Clone, PartialEq)]
pub struct PassSetting<T>(Option<T>);

impl<T> Default for PassSetting<T> {
    fn default() -> Self {
        PassSetting(None)
    }
}

/// A field of the policy that switches a pass.
pub trait Setting {
    /// The pass.
    type Pass;

    /// The settings of a pass that is on.
    fn settings(&self) -> Option<&Self::Pass>;
}

impl<T> Setting for PassSetting<T> {
    type Pass = T;

    fn settings(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

impl<T> PassSetting<T> {
    /// On with these settings.
    pub fn on(settings: T) -> Self {
        PassSetting(Some(settings))
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

impl<T: Serialize> Serialize for PassSetting<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(settings) => settings.serialize(serializer),
            None => serializer.serialize_bool(false),
        }
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for PassSetting<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SettingVisitor(PhantomData))
    }
}

struct SettingVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for SettingVisitor<T> {
    type Value = PassSetting<T>;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("true, false, null or an object of settings")
    }

    fn visit_bool<E>(self, on: bool) -> Result<Self::Value, E> {
        Ok(PassSetting(on.then(T::default)))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(PassSetting(None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(PassSetting::on)
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
impl<T: schemars::JsonSchema> schemars::JsonSchema for PassSetting<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("PassSetting_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let settings = generator.subschema_for::<T>();
        schemars::json_schema!({ "anyOf": [{ "type": ["boolean", "null"] }, settings] })
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
impl<T: ts_rs::TS> ts_rs::TS for PassSetting<T> {
    type WithoutGenerics = PassSetting<ts_rs::Dummy>;
    type OptionInnerType = Self;
    const IS_OPTION: bool = true;

    fn name(cfg: &ts_rs::Config) -> String {
        format!("boolean | null | {}", T::name(cfg))
    }

    fn inline(cfg: &ts_rs::Config) -> String {
        Self::name(cfg)
    }

    fn visit_generics(visitor: &mut impl ts_rs::TypeVisitor)
    where
        Self: 'static,
    {
        visitor.visit::<T>();
    }
}
