//! Parses settings from JSON by name, with one small table for each struct. Errors contain the path of the setting.
//!
//! Serde's derived deserializers report errors without their path, and take several times the bytes of these tables.

use crate::text::json::{Json, integer, number, text};
use crate::text::{joined, quoted};
use std::borrow::Cow;

/// An error in a setting, with its path. Always boxed: every pass has a reader of its own that can fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The path: names of fields, outermost first; empty for the whole value.
    pub path: Vec<String>,
    /// What was found and what is allowed.
    pub reason: String,
}

impl Wrong {
    fn here(reason: String) -> Box<Self> {
        Box::new(Self { path: Vec::new(), reason })
    }

    pub(super) fn inside(mut self: Box<Self>, field: &str) -> Box<Self> {
        self.path.insert(0, field.to_owned());
        self
    }
}

/// The error for a value of the wrong type.
pub fn wrong_type(found: &Json<'_>, expected: &str) -> Box<Wrong> {
    let found = match found {
        Json::Null => "null".to_owned(),
        Json::Bool(on) => format!("boolean `{on}`"),
        Json::Number(number) => format!("number `{number}`"),
        Json::String(text) => format!("text {}", quoted(text)),
        Json::Array(_) => "a list".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    };
    Wrong::here(format!("invalid type: {found}, expected {expected}"))
}

/// A setting that can be parsed from JSON.
pub trait Setting {
    /// Replaces the setting with the value. After an error, the setting is unspecified.
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>>;
}

/// A struct of settings.
pub trait Settings {
    /// The names of its fields in JSON.
    fn names(&self) -> &'static [&'static str];
    /// Whether all fields are required.
    fn is_complete(&self) -> bool;
    /// The field at this position of [`Settings::names`].
    fn field(&mut self, name: usize) -> Option<&mut dyn Setting>;
}

/// Parses the fields of an object. Unknown fields, and missing required ones, are errors.
pub fn read_fields(settings: &mut dyn Settings, value: &Json<'_>) -> Result<(), Box<Wrong>> {
    let Json::Object(fields) = value else {
        return Err(wrong_type(value, "an object of settings"));
    };
    let names = settings.names();
    for (name, value) in fields {
        let known = names.iter().position(|known| known == name);
        let Some(field) = known.and_then(|known| settings.field(known)) else {
            return Err(Wrong::here(unknown("field", name, names)));
        };
        field.read(value).map_err(|wrong| wrong.inside(name))?;
    }
    match missing(settings, fields) {
        Some(name) => Err(Wrong::here(format!("missing field `{name}`"))),
        None => Ok(()),
    }
}

fn missing(settings: &dyn Settings, fields: &[(Cow<'_, str>, Json<'_>)]) -> Option<&'static str> {
    let is_missing =
        |name: &&&str| settings.is_complete() && !fields.iter().any(|(own, _)| own == **name);
    settings.names().iter().find(is_missing).copied()
}

/// Returns the position of a value in a list of words.
pub fn read_word(words: &[&str], value: &Json<'_>) -> Result<usize, Box<Wrong>> {
    let found = words.iter().position(|word| text(value) == Some(word));
    found.ok_or_else(|| no_word(value, words))
}

fn no_word(value: &Json<'_>, names: &[&str]) -> Box<Wrong> {
    match value {
        Json::String(text) => Wrong::here(unknown("value", text, names)),
        _ => wrong_type(value, &listed(names)),
    }
}

/// The message for an unknown name, with the nearest known one as a suggestion.
fn unknown(what: &str, name: &str, known: &[&str]) -> String {
    let text = format!("unknown {what} `{name}`, expected {}", listed(known));
    let distance =
        |other: &str| strsim::osa_distance(&other.to_ascii_lowercase(), &name.to_ascii_lowercase());
    let nearest = known.iter().map(|other| (distance(other), other)).min();
    match nearest.filter(|(distance, _)| distance * 2 <= name.len()) {
        Some((_, nearest)) => format!("{text}; did you mean `{nearest}`?"),
        None => text,
    }
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => "no fields".to_owned(),
        [only] => format!("`{only}`"),
        [one, other] => format!("`{one}` or `{other}`"),
        _ => format!("one of `{}`", joined(names, "`, `")),
    }
}

impl Setting for bool {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        let Json::Bool(on) = value else { return Err(wrong_type(value, "true or false")) };
        *self = *on;
        Ok(())
    }
}

impl Setting for u32 {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        let number = integer(value).and_then(|number| u32::try_from(number).ok());
        *self = number.ok_or_else(|| wrong_type(value, "a whole number from 0 to 4294967295"))?;
        Ok(())
    }
}

impl Setting for f64 {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        *self = number(value).ok_or_else(|| wrong_type(value, "a number"))?;
        Ok(())
    }
}

impl Setting for String {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        *self = text(value).ok_or_else(|| wrong_type(value, "a text"))?.to_owned();
        Ok(())
    }
}

impl Setting for Vec<String> {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        let Json::Array(items) = value else { return Err(wrong_type(value, "a list of texts")) };
        self.clear();
        for (i, item) in items.iter().enumerate() {
            let mut text = String::new();
            text.read(item).map_err(|wrong| wrong.inside(&i.to_string()))?;
            self.push(text);
        }
        Ok(())
    }
}

/// `null` is `None`.
impl<T: Setting + Default> Setting for Option<T> {
    fn read(&mut self, value: &Json<'_>) -> Result<(), Box<Wrong>> {
        match value {
            Json::Null => *self = None,
            _ => self.insert(T::default()).read(value)?,
        }
        Ok(())
    }
}

/// Declares the JSON names of all fields of a struct; the compiler checks that none is missing. All fields of a
/// `complete` struct are required.
macro_rules! settings {
    ($Type:ty { $($field:ident as $name:expr),* $(,)? }) => {
        settings!(@ $Type, false, $($field as $name),*);
    };
    (complete $Type:ty { $($field:ident as $name:expr),* $(,)? }) => {
        settings!(@ $Type, true, $($field as $name),*);
    };
    (@ $Type:ty, $complete:literal, $($field:ident as $name:expr),*) => {
        impl $crate::projection::settings::Settings for $Type {
            fn names(&self) -> &'static [&'static str] {
                &[$($name),*]
            }

            fn is_complete(&self) -> bool {
                $complete
            }

            fn field(
                &mut self,
                name: usize,
            ) -> Option<&mut dyn $crate::projection::settings::Setting> {
                // A full pattern, so that a missing field does not compile.
                let Self { $($field),* } = self;
                let fields: Vec<&mut dyn $crate::projection::settings::Setting> = vec![$($field),*];
                fields.into_iter().nth(name)
            }
        }

        impl $crate::projection::settings::Setting for $Type {
            fn read(
                &mut self,
                value: &$crate::text::json::Json<'_>,
            ) -> Result<(), Box<$crate::projection::settings::Wrong>> {
                $crate::projection::settings::read_fields(self, value)
            }
        }
    };
}

/// Declares the JSON words of an enum's variants.
macro_rules! words {
    ($Type:ident { $($Variant:ident = $word:literal),+ $(,)? }) => {
        impl $crate::projection::settings::Setting for $Type {
            fn read(
                &mut self,
                value: &$crate::text::json::Json<'_>,
            ) -> Result<(), Box<$crate::projection::settings::Wrong>> {
                let word = $crate::projection::settings::read_word(&[$($word),+], value)?;
                if let Some(meant) = [$($Type::$Variant),+].get(word) {
                    *self = *meant;
                }
                Ok(())
            }
        }
    };
}
pub(in crate::projection) use {settings, words};
