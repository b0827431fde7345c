//! The setting of a pass: off, on, or on with settings.

use super::{Setting as Readable, Wrong, wrong_type};
use crate::text::json::Json;
use serde::{Serialize, Serializer};

/// A pass that is off (`false`, `null` or absent), on with its defaults (`true`), or on with settings.
#[derive(Debug, Clone, PartialEq)]
pub struct PassSetting<T>(Option<T>);

impl<T> Default for PassSetting<T> {
    fn default() -> Self {
        PassSetting(None)
    }
}

/// A field of the policy that configures a pass.
pub trait Setting {
    /// The type of the pass.
    type Pass;

    /// The settings of the pass; `None` if it is off.
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

    /// The settings of the pass; `None` if it is off.
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

impl<T: Readable + Default> Readable for PassSetting<T> {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        self.0 = is_on(value)?.then(T::default);
        match &mut self.0 {
            Some(settings) if matches!(value, Json::Object(_)) => settings.read(value),
            _ => Ok(()),
        }
    }
}

fn is_on(value: &Json<'_>) -> Result<bool, Box<Wrong>> {
    match value {
        Json::Null | Json::Bool(false) => Ok(false),
        Json::Bool(true) | Json::Object(_) => Ok(true),
        _ => Err(wrong_type(value, "true, false, null or an object of settings")),
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
